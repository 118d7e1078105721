/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scope saw as JSON: one object on one line. */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "burst/microscope.h"
#include "cmd/scope_write.h"
#include "model/host.h"

#define DIGITS 12 /* of 17: a clock to the millihertz */

/* The makers of parts return NULL when out of memory, and json_pack() then frees the others. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Of what is 0 where nothing was seen: that is no number, the limit beside it is. */
static json_t *seen_number(double value)
{
	return number(value > 0 ? value : NAN);
}

static json_t *name_or_null(const char *name)
{
	return name ? json_string(name) : json_null();
}

static int set(json_t *object, const char *key, double value)
{
	return key ? json_object_set_new(object, key, number(value)) : 0;
}

/* All keys of the phase, whether it was seen or not: numbers only of what was. */
static json_t *phase_object(const struct timeline *timeline, enum timeline_phase_id id)
{
	const struct timeline_phase *const phase = &timeline->phases[id];
	const struct timeline_phase_row *const row = timeline_phase_row(id);
	const double seen = phase->seen ? 1 : NAN, unseen = phase->seen ? NAN : 1;
	json_t *const object = json_pack("{s:s, s:b}", "name", row->name, "seen", phase->seen);
	int r = object ? 0 : -1;

	r |= set(object, "begin_s", seen * phase->begin_s);
	if (row->duration_key) {
		r |= set(object, row->duration_key, seen * phase->duration_s);
		r |= set(object, "low_s", seen * phase->low_s);
		r |= set(object, "high_s", seen * phase->high_s);
		r |= json_object_set_new(object, "at_least",
					 json_boolean(phase->seen && isinf(phase->high_s)));
	}
	if (row->ratio_key) {
		r |= set(object, row->ratio_key, seen * phase->ratio);
		r |= set(object, "low", seen * phase->low);
		r |= set(object, "high", seen * phase->high);
	}
	if (row->hertz)
		r |= set(object, "hertz", seen * phase->hertz);
	r |= set(object, "limit_s", unseen * phase->limit_s);
	r |= set(object, "limit_ratio", unseen * phase->limit);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* An array, or NULL; takes what it is given. */
static json_t *append(json_t *array, json_t *value)
{
	if (array && json_array_append_new(array, value) == 0)
		return array;
	if (!array)
		json_decref(value);
	json_decref(array);
	return NULL;
}

static json_t *phases(const struct timeline *timeline)
{
	json_t *array = json_array();

	for (int id = 0; id < TIMELINE_PHASES; id++)
		array = append(array, phase_object(timeline, (enum timeline_phase_id)id));
	return array;
}

static json_t *series(const struct timeline *timeline)
{
	json_t *array = json_array();

	for (size_t i = 0; i < timeline->n_buckets; i++) {
		const struct timeline_bucket *const b = &timeline->buckets[i];

		array = append(array, json_pack("{s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:i}", "t_s",
						b->t_s, "width_s", b->width_s, "clock_ratio",
						number(b->clock_ratio), "rate_ratio",
						number(b->rate_ratio), "low", number(b->low),
						"high", number(b->high), "error", number(b->error),
						"n", (int)b->n));
	}
	return array;
}

static json_t *by_base(const struct judgment *judgment)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < judgment->n_groups; i++) {
		const struct base_group *const group = &judgment->groups[i];

		array = append(array, json_pack("{s:f, s:o, s:i}", "base_hertz", group->base_hertz,
						"during_hertz", number(group->during_hertz), "n",
						(int)group->n));
	}
	return array;
}

/* Why a number that could be one is none. */
static json_t *never_or_unknown(double value)
{
	if (value == 0)
		return json_string("not seen");
	return isfinite(value) ? json_null() : json_string(isinf(value) ? "never" : "unknown");
}

