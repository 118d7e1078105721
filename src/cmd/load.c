/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of commands that put load on CPUs. */
#include "config.h"
#include "cmd/load.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "cmd/cmd.h"
#include "cmd/parent.h"
#include "cmd/signals.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"

/* How long the load of the CPUs is looked at before a burst. */
#define LOOK_NS (100 * NS_PER_MS)
#define LOOKS 4u
#define REST_NS (10 * NS_PER_S) /* between samples from then on */
#define POLL_MS 10		/* how soon the end of the load is seen */

/* Is any of these CPUs too busy for a burst? NULL: none. */
static bool is_busy(const struct list *cpus, const struct snapshot *snapshot)
{
	for (int id = -1; (id = list_next(cpus, id + 1)) >= 0;) {
		const int index = host_cpu_index(snapshot->host, (unsigned)id);
		const struct value *const busy =
			index < 0 ? NULL
				  : snapshot_get(snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU,
						 (unsigned)index, 0);

		if (busy && state_usable(busy->state) && busy->v > BURST_BUSY_MOST)
			return true;
	}
	return false;
}

/* Samples, so that the session knows how busy the CPUs are. What has just ended, the command before
 * this one in a script, is no other work: only what lasts for several looks is. */
static int look_at_load(struct session *session, const struct list *cpus,
			struct problem *ret_problem)
{
	const struct snapshot *snapshot;
	unsigned looks = 0;
	int r = session_start(session, LOOK_NS);

	while (r >= 0) {
		struct pollfd fd = { .fd = session_fd(session), .events = POLLIN };

		if (poll(&fd, 1, 20 * (int)(LOOK_NS / NS_PER_MS)) <= 0)
			break; /* it takes too long: the load stays unknown */
		r = session_take(session, &snapshot);
		if (r > 0 && snapshot->elapsed_s > 0 &&
		    (++looks == LOOKS || !is_busy(cpus, snapshot)))
			break;
	}
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("the load of the CPUs cannot be read"));
	session_set_interval(session, REST_NS);
	return 0;
}

bool load_signaled(struct load *load, int timeout_ms)
{
	struct pollfd fd = { .fd = load->signal_fd, .events = POLLIN };

	if (!load->stopped)
		load->stopped = poll(&fd, 1, timeout_ms) > 0;
	return load->stopped;
}

void load_wait(struct load *load, bool (*running)(const struct session *session),
	       void (*stop)(struct session *session))
{
	bool told = false;

	while (running(load->session)) {
		if (told) {
			(void)poll(NULL, 0, POLL_MS);
		} else if (load_signaled(load, POLL_MS)) {
			stop(load->session);
			told = true;
		}
	}
}

void load_wrote(struct load *load, int r)
{
	struct problem problem;

	load->written = r == 0;
	if (r == 0)
		return;
	load->status = EXIT_FAILED;
	load->stopped = true;
	if (r == -EPIPE)
		return; /* a reader that has gone knows that itself */
	(void)problem_set(&problem, -r, "", _("the results cannot be written"));
	cmd_complain(&problem);
}

/* What runs there measures the clock itself. */
static int open_session(const struct options *options, const struct load_ops *ops,
			struct session **ret, struct problem *ret_problem)
{
	struct options mine = *options;
	int r;

	mine.metrics_given = true;
	memset(mine.metrics, 0, sizeof(mine.metrics));
	mine.metrics[METRIC_OS_BUSY_RATIO] = true;
	for (const enum metric *metric = ops->metrics; metric && *metric != METRIC_N; metric++)
		mine.metrics[*metric] = true;
	for (unsigned id = 0; id < SOURCE_N; id++)
		mine.sources[id] = ops->metrics ? id != SOURCE_RULER : id == SOURCE_PROCFS;
	r = session_open(&mine, NULL, ret, ret_problem);
	if (r < 0)
		return r;
	r = cmd_tie_to_parent(session_fs(*ret), ret_problem);
	if (r == 0 && session_host(*ret)->live) {
		struct list *const cpus =
			options->force ? NULL : ops->cpus(options, session_host(*ret));

		r = look_at_load(*ret, cpus, ret_problem);
		list_free(cpus);
	}
	if (r < 0)
		session_close(*ret);
	return r;
}

static int load_to(struct cmd_output *output, const struct options *options,
		   const struct load_ops *ops, int signal_fd)
{
	struct load load = { .options = options, .out = output->stream, .signal_fd = signal_fd };
	struct problem problem = { 0 };
	int r;

	r = open_session(options, ops, &load.session, &problem);
	if (r < 0) {
		cmd_complain(&problem);
		(void)cmd_output_close(output, false, NULL);
		return cmd_exit_status(r);
	}
	if (!load_signaled(&load, 0))
		ops->run(&load);
	session_close(load.session);
	/* A file keeps what it had unless there is a result, though it be one of wrong results. */
	r = cmd_output_close(output, load.written, &problem);
	if (r < 0 && load.status != EXIT_FAILED) /* otherwise it has been said */
		cmd_complain(&problem);
	return r < 0 ? EXIT_FAILED : load.status;
}

int load_command(const struct options *options, const struct load_ops *ops)
{
	struct problem problem = { 0 };
	struct cmd_output output;
	sigset_t old;
	int r, fd, status;

	/* Before there is a temporary file, which a signal would leave behind. */
	fd = cmd_signals_open(&old);
	if (fd < 0) {
		(void)problem_set(&problem, -fd, "", _("signals cannot be watched"));
		cmd_complain(&problem);
		return EXIT_FAILED;
	}
	r = cmd_output_open(options, true, &output, &problem);
	if (r < 0)
		cmd_complain(&problem);
	status = r < 0 ? cmd_exit_status(r) : load_to(&output, options, ops, fd);
	cmd_signals_close(fd, &old);
	return status;
}
