/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a snapshot has that is worth an event: CPUs that leave and return, suspend, heat, clocks
 * that fell. */
#include "config.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/nls.h"
#include "base/num.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/history.h"

#define TOLD_NS (60 * NS_PER_S) /* what comes and goes is told once */

static void note_offline(struct history *history, const struct snapshot *snapshot, unsigned cpu)
{
	const struct value *value = snapshot_get(snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU, cpu, 0);
	bool offline = value->state == STATE_OFFLINE;

	if (!offline && !state_usable(value->state) && value->state != STATE_FIRST)
		return; /* nothing is known about it in this interval */
	if (offline == history->offline[cpu])
		return;
	history->offline[cpu] = offline;
	history_event(history, snapshot->real_ns, offline ? ROLE_WARN : ROLE_NORMAL,
		      offline ? _("CPU %u went offline") : _("CPU %u came online"),
		      history->host->cpus[cpu].id);
}

static void note_suspend(struct history *history, const struct snapshot *snapshot)
{
	char text[32];

	if (!(snapshot->suspended_s > 0))
		return;
	history_event(history, snapshot->real_ns, ROLE_WARN, _("the machine was suspended for %s"),
		      num_human_time(snapshot->suspended_s, text, sizeof(text)));
}

/* " (and 3 others)", or nothing. */
static void describe_others(unsigned n, char *buf, size_t size)
{
	buf[0] = '\0';
	if (n > 0)
		snprintf(buf, size, P_(" (and %u other)", " (and %u others)", n), n);
}

static bool is_throttled(const struct snapshot *snapshot, enum scope scope, unsigned index)
{
	const struct value *events =
		snapshot_get(snapshot, METRIC_THROTTLE_EVENTS, scope, index, 0);

	return state_usable(events->state) && events->v > 0;
}

/* One event for all that heat has begun to throttle: a core is told by its CPUs, else it is the
 * package. */
static void note_throttled(struct history *history, const struct snapshot *snapshot)
{
	const struct host *host = history->host;
	unsigned n_cpus = 0, n_packages = 0, cpu = 0, package = 0;
	char others[48];

	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct host_cpu *row = &host->cpus[i];
		uint64_t *heat_ns = &history->heat_ns[i];
		bool core = is_throttled(snapshot, SCOPE_CORE, row->core);
		bool told = *heat_ns && snapshot->mono_ns - *heat_ns < TOLD_NS;

		if (!core && !is_throttled(snapshot, SCOPE_PACKAGE, row->package))
			continue;
		*heat_ns = snapshot->mono_ns;
		if (!told && core && n_cpus++ == 0)
			cpu = i;
		else if (!told && !core && n_packages++ == 0)
			package = row->package;
	}
	describe_others(n_cpus > 0 ? n_cpus - 1 : 0, others, sizeof(others));
	if (n_cpus > 0)
		history_event(history, snapshot->real_ns, ROLE_WARN,
			      _("CPU %u throttled by heat%s"), host->cpus[cpu].id, others);
	else if (n_packages > 0)
		history_event(history, snapshot->real_ns, ROLE_WARN,
			      _("package %d throttled by heat"),
			      host->packages[package].package_id);
}

/* One event for all clocks that fell in this interval, about the one that fell most. */
static void note_fallen(struct history *history, const struct snapshot *snapshot)
{
	unsigned n = 0, worst = 0;

	for (unsigned i = 0; i < history->host->n_cpus; i++) {
		const struct mark *mark = &history->marks[i];
		uint64_t *fell_ns = &history->fell_ns[i];
		bool told = *fell_ns && snapshot->mono_ns - *fell_ns < TOLD_NS;

		if (mark->kind != MARK_FELL && mark->kind != MARK_BEHIND)
			continue;
		*fell_ns = snapshot->mono_ns;
		if (!told && (n++ == 0 || mark->drop_ratio > history->marks[worst].drop_ratio))
			worst = i;
	}
	if (n == 0)
		return;
	const struct mark *mark = &history->marks[worst];
	const char *against = mark->kind == MARK_FELL ? _("against the last minute")
						      : _("against the other CPUs");
	char others[48];

	describe_others(n - 1, others, sizeof(others));
	/* TRANSLATORS: %s are "against the other CPUs" or its like, and " (and 3 others)" or
	 * nothing */
	history_event(history, snapshot->real_ns, ROLE_DROPPED,
		      _("CPU %u at %.2f GHz: ▼ −%.1f %% %s%s"), history->host->cpus[worst].id,
		      mark->before_hertz * (1 - mark->drop_ratio) / 1e9, mark->drop_ratio * 100,
		      against, others);
}

void history_note(struct history *history, const struct snapshot *snapshot)
{
	note_suspend(history, snapshot);
	for (unsigned i = 0; i < history->host->n_cpus; i++)
		note_offline(history, snapshot, i);
	note_throttled(history, snapshot);
	note_fallen(history, snapshot);
}
