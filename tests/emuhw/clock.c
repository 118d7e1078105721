/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated clock, the lock that all of the model is used under, and the log. */
#include "config.h"

#include "clock.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "clock.h"
#include "control.h"
#include "machine.h"

FILE *emu_logf;
static struct command {
	double at;
	char *line;
	bool done;
} * timeline;
static int timeline_length;
static pthread_mutex_t lock;
static double t_start, t_manual;
static bool manual;

double wall(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void emu_lock(void)
{
	pthread_mutex_lock(&lock);
}

void emu_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void emu_log(const char *fmt, ...)
{
	if (!emu_logf)
		return;
	va_list ap;
	va_start(ap, fmt);
	fprintf(emu_logf, "%.6f ", wall() - t_start);
	vfprintf(emu_logf, fmt, ap);
	fputc('\n', emu_logf);
	fflush(emu_logf);
	va_end(ap);
}

/* The counter at a time, as near as can be: of several readings the one that took least. */
static uint64_t tsc_at(double *ret_time)
{
	double least = 1;
	uint64_t tsc = 0;

	for (int i = 0; i < 20; i++) {
		double before = wall(), after;
		uint64_t now = __rdtsc();

		after = wall();
		if (after - before < least) {
			least = after - before;
			*ret_time = (before + after) / 2;
			tsc = now;
		}
	}
	return tsc;
}

double host_tsc_mhz(void)
{
	static double mhz;

	if (mhz == 0) {
		double from = 0, to = 0;
		uint64_t first = tsc_at(&from), last;

		usleep(50000);
		last = tsc_at(&to);
		mhz = (double)(last - first) / (to - from) / 1e6;
	}
	return mhz;
}

/* The lock is recursive: a command of the timeline may be due wherever the time is asked for. */
void clock_start(bool by_hand)
{
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
	t_start = wall();
	manual = by_hand;
}

static double clock_read(void)
{
	return manual ? t_manual : (wall() - t_start) * machine.speed;
}

void clock_manual(bool on)
{
	double now = clock_read();

	if (on)
		t_manual = now;
	else
		t_start = wall() - now / machine.speed;
	manual = on;
}

void clock_step(double seconds)
{
	t_manual += seconds;
}

int timeline_add(double at, const char *line)
{
	struct command *more = realloc(timeline, sizeof(*more) * (size_t)(timeline_length + 1));

	if (!more)
		return -1;
	timeline = more;
	timeline[timeline_length++] = (struct command) { at, strdup(line), false };
	return 0;
}

double emu_now(void)
{
	double t = clock_read();
	char err[200];

	for (int i = 0; i < timeline_length; i++) {
		if (timeline[i].done || timeline[i].at > t)
			continue;
		timeline[i].done = true;
		if (emu_command(timeline[i].line, timeline[i].at, err, sizeof(err)))
			fprintf(stderr, "emuhw: timeline: %s\n", err);
	}
	return t;
}
