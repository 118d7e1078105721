/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop burst`: fires kernels one after the other and reports what the clock did. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "base/text.h"
#include "cmd/burst_write.h"
#include "cmd/cmd.h"
#include "cmd/parent.h"
#include "cmd/signals.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"

#define DURATION_NS (10 * NS_PER_S)
/* How long the load of the CPUs is looked at before a burst. */
#define LOOK_NS (100 * NS_PER_MS)
#define LOOKS 4u
#define POLL_MS 10 /* how soon the end of a burst is seen */

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

/* Is any of these CPUs too busy for a burst? NULL: none. */
static bool is_busy(const struct list *cpus, const struct snapshot *snapshot)
{
	for (int id = -1; (id = list_next(cpus, id + 1)) >= 0;) {
		const int index = host_cpu_index(snapshot->host, (unsigned)id);
		const struct value *const busy =
			index < 0 ? NULL : snapshot_get(snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU,
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
	session_set_interval(session, DURATION_NS);
	return 0;
}

static bool signaled(int signal_fd, int timeout_ms)
{
	struct pollfd fd = { .fd = signal_fd, .events = POLLIN };

	return poll(&fd, 1, timeout_ms) > 0;
}

/* Until the burst is over; true when a signal ended it. */
static bool wait_for_end(struct session *session, int signal_fd)
{
	bool stopped = false;

	while (session_burst_running(session)) {
		if (stopped) {
			(void)poll(NULL, 0, POLL_MS);
		} else if (signaled(signal_fd, POLL_MS)) {
			session_burst_stop(session);
			stopped = true;
		}
	}
	return stopped;
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

struct run {
	const struct options *options;
	struct session *session;
	struct burst_plan plan;
	FILE *out;
	int signal_fd;
	bool written, noted, stopped;
	int status; /* worst so far */
};

/* A reader that has gone knows that itself. */
static void complain_of_writing(int r)
{
	struct problem problem;

	if (r == -EPIPE)
		return;
	(void)problem_set(&problem, -r, "", _("the results cannot be written"));
	cmd_complain(&problem);
}

static void fire(struct run *run, enum kernel kernel)
{
	const struct host *const host = session_host(run->session);
	const struct burst_result *result;
	struct problem problem = { 0 }, note = { 0 };
	int r;

	run->plan.kernel = kernel;
	r = session_burst_start(run->session, &run->plan, NULL, &problem, &note);
	if (r < 0) {
		cmd_complain(&problem);
		run->status = r == -ENOMEM ? EXIT_FAILED : EXIT_IMPOSSIBLE;
		return;
	}
	if (note.text[0] && !run->noted)
		cmd_complain(&note);
	run->noted = true;
	run->stopped = wait_for_end(run->session, run->signal_fd);
	result = session_burst_result(run->session);
	if (!result) {
		run->status = EXIT_FAILED;
		return;
	}
	r = burst_write(run->options, host, result, !run->written, run->out);
	run->written = r == 0;
	if (run->options->format != FORMAT_TABLE)
		complain_of_cpus(host, result);
	if (run->status == EXIT_DONE)
		run->status = exit_status_of(result);
	if (r < 0) {
		complain_of_writing(r);
		run->status = EXIT_FAILED;
		run->stopped = true;
	}
}

/* *ret_written: there is a result, all of it. */
static int fire_all(const struct options *options, struct session *session, FILE *out, int signal_fd,
		    bool *ret_written)
{
	struct list *const cpus = chosen_cpus(options, session_host(session));
	struct run run = {
		.options = options,
		.session = session,
		.plan = { .cpus = cpus,
			  .duration_ns = options->duration_ns ? options->duration_ns : DURATION_NS,
			  .pattern = options->pattern,
			  .force = options->force,
			  .watch_others = true },
		.out = out,
		.signal_fd = signal_fd,
		.stopped = signaled(signal_fd, 0),
	};

	for (unsigned i = 0; i < options->n_kernels && !run.stopped; i++)
		fire(&run, options->kernels[i]);
	list_free(cpus);
	*ret_written = run.written;
	return run.status;
}

/* Only the load of the CPUs is sampled; the burst itself measures the clock. */
static int open_session(const struct options *options, struct session **ret,
			struct problem *ret_problem)
{
	struct options mine = *options;
	int r;

	mine.metrics_given = true;
	memset(mine.metrics, 0, sizeof(mine.metrics));
	mine.metrics[METRIC_OS_BUSY_RATIO] = true;
	for (unsigned id = 0; id < SOURCE_N; id++)
		mine.sources[id] = id == SOURCE_PROCFS;
	r = session_open(&mine, NULL, ret, ret_problem);
	if (r < 0)
		return r;
	r = cmd_tie_to_parent(session_fs(*ret), ret_problem);
	if (r == 0 && session_host(*ret)->live) {
		struct list *const cpus = options->force ? NULL : chosen_cpus(options, session_host(*ret));

		r = look_at_load(*ret, cpus, ret_problem);
		list_free(cpus);
	}
	if (r < 0)
		session_close(*ret);
	return r;
}

static int burst_to(struct cmd_output *output, const struct options *options, int signal_fd)
{
	struct problem problem = { 0 };
	struct session *session;
	bool written = false;
	int r, status;

	r = open_session(options, &session, &problem);
	if (r < 0) {
		cmd_complain(&problem);
		(void)cmd_output_close(output, false, NULL);
		return cmd_exit_status(r);
	}
	status = fire_all(options, session, output->stream, signal_fd, &written);
	session_close(session);
	/* A file keeps what it had unless there is a result, though it be one of wrong results. */
	r = cmd_output_close(output, written, &problem);
	if (r < 0 && status != EXIT_FAILED) /* otherwise it has been said */
		cmd_complain(&problem);
	return r < 0 ? EXIT_FAILED : status;
}

int command_burst(const struct options *options)
{
	struct problem problem = { 0 };
	struct cmd_output output;
	sigset_t old;
	int r, fd, status;

	if (options->n_kernels == 0)
		return no_kernel();
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
	status = r < 0 ? cmd_exit_status(r) : burst_to(&output, options, fd);
	cmd_signals_close(fd, &old);
	return status;
}
