/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffers of a copying load. Chunk by chunk the copy walks through them; a window of each
 * chunk is poisoned before it and compared after it, so that a copy that does nothing, stops
 * short or goes elsewhere is found, at the price of some 100 cycles. */
#include "config.h"
#include "burst/copier.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"

#define PAGE 4096u
#define WORD sizeof(uint64_t)
#define WINDOW 256u /* a multiple of WORD */
/* Until it is tuned: small enough for the slowest memory, 64 us at 1 GB/s. */
#define CHUNK_LEAST 65536u
#define FILL_STEP (1u << 20) /* under 1 ms */
#define TUNE_CHUNKS 15u
#define LINE 64u /* of the caches of every x86-64 CPU */
#define FLUSH_TRIES 5u
#define FLUSH_SLOWER 3u /* memory is slower than a second-level cache by much more */

struct copier {
	copy_fn *copy;
	uint8_t *map, *from, *to;
	size_t map_bytes, bytes;
	bool cold;
	size_t slice;	  /* of the buffers, that one call copies */
	unsigned repeats; /* calls of a chunk; 1 unless a slice is all */
	size_t at;	  /* where the slice of this chunk begins */
	size_t window;	  /* which one of the slice; goes on when all slices had it */
	size_t window_from, window_until; /* in the buffers; window_from is a multiple of WORD */
};

