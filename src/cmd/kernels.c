/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop kernels`: each burst kernel, what it needs, and on which kinds of core it can run here. */
#include "config.h"
#include "cmd/cmd.h"

#include <stdbool.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "base/text.h"
#include "burst/kernel.h"
#include "cmd/list.h"
#include "engine/options.h"
#include "model/host.h"
#include "source/identify.h"

enum { NAME, WEIGHT, NEEDS, HERE, KINDS, WHY, HELP };

static const struct cmd_column columns[] = {
	[NAME] = { .key = "name", .title = N_("NAME") },
	[WEIGHT] = { .key = "class", .title = N_("CLASS") },
	[NEEDS] = { .key = "needs", .title = N_("NEEDS") },
	[HERE] = { .key = "usable", .title = N_("HERE"), .type = CELL_BOOL },
	[KINDS] = { .key = "kinds" },
	[WHY] = { .key = "why" },
	[HELP] = { .key = "help", .title = N_("WHAT IT DOES, WHY IT CANNOT RUN") },
};

struct kernels {
	const struct host *host;
	const char *absent;
	struct text text; /* of the cell */
};

static const char *needs(struct kernels *kernels, enum kernel kernel)
{
	char names[128];

	kernel_isa_names(kernel_row(kernel)->isa, names, sizeof(names));
	text_add(&kernels->text, names);
	return *names ? kernels->text.data : NULL;
}

/* Every x86-64 core has SSE2: without any set, it could not be asked what it has. */
static bool is_known(const struct host_kind *kind)
{
	return kind->isa != 0;
}

/* The kinds of core that can run it; *ret_problem: why another one cannot, or why that is not known,
 * text "" when all can. */
static const char *kinds(struct kernels *kernels, enum kernel kernel, struct problem *ret_problem)
{
	const struct host *host = kernels->host;

	ret_problem->text[0] = '\0';
	for (unsigned kind = 0; kind < host->n_kinds; kind++) {
		if (kernel_row(kernel)->isa && !is_known(&host->kinds[kind]))
			problem_set(ret_problem, 0, "",
				    _("it is not known which instruction sets the CPU has"));
		else if (kernel_usable(kernel, host, kind, ret_problem) == 0)
			text_addf(&kernels->text, "%s%s", kernels->text.len ? "," : "",
				  host->kinds[kind].name);
	}
	return kernels->text.data;
}

/* NULL: not known of any kind of core. */
static const char *here(struct kernels *kernels, enum kernel kernel, bool people)
{
	const struct host *host = kernels->host;
	struct problem problem;
	const char *names = kinds(kernels, kernel, &problem);
	bool known = false;

	for (unsigned kind = 0; kind < host->n_kinds; kind++)
		known |= is_known(&host->kinds[kind]);
	if (!people)
		return names ? "true" : known ? "false" : NULL;
	if (!names)
		return known ? _("no") : kernels->absent;
	return problem.text[0] ? names : _("yes");
}

static const char *why(struct kernels *kernels, enum kernel kernel)
{
	struct problem problem;

	(void)kinds(kernels, kernel, &problem);
	text_free(&kernels->text);
	text_add(&kernels->text, problem.text);
	return problem.text[0] ? kernels->text.data : NULL;
}

/* What a kernel wants and can do without, as CPUID tells of every kind of core. */
static void add_wants(struct kernels *kernels, enum kernel kernel)
{
	const struct host *host = kernels->host;
	const uint32_t wants = kernel_row(kernel)->wants;
	uint32_t offered = wants;
	char names[128];

	for (unsigned kind = 0; kind < host->n_kinds; kind++) {
		if (!is_known(&host->kinds[kind]))
			return;
		offered &= host->kinds[kind].isa;
	}
	if (!wants)
		return;
	kernel_isa_names(offered ? offered : wants, names, sizeof(names));
	text_addf(&kernels->text, offered ? _("; CPUID offers %s, which makes it fast") :
					    _("; slow here, CPUID offers none of %s"), names);
}

static const char *meaning(struct kernels *kernels, enum kernel kernel)
{
	struct problem problem;

	(void)kinds(kernels, kernel, &problem);
	text_free(&kernels->text);
	text_add(&kernels->text, _(kernel_row(kernel)->help));
	add_wants(kernels, kernel);
	if (problem.text[0])
		text_addf(&kernels->text, "\n%s %s", kernels->absent, problem.text);
	return kernels->text.data ? kernels->text.data : "";
}

static const char *cell(void *data, unsigned row, unsigned column, bool people)
{
	struct kernels *kernels = data;
	enum kernel kernel = (enum kernel)row;
	struct problem problem;
	const char *string;

	text_free(&kernels->text);
	switch (column) {
	case NAME:
		return kernel_row(kernel)->name;
	case WEIGHT:
		return kernel_row(kernel)->weight;
	case NEEDS:
		string = needs(kernels, kernel);
		return string || !people ? string : kernels->absent;
	case HERE:
		return here(kernels, kernel, people);
	case KINDS:
		return kinds(kernels, kernel, &problem);
	case WHY:
		return why(kernels, kernel);
	default:
		return people ? meaning(kernels, kernel) : kernel_row(kernel)->help;
	}
}

static int print(const struct host *host, const struct options *options,
		 struct problem *ret_problem)
{
	struct kernels kernels = { .host = host, .absent = cmd_absent(options) };
	const struct cmd_list list = {
		.schema = "avxtop.kernels/1",
		.name = "kernels",
		.columns = columns,
		.n_columns = sizeof(columns) / sizeof(columns[0]),
		.n_rows = KERNEL_N,
		.cell = cell,
		.data = &kernels,
	};
	int r = cmd_list(&list, options, ret_problem);

	text_free(&kernels.text);
	return r;
}

int command_kernels(const struct options *options)
{
	const char *root = options->sysroot ? options->sysroot : "/";
	struct hostfs *fs = NULL;
	struct host *host = NULL;
	struct problem problem;
	int r;

	r = hostfs_open(root, &fs);
	if (r < 0)
		r = problem_set(&problem, -r, "", _("the folder %s cannot be opened"), root);
	else
		r = identify(fs, !options->sysroot, NULL, NULL, &host, &problem);
	if (r == 0)
		r = print(host, options, &problem);
	if (r < 0)
		cmd_complain(&problem);
	host_free(host);
	hostfs_close(fs);
	return cmd_exit_status(r);
}
