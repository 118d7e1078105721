/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a burst does at each moment. */
#include "config.h"
#include "burst/schedule.h"

bool schedule_solid(const struct schedule *schedule)
{
	return schedule->pattern.on_ns >= schedule->pattern.period_ns;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Is the on time that would start at `start` left out? Only where the gaps are short and rests
 * would not take much of the burst. */
static bool left_out(const struct schedule *schedule, int64_t start)
{
	const int64_t period = (int64_t)schedule->pattern.period_ns;
	const int64_t gap = period - (int64_t)schedule->pattern.on_ns;

	return gap > 0 && gap < SCHEDULE_REST_NS && period <= SCHEDULE_REST_EVERY_NS / 16 &&
	       start >= SCHEDULE_REST_EVERY_NS && start % SCHEDULE_REST_EVERY_NS < SCHEDULE_REST_NS;
}

struct stretch schedule_at(const struct schedule *schedule, int64_t t)
{
	const int64_t period = (int64_t)schedule->pattern.period_ns;
	const int64_t on = (int64_t)schedule->pattern.on_ns, end = schedule->duration_ns;
	struct stretch s = { .from_ns = -SCHEDULE_LEAD_NS };
	int64_t start; /* of the period */

	if (t < 0)
		return (struct stretch){ .from_ns = -SCHEDULE_LEAD_NS, .until_ns = 0, .rested = true };
	if (t >= end)
		return (struct stretch){ .from_ns = end, .until_ns = end + SCHEDULE_LEAD_NS,
					 .rested = true, .over = t >= end + SCHEDULE_LEAD_NS };
	start = t - t % period;
	if (t < start + on && !left_out(schedule, start))
		return (struct stretch){ .from_ns = start, .until_ns = least(start + on, end),
					 .on = true };
	/* scalar: since the last on time that was not left out, until the next one */
	s.until_ns = start + period;
	while (s.until_ns < end && left_out(schedule, s.until_ns))
		s.until_ns += period;
	while (left_out(schedule, start))
		start -= period;
	s.from_ns = start + on;
	s.until_ns = least(s.until_ns, end);
	s.rested = s.until_ns - s.from_ns >= SCHEDULE_REST_NS;
	return s;
}
