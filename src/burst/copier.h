/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a driver copies: its two buffers, the chunk that comes next, and whether that has
 * arrived. */
#ifndef AVXTOP_BURST_COPIER_H
#define AVXTOP_BURST_COPIER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "burst/kernel.h"

/* Where a copy goes from and to. Each buffer begins so many bytes (below 4096) past a page
 * boundary. */
struct copy_shape {
	size_t bytes; /* of each buffer, at least 1 */
	unsigned from_align, to_align;
	bool cold; /* neither is in any cache when a copy begins; piece by piece, of COPIER_COLD at most */
};

/* A piece that is flushed before it is copied: flushing takes many times as long as copying, so that a
 * larger one would leave too few copies in an on time. */
#define COPIER_COLD 65536u

/* Both buffers fit the L1 cache of every core with AVX-512, 32 KiB or more: loads and stores are as
 * dense as can be, which is what a clock may fall by. */
#define COPY_SHAPE_DEFAULT ((struct copy_shape){ .bytes = 16384 })

struct copier;

/* Memory that one of this shape takes, saturated. */
uint64_t copier_memory(const struct copy_shape *shape);
/* Fills both buffers, on the calling thread's CPU, so that they are near it. -EINVAL: no such
 * shape; -ENOMEM; -EINTR: *stop became true; -ENOTSUP: what is flushed is read as fast as before, so
 * that nothing here can be made cold. */
int copier_new(copy_fn *copy, const struct copy_shape *shape, const atomic_bool *stop,
	       struct copier **ret);
void copier_free(struct copier *copier);
/* Copies for a moment, and makes the chunks so large that they take about chunk_ns. Small buffers
 * are copied several times in one chunk then, large ones piece by piece, each of eight times that
 * time; all chunks have the same size. */
void copier_tune(struct copier *copier, uint64_t chunk_ns);

/* Before each chunk: makes part of where it goes to wrong, by turns all of it, and what it copies cold
 * where that was asked for. */
void copier_prepare(struct copier *copier);
/* One chunk. Returns the bytes copied (each counts once, though it is read and written). */
uint64_t copier_run(const struct copier *copier);
/* What one call of a chunk copies next. */
struct copier_piece {
	copy_fn *copy;
	void *to;
	const void *from;
	size_t bytes;
};
struct copier_piece copier_piece(const struct copier *copier);
/* After it: is that part right again, bit for bit what the other buffer was filled with? */
bool copier_check(struct copier *copier);

#endif
