/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Past clocks and what follows from them: marks, scale, events. */
#include "config.h"

#include "ui/history.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/board.h"
#include "burst/judge.h"
#include "model/host.h"

/* A burst's scalar and wide clocks are paired within milliseconds: 1 % is beyond their noise. */
#define BURST_DROP 0.01
/* Without pairs a clock wanders by itself, by up to 8 % in busy virtual machines; favored cores of
 * one package differ by half of that. Licenses cost 15 % and more. */
#define FELL_DROP 0.10
#define BEHIND_DROP 0.10
#define IDLE_BUSY 0.05
#define REFERENCE_NS (60 * NS_PER_S)
#define REFERENCE_MIN 4 /* values that make a reference */
#define AFTER_NS (15 * NS_PER_S)

int history_init(struct history *history, const struct host *host)
{
	*history = (struct history){ .host = host, .lowest = NAN, .highest = NAN };
	history->cpus = calloc(host->n_cpus, sizeof(*history->cpus));
	history->marks = calloc(host->n_cpus, sizeof(*history->marks));
	history->offline = calloc(host->n_cpus, sizeof(*history->offline));
	history->fell_ns = calloc(host->n_cpus, sizeof(*history->fell_ns));
	history->heat_ns = calloc(host->n_cpus, sizeof(*history->heat_ns));
	if (!history->cpus || !history->marks || !history->offline || !history->fell_ns ||
	    !history->heat_ns || ring_init(&history->clock, HISTORY_SIZE) < 0)
		return -ENOMEM;
	for (unsigned i = 0; i < host->n_cpus; i++) {
		if (ring_init(&history->cpus[i], HISTORY_SIZE) < 0)
			return -ENOMEM;
		history->marks[i] = (struct mark){ .before_hertz = NAN, .drop_ratio = NAN };
		history->offline[i] = !host->cpus[i].online;
	}
	return 0;
}

/* What is kept of a CPU moves from index `from` of one to index `to` of the other. */
static void move_cpu(struct history *old, unsigned from, struct history *fresh, unsigned to)
{
	const struct ring swap = fresh->cpus[to];

	fresh->cpus[to] = old->cpus[from];
	old->cpus[from] = swap; /* to be freed with it */
	fresh->marks[to] = old->marks[from];
	fresh->fell_ns[to] = old->fell_ns[from];
	fresh->heat_ns[to] = old->heat_ns[from];
	fresh->offline[to] = old->offline[from];
}

int history_rehost(struct history *history, const struct host *host, uint64_t real_ns)
{
	struct history fresh;
	const struct host *was = history->host;

	if (history_init(&fresh, host) < 0) {
		history_free(&fresh);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const int index = host_cpu_index(was, host->cpus[i].id);

		if (index >= 0)
			move_cpu(history, (unsigned)index, &fresh, i);
		else
			fresh.offline[i] = true;
		/* A ring that is pushed later than the others would have its values at their times. */
		for (uint64_t k = fresh.cpus[i].count; k < history->pushed && k < HISTORY_SIZE; k++)
			ring_push(&fresh.cpus[i], &(struct value){ .state = STATE_OFFLINE });
	}
	for (unsigned i = 0; i < was->n_cpus; i++)
		if (was->cpus[i].wanted && host_cpu_index(host, was->cpus[i].id) < 0)
			history_event(history, real_ns, ROLE_WARN, _("CPU %u is gone"), was->cpus[i].id);
	memcpy(fresh.times, history->times, sizeof(fresh.times));
	memcpy(fresh.events, history->events, sizeof(fresh.events));
	fresh.pushed = history->pushed;
	fresh.n_events = history->n_events;
	fresh.lowest = history->lowest;
	fresh.highest = history->highest;
	const struct ring swap = fresh.clock;

	fresh.clock = history->clock;
	history->clock = swap;
	history_free(history);
	*history = fresh;
	return 0;
}

