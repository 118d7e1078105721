/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Raw readings of one instant, each with its state. Written by the reader thread only. */
#ifndef AVXTOP_MODEL_SAMPLE_H
#define AVXTOP_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/counter.h"
#include "model/state.h"

struct host;

struct reading {
	uint64_t raw;	/* DENIED, FAILED: what the kernel answered, a positive errno; 0 nothing */
	uint8_t state;	/* enum state */
	uint8_t source; /* enum source_id, 0 none */
};

/* Ids of sources are below this. */
#define SAMPLE_SOURCES 32

struct sample {
	uint64_t mono_ns, real_ns; /* when the read began */
	uint64_t suspended_ns;	   /* clock_suspended_ns() then: only its growth means something */
	bool stranger;		   /* the machine is no longer the one that `host` describes */
	uint64_t read_ns[SAMPLE_SOURCES]; /* by source: when it was read, CLOCK_MONOTONIC; 0: at mono_ns */
	const struct host *host;   /* borrowed */
	const uint8_t *servers;	   /* [COUNTER_N], borrowed: the source that each counter is of; what another
				      says of it is not kept, for two do not count alike. 0, NULL: any */
	struct reading *readings;
	unsigned offset[COUNTER_N + 1];
};

struct sample *sample_new(const struct host *host); /* all UNSUPPORTED; NULL when out of memory */
void sample_free(struct sample *sample);
void sample_clear(struct sample *sample); /* back to all UNSUPPORTED */
void sample_copy(struct sample *to, const struct sample *from); /* same host */

/* Nanoseconds that the machine was suspended between the two; 0 also for what is too short to be one. */
uint64_t sample_suspended_ns(const struct sample *prev, const struct sample *cur);

/* index: of the CPU, core or package in host; label: 0 for unlabelled counters. */
struct reading *sample_at(struct sample *sample, enum counter counter, unsigned index, unsigned label);
const struct reading *sample_get(const struct sample *sample, enum counter counter, unsigned index,
				 unsigned label);
/* Is what was read then too old to be told as a moment of now, where samples are interval_ns apart?
 * Sources that read by turns ask it, too. */
bool sample_too_old(uint64_t read_ns, uint64_t now_ns, uint64_t interval_ns);
/* A source that was not read for `sample` is said to have what it had: moments of then, marked so,
 * until they are too old. What has risen since is for derive() to find unknown, by the time of
 * reading, which stays. */
void sample_carry_over(struct sample *sample, const struct sample *from, unsigned source);
/* `lost` came right before `sample`, and nobody took it. What was no number in it may be one in the
 * next all the same; but a counter that began anew is not to be compared with what it was. */
void sample_keep_breaks(struct sample *sample, const struct sample *lost);
/* When what this source tells was read. */
uint64_t sample_read_ns(const struct sample *sample, unsigned source);
/* Shorthand for sources. */
void sample_set(struct sample *sample, enum counter counter, unsigned index, unsigned label,
		uint64_t raw, unsigned source);
/* A reading that is none: err is the negative errno of what was tried, kept where it says more than
 * the state. */
struct reading reading_failed(enum state state, int err, unsigned source);
int reading_errno(const struct reading *reading); /* positive; 0 none */
void sample_fail(struct sample *sample, enum counter counter, unsigned index, unsigned label,
		 enum state state, unsigned source);

#endif
