/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identity of a host for machines to read. */
#include "config.h"

#include "format/identity.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/text.h"
#include "model/host.h"

json_t *identity_text(const char *text)
{
	char clean[512];

	if (!text || !*text)
		return json_null();
	text_escape_terminal(text, clean, sizeof(clean));
	return json_string(clean);
}

static json_t *positive(double v)
{
	return isfinite(v) && v > 0 ? json_real(v) : json_null();
}

static bool is_online(const struct host_cpu *cpu)
{
	return cpu->online;
}

static bool is_allowed(const struct host_cpu *cpu)
{
	return cpu->allowed;
}

static bool is_isolated(const struct host_cpu *cpu)
{
	return cpu->isolated;
}

/* The CPUs for which `is` holds, as "0-3,8"; "" is none. */
static json_t *cpu_list(const struct host *host, bool (*is)(const struct host_cpu *))
{
	struct list *list = list_new();
	char *text = NULL;
	json_t *ret = NULL;
	int err = list ? 0 : -1;

	for (unsigned i = 0; err == 0 && i < host->n_cpus; i++)
		if (is(&host->cpus[i]))
			err = list_add(list, host->cpus[i].id);
	if (err == 0)
		text = list_format(list);
	if (text)
		ret = json_string(text);
	free(text);
	list_free(list);
	return ret;
}

static json_t *kind_array(const struct host *host)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < host->n_kinds; i++) {
		const struct host_kind *kind = &host->kinds[i];

		(void)json_array_append_new(
			array, json_pack("{s:o, s:o, s:i, s:i, s:i}", "name",
					 identity_text(kind->name), "uarch",
					 identity_text(kind->uarch), "family", (int)kind->family,
					 "model", (int)kind->model, "stepping",
					 (int)kind->stepping));
	}
	return array;
}

json_t *identity_object(const struct host *host)
{
	const struct host_online online = host_online(host, NULL);

	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:{s:o, s:o, s:o}, s:i, s:i, s:o, s:o}",
			 "version", PACKAGE_VERSION, "vendor", identity_text(host->vendor), "brand",
			 identity_text(host->brand), "kinds", kind_array(host), "hypervisor",
			 identity_text(host->hypervisor), "kernel", identity_text(host->os_release),
			 "live", host->live, "cpus", "online", cpu_list(host, is_online), "allowed",
			 cpu_list(host, is_allowed), "isolated", cpu_list(host, is_isolated),
			 "packages", (int)online.packages, "cores", (int)online.cores,
			 "tsc_hertz", positive(host->tsc_hertz), "release_s",
			 isfinite(host->release_s) ? json_real(host->release_s) : json_null());
}
