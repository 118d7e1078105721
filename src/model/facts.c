/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a CPU model's section in the text of the files of data/cpu. */
#include "config.h"
#include "model/facts.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/facts_fits.h"

struct search {
	const char *vendor, *kind;
	unsigned family, model, stepping;
	char section[48]; /* being read */
	bool vendor_fits, model_fits, amx;
	enum license_events license_events;
	char core[48], kind_core[48];
	bool found;
	struct facts_model result;
};

/* A section has ended: was it the one? The first that fits wins, so narrow ones come first. One that
 * names no core tells of something else than names. */
static void end_section(struct search *search)
{
	if (!search->found && search->vendor_fits && search->model_fits && search->core[0]) {
		struct facts_model *result = &search->result;

		search->found = true;
		memcpy(result->name, search->section, sizeof(result->name));
		memcpy(result->core, search->kind_core[0] ? search->kind_core : search->core,
		       sizeof(result->core));
		result->amx = search->amx;
		result->license_events = search->license_events;
	}
	search->vendor_fits = search->model_fits = search->amx = false;
	search->license_events = LICENSE_EVENTS_UNKNOWN;
	search->core[0] = search->kind_core[0] = '\0';
}

static int on_key(void *user, const char *section, const char *key, const char *value)
{
	struct search *search = user;

	if (strcmp(section, search->section) != 0) {
		end_section(search);
		(void)snprintf(search->section, sizeof(search->section), "%s", section);
	}
	if (strcmp(key, "vendor") == 0)
		search->vendor_fits = strcmp(value, search->vendor) == 0;
	else if (strcmp(key, "match") == 0)
		search->model_fits |= facts_fits(value, search->family, search->model,
					 search->stepping);
	else if (strcmp(key, "core") == 0)
		(void)snprintf(search->core, sizeof(search->core), "%s", value);
	else if (strncmp(key, "core ", 5) == 0 && strcmp(key + 5, search->kind) == 0)
		(void)snprintf(search->kind_core, sizeof(search->kind_core), "%s", value);
	else if (strcmp(key, "amx") == 0)
		search->amx = strcmp(value, "yes") == 0;
	else if (strcmp(key, "license") == 0)
		search->license_events = strcmp(value, "yes") == 0 ? LICENSE_EVENTS_SOME
								   : LICENSE_EVENTS_NONE;
	return 1;
}

int facts_match(const char *ini_text, const char *vendor, unsigned family, unsigned model,
		unsigned stepping, const char *kind, struct facts_model *ret)
{
	struct search search = {
		.vendor = vendor,
		.kind = kind,
		.family = family,
		.model = model,
		.stepping = stepping,
	};

	/* A malformed line (r > 0) spoils only itself; the data's own test finds it. */
	if (ini_parse_string(ini_text, on_key, &search) < 0)
		return -ENOMEM;
	end_section(&search);
	if (!search.found)
		return -ENOENT;
	*ret = search.result;
	return 0;
}
