/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What formulas are made of: two samples, and what a counter read or by how much it rose. Pure. */
#ifndef AVXTOP_MODEL_INTERVAL_H
#define AVXTOP_MODEL_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/counter.h"
#include "model/state.h"

struct active;
struct host;
struct sample;
struct value;

struct interval {
	const struct host *host;
	const struct sample *prev, *cur; /* prev NULL: the first sample */
	double elapsed_s;
	bool suspended; /* the machine slept in between */
	enum scope scope; /* of the value to be made */
	const struct active *active; /* [n_packages]: its active cores */
};

/* A raw reading or difference, on the way into a formula. */
struct part {
	double v;
	enum state state;
	uint8_t source;
};

/* A reading of this moment. */
struct part interval_moment(const struct interval *at, enum counter counter, unsigned index,
			    unsigned label);
/* By how much a rising counter rose; a step backwards and a source that was not read are states. */
struct part interval_rise(const struct interval *at, enum counter counter, unsigned index,
			  unsigned label);
/* Seconds between the two readings of a source, which are not those between the samples where it is
 * slow, or not read each time. */
double interval_elapsed_s(const struct interval *at, uint8_t source);

/* A value of several parts: it has the state of the part that tells most, and the first's source. */
bool interval_usable(const struct part *parts, unsigned n, struct value *ret);
/* part : whole, at most 1. Without a whole nothing was counted: unknown, not 0. */
void interval_share(struct value *ret, double part, double whole);
/* What rose, in units of `unit`, over the time between its readings. */
void interval_rate(struct value *ret, const struct part *part, const struct interval *at, double unit);

#endif
