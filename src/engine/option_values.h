/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an option's argument to its value; each function serves one row of option_rows.h. */
#ifndef AVXTOP_ENGINE_OPTION_VALUES_H
#define AVXTOP_ENGINE_OPTION_VALUES_H

struct options;
struct problem;

/* 0 or -EINVAL with one whole sentence that names near words. options->command must be set. */
int option_count(struct options *options, const char *text, struct problem *ret_problem);
int option_cpus(struct options *options, const char *text, struct problem *ret_problem);
int option_duration(struct options *options, const char *text, struct problem *ret_problem);
int option_duty(struct options *options, const char *text, struct problem *ret_problem);
int option_format(struct options *options, const char *text, struct problem *ret_problem);
int option_interval(struct options *options, const char *text, struct problem *ret_problem);
int option_kernel(struct options *options, const char *text, struct problem *ret_problem);
int option_metrics(struct options *options, const char *text, struct problem *ret_problem);
int option_output(struct options *options, const char *text, struct problem *ret_problem);
int option_scope(struct options *options, const char *text, struct problem *ret_problem);
int option_source(struct options *options, const char *text, struct problem *ret_problem);
int option_sysroot(struct options *options, const char *text, struct problem *ret_problem);

/* Words of --format, --metrics and --scope; NULL at the end. */
const char *option_format_at(unsigned index);
const char *option_metric_at(unsigned index);
const char *option_scope_at(unsigned index);

#endif
