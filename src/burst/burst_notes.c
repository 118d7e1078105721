/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a driver writes down at the end of each stretch, and tells others meanwhile. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "burst/driver.h"
#include "burst/straight.h"
#include "burst/worker.h"

void driver_init(struct driver *d, struct member *member)
{
	struct board_entry before;

	memset(d, 0, sizeof(*d));
	d->member = member;
	d->burst = member->burst;
	d->row = kernel_row(member->burst->kernel);
	d->cur = &d->spans[0];
	d->prev = &d->spans[1];
	d->entry.kernel = (uint8_t)member->burst->kernel;
	d->entry.driven = true;
	/* the board counts what all bursts on this CPU took */
	if (board_read(d->burst->board, member->cpu, &before))
		d->cpu_time_before_ns = before.cpu_time_ns;
}

void driver_begin(struct driver *d)
{
	d->own_began_ns = worker_cpu_time_ns();
	d->wall_began_ns = clock_mono_ns();
}

/* A driver never waits: what it did not get, other programs did. */
static double time_ratio(const struct driver *d)
{
	const uint64_t wall_ns = clock_mono_ns() - d->wall_began_ns;

	return wall_ns == 0 ? NAN : fmin(1, (double)(worker_cpu_time_ns() - d->own_began_ns) / (double)wall_ns);
}

static void publish(struct driver *d)
{
	d->entry.cpu_time_ns = d->cpu_time_before_ns + worker_cpu_time_ns();
	board_publish(d->burst->board, d->member->cpu, &d->entry);
}

void driver_flush(struct driver *d)
{
	struct record *const record = &d->member->record;
	struct span_clock clock;

	if (d->cur->stretch.on && span_clock(d->cur, d->flushed_ns, d->last_ns, &clock)) {
		d->entry.mono_ns = d->start_mono_ns + (uint64_t)d->last_ns;
		d->entry.cycles = clock.cycles;
		d->entry.ticks = clock.ticks;
	}
	d->entry.phase = d->cur->stretch.on ? PHASE_ON : PHASE_GAP;
	publish(d);

	(void)pthread_mutex_lock(&record->mutex);
	record->chunks += d->chunks;
	record->chunks_wrong += d->chunks_wrong;
	record->ops += d->ops;
	record->last_ns = d->last_ns;
	record->time_ratio = time_ratio(d);
	(void)pthread_mutex_unlock(&record->mutex);
	d->chunks = d->chunks_wrong = d->ops = 0;
	d->flushed_ns = d->last_ns;
}

void driver_open(struct driver *d, const struct stretch *stretch)
{
	span_open(d->cur, stretch);
	d->last_ns = member_time(d->start_mono_ns);
	driver_flush(d);
}

/* Counted instructions a cycle of the undisturbed chunks: no more than 2 % over the lower quartile,
 * since a disturbed one can only take longer. */
static void note_ops_per_cycle(struct driver *d, double hertz)
{
	struct record *const record = &d->member->record;
	double ticks = judge_clean_median(d->cur->chunk_ticks, d->cur->n_chunks, 0.02);
	double seconds = ticks / d->burst->host->tsc_hertz;

	if (isnan(seconds) || isnan(hertz) || record->n_ops_per_cycle == RECORD_PAIRS)
		return;
	record->ops_per_cycle[record->n_ops_per_cycle++] = (double)d->chunk_ops / (seconds * hertz);
}

static void add_pending(struct driver *d, double after_hertz)
{
	if (!d->has_pending)
		return;
	d->pending.after_hertz = after_hertz;
	record_add(&d->member->record, &d->pending, d->pending_rested);
	d->has_pending = false;
}

static void close_on(struct driver *d, bool adjacent)
{
	const double tsc = d->burst->host->tsc_hertz;
	const double during = span_hertz(d->cur, span_during_window(&d->cur->stretch), tsc);
	struct record *const record = &d->member->record;
	struct pair edges[SPAN_EDGE_PAIRS];

	note_ops_per_cycle(d, during);
	if (!adjacent || d->prev->stretch.on)
		return;
	if (d->prev->stretch.from_ns < 0) {
		record->ends.before_hertz =
			span_hertz(d->prev, span_before_window(&d->prev->stretch), tsc);
		record->ends.during_hertz = during;
	}
	if (schedule_solid(&d->burst->schedule)) {
		d->edge_pairs = span_edge_pairs(d->prev, d->cur, tsc, edges);
		for (size_t i = 0; i < d->edge_pairs; i++)
			record_add(record, &edges[i], true);
		return;
	}
	d->pending.before_hertz = span_hertz(d->prev, span_before_window(&d->prev->stretch), tsc);
	d->pending.during_hertz = during;
	d->pending_rested = d->prev->stretch.rested;
	d->has_pending = !isnan(d->pending.before_hertz) && !isnan(during);
}

