/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that loads a CPU: chunk by chunk by the schedule, with a look at the clock every few
 * chunks. It owns its deadline: what it does next it decides from the time before each chunk, so a
 * process that was stopped and continues later runs no chunk that is out of date. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/burst_own.h"
#include "burst/driver.h"
#include "burst/straight.h"
#include "burst/worker.h"

#define COPY_CHUNK_NS 40000 /* chunks of the others take 20 to 40 us at 3 GHz */
/* Behind every chunk of about 20 us one sub-sample, these short and long by turns: all over 1.5 us after
 * the last wide instruction at 3 GHz. In a gap one whole look of about 17 us follows the other. */
#define LONG_CHAINS 4
#define GAP_PAIRS 8
#define SCALAR_PASSES 500u /* 12,000 links: 12 us at 3 cycles and 3 GHz */
/* How often others are told, within a stretch. */
#define FLUSH_NS 2000000

/* The first chain warms the code up. */
static void sample(struct driver *d, int64_t t_ns)
{
	const bool longer = d->chunks % 2;
	uint64_t begin, end;
	unsigned link;

	if (d->core.imul_cycles == 0)
		return;
	if (longer) {
		link = straight(3);
		begin = gauge_tsc();
		(void)straight(straight(straight(straight(link)))); /* LONG_CHAINS */
		end = gauge_tsc();
	} else {
		link = straight(3);
		begin = gauge_tsc();
		(void)straight(link);
		end = gauge_tsc();
	}
	span_sample(d->cur, t_ns, (longer ? LONG_CHAINS : 1) * STRAIGHT_LINKS * d->core.imul_cycles,
		    end - begin);
}

static uint64_t run_chunk(struct driver *d)
{
	if (d->copier)
		return copier_run(d->copier);
	return d->row->run(d->row->chunk_loops, d->burst->seeds, d->state);
}

static bool chunk_is_right(struct driver *d)
{
	if (d->copier)
		return copier_check(d->copier);
	return kernel_state_equal(d->state, d->burst->reference, d->row->state_words);
}

static void kernel_chunk(struct driver *d, int64_t t_ns)
{
	uint64_t begin, ops;

	if (d->copier)
		copier_prepare(d->copier);
	begin = gauge_tsc();
	ops = run_chunk(d);
	d->wide_tsc = gauge_tsc();
	sample(d, t_ns);
	span_chunk(d->cur, t_ns, d->wide_tsc - begin);
	d->chunks++;
	d->ops += ops;
	d->chunk_ops = ops;
	if (!chunk_is_right(d))
		d->chunks_wrong++;
}

/* Scalar code that measures itself; a mere chain where there is no ruler to measure by. */
static void scalar_look(struct driver *d)
{
	struct gauge_look look;

	if (d->core.imul_cycles == 0) {
		chain_imul(SCALAR_PASSES);
		return;
	}
	gauge_segment(d->core.imul_cycles, GAP_PAIRS, &look);
	span_look(d->cur, member_time(d->start_mono_ns), &look);
	driver_release_look(d, &look);
}

/* The kernel moves a thread whose CPU goes offline to another one: end rather than load that. */
static bool still_there(struct driver *d)
{
	const unsigned id = d->burst->host->cpus[d->member->cpu].id;
	struct problem problem;

	if (worker_is_on(id))
		return true;
	(void)problem_set(&problem, ENODEV, "", _("CPU %u went offline during the burst"), id);
	member_complain(d->member, &problem);
	return false;
}

static void drive(struct driver *d)
{
	bool here = true;

	while (here && !atomic_load_explicit(&d->burst->stop, memory_order_relaxed)) {
		const int64_t t_ns = member_time(d->start_mono_ns);

		if (t_ns < d->cur->stretch.from_ns || t_ns >= d->cur->stretch.until_ns) {
			const struct stretch next = schedule_at(&d->burst->schedule, t_ns);

			if (!next.on && d->cur->stretch.on)
				driver_release_burst(d);
			if (next.over) /* what other work took of the end is part of its time */
				d->last_ns = t_ns;
			driver_close(d);
			if (next.over)
				return;
			driver_open(d, &next);
			here = still_there(d);
			continue;
		}
		if (d->cur->stretch.on)
			kernel_chunk(d, t_ns);
		else
			scalar_look(d);
		d->last_ns = member_time(d->start_mono_ns);
		if (d->last_ns - d->flushed_ns >= FLUSH_NS)
			driver_flush(d);
	}
	driver_close(d);
}

/* Before the start, what costs time once: the buffers of a copy; the first use of tile data, which
 * takes 25 us a thread. */
static bool get_ready(struct driver *d)
{
	struct burst *const burst = d->burst;
	struct problem problem;
	int r;

	if (!d->row->copy) {
		(void)d->row->run(1, burst->seeds, d->state);
		return true;
	}
	r = copier_new(d->row->copy, &burst->copy, &burst->stop, &d->copier);
	if (r < 0) {
		if (r == -ENOTSUP)
			(void)problem_set(&problem, 0, _("leave out --cold"),
					  _("what is flushed from the caches is read as fast as before, "
					    "so that no copy can be cold here"));
		else
			(void)problem_set(&problem, -r, "", _("its buffers for copying cannot be made"));
		if (r != -EINTR)
			member_complain(d->member, &problem);
		return false;
	}
	copier_tune(d->copier, COPY_CHUNK_NS);
	return true;
}

void *driver_main(void *argument)
{
	struct member *const member = argument;
	struct driver *const d = aligned_alloc(_Alignof(struct driver), sizeof(*d));
	struct problem problem;
	bool ready = false;

	if (!d) {
		(void)problem_set(&problem, ENOMEM, "", _("out of memory"));
		member_complain(member, &problem);
	}
	if (d && member_pin(member)) {
		driver_init(d, member);
		worker_be_nice();
		worker_flush_to_zero();
		member_calibrate(member);
		ready = get_ready(d);
	}
	member_arrive(member);
	if (ready && member_wait(member, &d->start_mono_ns)) {
		const struct stretch lead = schedule_at(&member->burst->schedule, -1);

		d->core = member_core(member);
		driver_begin(d);
		driver_open(d, &lead);
		drive(d);
	}
	if (ready) {
		driver_end(d);
		copier_free(d->copier);
	}
	free(d);
	atomic_fetch_sub(&member->burst->driving, 1);
	return NULL;
}
