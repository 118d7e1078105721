/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Raw epochs of a burst as they would come from a CPU whose clock takes a planted course: the true
 * speed is known at every nanosecond, and so is what disturbs it. The same from the same seed. */
#ifndef AVXTOP_TESTS_UNIT_EPOCHS_H
#define AVXTOP_TESTS_UNIT_EPOCHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "burst/timeline.h"

/* From here on, in microseconds: after the first wide instruction, or (of_end) after the last. */
struct course {
	double from_us;
	double clock;		       /* against the base clock; 0: halted */
	double scalar_rate, wide_rate; /* dispatch: 1 is full */
	bool of_end;
};

struct planted {
	const struct course *course; /* ascending, those of the end last; before the first: all 1 */
	size_t n_course;
	size_t n_epochs;
	double before_us, burst_us, after_us; /* burst_us 0: one piece */
	double fine_us, coarse_us;	      /* length of sub-samples; 0: 0.25 and 1 */
	bool victim;			      /* no wide step */
	double base_hertz, tsc_hertz;	      /* 0: 3.2 GHz, 2.1 GHz */
	double step_ns;			      /* of the TSC */
	double stamp_cycles;		      /* that a time stamp takes */
	double stamp_ns;		      /* and what of it is no matter of the clock */
	double jitter_ns;		      /* of each time stamp, normal */
	double spread;	      /* triangle of 31 kHz: 0.005 is 0.5 % from top to bottom */
	double interrupts;    /* a second, of 1 to 3 us */
	double steals, moves; /* shares of the epochs: of 1 to 5 ms; of a P-state */
	double wander;	      /* of the base clock from epoch to epoch */
	double drift;	      /* of the clock, over an epoch */
	double slope_us;      /* time constant of the recovery behind the last course; 0: steps */
	uint64_t seed;
};

struct epochs;

struct epochs *epochs_new(const struct planted *planted);
const struct timeline_input *epochs_input(const struct epochs *epochs);
struct timeline_epoch *epochs_one(struct epochs *epochs, size_t epoch); /* to be spoiled */
uint32_t *epochs_ticks(struct epochs *epochs, size_t epoch);
void epochs_free(struct epochs *epochs);

#endif
