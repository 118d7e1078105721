/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last values of something, for graphs: fixed size, oldest dropped. */
#ifndef AVXTOP_MODEL_RING_H
#define AVXTOP_MODEL_RING_H

#include <stddef.h>

#include "model/snapshot.h"

struct ring {
	struct value *values;
	size_t size, head, count;
};

int ring_init(struct ring *ring, size_t size); /* size >= 1; 0 or -ENOMEM */
void ring_free(struct ring *ring);
void ring_push(struct ring *ring, const struct value *value);
/* 0 is the newest; NULL beyond what is kept. */
const struct value *ring_get(const struct ring *ring, size_t age);

#endif
