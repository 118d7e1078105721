/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop scope`: what the clock does across one burst, in microseconds. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "base/list.h"
#include "base/nls.h"
#include "burst/burst.h"
#include "burst/microscope.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "cmd/scope_write.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"

static struct list *chosen_cpus(const struct options *options, const struct host *host)
{
	struct list *list;

	if (options->cpu < 0)
		return burst_default_cpus(host);
	list = list_new();
	if (list && list_add(list, (unsigned)options->cpu) == 0)
		return list;
	list_free(list);
	return NULL;
}

/* The widest load of the kind that is known best and can run on that CPU. */
static enum kernel widest(const struct host *host, unsigned cpu)
{
	static const enum kernel kernels[] = { KERNEL_AVX512_FMA, KERNEL_AVX2_FMA };
	struct problem problem;

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernel_usable(kernels[i], host, host->cpus[cpu].kind, &problem) == 0)
			return kernels[i];
	return KERNEL_SSE_FMA;
}

static int choose_cpu(const struct options *options, const struct host *host, unsigned *ret,
		      struct problem *ret_problem)
{
	struct list *const cpus = chosen_cpus(options, host);
	const int id = cpus ? list_next(cpus, 0) : -1;
	const int index = id < 0 ? -1 : host_cpu_index(host, (unsigned)id);

	list_free(cpus);
	if (index < 0)
		return problem_set(ret_problem, ENODEV, _("name one with --cpu"),
				   _("no CPU that may be driven was found"));
	*ret = (unsigned)index;
	return 0;
}

static int choose_victim(const struct options *options, const struct host *host, unsigned cpu,
			 int *ret, struct problem *ret_problem)
{
	const struct host_core *const core = &host->cores[host->cpus[cpu].core];

	*ret = -1;
	if (options->victim >= 0) {
		*ret = host_cpu_index(host, (unsigned)options->victim);
		return 0; /* that it is there is known: it was named to the session */
	}
	for (unsigned i = 0; options->victim_sibling && i < core->n_cpus; i++)
		if (core->cpus[i] != cpu && host->cpus[core->cpus[i]].online)
			*ret = (int)core->cpus[i];
	if (options->victim_sibling && *ret < 0)
		return problem_set(ret_problem, ENOTSUP, _("name a CPU with --victim"),
				   _("CPU %u has no sibling: its core runs one thread"),
				   host->cpus[cpu].id);
	return 0;
}

static void fail(struct load *load, int r, const struct problem *problem)
{
	cmd_complain(problem);
	load->status = r == -ENOMEM   ? EXIT_FAILED
		       : r == -EINVAL ? EXIT_USAGE
				      : EXIT_IMPOSSIBLE;
}

/* *noted: what is allowed but said has been said. */
static void look(struct load *load, const struct microscope_plan *plan, bool *noted)
{
	const struct host *const host = session_host(load->session);
	const struct microscope_result *result;
	struct problem problem = { 0 }, note = { 0 };
	int r = session_microscope_start(load->session, plan, load->options->force, NULL, &problem,
					 &note);

	if (r < 0) {
		fail(load, r, &problem);
		return;
	}
	if (note.text[0] && !*noted)
		cmd_complain(&note);
	*noted = true;
	load_wait(load, session_microscope_running, session_microscope_stop);
	result = session_microscope_result(load->session);
	if (!result) {
		load->status = EXIT_FAILED;
		return;
	}
	if (result->epochs_done == 0 && load->stopped) {
		(void)problem_set(&problem, 0, _("let it run for longer"),
				  _("stopped before the first burst was looked at"));
		cmd_complain(&problem);
		load->status = EXIT_FAILED;
		return;
	}
	r = scope_write(load->options, host, result, !load->written, load->out);
	if (result->problem.text[0] && load->options->format != FORMAT_TABLE)
		cmd_complain(&result->problem);
	if (!result->verified && result->epochs_done > 0)
		load->status = EXIT_FAILED;
	else if (result->epochs_done == 0 && load->status == EXIT_DONE)
		load->status = EXIT_IMPOSSIBLE;
	load_wrote(load, r);
}

static void look_at_all(struct load *load)
{
	const struct options *const options = load->options;
	const struct host *const host = session_host(load->session);
	struct microscope_plan plan = {
		.epochs = options->epochs ? options->epochs : MICROSCOPE_EPOCHS,
		.burst_ns = options->burst_ns ? options->burst_ns : MICROSCOPE_BURST_NS,
		.n_duties = options->n_duties,
	};
	struct problem problem;
	bool noted = false;
	int r;

	memcpy(plan.duties, options->duties, sizeof(plan.duties));
	r = choose_cpu(options, host, &plan.cpu, &problem);
	if (r == 0)
		r = choose_victim(options, host, plan.cpu, &plan.victim, &problem);
	if (r < 0) {
		fail(load, r, &problem);
		return;
	}
	if (options->n_kernels == 0) {
		plan.kernel = widest(host, plan.cpu);
		look(load, &plan, &noted);
	}
	for (unsigned i = 0; i < options->n_kernels && !load->stopped; i++) {
		plan.kernel = options->kernels[i];
		look(load, &plan, &noted);
	}
}

int command_scope(const struct options *options)
{
	static const struct load_ops ops = { .cpus = chosen_cpus, .run = look_at_all };
	struct problem problem;

	if (options->format != FORMAT_SVG || options->n_kernels < 2)
		return load_command(options, &ops);
	(void)problem_set(&problem, 0, _("name one with --kernel"),
			  _("a picture shows one kernel, and %u are named"), options->n_kernels);
	cmd_complain(&problem);
	return EXIT_USAGE;
}