void history_free(struct history *history)
{
	for (unsigned i = 0; history->cpus && i < history->host->n_cpus; i++)
		ring_free(&history->cpus[i]);
	ring_free(&history->clock);
	free(history->cpus);
	free(history->marks);
	free(history->offline);
	free(history->fell_ns);
	free(history->heat_ns);
	*history = (struct history){ 0 };
}

void history_event(struct history *history, uint64_t real_ns, enum role role, const char *format, ...)
{
	struct event *event = &history->events[history->n_events++ % HISTORY_EVENTS];
	va_list args;

	event->real_ns = real_ns;
	event->role = role;
	va_start(args, format);
	vsnprintf(event->text, sizeof(event->text), format, args);
	va_end(args);
}

const struct event *history_event_get(const struct history *history, uint64_t age)
{
	if (age >= history->n_events || age >= HISTORY_EVENTS)
		return NULL;
	return &history->events[(history->n_events - 1 - age) % HISTORY_EVENTS];
}

bool history_time(const struct history *history, size_t age, uint64_t *ret_mono_ns)
{
	if (age >= history->pushed || age >= HISTORY_SIZE)
		return false;
	*ret_mono_ns = history->times[(history->pushed - 1 - age) % HISTORY_SIZE];
	return true;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Upper quartile of the CPU's last minute: a fall of less than 45 s does not move it. */
static double usual_clock(const struct history *history, unsigned cpu)
{
	double values[HISTORY_SIZE];
	size_t n = 0;
	uint64_t now, then;

	if (!history_time(history, 0, &now))
		return NAN;
	for (size_t age = 1; history_time(history, age, &then) && now - then <= REFERENCE_NS; age++) {
		const struct value *value = ring_get(&history->cpus[cpu], age);

		if (value && state_usable(value->state) && value->sees != SEES_BURST)
			values[n++] = value->v;
	}
	if (n < REFERENCE_MIN)
		return NAN;
	qsort(values, n, sizeof(values[0]), compare_doubles);
	return values[n * 3 / 4];
}

/* Counters tell the clock of a CPU that hardly runs, too; it is low since nobody asks for more. */
static bool hardly_runs(const struct snapshot *snapshot, unsigned cpu)
{
	const struct value *busy = snapshot_get(snapshot, METRIC_BUSY_RATIO, SCOPE_CPU, cpu, 0);

	return state_usable(busy->state) && busy->v < IDLE_BUSY;
}

/* Median clock of the CPUs of this kind; NAN where fewer than three have one. */
static double kind_clock(const struct history *history, const struct snapshot *snapshot, unsigned kind)
{
	const struct host *host = history->host;
	double *values = calloc(host->n_cpus, sizeof(*values)), median = NAN;
	size_t n = 0;

	for (unsigned i = 0; values && i < host->n_cpus; i++) {
		const struct value *value = snapshot_get(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, i, 0);

		if (host->cpus[i].kind == kind && state_usable(value->state) &&
		    !hardly_runs(snapshot, i))
			values[n++] = value->v;
	}
	if (n >= 3) {
		qsort(values, n, sizeof(values[0]), compare_doubles);
		median = values[n / 2];
	}
	free(values);
	return median;
}

static void compare_with(struct mark *mark, enum mark_kind kind, double hertz, double before, double limit)
{
	double drop = 1 - hertz / before;

	if (!(drop > limit)) /* NAN too */
		return;
	*mark = (struct mark){ .kind = kind, .dropped = true, .before_hertz = before, .drop_ratio = drop };
}

static void mark_driven(const struct history *history, struct mark *mark, const struct board_entry *entry)
{
	if (mark->kind != MARK_BURST || mark->kernel != entry->kernel)
		*mark = (struct mark){ .kind = MARK_BURST, .kernel = entry->kernel, .drop_ratio = NAN };
	mark->before_hertz = entry->before_hertz > 0 ? entry->before_hertz : NAN;
	if (mark->judged || !(entry->ticks > 0))
		return;
	mark->drop_ratio = 1 - entry->cycles / entry->ticks * history->host->tsc_hertz / mark->before_hertz;
	mark->dropped = mark->drop_ratio > BURST_DROP;
}

static void mark_cpu(struct history *history, const struct snapshot *snapshot, const struct board *board,
		     const double *kind_hertz, unsigned cpu)
{
	struct mark *mark = &history->marks[cpu];
	const struct value *value = snapshot_get(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, cpu, 0);
	struct board_entry entry;

	if (board && board_read(board, cpu, &entry) && entry.driven) {
		mark_driven(history, mark, &entry);
		return;
	}
	if (mark->kind == MARK_BURST) {
		mark->kind = MARK_AFTER;
		mark->until_ns = snapshot->mono_ns + AFTER_NS;
	}
	if (mark->kind == MARK_AFTER && snapshot->mono_ns < mark->until_ns)
		return;
	*mark = (struct mark){ .before_hertz = NAN, .drop_ratio = NAN };
	if (!state_usable(value->state) || hardly_runs(snapshot, cpu))
		return;
	compare_with(mark, MARK_BEHIND, value->v, kind_hertz[history->host->cpus[cpu].kind], BEHIND_DROP);
	compare_with(mark, MARK_FELL, value->v, usual_clock(history, cpu), FELL_DROP);
}

void history_push(struct history *history, const struct snapshot *snapshot, const struct board *board)
{
	const struct host *host = history->host;
	double *kinds = calloc(host->n_kinds ? host->n_kinds : 1, sizeof(*kinds));

	history->times[history->pushed++ % HISTORY_SIZE] = snapshot->mono_ns;
	ring_push(&history->clock, snapshot_get(snapshot, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 0));
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct value *value = snapshot_get(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, i, 0);

		ring_push(&history->cpus[i], value);
		if (!state_usable(value->state))
			continue;
		history->lowest = fmin(history->lowest, value->v);
		history->highest = fmax(history->highest, value->v);
	}
	for (unsigned kind = 0; kinds && kind < host->n_kinds; kind++)
		kinds[kind] = kind_clock(history, snapshot, kind);
	for (unsigned i = 0; kinds && i < host->n_cpus; i++)
		mark_cpu(history, snapshot, board, kinds, i);
	free(kinds);
	history_note(history, snapshot);
}

