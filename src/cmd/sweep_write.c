/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep for machines: JSON, one object, and CSV, one row a point. */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/num.h"
#include "cmd/sweep.h"
#include "engine/options.h"
#include "format/identity.h"
#include "model/host.h"

#define DIGITS 12 /* of 17: a clock to the millihertz */

static const char *const role_names[] = { [SWEEP_POINT] = "point", [SWEEP_CONTROL] = "control",
					  [SWEEP_DRIFT] = "drift" };

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* "0-3,8"; caller frees. */
static char *cpus_of(const struct sweep_report *report, const struct sweep_entry *entry)
{
	struct list *const cpus = sweep_cpus(report->sweep, entry->point->cores);
	char *const text = cpus ? list_format(cpus) : NULL;

	list_free(cpus);
	return text;
}

/* A set that fails, for want of memory, is found at the end: the count of keys tells. */
static void put(json_t *object, const char *key, json_t *value, int *r)
{
	*r |= json_object_set_new(object, key, value);
}

static json_t *by_base(const struct figures *f)
{
	json_t *const array = json_array();
	int r = 0;

	for (unsigned i = 0; i < f->n_groups; i++)
		r |= json_array_append_new(array, json_pack("{s:f, s:f, s:i}", "base_hertz",
							    f->groups[i].base_hertz, "during_hertz",
							    f->groups[i].during_hertz, "n",
							    (int)f->groups[i].n));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *each_cpu(const struct figures *f)
{
	json_t *const array = json_array();
	int r = 0;

	for (unsigned i = 0; i < f->n_cpus; i++) {
		const struct figures_cpu *const cpu = &f->cpus[i];

		r |= json_array_append_new(
			array, json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "cpu", (int)cpu->id,
					 "ruler_hertz", number(cpu->hertz), "before_hertz",
					 number(cpu->before_hertz), "drop_ratio", number(cpu->drop_ratio),
					 "ops_per_cycle", number(cpu->ops_per_cycle), "peak_ratio",
					 number(cpu->peak_ratio), "time_ratio", number(cpu->time_ratio),
					 "verified", cpu->verified));
	}
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

/* Numbers of a point, for both formats. */
struct named {
	const char *key;
	double value;
};
#define NAMED 19u

static void numbers_of(const struct sweep_entry *entry, struct named ret[NAMED])
{
	const struct figures *const f = &entry->figures;
	const struct named all[NAMED] = {
		{ "hertz", f->hertz },
		{ "hertz_low", f->hertz_low },
		{ "hertz_high", f->hertz_high },
		{ "before_hertz", f->before_hertz },
		{ "drop_ratio", f->drop_ratio },
		{ "drop_low", f->drop_low },
		{ "drop_high", f->drop_high },
		{ "noise", f->noise },
		{ "ruler_hertz", f->ruler_hertz },
		{ "throughput_hertz", f->throughput_hertz },
		{ "ops_per_second", f->ops_per_second },
		{ "kernel_ops_per_second", f->kernel_ops_per_second },
		{ "ops_per_cycle", f->ops_per_cycle },
		{ "peak_ratio", f->peak_ratio },
		{ "limit_hertz", NAN }, /* until the turbo limits are read */
		{ "size_bytes", entry->point->copy.bytes ? (double)entry->point->copy.bytes : NAN },
		{ "from_align", entry->point->copy.bytes ? (double)entry->point->copy.from_align : NAN },
		{ "to_align", entry->point->copy.bytes ? (double)entry->point->copy.to_align : NAN },
		{ "seconds", f->seconds },
	};

	memcpy(ret, all, sizeof(all));
	/* a point that was refused has no figures at all, of which 0 would be one */
	for (unsigned i = 0; i < NAMED && !entry->measured; i++)
		if (i < 14 || i > 17)
			ret[i].value = NAN;
}

static json_t *flag(const struct sweep_entry *entry, bool value)
{
	return entry->measured ? json_boolean(value) : json_null();
}

static json_t *point_object(const struct sweep_report *report, const struct sweep_entry *entry)
{
	const struct figures *const f = &entry->figures;
	char *const cpus = cpus_of(report, entry);
	json_t *const object = json_object();
	struct named numbers[NAMED];
	int r = 0;

	put(object, "kernel", json_string(kernel_row(entry->point->kernel)->name), &r);
	put(object, "active_cores", json_integer(entry->point->cores), &r);
	put(object, "cpus", json_string(cpus ? cpus : ""), &r);
	numbers_of(entry, numbers);
	for (unsigned i = 0; i < NAMED; i++)
		put(object, numbers[i].key, number(numbers[i].value), &r);
	put(object, "by_base", by_base(f), &r);
	put(object, "cold", entry->point->copy.bytes ? json_boolean(entry->point->copy.cold) : json_null(), &r);
	put(object, "pairs", json_integer(f->pairs), &r);
	put(object, "seen", flag(entry, f->seen), &r);
	put(object, "held", flag(entry, f->held), &r);
	put(object, "still_low", flag(entry, f->still_low), &r);
	put(object, "settled", flag(entry, !entry->unsettled), &r);
	put(object, "verified", flag(entry, f->verified), &r);
	put(object, "stopped_early", flag(entry, f->stopped_early), &r);
	put(object, "finding", entry->measured ? json_string(agreement_name(f->agreement.finding)) :
						 json_string("refused"), &r);
	put(object, "why", identity_text(entry->why), &r);
	put(object, "note", identity_text(entry->measured ? f->agreement.note : NULL), &r);
	put(object, "time_note", identity_text(entry->measured ? f->agreement.time_note : NULL), &r);
	put(object, "peak_why", f->peak_why ? json_string(f->peak_why) : json_null(), &r);
	for (const enum metric *metric = sweep_metrics; *metric != METRIC_N; metric++)
		put(object, metric_row(*metric)->name, number(entry->metrics[*metric]), &r);
	put(object, "each_cpu", each_cpu(f), &r);
	free(cpus);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *points_of(const struct sweep_report *report, enum sweep_role role)
{
	json_t *const array = json_array();
	int r = 0;

	for (unsigned i = 0; i < report->n_entries; i++)
		if (report->entries[i].point->role == role)
			r |= json_array_append_new(array, point_object(report, &report->entries[i]));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *texts(const struct sweep_report *report, bool refused)
{
	json_t *const array = json_array();
	int r = 0;

	for (unsigned i = 0; refused && i < report->sweep->n_refused; i++)
		r |= json_array_append_new(array, identity_text(report->sweep->refused[i].text));
	for (unsigned i = 0; !refused && i < report->n_notes; i++)
		r |= json_array_append_new(array, identity_text(report->notes[i]));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *drift_object(const struct sweep_report *report)
{
	const double first = report->drift_first_hertz, last = report->drift_last_hertz;

	return json_pack("{s:s, s:i, s:o, s:o, s:o}", "kernel", kernel_row(KERNEL_SCALAR)->name,
			 "active_cores", (int)report->sweep->points[0].cores, "first_hertz", number(first),
			 "last_hertz", number(last), "drift_ratio", number(last / first - 1));
}

static int write_json(const struct sweep_report *report, FILE *out)
{
	json_t *const object = json_object();
	int r = 0;

	put(object, "schema", json_string("avxtop.sweep/1"), &r);
	put(object, "source", json_string("ruler"), &r);
	put(object, "host", identity_object(report->host), &r);
	put(object, "stopped", json_boolean(report->stopped), &r);
	put(object, "points", points_of(report, SWEEP_POINT), &r);
	put(object, "controls", points_of(report, SWEEP_CONTROL), &r);
	put(object, "drift", drift_object(report), &r);
	put(object, "refused", texts(report, true), &r);
	put(object, "notes", texts(report, false), &r);
	r = r == 0 ? 0 : -ENOMEM;
	if (r == 0 && json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) < 0)
		r = errno ? -errno : -EIO;
	json_decref(object);
	if (r == 0 && fputc('\n', out) == EOF)
		r = -errno;
	return r;
}

/* Sentences may hold commas, never line feeds; names of sensors may hold anything. */
static void put_text(const char *text, FILE *out)
{
	(void)fputs(",\"", out);
	for (; *text; text++) {
		if (*text == '"')
			(void)fputc('"', out);
		(void)fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
	}
	(void)fputc('"', out);
}

static void put_number(double value, FILE *out)
{
	char buf[40];

	(void)fputc(',', out);
	if (isfinite(value))
		(void)fputs(num_format(value, buf, sizeof(buf)), out);
}

static void write_csv_row(const struct sweep_report *report, const struct sweep_entry *entry, FILE *out)
{
	const struct figures *const f = &entry->figures;
	char *const cpus = cpus_of(report, entry);
	struct named numbers[NAMED];

	(void)fprintf(out, "%s,%s,%u", role_names[entry->point->role],
		      kernel_row(entry->point->kernel)->name, entry->point->cores);
	put_text(cpus ? cpus : "", out);
	numbers_of(entry, numbers);
	for (unsigned i = 0; i < NAMED; i++)
		put_number(numbers[i].value, out);
	(void)fprintf(out, ",%u,%s,%s,%s", f->pairs, !entry->measured ? "" : f->seen ? "true" : "false",
		      !entry->measured ? "" : f->verified ? "true" : "false",
		      entry->measured ? agreement_name(f->agreement.finding) : "refused");
	put_text(entry->why, out);
	put_text(entry->measured ? f->agreement.note : "", out);
	put_text(entry->measured ? f->agreement.time_note : "", out);
	for (const enum metric *metric = sweep_metrics; *metric != METRIC_N; metric++)
		put_number(entry->metrics[*metric], out);
	(void)fputc('\n', out);
	free(cpus);
}

static void write_csv(const struct sweep_report *report, FILE *out)
{
	struct named numbers[NAMED];

	(void)fputs("role,kernel,active_cores,cpus", out);
	numbers_of(&report->entries[0], numbers);
	for (unsigned i = 0; i < NAMED; i++)
		(void)fprintf(out, ",%s", numbers[i].key);
	(void)fputs(",pairs,seen,verified,finding,why,note,time_note", out);
	for (const enum metric *metric = sweep_metrics; *metric != METRIC_N; metric++)
		(void)fprintf(out, ",%s", metric_row(*metric)->name);
	(void)fputc('\n', out);
	for (unsigned i = 0; i < report->n_entries; i++)
		write_csv_row(report, &report->entries[i], out);
}

int sweep_write(const struct sweep_report *report, FILE *out)
{
	int r = 0;

	errno = 0;
	if (report->options->format == FORMAT_JSON)
		r = write_json(report, out);
	else if (report->options->format == FORMAT_CSV)
		write_csv(report, out);
	else if (report->options->format == FORMAT_SVG)
		r = sweep_write_svg(report, out);
	else
		r = sweep_write_table(report, out);
	if (fflush(out) != 0 && r == 0)
		r = -errno;
	return r;
}
