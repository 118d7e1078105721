/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of `avxtop doctor`: what was found, before it is written. */
#ifndef AVXTOP_CMD_DOCTOR_H
#define AVXTOP_CMD_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/problem.h"
#include "model/cause.h"

struct host;
struct session;
struct options;

enum doctor_part { PART_SOURCE, PART_COUNTER, PART_MACHINE, PART_METRIC, PART_N };

/* One line of the diagnosis. Texts are borrowed from tables; `why` is translated and has a remedy
 * wherever something can be done. */
struct finding {
	enum doctor_part part;
	const char *name;   /* machine key */
	const char *source; /* of a counter, or that serves a metric; NULL none */
	const char *told;   /* of a metric: the source whose missing counter is the reason; NULL none */
	const char *help;   /* of a source, untranslated; NULL none */
	enum cause cause;
	char value[160];    /* of a fact about the machine; "" none */
	struct problem why; /* .text of what is found: a reservation, or what a fact means; "" none */
	unsigned readings, failed; /* of a counter: tried for the first sample; of these */
};

struct diagnosis {
	const struct host *host; /* borrowed */
	struct finding *findings; /* by part; each source is followed by its counters */
	unsigned n;
	const char *clock_source; /* by which a clock is measured; NULL: none can */
	struct problem verdict;	  /* whole sentence about that */
	bool sampled;		  /* the first sample came in time */
	const char *slow_source;  /* if not: whose file is still being read; NULL: none */
};

/* Probes, takes one sample and judges. 0 or -errno with a problem. */
int doctor_find(struct session *session, const struct options *options, struct diagnosis *ret,
		struct problem *ret_problem);
void doctor_free(struct diagnosis *diagnosis); /* a zeroed one is fine */

const char *doctor_part_name(enum doctor_part part); /* ASCII key: "source", … */

/* One object of schema avxtop.doctor/1 and a newline. 0 or -ENOMEM. */
int doctor_json(const struct diagnosis *diagnosis, FILE *out);

/* `doctor --dump`; exit status. */
int doctor_dump(const struct options *options);

#endif