void history_judge(struct history *history, unsigned cpu, const struct judgment *judgment,
		   bool still_low)
{
	struct mark *mark = &history->marks[cpu];

	if (mark->kind != MARK_BURST && mark->kind != MARK_AFTER)
		return;
	mark->still_low = still_low;
	if (judgment->pairs == 0)
		return;
	mark->judged = true;
	mark->dropped = judgment->seen && judgment->drop_ratio > 0;
	mark->drop_ratio = judgment->drop_ratio;
	mark->before_hertz = judgment->before_hertz;
}

const struct mark *history_worst(const struct history *history, const unsigned *cpus, unsigned n,
				 unsigned *ret_cpu)
{
	const struct mark *worst = &history->marks[cpus[0]];

	*ret_cpu = cpus[0];
	for (unsigned i = 1; i < n; i++) {
		const struct mark *mark = &history->marks[cpus[i]];
		bool more = mark->dropped > worst->dropped ||
			    (mark->dropped == worst->dropped &&
			     (mark->dropped ? mark->drop_ratio > worst->drop_ratio
					    : mark->kind != MARK_NONE && worst->kind == MARK_NONE));

		if (more) {
			worst = mark;
			*ret_cpu = cpus[i];
		}
	}
	return worst;
}

bool history_scale(const struct history *history, double *ret_low, double *ret_high)
{
	const double step = 1e8;

	if (isnan(history->highest))
		return false;
	*ret_high = ceil(history->highest / step + 0.01) * step;
	/* The slowest CPU keeps a bar that can be seen. */
	double low = history->lowest - 0.15 * (*ret_high - history->lowest);

	*ret_low = fmax(0, floor(fmin(low, *ret_high * 0.75) / step) * step);
	return true;
}
