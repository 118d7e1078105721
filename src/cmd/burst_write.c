/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of bursts for machines: JSON, one object a line, and CSV, one row a CPU. */
#include "config.h"
#include "cmd/burst_write.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "burst/burst.h"
#include "engine/options.h"
#include "model/host.h"

#define DIGITS 12 /* of 17: a clock to the millihertz */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *by_base(const struct judgment *judgment)
{
	json_t *const array = json_array();

	for (unsigned i = 0; i < judgment->n_groups; i++) {
		const struct base_group *const group = &judgment->groups[i];

		if (json_array_append_new(array, json_pack("{s:f, s:f, s:i}", "base_hertz",
							   group->base_hertz, "during_hertz",
							   group->during_hertz, "n", (int)group->n)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *problem_text(const struct problem *problem)
{
	return problem->text[0] ? json_string(problem->text) : json_null();
}

static json_t *still_low(enum recovery recovery)
{
	return recovery == RECOVERY_UNKNOWN ? json_null()
					    : json_boolean(recovery == RECOVERY_STILL_LOW);
}

static json_t *cpu_object(const struct host *host, const struct burst_cpu *cpu)
{
	const struct judgment *const j = &cpu->judgment;
	const bool driven = cpu->role == RELATION_SELF;

	return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:b, s:o,"
			 " s:o, s:o, s:o, s:o, s:s?, s:s?, s:o, s:o}",
			 "cpu", (int)host->cpus[cpu->cpu].id, "role", relation_name(cpu->role),
			 "before_hertz", number(j->before_hertz), "during_hertz",
			 number(j->during_hertz), "after_hertz", number(j->after_hertz),
			 "drop_hertz", number(j->drop_hertz), "drop_ratio", number(j->drop_ratio),
			 "low", number(j->low), "high", number(j->high), "noise", number(j->noise),
			 "pairs", (int)j->pairs, "seen", j->seen, "held", cpu->held, "still_low",
			 still_low(cpu->recovery), "by_base", by_base(j), "ops_per_second",
			 number(cpu->ops_per_second), "ops_per_cycle", number(cpu->ops_per_cycle),
			 "peak_ratio", number(cpu->peak_ratio), "peak_why", cpu->peak_why, "core",
			 cpu->core_name, "verified",
			 driven ? json_boolean(cpu->verified) : json_null(), "why",
			 problem_text(&cpu->problem));
}

static json_t *result_object(const struct host *host, const struct burst_result *result)
{
	json_t *const cpus = json_array();

	for (unsigned i = 0; i < result->n_cpus; i++)
		if (json_array_append_new(cpus, cpu_object(host, &result->cpus[i])) < 0) {
			json_decref(cpus);
			return NULL;
		}
	return json_pack("{s:s, s:s, s:s, s:f, s:b, s:o, s:o, s:o, s:s, s:s}",
			 "schema", "avxtop.burst/1",
			 "kernel", kernel_row(result->kernel)->name,
			 "source", "ruler",
			 "seconds", result->seconds,
			 "stopped_early", result->stopped_early,
			 "cpus", cpus,
			 "release_s", number(result->release_s),
			 "release_resolution_s", number(result->release_resolution_s),
			 "who_pays", result->who_pays,
			 "verdict", result->verdict);
}

static int write_json(const struct host *host, const struct burst_result *result, FILE *out)
{
	json_t *const object = result_object(host, result);
	int r;

	if (!object)
		return -ENOMEM;
	r = json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	json_decref(object);
	if (r < 0)
		return errno ? -errno : -EIO;
	return fputc('\n', out) == EOF ? -errno : 0;
}

static void put_number(double value, FILE *out)
{
	char buf[40];

	(void)fputc(',', out);
	if (isfinite(value))
		(void)fputs(num_format(value, buf, sizeof(buf)), out);
}

static const char *const still_low_words[] = {
	[RECOVERY_UNKNOWN] = "",
	[RECOVERY_BACK] = "false",
	[RECOVERY_STILL_LOW] = "true",
};

/* Sentences hold commas, never quotes or line feeds. */
static void write_csv(const struct host *host, const struct burst_result *result, bool first,
		      FILE *out)
{
	if (first)
		(void)fputs(
			"kernel,seconds,cpu,role,before_hertz,during_hertz,after_hertz,drop_hertz,"
			"drop_ratio,low,high,noise,pairs,ops_per_second,ops_per_cycle,peak_ratio,"
			"verified,who_pays,verdict,still_low\n",
			out);
	for (unsigned i = 0; i < result->n_cpus; i++) {
		const struct burst_cpu *const cpu = &result->cpus[i];
		const struct judgment *const j = &cpu->judgment;
		const double values[] = { j->before_hertz, j->during_hertz, j->after_hertz,
					  j->drop_hertz, j->drop_ratio, j->low, j->high, j->noise,
					  j->pairs, cpu->ops_per_second, cpu->ops_per_cycle,
					  cpu->peak_ratio };
		const char *const verified = cpu->role != RELATION_SELF ? "" :
					     cpu->verified ? "true" : "false";

		(void)fputs(kernel_row(result->kernel)->name, out);
		put_number(result->seconds, out);
		(void)fprintf(out, ",%u,%s", host->cpus[cpu->cpu].id, relation_name(cpu->role));
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++)
			put_number(values[v], out);
		(void)fprintf(out, ",%s,%s,\"%s\",%s\n", verified, result->who_pays,
			      result->verdict, still_low_words[cpu->recovery]);
	}
}

int burst_write(const struct options *options, const struct host *host,
		const struct burst_result *result, bool first, FILE *out)
{
	int r = 0;

	errno = 0;
	if (options->format == FORMAT_JSON)
		r = write_json(host, result, out);
	else if (options->format == FORMAT_CSV)
		write_csv(host, result, first, out);
	else
		r = burst_write_table(options, host, result, first, out);
	if (fflush(out) != 0 && r == 0)
		r = -errno;
	return r;
}
