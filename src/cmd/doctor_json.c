/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A diagnosis for machines to read: one object, in which every key is always there. */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "cmd/doctor.h"
#include "format/identity.h"

/* errno with its meaning, null where it is none. */
static void add_problem(json_t *object, const char *key, const struct problem *why)
{
	(void)json_object_set_new(object, key, identity_text(why->text));
	(void)json_object_set_new(object, "errno", why->err ? json_integer(why->err) : json_null());
	(void)json_object_set_new(object, "error",
				  why->err ? json_string(strerrordesc_np(why->err)) : json_null());
	(void)json_object_set_new(object, "remedy", identity_text(why->remedy));
}

static json_t *finding_object(const struct finding *finding)
{
	json_t *object = json_object();

	(void)json_object_set_new(object, "name", json_string(finding->name));
	(void)json_object_set_new(object, "state", json_string(cause_row(finding->cause)->name));
	if (finding->part == PART_MACHINE)
		(void)json_object_set_new(object, "value", identity_text(finding->value));
	if (finding->part == PART_METRIC)
		(void)json_object_set_new(object, "source", identity_text(finding->source));
	if (finding->part == PART_COUNTER) {
		(void)json_object_set_new(object, "readings", json_integer(finding->readings));
		(void)json_object_set_new(object, "failed", json_integer(finding->failed));
	}
	if (finding->part == PART_SOURCE)
		(void)json_object_set_new(object, "help", json_string(finding->help));
	add_problem(object, finding->part == PART_MACHINE ? "meaning" : "why", &finding->why);
	if (finding->part == PART_SOURCE)
		(void)json_object_set_new(object, "counters", json_array());
	return object;
}

/* All of one part; counters go into the array of the source before them. */
static json_t *part_array(const struct diagnosis *diagnosis, enum doctor_part part)
{
	json_t *array = json_array(), *object = NULL;

	for (unsigned i = 0; i < diagnosis->n; i++) {
		const struct finding *finding = &diagnosis->findings[i];

		if (finding->part == part) {
			object = finding_object(finding);
			(void)json_array_append_new(array, object);
		} else if (part == PART_SOURCE && finding->part == PART_COUNTER) {
			(void)json_array_append_new(json_object_get(object, "counters"),
						    finding_object(finding));
		}
	}
	return array;
}

int doctor_json(const struct diagnosis *diagnosis, FILE *out)
{
	json_t *root =
		json_pack("{s:s, s:b, s:s?, s:b, s:s?}", "schema", "avxtop.doctor/1", "clock",
			  diagnosis->clock_source != NULL, "clock_source", diagnosis->clock_source,
			  "sampled", diagnosis->sampled, "slow_source", diagnosis->slow_source);
	int r = root ? 0 : -ENOMEM;

	if (r < 0)
		return r;
	add_problem(root, "verdict", &diagnosis->verdict);
	r |= json_object_set_new(root, "host", identity_object(diagnosis->host));
	r |= json_object_set_new(root, "sources", part_array(diagnosis, PART_SOURCE));
	r |= json_object_set_new(root, "machine", part_array(diagnosis, PART_MACHINE));
	r |= json_object_set_new(root, "metrics", part_array(diagnosis, PART_METRIC));
	r |= json_dumpf(root, out, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(root);
	(void)fputc('\n', out);
	return r < 0 && !ferror(out) ? -ENOMEM : 0;
}
