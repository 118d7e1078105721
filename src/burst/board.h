/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What burst workers publish for others to read: one single-writer slot a CPU, lock-free. */
#ifndef AVXTOP_BURST_BOARD_H
#define AVXTOP_BURST_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum phase { PHASE_NONE, PHASE_GAP, PHASE_ON };

/* Latest gauge reading of a driven CPU. */
struct board_entry {
	uint64_t mono_ns;      /* when; 0 never */
	double cycles, ticks;  /* of that reading, taken inside the burst (phase ON) */
	double before_hertz;   /* the scalar clock that the burst is compared with; 0 not known yet */
	uint64_t cpu_time_ns;  /* CPU time the worker has used so far: not avxtop's own cost */
	uint8_t phase;	       /* enum phase */
	uint8_t kernel;	       /* enum kernel */
	bool driven;	       /* a worker owns this CPU now: do not probe it */
};

struct board;
struct board *board_new(unsigned n_cpus); /* index = host cpu index */
void board_free(struct board *board);
void board_publish(struct board *board, unsigned cpu, const struct board_entry *entry);
/* Copies a consistent entry; false when nobody ever published there. Never blocks. */
bool board_read(const struct board *board, unsigned cpu, struct board_entry *ret);
/* Sum of cpu_time_ns over all CPUs that ever were driven. */
uint64_t board_cpu_time_ns(const struct board *board);

#endif
