/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time of this process: monotonic for intervals, real for labels. */
#include "config.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static uint64_t read_ns(clockid_t id)
{
	struct timespec t = { 0 };

	/* Cannot fail: all these clocks exist on every Linux that this program runs on. */
	(void)clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

uint64_t clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_raw_ns(void)
{
	return read_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t clock_real_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

/* The two clocks are read one after the other; what comes between makes the difference too large, so
 * the least of a few counts. Signed: a time namespace may set the clocks apart either way
 * (time_namespaces(7)). */
uint64_t clock_suspended_ns(void)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < 3; i++) {
		const uint64_t mono = read_ns(CLOCK_MONOTONIC);
		const int64_t ns = (int64_t)(read_ns(CLOCK_BOOTTIME) - mono);

		least = ns < least ? ns : least;
	}
	return (uint64_t)least;
}

uint64_t clock_process_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

const char *clock_format_utc(uint64_t real_ns, char *buf, size_t size)
{
	const time_t seconds = (time_t)(real_ns / NS_PER_S);
	struct tm tm = { 0 };

	/* uint64_t nanoseconds end in the year 2554, so gmtime_r cannot overflow. */
	(void)gmtime_r(&seconds, &tm);
	(void)snprintf(buf, size, "%04d-%02d-%02dT%02d:%02d:%02d.%06" PRIu64 "Z", tm.tm_year + 1900,
		       tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		       (uint64_t)(real_ns % NS_PER_S / NS_PER_US));
	return buf;
}
