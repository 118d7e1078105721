/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The series of a scope as CSV: one row a bucket; and which format it shall be. */
#include "config.h"
#include "cmd/scope_write.h"

#include <math.h>
#include <stddef.h>

#include "base/num.h"
#include "burst/microscope.h"
#include "engine/options.h"
#include "format/row.h"
#include "model/host.h"

static void put_number(double value, FILE *out)
{
	char buf[40];

	(void)fputc(',', out);
	if (isfinite(value))
		(void)fputs(num_format(value, buf, sizeof(buf)), out);
}

static void put_series(const struct host *host, const struct microscope_result *result,
		       unsigned cpu, const struct timeline *timeline, FILE *out)
{
	for (size_t i = 0; i < timeline->n_buckets; i++) {
		const struct timeline_bucket *const b = &timeline->buckets[i];
		const double values[] = { b->t_s, b->width_s, b->clock_ratio, b->rate_ratio,
					  b->low, b->high,    b->error,	      b->n };

		(void)fprintf(out, "%s,%u,%s", kernel_row(result->kernel)->name, host->cpus[cpu].id,
			      relation_name(host_relation(host, result->cpu, cpu)));
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++)
			put_number(values[v], out);
		(void)fputc('\n', out);
	}
}

static void write_csv(const struct host *host, const struct microscope_result *result, bool first,
		      FILE *out)
{
	if (first)
		(void)fputs("kernel,cpu,role,t_s,width_s,clock_ratio,rate_ratio,low,high,error,n\n",
			    out);
	put_series(host, result, result->cpu, &result->own, out);
	if (result->victim >= 0)
		put_series(host, result, (unsigned)result->victim, &result->other, out);
}

int scope_write(const struct options *options, const struct host *host,
		const struct microscope_result *result, bool first, FILE *out)
{
	int r = 0;

	if (options->format == FORMAT_JSON)
		r = scope_write_json(host, result, out);
	else if (options->format == FORMAT_CSV)
		write_csv(host, result, first, out);
	else if (options->format == FORMAT_SVG)
		r = scope_write_svg(host, result, out);
	else
		r = scope_write_table(options, host, result, first, out);
	return r < 0 ? r : row_flush(out);
}