/* Word k of the buffers: all differ, and none is another one shifted by bytes. */
static uint64_t pattern(size_t k)
{
	return (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio, odd: a bijection */
}

/* Writes pattern ^ flip to bytes from … until of `to`; from is a multiple of WORD. */
static void put_pattern(uint8_t *to, size_t from, size_t until, uint64_t flip)
{
	for (size_t i = from; i < until; i += WORD) {
		const uint64_t word = pattern(i / WORD) ^ flip;

		memcpy(to + i, &word, until - i < WORD ? until - i : WORD);
	}
}

static size_t area(const struct copy_shape *shape, unsigned align)
{
	return (align + shape->bytes + PAGE - 1) / PAGE * PAGE;
}

static bool is_possible(const struct copy_shape *shape)
{
	return shape->bytes > 0 && shape->bytes <= SIZE_MAX / 4 && shape->from_align < PAGE &&
	       shape->to_align < PAGE;
}

uint64_t copier_memory(const struct copy_shape *shape)
{
	if (!is_possible(shape))
		return UINT64_MAX;
	return area(shape, shape->from_align) + area(shape, shape->to_align);
}

static void set_slice(struct copier *copier, size_t chunk)
{
	copier->at = copier->window = 0;
	/* what is copied a second time would be in the caches */
	if (copier->cold)
		chunk = copier->bytes < COPIER_COLD ? copier->bytes : COPIER_COLD;
	if (chunk < copier->bytes) {
		const size_t slices = (copier->bytes - 1) / chunk + 1;

		copier->slice = (copier->bytes / slices + WINDOW - 1) / WINDOW * WINDOW;
		copier->repeats = 1;
	} else {
		copier->slice = copier->bytes;
		copier->repeats = (unsigned)(chunk / copier->bytes);
	}
}

/* Out of all caches, those of other cores too (Intel SDM vol. 2, CLFLUSH; AMD APM vol. 3: the same);
 * every x86-64 CPU has it, for any program. What was written goes to memory. */
static void flush(const uint8_t *from, size_t bytes)
{
	const uint8_t *const end = from + bytes;

	for (const uint8_t *line = from - (uintptr_t)from % LINE; line < end; line += LINE)
		__asm__ volatile("clflush (%0)" : : "r"(line) : "memory");
	__asm__ volatile("mfence" : : : "memory");
}

#define WALK 37u /* coprime to any number of lines below, and beyond what is fetched ahead */

/* Reads each line once, and where the next one is depends on what was read: waits of the caches or of
 * the memory add up. lines: a multiple of 64. */
static uint64_t walk_ns(const uint8_t *from, size_t lines)
{
	const uint64_t begin_ns = clock_mono_ns();
	size_t at = 0, zero = 0;

	__asm__ volatile("" : "+r"(zero)); /* which the compiler does not know to be none */
	for (size_t i = 0; i < lines; i++) {
		at += WALK + (*(const volatile uint8_t *)(from + at * LINE) & zero);
		at -= at >= lines ? lines : 0;
	}
	return clock_mono_ns() - begin_ns;
}

/* A hypervisor may make the instruction do nothing: only the time tells. The best of several, since
 * other work can only make both take longer. */
static bool flush_works(const struct copier *copier)
{
	const size_t bytes = copier->map_bytes < COPIER_COLD ? copier->map_bytes : COPIER_COLD;
	uint64_t cold_ns = UINT64_MAX, warm_ns = UINT64_MAX;

	for (unsigned i = 0; i < FLUSH_TRIES; i++) {
		uint64_t ns;

		flush(copier->map, bytes);
		ns = walk_ns(copier->map, bytes / LINE);
		cold_ns = ns < cold_ns ? ns : cold_ns;
		ns = walk_ns(copier->map, bytes / LINE);
		warm_ns = ns < warm_ns ? ns : warm_ns;
	}
	return cold_ns >= FLUSH_SLOWER * warm_ns;
}

int copier_new(copy_fn *copy, const struct copy_shape *shape, const atomic_bool *stop,
	       struct copier **ret)
{
	struct copier *copier;
	void *map;

	if (!is_possible(shape))
		return -EINVAL;
	copier = calloc(1, sizeof(*copier));
	if (!copier)
		return -ENOMEM;
	copier->copy = copy;
	copier->bytes = shape->bytes;
	copier->cold = shape->cold;
	copier->map_bytes = copier_memory(shape);
	/* not malloc(): that may reuse what another CPU has touched first */
	map = mmap(NULL, copier->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED) {
		free(copier);
		return -ENOMEM;
	}
	copier->map = map;
	copier->from = copier->map + shape->from_align;
	copier->to = copier->map + area(shape, shape->from_align) + shape->to_align;
	for (size_t i = 0; i < shape->bytes; i += FILL_STEP) {
		const size_t until = shape->bytes - i < FILL_STEP ? shape->bytes : i + FILL_STEP;

		if (atomic_load_explicit(stop, memory_order_relaxed)) {
			copier_free(copier);
			return -EINTR;
		}
		put_pattern(copier->from, i, until, 0);
		put_pattern(copier->to, i, until, UINT64_MAX);
	}
	if (shape->cold && !flush_works(copier)) {
		copier_free(copier);
		return -ENOTSUP;
	}
	set_slice(copier, CHUNK_LEAST);
	*ret = copier;
	return 0;
}

void copier_free(struct copier *copier)
{
	if (!copier)
		return;
	(void)munmap(copier->map, copier->map_bytes);
	free(copier);
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median of chunks that walk through the buffers as later ones will: other work takes only
 * some. */
void copier_tune(struct copier *copier, uint64_t chunk_ns)
{
	const size_t least = copier->bytes < CHUNK_LEAST ? copier->bytes : CHUNK_LEAST;
	uint64_t times[TUNE_CHUNKS];
	double chunk;

	for (unsigned i = 0; i < TUNE_CHUNKS; i++) {
		uint64_t begin_ns, bytes;

		/* stores past the caches are faster on Zen 5 where this has touched their lines */
		copier_prepare(copier);
		begin_ns = clock_mono_ns();
		bytes = copier_run(copier);
		times[i] = (clock_mono_ns() - begin_ns) * CHUNK_LEAST / bytes;
		(void)copier_check(copier);
	}
	qsort(times, TUNE_CHUNKS, sizeof(*times), compare_times);
	chunk = (double)chunk_ns / (double)(times[TUNE_CHUNKS / 2] + 1) * CHUNK_LEAST;
	/* A piece begins anew, which rep movsb in memory feels most: 12 % of its rate at twice the time, 5 %
	 * at eight times (Zen 5, 64 MiB), and there are still a dozen in an on time of 4 ms. */
	if (chunk < (double)copier->bytes)
		chunk = fmin(8 * chunk, (double)copier->bytes);
	set_slice(copier, chunk < (double)least ? least : (size_t)chunk);
}

void copier_prepare(struct copier *copier)
{
	const size_t end = copier->at + copier->slice;

	/* a word that begins before the slice belongs to the slice before */
	copier->window_from = (copier->at + copier->window * WINDOW + WORD - 1) / WORD * WORD;
	copier->window_until = copier->window_from + WINDOW;
	if (copier->window_until > end)
		copier->window_until = end;
	put_pattern(copier->to, copier->window_from, copier->window_until, UINT64_MAX);
	if (copier->cold) {
		flush(copier->from + copier->at, copier->slice);
		flush(copier->to + copier->at, copier->slice);
	}
}

struct copier_piece copier_piece(const struct copier *copier)
{
	return (struct copier_piece){ copier->copy, copier->to + copier->at,
				      copier->from + copier->at, copier->slice };
}

uint64_t copier_run(const struct copier *copier)
{
	const struct copier_piece piece = copier_piece(copier);

	for (unsigned i = 0; i < copier->repeats; i++)
		piece.copy(piece.to, piece.from, piece.bytes);
	return (uint64_t)copier->slice * copier->repeats;
}

/* The last slice ends where the buffers do: all slices are of one size. */
static void advance(struct copier *copier)
{
	const size_t last = copier->bytes - copier->slice;

	if (copier->at < last) {
		copier->at = last - copier->at < copier->slice ? last : copier->at + copier->slice;
		return;
	}
	copier->at = 0;
	if (++copier->window * WINDOW >= copier->slice)
		copier->window = 0;
}

bool copier_check(struct copier *copier)
{
	uint64_t difference = 0;

	for (size_t i = copier->window_from; i < copier->window_until; i += WORD) {
		const size_t n = copier->window_until - i < WORD ? copier->window_until - i : WORD;
		uint64_t want = pattern(i / WORD), got = 0;

		if (n < WORD)
			want &= ((uint64_t)1 << n * 8) - 1;
		memcpy(&got, copier->to + i, n);
		difference |= got ^ want;
		/* keeps the loop scalar whatever the optimization level */
		__asm__ volatile("" : "+r"(difference));
	}
	advance(copier);
	return difference == 0;
}
