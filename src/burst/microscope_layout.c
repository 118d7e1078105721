/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which steps an epoch has: fine ones around entry and exit, coarser ones where nothing sudden is
 * expected. Pure. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst/microscope_own.h"

/* Two lengths of chains by turns, so that what a time stamp costs can be told from what the chain
 * takes. In units of STEPS_LINKS; 80 are 0.7 us at 3 cycles a link and 3.4 GHz. */
#define FINE_SHORT 20u
#define FINE_LONG 60u
#define COARSE_SHORT 70u
#define COARSE_LONG 110u
/* Within the burst all chains of a part are long: what one costs behind a piece (up to 25 cycles on
 * Zen 5, in some runs and not in others) counts the less the longer it is. Half of the time is load,
 * where pieces are long most is. */
#define AMID_SHORT 60u
#define AMID_LONG 60u
#define AMID_COARSE_SHORT 110u
#define AMID_COARSE_LONG 110u
#define FINE_PIECE_S 0.4e-6
#define FINE_PIECE_MOST_S 1e-6 /* where setting tiles up takes half of it */
#define COARSE_PIECE_S 1e-6
#define COARSEST 16u /* times as long: the longest pieces are 16 us, most still undisturbed */

struct maker {
	const struct microscope_wish *wish;
	struct microscope_layout *layout;
	double unit_s;
	unsigned coarse; /* times */
};

static double group_s(const struct maker *m, const struct steps_group *group)
{
	const struct microscope_piece *const piece = &m->wish->piece;
	const double chains = (group->first > 0) + (group->second > 0);
	const double units = (double)group->first + group->second + chains * (STEPS_SWAY - 1) / 2;
	const double steps = steps_count(group);
	const double pieces = group->loops ? (group->first ? steps / 2 : steps) : 0;

	return group->repeats * units * m->unit_s + steps * m->wish->stamp_s +
	       pieces * (piece->fixed_s + group->loops * piece->loop_s);
}

/* Repeats it for that long. Returns how long it takes. */
static double add(struct maker *m, struct steps_group group, double s)
{
	struct microscope_layout *const layout = m->layout;
	double one_s;

	group.repeats = 1;
	one_s = group_s(m, &group);
	if (!(s >= one_s))
		return 0;
	group.repeats = (uint32_t)(s / one_s);
	layout->groups[layout->n_groups++] = group;
	layout->n_steps += steps_count(&group);
	layout->all_s += group_s(m, &group);
	return group_s(m, &group);
}

static uint32_t loops_for(const struct microscope_piece *piece, double s)
{
	const double loops = round((s - piece->fixed_s) / piece->loop_s);

	return loops >= 1 ? (uint32_t)fmin(loops, 1e6) : 1;
}

static void add_burst(struct maker *m)
{
	const struct microscope_piece *const piece = &m->wish->piece;
	const double fine_s = fmax(FINE_PIECE_S, fmin(2.5 * piece->fixed_s, FINE_PIECE_MOST_S));
	const uint32_t fine = loops_for(piece, fine_s);
	const uint32_t coarse = loops_for(piece, fmax(COARSE_PIECE_S, 2 * fine_s) * m->coarse);
	const struct steps_group fine_steps = { 1, fine, AMID_SHORT, AMID_LONG };
	const struct steps_group coarse_steps = { 1, coarse, AMID_COARSE_SHORT, AMID_COARSE_LONG };
	const struct steps_group last = { 1, fine, 0, 0 };
	struct microscope_layout *const layout = m->layout;
	double left_s = m->wish->burst_s - group_s(m, &last);
	double middle_s = left_s - 2 * MICROSCOPE_EDGE_S;

	layout->first_wide = layout->n_steps;
	layout->fine_loops = fine;
	if (middle_s >= group_s(m, &coarse_steps)) {
		left_s -= add(m, fine_steps, MICROSCOPE_EDGE_S);
		left_s -= add(m, coarse_steps, middle_s);
		layout->coarse_loops = coarse;
	}
	left_s -= add(m, fine_steps, left_s);
	(void)add(m, (struct steps_group) { 1, fine, AMID_SHORT, 0 }, left_s);
	(void)add(m, last, group_s(m, &last) * 1.5);
	layout->last_wide = layout->n_steps - 1;
}

static void add_all(struct maker *m)
{
	const struct microscope_wish *const wish = m->wish;
	const struct steps_group fine = { 1, 0, FINE_SHORT, FINE_LONG };
	const struct steps_group coarse = { 1, 0, COARSE_SHORT * m->coarse,
					    COARSE_LONG * m->coarse };
	const double edge_s = MICROSCOPE_EDGE_S;
	double before_s;

	m->layout->n_groups = 0;
	m->layout->n_steps = 0;
	m->layout->coarse_loops = 0;
	m->layout->all_s = 0;
	before_s = add(m, fine, wish->victim ? 2 * edge_s : edge_s);
	if (!wish->victim)
		add_burst(m);
	else
		(void)add(m, coarse, wish->burst_s - 2 * edge_s);
	m->layout->burst_s = m->layout->all_s - before_s;
	(void)add(m, fine, wish->victim ? 2.5 * edge_s : edge_s);
	(void)add(m, coarse, wish->tail_s - edge_s);
}

static struct timeline_step scalar_step(const struct maker *m, uint32_t units)
{
	return (struct timeline_step) { .work = (double)units * STEPS_LINKS *
						m->wish->imul_cycles };
}

double microscope_work(const struct microscope_piece *piece, uint32_t loops)
{
	return (loops + piece->fixed_s / piece->loop_s) * piece->loop_work;
}

static size_t describe(const struct maker *m, const struct steps_group *group,
		       struct timeline_step *to)
{
	const struct timeline_step wide = {
		.wide = true, .work = microscope_work(&m->wish->piece, group->loops)
	};
	size_t n = 0;

	for (uint32_t i = 0; i < group->repeats; i++) {
		if (group->loops)
			to[n++] = wide;
		if (group->first)
			to[n++] = scalar_step(m, group->first + steps_sway(i));
		if (group->loops && group->second)
			to[n++] = wide;
		if (group->second)
			to[n++] = scalar_step(m, group->second + steps_sway(i + 1));
	}
	return n;
}

int microscope_layout_make(const struct microscope_wish *wish, struct microscope_layout *ret)
{
	struct microscope_layout layout = { 0 };
	struct maker m = { .wish = wish,
			   .layout = &layout,
			   .coarse = 1,
			   .unit_s = STEPS_LINKS * wish->imul_cycles / wish->hertz };
	size_t n = 0;

	add_all(&m);
	while (layout.n_steps > wish->steps_most && m.coarse < COARSEST) {
		m.coarse *= 2;
		add_all(&m);
	}
	layout.steps = calloc(layout.n_steps + 1, sizeof(*layout.steps));
	if (!layout.steps)
		return -ENOMEM;
	for (unsigned i = 0; i < layout.n_groups; i++)
		n += describe(&m, &layout.groups[i], layout.steps + n);
	*ret = layout;
	return 0;
}

void microscope_layout_clear(struct microscope_layout *layout)
{
	free(layout->steps);
	*layout = (struct microscope_layout) { 0 };
}
