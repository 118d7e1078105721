/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a scope is shown, and in which words: the same for the terminal, the picture and the
 * dashboard. Pure. */
#ifndef AVXTOP_CMD_SCOPE_SHOW_H
#define AVXTOP_CMD_SCOPE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "burst/timeline.h"

struct microscope_duty;
struct microscope_result;

/* A part of the time line, in seconds from the first wide instruction. */
struct scope_window {
	double from_s, to_s;
};

/* The beginning and the end of the burst, each with the phases that were seen there; and all of it.
 */
struct scope_window scope_entry(const struct timeline *timeline);
struct scope_window scope_exit(const struct timeline *timeline);
struct scope_window scope_whole(const struct timeline *timeline);

/* Ends of a scale that holds clocks and rates, in steps of 5 %: at least 10 % apart, or noise would
 * look like a phase. */
void scope_range(const struct timeline *timeline, double *ret_low, double *ret_high);

/* The time line in columns, for pictures of characters: the lowest clock (rate) of each, so that a
 * short halt is not lost between them; what holds for longer than a column fills several. NAN:
 * none. */
void scope_columns(const struct timeline *timeline, const struct scope_window *window, bool rate,
		   double *ret, int n);

/* Is there anything to tell of this phase? Of what follows a lower clock there is not, where none
 * was seen. */
bool scope_phase_told(const struct timeline *timeline, enum timeline_phase_id id);
/* Where a phase that was seen is on the time line; false: none to be drawn. */
bool scope_phase_span(const struct timeline *timeline, enum timeline_phase_id id,
		      struct scope_window *ret);

/* The next ones write words for people into buf. */
/* "to ×0.25 for 9 us (8.8 to 9.2)"; of one that was not seen, what could not have been. */
void scope_phase_words(const struct timeline *timeline, enum timeline_phase_id id, char *buf,
		       size_t size);
/* The same in a word or two beside its name: "x0.25, 9.0 us"; "" for what was not seen. */
void scope_phase_label(const struct timeline *timeline, enum timeline_phase_id id, char *buf,
		       size_t size);
/* "488 bursts of 200 us; 12 left out: 9 interrupted, 3 with a clock that moved by itself". */
void scope_epochs_words(const struct timeline *timeline, char *buf, size_t size);
/* What one burst costs; "" where nothing is known. */
void scope_price_words(const struct microscope_result *result, char *buf, size_t size);
/* When wide code pays; "" where nothing is known. */
void scope_even_words(const struct microscope_result *result, char *buf, size_t size);
void scope_duty_words(const struct microscope_duty *duty, char *buf, size_t size);
/* "1.5 us": a tenth of a microsecond, below one a hundredth. */
const char *scope_time(double seconds, char *buf, size_t size);

#endif
