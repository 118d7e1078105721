/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of values: the newest overwrites the oldest. */
#include "config.h"

#include "model/ring.h"

#include <errno.h>
#include <stdlib.h>

int ring_init(struct ring *ring, size_t size)
{
	struct value *values = calloc(size, sizeof(*values));

	if (!values)
		return -ENOMEM;
	*ring = (struct ring){ .values = values, .size = size };
	return 0;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	free(ring->values);
	*ring = (struct ring){ 0 };
}

void ring_push(struct ring *ring, const struct value *value)
{
	ring->values[ring->head] = *value;
	ring->head = (ring->head + 1) % ring->size;
	if (ring->count < ring->size)
		ring->count++;
}

const struct value *ring_get(const struct ring *ring, size_t age)
{
	if (age >= ring->count)
		return NULL;
	return &ring->values[(ring->head + ring->size - 1 - age) % ring->size];
}
