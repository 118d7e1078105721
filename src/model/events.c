/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file of data/cpu/events. */
#include "config.h"
#include "model/events.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "model/facts_fits.h"

struct search {
	const char *vendor;
	unsigned family, model, stepping;
	bool found;
	struct events *events;
};

/* "GenuineIntel 6/0x55/0-4 …" */
static bool is_of(const struct search *search, const char *match)
{
	const size_t len = strlen(search->vendor);

	return strncmp(match, search->vendor, len) == 0 && match[len] == ' ' &&
	       facts_fits(match + len + 1, search->family, search->model, search->stepping);
}

static int find_counter(const char *name)
{
	for (int c = 0; c < COUNTER_N; c++)
		if (strcmp(counter_row((enum counter)c)->name, name) == 0)
			return c;
	return -1;
}

static int on_key(void *user, const char *section, const char *key, const char *value)
{
	struct search *search = user;
	struct event *event;
	int counter;

	if (strcmp(section, "cpu") == 0 && strcmp(key, "match") == 0)
		search->found = search->found || is_of(search, value);
	counter = find_counter(section);
	if (counter < 0)
		return 1;
	event = &search->events->rows[counter];
	if (strcmp(key, "name") == 0)
		(void)snprintf(event->name, sizeof(event->name), "%s", value);
	else if (strcmp(key, "raw") == 0)
		(void)num_parse_hex(value, &event->raw);
	return 1;
}

int events_match(const char *ini_text, const char *vendor, unsigned family, unsigned model,
		 unsigned stepping, struct events *ret)
{
	struct events events = { 0 };
	struct search search = {
		.vendor = vendor,
		.family = family,
		.model = model,
		.stepping = stepping,
		.events = &events,
	};

	/* A malformed line (r > 0) spoils only itself; the data's own test finds it. */
	if (ini_parse_string(ini_text, on_key, &search) < 0)
		return -ENOMEM;
	if (!search.found)
		return -ENOENT;
	*ret = events;
	return 0;
}
