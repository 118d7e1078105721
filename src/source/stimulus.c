/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the burst workers are doing on each CPU, as a counter: so that cause and effect stand in the
 * same sample. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/nls.h"
#include "burst/board.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/source.h"

struct source {
	const struct host *host;
	const struct board *board;
};

static int stimulus_probe(const struct source_env *env, struct offer *ret)
{
	if (env->host->live && env->board) {
		ret->here[COUNTER_BURST_PHASE] = true;
		return 0;
	}
	ret->refused[COUNTER_BURST_PHASE] = true;
	problem_set(&ret->why, ENOTSUP, "", _("bursts run only on the live machine"));
	return 0;
}

static int stimulus_open(const struct source_env *env, struct source **ret,
			 struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = env->host;
	source->board = env->board;
	*ret = source;
	return 0;
}

static int stimulus_read(struct source *source, struct sample *into)
{
	for (unsigned i = 0; i < source->host->n_cpus; i++) {
		struct board_entry entry;
		bool driven = board_read(source->board, i, &entry) && entry.driven;

		sample_set(into, COUNTER_BURST_PHASE, i, 0, driven ? entry.phase : PHASE_NONE,
			   SOURCE_STIMULUS);
	}
	return 0;
}

static void stimulus_close(struct source *source)
{
	free(source);
}

const struct source_ops stimulus_ops = {
	.probe = stimulus_probe,
	.open = stimulus_open,
	.read = stimulus_read,
	.close = stimulus_close,
};
