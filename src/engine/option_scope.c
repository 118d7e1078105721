/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of `scope`: the CPUs, how many bursts, how long, in which trains. */
#include "config.h"
#include "engine/option_scope.h"

#include <errno.h>
#include <string.h>

#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "engine/options.h"

/* A CPU that is named, and so is wanted though it is isolated. */
static int take_cpu(struct options *options, const char *text, int *ret, struct problem *ret_problem)
{
	uint64_t id;
	int r = num_parse_u64(text, &id);

	if (r == -ERANGE || (r == 0 && id > LIST_MAX_ID))
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" names a CPU beyond %u, which no machine has"), text,
				   LIST_MAX_ID);
	if (r < 0)
		return problem_set(ret_problem, 0, "", _("\"%.64s\" is not the number of a CPU"),
				   text);
	if (!options->cpus)
		options->cpus = list_new();
	if (!options->cpus || list_add(options->cpus, (unsigned)id) < 0)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	*ret = (int)id;
	return 0;
}

int option_cpu(struct options *options, const char *text, struct problem *ret_problem)
{
	return take_cpu(options, text, &options->cpu, ret_problem);
}

int option_victim(struct options *options, const char *text, struct problem *ret_problem)
{
	options->victim = -1;
	options->victim_sibling = strcmp(text, "sibling") == 0;
	return options->victim_sibling ? 0 : take_cpu(options, text, &options->victim, ret_problem);
}

int option_epochs(struct options *options, const char *text, struct problem *ret_problem)
{
	uint64_t epochs;
	const int r = num_parse_u64(text, &epochs);

	if (r == -ERANGE || (r == 0 && (epochs == 0 || epochs > MICROSCOPE_EPOCHS_MOST)))
		return problem_set(ret_problem, 0, "", _("\"%.64s\" bursts cannot be had; 1 to %u can"),
				   text, MICROSCOPE_EPOCHS_MOST);
	if (r < 0)
		return problem_set(ret_problem, 0, "", _("\"%.64s\" is not a number of bursts"), text);
	options->epochs = (unsigned)epochs;
	return 0;
}

int option_burst(struct options *options, const char *text, struct problem *ret_problem)
{
	uint64_t ns;
	const int r = num_parse_time(text, &ns);

	if (r < 0 && r != -ERANGE)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not a time; write 200us or 1ms"), text);
	if (r < 0 || ns < MICROSCOPE_BURST_LEAST_NS || ns > MICROSCOPE_BURST_MOST_NS)
		return problem_set(ret_problem, 0, "",
				   _("a burst of \"%.64s\" cannot be looked at; 1us to 10ms can"), text);
	options->burst_ns = ns;
	return 0;
}

int option_one_duty(struct options *options, const char *word, struct problem *ret_problem)
{
	const struct pattern pattern = options->pattern;

	if (pattern.on_ns >= pattern.period_ns)
		return problem_set(ret_problem, 0, "",
				   _("a duty of \"%.64s\" leaves no gap whose clock could be measured"),
				   word);
	if (options->n_duties == MICROSCOPE_DUTIES_MOST)
		return problem_set(ret_problem, 0, "", _("%u duties are the most that scope takes"),
				   MICROSCOPE_DUTIES_MOST);
	options->duties[options->n_duties++] = pattern;
	return 0;
}
