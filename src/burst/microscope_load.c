/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pieces that a burst is made of: how long they take, and whether they came out right. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/microscope_own.h"

#define STATE_BYTES (KERNEL_STATE_WORDS * sizeof(uint32_t))

static int init_kernel(struct microscope_load *load)
{
	load->seeds = aligned_alloc(64, KERNEL_SEED_BYTES);
	load->reference = aligned_alloc(64, STATE_BYTES);
	load->states[0] = aligned_alloc(64, STATE_BYTES);
	load->states[1] = aligned_alloc(64, STATE_BYTES);
	if (!load->seeds || !load->reference || !load->states[0] || !load->states[1])
		return -ENOMEM;
	load->row->seed(load->seeds);
	load->steps.run = load->row->run;
	load->steps.seeds = load->seeds;
	return 0;
}

static int init_copy(struct microscope_load *load, const struct copy_shape *shape,
		     const atomic_bool *stop)
{
	const int r = copier_new(load->row->copy, shape, stop, &load->copier);
	struct copier_piece piece;

	if (r < 0)
		return r;
	piece = copier_piece(load->copier);
	load->steps.copy = piece.copy;
	load->steps.to = piece.to;
	load->steps.from = piece.from;
	load->steps.bytes = piece.bytes;
	return 0;
}

int microscope_load_init(struct microscope_load *load, enum kernel kernel,
			 const struct copy_shape *shape, const atomic_bool *stop)
{
	int r;

	*load = (struct microscope_load) { .row = kernel_row(kernel) };
	r = load->row->copy ? init_copy(load, shape, stop) : init_kernel(load);
	if (r < 0)
		microscope_load_clear(load);
	return r;
}

void microscope_load_clear(struct microscope_load *load)
{
	copier_free(load->copier);
	free(load->seeds);
	free(load->reference);
	free(load->states[0]);
	free(load->states[1]);
	*load = (struct microscope_load) { 0 };
}

#define TUNE_REPEATS 64u
#define TUNE_SHORT 4u
#define TUNE_LONG 36u
#define TUNE_NEAR 0.1

/* Mean of those of the n ticks, one in `every`, that lie near the shorter ones. */
static double clean_mean(const uint32_t *ticks, unsigned n, unsigned every)
{
	double values[2 * TUNE_REPEATS], middle, sum = 0;
	unsigned kept = 0, count = 0;

	for (unsigned i = 0; i < n; i += every)
		values[count++] = ticks[i];
	middle = judge_clean_median(values, count, TUNE_NEAR);
	for (unsigned i = 0; i < count; i++) {
		if (fabs(values[i] / middle - 1) > TUNE_NEAR)
			continue;
		sum += values[i];
		kept++;
	}
	return sum / kept;
}

/* Seconds that one piece of so many rounds takes between chains as in a burst, with its time stamp.
 */
static double piece_s(struct microscope_load *load, uint32_t loops, double tsc_hertz)
{
	const struct steps_group group = { TUNE_REPEATS, loops, 20, 60 };
	uint32_t ticks[4 * TUNE_REPEATS];
	struct steps_run run = { .load = &load->steps,
				 .first_state = load->states[0],
				 .state = load->states[1],
				 .limit_tsc = UINT64_MAX };

	(void)steps_run(&group, 1, &run, ticks);
	return clean_mean(ticks, 4 * TUNE_REPEATS, 2) / tsc_hertz;
}

void microscope_load_tune(struct microscope_load *load, double tsc_hertz, double stamp_s,
			  struct microscope_piece *ret)
{
	struct microscope_piece piece;
	double short_s, long_s;

	/* the first ones pay for the first use of tile data, 25 us a thread, and for cold code */
	(void)piece_s(load, TUNE_LONG, tsc_hertz);
	short_s = piece_s(load, TUNE_SHORT, tsc_hertz);
	long_s = piece_s(load, TUNE_LONG, tsc_hertz);
	piece.loop_work = (double)steps_piece(&load->steps, 1, load->states[1]);
	piece.loop_s = fmax((long_s - short_s) / (TUNE_LONG - TUNE_SHORT), 1e-10);
	piece.fixed_s = fmax(short_s - TUNE_SHORT * piece.loop_s - stamp_s, 0);
	*ret = piece;
}

void microscope_stamps_tune(double imul_cycles, double tsc_hertz, double *ret_hertz,
			    double *ret_stamp_s)
{
	const uint32_t short_units = 20, long_units = 60 + steps_sway(1);
	struct steps_group groups[TUNE_REPEATS]; /* one repeat each: all have the same sway */
	uint32_t ticks[2 * TUNE_REPEATS];
	struct steps_run run = { .limit_tsc = UINT64_MAX };
	double shorter, longer, unit;

	for (unsigned i = 0; i < TUNE_REPEATS; i++)
		groups[i] = (struct steps_group) { 1, 0, short_units, 60 };
	(void)steps_run(groups, TUNE_REPEATS, &run, ticks);
	(void)steps_run(groups, TUNE_REPEATS, &run, ticks);
	shorter = clean_mean(ticks, 2 * TUNE_REPEATS, 2);
	longer = clean_mean(ticks + 1, 2 * TUNE_REPEATS - 1, 2);
	unit = (longer - shorter) / (long_units - short_units);
	*ret_hertz = STEPS_LINKS * imul_cycles / unit * tsc_hertz;
	*ret_stamp_s = fmax(shorter - short_units * unit, 0) / tsc_hertz;
}

void microscope_load_expect(struct microscope_load *load, uint32_t loops)
{
	if (load->copier || load->loops == loops)
		return;
	load->loops = loops;
	load->row->reference(loops, load->seeds, load->reference);
}

void microscope_load_poison(struct microscope_load *load)
{
	if (load->copier) {
		copier_prepare(load->copier);
		return;
	}
	for (unsigned i = 0; i < load->row->state_words; i++) {
		load->states[0][i] = ~load->reference[i];
		load->states[1][i] = ~load->reference[i];
		__asm__ volatile("" : : : "memory"); /* no vector code */
	}
}

unsigned microscope_load_wrong(struct microscope_load *load, bool single)
{
	unsigned wrong = 0;

	if (load->copier)
		return !copier_check(load->copier);
	for (unsigned i = 0; i < (single ? 1 : 2); i++)
		wrong += !kernel_state_equal(load->states[i], load->reference,
					     load->row->state_words);
	return wrong;
}
