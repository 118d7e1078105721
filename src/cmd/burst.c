/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop burst`: fires kernels one after the other and reports what the clock did. */
#include "config.h"

#include <errno.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "base/text.h"
#include "cmd/burst_write.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"

#define DURATION_NS (10 * NS_PER_S)

static int no_kernel(void)
{
	struct text names = { 0 };
	struct problem problem;

	for (unsigned i = 0; kernel_name_at(i); i++)
		text_addf(&names, "%s%s", i ? ", " : "", kernel_name_at(i));
	(void)problem_set(&problem, 0, _("see avxtop kernels"), _("burst needs --kernel: %s"),
			  names.failed ? "" : names.data);
	text_free(&names);
	cmd_complain(&problem);
	return EXIT_USAGE;
}

static struct list *chosen_cpus(const struct options *options, const struct host *host)
{
	if (options->cpus)
		return list_copy(options->cpus);
	return options->all_cpus ? burst_all_cpus(host) : burst_default_cpus(host);
}

/* What a reader of the results must know, once for each CPU and cause. */
static void complain_of_cpus(const struct host *host, const struct burst_result *result)
{
	for (unsigned i = 0; i < result->n_driven; i++) {
		struct problem problem = result->cpus[i].problem;

		if (!problem.text[0])
			continue;
		(void)problem_set(&problem, result->cpus[i].problem.err,
				  result->cpus[i].problem.remedy, "CPU %u: %s",
				  host->cpus[result->cpus[i].cpu].id, result->cpus[i].problem.text);
		cmd_complain(&problem);
	}
}

static int exit_status_of(const struct burst_result *result)
{
	for (unsigned i = 0; i < result->n_driven; i++)
		if (!result->cpus[i].verified && !(result->stopped_early && result->cpus[i].chunks == 0))
			return EXIT_FAILED;
	return EXIT_DONE;
}

/* *noted: what is allowed but said has been said. */
static void fire(struct load *load, const struct burst_plan *plan, bool *noted)
{
	const struct host *const host = session_host(load->session);
	const struct burst_result *result;
	struct problem problem = { 0 }, note = { 0 };
	int r;

	r = session_burst_start(load->session, plan, NULL, &problem, &note);
	if (r < 0) {
		cmd_complain(&problem);
		load->status = r == -ENOMEM ? EXIT_FAILED : EXIT_IMPOSSIBLE;
		return;
	}
	if (note.text[0] && !*noted)
		cmd_complain(&note);
	*noted = true;
	load_wait(load, session_burst_running, session_burst_stop);
	result = session_burst_result(load->session);
	if (!result) {
		load->status = EXIT_FAILED;
		return;
	}
	r = burst_write(load->options, host, result, !load->written, load->out);
	if (load->options->format != FORMAT_TABLE)
		complain_of_cpus(host, result);
	if (load->status == EXIT_DONE)
		load->status = exit_status_of(result);
	load_wrote(load, r);
}

static void fire_all(struct load *load)
{
	const struct options *const options = load->options;
	struct list *const cpus = chosen_cpus(options, session_host(load->session));
	struct burst_plan plan = {
		.cpus = cpus,
		.duration_ns = options->duration_ns ? options->duration_ns : DURATION_NS,
		.pattern = options->pattern,
		.force = options->force,
		.watch_others = true,
	};
	bool noted = false;

	for (unsigned i = 0; i < options->n_kernels && !load->stopped; i++) {
		plan.kernel = options->kernels[i];
		fire(load, &plan, &noted);
	}
	list_free(cpus);
}

int command_burst(const struct options *options)
{
	static const struct load_ops ops = { .cpus = chosen_cpus, .run = fire_all };

	return options->n_kernels ? load_command(options, &ops) : no_kernel();
}
