/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of data/cpu say of CPU models: names, since libcpuid 0.6 names too many wrongly, and
 * registers. */
#ifndef AVXTOP_MODEL_FACTS_H
#define AVXTOP_MODEL_FACTS_H

#include <stdbool.h>

#include "model/host.h"
#include "model/registers.h"

struct facts_model {
	char name[48]; /* "Granite Rapids" */
	char core[48]; /* "Redwood Cove"; the E-core's own name for kind "E-core" */
	enum license_events license_events;
	bool amx;      /* such CPUs have AMX: one that claims it without is masked */
};

/* ini_text: one or more files of data/cpu, where the format is told. kind: host_kind.name.
 * 0, -ENOENT: no section matches, or -ENOMEM. Pure. */
int facts_match(const char *ini_text, const char *vendor, unsigned family, unsigned model,
		unsigned stepping, const char *kind, struct facts_model *ret);

/* ini_text: data/cpu/registers.ini, where the format is told. The others as above; also -EINVAL: the
 * section that matches has a key or value that is not known. Pure. */
int facts_registers(const char *ini_text, const char *vendor, unsigned family, unsigned model,
		    unsigned stepping, const char *kind, struct registers *ret);

#endif
