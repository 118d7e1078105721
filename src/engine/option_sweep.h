/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the options of `sweep`, for the table of options. */
#ifndef AVXTOP_ENGINE_OPTION_SWEEP_H
#define AVXTOP_ENGINE_OPTION_SWEEP_H

struct options;
struct problem;

/* As .apply of struct option_row. */
int option_cores(struct options *options, const char *text, struct problem *ret_problem);
int option_sizes(struct options *options, const char *text, struct problem *ret_problem);
int option_align(struct options *options, const char *text, struct problem *ret_problem);

#endif
