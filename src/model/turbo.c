/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The three forms of MSR_TURBO_RATIO_LIMIT (turbostat 6.12: trl_msrs of its platform features, and
 * how it dumps them; Intel SDM volume 4). */
#include "config.h"

#include "model/turbo.h"

#include <string.h>

#define BYTES 8
/* What 0x1AE reads on clients since Ice Lake, whose 0x1AD needs no counts (register dumps of
 * InstLatx64). */
#define COUNTS_ONE_TO_EIGHT 0x0807060504030201u

static unsigned byte_of(uint64_t raw, unsigned i)
{
	return (unsigned)(raw >> (8 * i)) & 0xff;
}

static void add(struct turbo *turbo, unsigned cores, unsigned ratio, double bclk_hertz)
{
	if (ratio > 0 && turbo->n < TURBO_BUCKETS)
		turbo->buckets[turbo->n++] = (struct turbo_bucket) { cores, ratio * bclk_hertz };
}

/* Byte n - 1 is the ratio of n cores; 0 does not apply. The highest bit of the two that continue it
 * is a semaphore on some parts. */
static void decode_active(const uint64_t raw[3], double bclk_hertz, struct turbo *ret)
{
	for (unsigned i = 0; i < BYTES; i++)
		add(ret, i + 1, byte_of(raw[0], i), bclk_hertz);
	if (raw[1] == COUNTS_ONE_TO_EIGHT)
		return;
	for (unsigned i = 0; i < BYTES; i++)
		add(ret, BYTES + i + 1, byte_of(raw[1] & ~(1ull << 63), i), bclk_hertz);
	for (unsigned i = 0; i < 2; i++)
		add(ret, 2 * BYTES + i + 1, byte_of(raw[2], i), bclk_hertz);
}

/* A group without a count is unused, unless no count could be read at all. */
static void decode_groups(const uint64_t raw[3], double bclk_hertz, struct turbo *ret)
{
	for (unsigned i = 0; i < BYTES; i++)
		if (byte_of(raw[1], i) > 0 || raw[1] == 0)
			add(ret, byte_of(raw[1], i), byte_of(raw[0], i), bclk_hertz);
}

/* Bits 7:1 cores, 15:8 ratio; each further byte: so many cores more (4:0), so many ratios less
 * (7:5). */
static void decode_deltas(const uint64_t raw[3], double bclk_hertz, struct turbo *ret)
{
	unsigned cores = byte_of(raw[0], 0) >> 1, ratio = byte_of(raw[0], 1);

	add(ret, cores, ratio, bclk_hertz);
	for (unsigned i = 2; i < BYTES; i++) {
		unsigned less = byte_of(raw[0], i) >> 5;

		cores += byte_of(raw[0], i) & 0x1f;
		ratio -= less < ratio ? less : ratio;
		add(ret, cores, ratio, bclk_hertz);
	}
}

void turbo_decode(enum turbo_form form, double bclk_hertz, const uint64_t raw[3], struct turbo *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!(bclk_hertz > 0))
		return;
	switch (form) {
	case TURBO_FORM_NONE:
		break;
	case TURBO_FORM_ACTIVE:
		decode_active(raw, bclk_hertz, ret);
		break;
	case TURBO_FORM_GROUPS:
		decode_groups(raw, bclk_hertz, ret);
		break;
	case TURBO_FORM_DELTAS:
		decode_deltas(raw, bclk_hertz, ret);
		break;
	}
}

double turbo_limit(const struct turbo *turbo, unsigned active_cores)
{
	for (unsigned i = 0; i < turbo->n; i++)
		if (turbo->buckets[i].max_active_cores >= active_cores &&
		    turbo->buckets[i].max_active_cores > 0)
			return turbo->buckets[i].hertz;
	/* Without counts, only a limit that is the same for all is known. */
	for (unsigned i = 0; i < turbo->n; i++)
		if (turbo->buckets[i].max_active_cores > 0 ||
		    turbo->buckets[i].hertz < turbo->buckets[0].hertz ||
		    turbo->buckets[i].hertz > turbo->buckets[0].hertz)
			return 0;
	return turbo->n > 0 ? turbo->buckets[0].hertz : 0;
}
