/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One seqlock a CPU: the worker writes, anybody reads, nobody waits. The entry travels in atomic
 * words, so that a torn read is only thrown away and never undefined. */
#include "config.h"
#include "burst/board.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define WORDS (sizeof(struct board_entry) / sizeof(uint64_t))
_Static_assert(sizeof(struct board_entry) % sizeof(uint64_t) == 0, "whole words");

struct slot {
	_Alignas(64) atomic_uint sequence; /* odd: being written; 0: never written */
	_Atomic uint64_t words[WORDS];
};

struct board {
	unsigned n_slots;
	struct slot *slots;
};

struct board *board_new(unsigned n_cpus)
{
	struct board *const board = calloc(1, sizeof(*board));
	const size_t size = (n_cpus ? n_cpus : 1) * sizeof(*board->slots);

	if (!board)
		return NULL;
	board->n_slots = n_cpus;
	board->slots = aligned_alloc(_Alignof(struct slot), size);
	if (!board->slots) {
		free(board);
		return NULL;
	}
	memset(board->slots, 0, size);
	return board;
}

void board_free(struct board *board)
{
	if (!board)
		return;
	free(board->slots);
	free(board);
}

void board_publish(struct board *board, unsigned cpu, const struct board_entry *entry)
{
	struct slot *slot;
	uint64_t words[WORDS];
	unsigned sequence;

	if (cpu >= board->n_slots)
		return;
	slot = &board->slots[cpu];
	memcpy(words, entry, sizeof(words));
	sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
	atomic_store_explicit(&slot->sequence, sequence + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	for (unsigned i = 0; i < WORDS; i++)
		atomic_store_explicit(&slot->words[i], words[i], memory_order_relaxed);
	/* 0 means "never", also after the counter has wrapped */
	sequence += 2;
	atomic_store_explicit(&slot->sequence, sequence ? sequence : 2, memory_order_release);
}

/* A writer that was preempted in the middle must not hold up its readers. */
#define READ_ATTEMPTS 1000

bool board_read(const struct board *board, unsigned cpu, struct board_entry *ret)
{
	struct slot *slot;
	uint64_t words[WORDS];

	if (cpu >= board->n_slots)
		return false;
	slot = &board->slots[cpu];
	for (unsigned attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
		const unsigned before = atomic_load_explicit(&slot->sequence, memory_order_acquire);

		if (before == 0)
			return false;
		if (before & 1)
			continue;
		for (unsigned i = 0; i < WORDS; i++)
			words[i] = atomic_load_explicit(&slot->words[i], memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&slot->sequence, memory_order_relaxed) != before)
			continue;
		memcpy(ret, words, sizeof(words));
		return true;
	}
	return false;
}

uint64_t board_cpu_time_ns(const struct board *board)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < board->n_slots; cpu++) {
		struct board_entry entry;

		if (board_read(board, cpu, &entry))
			sum += entry.cpu_time_ns;
	}
	return sum;
}