static json_t *price_object(const struct microscope_result *result)
{
	const struct price *const p = &result->price;
	const char *const narrower =
		result->narrower < 0 ? NULL : kernel_row((enum kernel)result->narrower)->name;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:b, s:b}",
			 "entry_s", seen_number(p->entry_s), "after_s", seen_number(p->after_s),
			 "limit_s", number(p->limit_s), "narrower", name_or_null(narrower),
			 "narrower_ops_per_second", number(result->narrower_ops_per_second),
			 "speedup", number(p->speedup), "break_even_s",
			 seen_number(p->break_even_s), "break_even_ratio",
			 seen_number(p->break_even_ratio), "why", "break_even_s",
			 never_or_unknown(p->break_even_s), "break_even_ratio",
			 never_or_unknown(p->break_even_ratio), "outlasts", p->outlasts,
			 "ruler_sees", p->ruler_sees);
}

static json_t *victim_object(const struct host *host, const struct microscope_result *result)
{
	const struct timeline *const t = &result->other;
	unsigned victim;

	if (result->victim < 0)
		return json_null();
	victim = (unsigned)result->victim;
	return json_pack(
		"{s:i, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", "cpu", (int)host->cpus[victim].id,
		"role", relation_name(host_relation(host, result->cpu, victim)), "epochs",
		(int)(t->epochs + t->dropped[TIMELINE_GAP] + t->dropped[TIMELINE_MOVED]),
		"epochs_dropped", (int)(t->dropped[TIMELINE_GAP] + t->dropped[TIMELINE_MOVED]),
		"before_hertz", number(t->before_hertz), "phases", phases(t), "by_base",
		by_base(&t->judgment), "series", series(t));
}

static json_t *duties(const struct microscope_result *result)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < result->n_duties; i++) {
		const struct microscope_duty *const d = &result->duties[i];

		array = append(array,
			       json_pack("{s:f, s:f, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
					 "on_s", (double)d->pattern.on_ns / 1e9, "period_s",
					 (double)d->pattern.period_ns / 1e9, "bursts",
					 (int)d->bursts, "base_hertz", number(d->base_hertz),
					 "first_ratio", number(d->first_ratio), "last_ratio",
					 number(d->last_ratio), "low", number(d->low), "high",
					 number(d->high), "after_s", seen_number(d->after_s),
					 "not_back", d->not_back));
	}
	return array;
}

static json_t *result_object(const struct host *host, const struct microscope_result *result)
{
	const struct timeline *const t = &result->own;
	const unsigned gap = t->dropped[TIMELINE_GAP], moved = t->dropped[TIMELINE_MOVED];

	return json_pack(
		"{s:s, s:s, s:i, s:s, s:i, s:i, s:{s:i, s:i}, s:i, s:o, s:o, s:o, s:o, s:o, s:o,"
		" s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:s}",
		"schema", "avxtop.scope/1", "kernel", kernel_row(result->kernel)->name, "cpu",
		(int)host->cpus[result->cpu].id, "source", "ruler", "epochs",
		(int)(t->epochs + gap + moved), "epochs_dropped", (int)(gap + moved), "dropped",
		"gap", (int)gap, "moved", (int)moved, "epochs_planned", (int)result->epochs_planned,
		"gap_ratio", number(t->gap_ratio), "burst_s", number(t->burst_s), "before_hertz",
		number(t->before_hertz), "phases", phases(t), "series", series(t), "by_base",
		by_base(&t->judgment), "ops_per_second", number(result->ops_per_second),
		"ops_per_cycle", number(result->ops_per_cycle), "core",
		name_or_null(result->core_name), "price", price_object(result), "victim",
		victim_object(host, result), "duty", duties(result), "verified", result->verified,
		"stopped_early", result->stopped_early, "why",
		name_or_null(result->problem.text[0] ? result->problem.text : NULL), "verdict",
		result->verdict);
}

int scope_write_json(const struct host *host, const struct microscope_result *result, FILE *out)
{
	json_t *const object = result_object(host, result);
	int r;

	if (!object)
		return -ENOMEM;
	errno = 0;
	r = json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	json_decref(object);
	if (r < 0)
		return errno ? -errno : -EIO;
	return fputc('\n', out) == EOF ? -errno : 0;
}
