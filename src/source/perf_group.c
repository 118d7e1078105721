/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of events: opened, read together, and scaled where other users take turns. */
#include "config.h"

#include "source/perf_group.h"

#include <errno.h>

/* Times are those of the leader; members of a group count all at once or not at all. */
struct image {
	uint64_t n, enabled_ns, running_ns;
	uint64_t values[PERF_GROUP_MAX];
};

static int open_event(struct perf_event *event, unsigned cpu, int leader, unsigned *budget)
{
	int r = -EMFILE;

	if (*budget > 0)
		r = perf_call_open(&event->what, -1, (int)cpu, leader);
	if (r < 0)
		return r;
	--*budget;
	event->fd = r;
	return 0;
}

int perf_group_open(struct perf_group *group, unsigned cpu, unsigned *budget)
{
	int leader = -1, first = 0;

	for (unsigned i = 0; i < group->n; i++) {
		struct perf_event *event = &group->events[i];

		event->fd = -1;
		event->last = event->total = 0;
		event->err = open_event(event, cpu, leader, budget);
		if (event->err < 0 && first == 0)
			first = event->err;
		if (event->err == 0 && leader < 0)
			leader = event->fd;
	}
	group->enabled_ns = group->running_ns = 0;
	group->begun = group->frozen = false;
	group->open = leader >= 0;
	return group->open ? 0 : first < 0 ? first : -ENOENT;
}

void perf_group_close(struct perf_group *group, unsigned *budget)
{
	/* Members first: one whose leader is gone would begin to count on its own. */
	for (unsigned i = group->n; group->open && i-- > 0;) {
		struct perf_event *event = &group->events[i];

		if (event->err < 0)
			continue;
		perf_call_close(event->fd);
		event->fd = -1;
		++*budget;
	}
	group->open = false;
}

static int leader_of(const struct perf_group *group)
{
	unsigned i = 0;

	while (group->events[i].err < 0)
		i++;
	return group->events[i].fd;
}

static unsigned count_open(const struct perf_group *group)
{
	unsigned n = 0;

	for (unsigned i = 0; i < group->n; i++)
		n += group->events[i].err == 0;
	return n;
}

/* Below one hundredth of the time what was counted tells nothing of the rest. */
static enum state coverage(uint64_t enabled_ns, uint64_t running_ns)
{
	if (enabled_ns - running_ns <= enabled_ns / 1000)
		return STATE_OK;
	return running_ns < enabled_ns / 100 || running_ns == 0 ? STATE_CROWDED : STATE_SCALED;
}

static void add(struct perf_group *group, const struct image *image)
{
	const uint64_t enabled_ns = image->enabled_ns - group->enabled_ns;
	const uint64_t running_ns = image->running_ns - group->running_ns;
	unsigned at = 0;

	group->frozen = group->begun && enabled_ns == 0;
	group->state = coverage(enabled_ns, running_ns);
	for (unsigned i = 0; i < group->n; i++) {
		struct perf_event *event = &group->events[i];
		uint64_t more;

		if (event->err < 0)
			continue;
		more = image->values[at++] - event->last;
		event->last += more;
		if (group->state == STATE_SCALED)
			more = (uint64_t)((double)more * (double)enabled_ns / (double)running_ns);
		if (group->state != STATE_CROWDED)
			event->total += more;
	}
	group->enabled_ns = image->enabled_ns;
	group->running_ns = image->running_ns;
	group->begun = true;
}

void perf_group_read(struct perf_group *group)
{
	struct image image;
	const unsigned n = count_open(group);
	const ssize_t size = (ssize_t)((3 + n) * sizeof(uint64_t));
	const ssize_t r = perf_call_read(leader_of(group), &image.n, sizeof(image));

	if (r == size && image.n == n) {
		group->err = 0;
		add(group, &image);
		return;
	}
	/* Nothing to read is how the kernel tells of a leader that it had to give up. */
	group->frozen = r == 0;
	group->err = r < 0 ? (int)r : -EIO;
	group->state = STATE_FAILED;
}

bool perf_group_shared(const struct perf_group *group)
{
	return group->state == STATE_SCALED || group->state == STATE_CROWDED;
}
