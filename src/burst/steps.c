/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps with a time stamp behind each. Which comes next is in the code and not in data, so that a
 * predictor that has not settled after an entry guesses no branch wrong that stands before a stamp.
 */
#include "config.h"

#include "burst/steps.h"

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

/* lfence waits for all earlier instructions (Intel SDM vol. 2, LFENCE; AMD since the flag of
 * Spectre v2, which Linux sets). What follows may begin while the counter is read: it costs a
 * quarter of rdtscp between fences, and a step's end is never later than that. */
static inline uint64_t stamp(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static inline void chain(uint32_t units)
{
	unsigned link = 3;

	__asm__ volatile("1:\n"
			 ".rept " TEXT(STEPS_LINKS) "\n"
						    "imul %[factor], %[link]\n"
						    ".endr\n"
						    "dec %[units]\n"
						    "jnz 1b"
			 : [link] "+r"(link), [units] "+r"(units)
			 : [factor] "r"(5)
			 : "cc");
}

/* Scalar code that belongs to the piece: on Zen 5 a chain right behind wide code takes some 20
 * cycles more, at one place of the code and not at another, in one run and not in the next. */
#define LEAD_UNITS 3u

static inline uint64_t piece(const struct steps_load *load, uint32_t loops, uint32_t *state)
{
	uint64_t n = (uint64_t)load->bytes * loops;

	if (load->run)
		n = load->run(loops, load->seeds, state);
	else
		for (uint32_t i = 0; i < loops; i++)
			load->copy(load->to, load->from, load->bytes);
	chain(LEAD_UNITS);
	return n;
}

struct cursor {
	uint32_t *ticks;
	uint64_t tsc;
};

static inline void step(struct cursor *at)
{
	const uint64_t now = stamp();
	const uint64_t ticks = now - at->tsc;

	*at->ticks++ = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
	at->tsc = now;
}

static bool run_scalar(const struct steps_group *group, const struct steps_run *run,
		       struct cursor *at)
{
	for (uint32_t i = 0; i < group->repeats; i++) {
		if (at->tsc > run->limit_tsc)
			return false;
		chain(group->first + steps_sway(i));
		step(at);
		if (!group->second)
			continue;
		chain(group->second + steps_sway(i + 1));
		step(at);
	}
	return true;
}

static bool run_mixed(const struct steps_group *group, const struct steps_run *run,
		      struct cursor *at, uint32_t **state)
{
	for (uint32_t i = 0; i < group->repeats; i++) {
		if (at->tsc > run->limit_tsc)
			return false;
		(void)piece(run->load, group->loops, *state);
		*state = run->state;
		step(at);
		if (!group->first)
			continue;
		chain(group->first + steps_sway(i));
		step(at);
		if (!group->second)
			continue;
		(void)piece(run->load, group->loops, run->state);
		step(at);
		chain(group->second + steps_sway(i + 1));
		step(at);
	}
	return true;
}

unsigned steps_count(const struct steps_group *group)
{
	const unsigned chains = (group->first > 0 ? 1u : 0u) + (group->second > 0 ? 1u : 0u);

	if (!group->loops)
		return group->repeats * chains;
	return group->repeats * (chains ? 2 * chains : 1);
}

/* Bytes of code and data that a piece begins with. */
#define WARM_CODE 1024u
#define WARM_LINE 64u

static void read_lines(const void *from, size_t bytes)
{
	const volatile unsigned char *const at = from;

	for (size_t i = 0; i < bytes; i += WARM_LINE)
		(void)at[i];
}

/* The first piece shall not wait for memory: its code cannot run before, but it can be read. */
static void warm(const struct steps_load *load)
{
	if (!load)
		return;
	read_lines(load->run ? (const void *)(uintptr_t)load->run
			     : (const void *)(uintptr_t)load->copy,
		   WARM_CODE);
	read_lines(load->run ? load->seeds : load->from,
		   load->run ? KERNEL_SEED_BYTES : load->bytes);
	if (!load->run)
		read_lines(load->to, load->bytes);
}

#define SPIN_UNITS 10u

bool steps_run(const struct steps_group *groups, unsigned n_groups, struct steps_run *run,
	       uint32_t *ticks)
{
	uint32_t *state = run->first_state;
	struct cursor at = { ticks, 0 };
	bool whole = true;

	warm(run->load);
	run->begin_tsc = at.tsc = stamp();
	for (unsigned i = 0; i < n_groups && whole; i++)
		whole = groups[i].loops ? run_mixed(&groups[i], run, &at, &state)
					: run_scalar(&groups[i], run, &at);
	run->end_tsc = at.tsc;
	return whole;
}

uint64_t steps_piece(const struct steps_load *load, uint32_t loops, uint32_t *state)
{
	return piece(load, loops, state);
}

void steps_spin(uint64_t until_tsc)
{
	while (stamp() < until_tsc)
		chain(SPIN_UNITS);
}

void steps_chain(uint32_t units)
{
	chain(units);
}

void steps_keep(uint32_t *to, const uint32_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[i] = from[i];
		__asm__ volatile("" : : : "memory");
	}
}
