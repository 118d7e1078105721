/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the options of `scope`, for the table of options. */
#ifndef AVXTOP_ENGINE_OPTION_SCOPE_H
#define AVXTOP_ENGINE_OPTION_SCOPE_H

struct options;
struct problem;

/* As .apply of struct option_row. */
int option_cpu(struct options *options, const char *text, struct problem *ret_problem);
int option_victim(struct options *options, const char *text, struct problem *ret_problem);
int option_epochs(struct options *options, const char *text, struct problem *ret_problem);
int option_burst(struct options *options, const char *text, struct problem *ret_problem);
/* Adds options->pattern, which was read from the word, to the trains. */
int option_one_duty(struct options *options, const char *word, struct problem *ret_problem);

#endif