/* Does the low clock outlast an ordinary gap? A rest tells, in pairs of its own. */
static void note_hold(struct driver *d, double rested_hertz)
{
	struct record *const record = &d->member->record;
	const struct pattern *const pattern = &d->burst->schedule.pattern;
	struct stretch ordinary = d->cur->stretch;
	struct pair hold = { .before_hertz = rested_hertz, .after_hertz = NAN };

	ordinary.until_ns = ordinary.from_ns + (int64_t)(pattern->period_ns - pattern->on_ns);
	hold.during_hertz = span_hertz(d->cur, span_before_window(&ordinary),
				       d->burst->host->tsc_hertz);
	if (!isnan(rested_hertz) && !isnan(hold.during_hertz) && record->n_holds < RECORD_HOLDS)
		record->holds[record->n_holds++] = hold;
}

static void close_gap(struct driver *d, bool adjacent)
{
	const double tsc = d->burst->host->tsc_hertz;
	const double hertz = span_hertz(d->cur, span_before_window(&d->cur->stretch), tsc);
	struct record *const record = &d->member->record;
	struct pair edges[SPAN_EDGE_PAIRS];

	if (!isnan(hertz))
		d->entry.before_hertz = hertz;
	if (d->cur->stretch.from_ns >= d->burst->schedule.duration_ns)
		record->ends.after_hertz = hertz;
	if (!adjacent || !d->prev->stretch.on)
		return;
	if (!schedule_solid(&d->burst->schedule)) {
		if (d->cur->stretch.rested && d->cur->stretch.until_ns <= d->burst->schedule.duration_ns)
			note_hold(d, hertz);
		add_pending(d, hertz);
		return;
	}
	for (size_t i = 0; i < d->edge_pairs && i < record->n_pairs; i++)
		record->pairs[i].pair.after_hertz = hertz;
	d->edge_pairs = span_edge_pairs(d->cur, d->prev, tsc, edges);
	for (size_t i = 0; i < d->edge_pairs; i++)
		record_add(record, &edges[i], true);
}

void driver_close(struct driver *d)
{
	struct record *const record = &d->member->record;
	const bool adjacent = d->prev->stretch.until_ns == d->cur->stretch.from_ns;
	struct span *const swap = d->prev;

	(void)pthread_mutex_lock(&record->mutex);
	if (d->cur->stretch.on) {
		add_pending(d, NAN); /* its gap was missed */
		close_on(d, adjacent);
	} else {
		close_gap(d, adjacent);
	}
	(void)pthread_mutex_unlock(&record->mutex);
	driver_flush(d);
	d->prev = d->cur;
	d->cur = swap;
}

void driver_end(struct driver *d)
{
	(void)pthread_mutex_lock(&d->member->record.mutex);
	add_pending(d, NAN);
	(void)pthread_mutex_unlock(&d->member->record.mutex);
	d->entry.phase = PHASE_NONE;
	d->entry.driven = false;
	publish(d);
}

static void note_release(struct driver *d, double t_ticks, double hertz)
{
	struct record *const record = &d->member->record;
	struct release_look *looks = record->releases;

	if (!looks || record->n_releases == RECORD_RELEASES || !(t_ticks > 0))
		return;
	looks[record->n_releases].t_s = t_ticks / d->burst->host->tsc_hertz;
	looks[record->n_releases++].hertz = hertz;
}

void driver_release_look(struct driver *d, const struct gauge_look *look)
{
	/* the lead-in comes before any wide instruction; ticks are right over short times only */
	if (d->wide_tsc == 0 || look->flags & (GAUGE_FEW_KEPT | GAUGE_IMPOSSIBLE))
		return;
	d->stamp_ticks = look->cost_ticks;
	(void)pthread_mutex_lock(&d->member->record.mutex);
	note_release(d, (double)(look->tsc - d->wide_tsc) - (double)look->span_ticks / 2,
		     look->cycles / look->ticks * d->burst->host->tsc_hertz);
	(void)pthread_mutex_unlock(&d->member->record.mutex);
}

#define RELEASE_STAMPS 30 /* of 0.6 us at 3 GHz */

void driver_release_burst(struct driver *d)
{
	const double tsc = d->burst->host->tsc_hertz;
	const double cycles = 2 * STRAIGHT_LINKS * d->core.imul_cycles;
	uint64_t stamps[RELEASE_STAMPS + 1];

	if (!d->member->record.releases || cycles == 0 || d->stamp_ticks == 0)
		return;
	stamps[0] = gauge_tsc();
	for (unsigned i = 0; i < RELEASE_STAMPS; i++) {
		(void)straight(straight(3));
		stamps[i + 1] = gauge_tsc();
	}
	(void)pthread_mutex_lock(&d->member->record.mutex);
	for (unsigned i = 0; i < RELEASE_STAMPS; i++) {
		const double ticks = (double)(stamps[i + 1] - stamps[i]) - d->stamp_ticks;
		const double middle = (double)(stamps[i + 1] - d->wide_tsc) - ticks / 2;

		if (ticks > 0)
			note_release(d, middle, cycles / ticks * tsc);
	}
	(void)pthread_mutex_unlock(&d->member->record.mutex);
}
