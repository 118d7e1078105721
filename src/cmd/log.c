/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop log`: a record an interval to a stream, until told to stop. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nls.h"
#include "cmd/cmd.h"
#include "cmd/signals.h"
#include "engine/options.h"
#include "engine/renewal.h"
#include "engine/session.h"
#include "format/sink.h"
#include "model/snapshot.h"

/* Fills in what --metrics and --scope leave open: a table shows the sensible metrics, the formats
 * for machines all of them; the table begins with the host's summary, CSV has one kind of row. */
static void complete_options(struct options *options)
{
	static const unsigned scopes[FORMAT_N] = {
		[FORMAT_TABLE] = 1 << SCOPE_HOST | 1 << SCOPE_CPU,
		[FORMAT_CSV] = 1 << SCOPE_CPU,
		[FORMAT_JSON] = (1 << SCOPE_N) - 1,
	};
	unsigned given = 0;

	for (unsigned m = 0; m < METRIC_N; m++) {
		if (!options->metrics_given)
			options->metrics[m] = options->format != FORMAT_TABLE ||
					      metric_row((enum metric)m)->sensible ||
					      metric_row((enum metric)m)->sensible_here;
		for (unsigned s = 0; options->metrics[m] && s < SCOPE_N; s++)
			if (metric_has_scope((enum metric)m, (enum scope)s))
				given |= 1u << s;
	}
	options->every_metric = !options->metrics_given && options->format != FORMAT_TABLE;
	options->by_machine = !options->metrics_given && options->format == FORMAT_TABLE;
	options->metrics_given = true;
	if (options->scopes == 0)
		options->scopes = scopes[options->format] & given;
	if (options->scopes == 0)
		options->scopes = given; /* --metrics names only what no CPU has: show that */
}

/* A table without --metrics has no column for what is not measured here but elsewhere, or cannot happen. */
static void leave_out_columns(struct sink_plan *plan)
{
	for (unsigned m = 0; m < METRIC_N; m++) {
		const struct metric_row *row = metric_row((enum metric)m);

		plan->metrics[m] &= (!row->sensible_here || plan->origins[m].source != 0) &&
				    (!row->taken || plan->host->hypervisor[0]);
	}
}

static void fill_plan(struct sink_plan *plan, const struct options *options,
		      const struct session *session, const char *const *source_names, FILE *out)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool tty = isatty(fileno(out));
	struct winsize size;

	*plan = (struct sink_plan){
		.host = session_host(session),
		.scopes = options->scopes,
		.origins = session_origins(session),
		.source_names = source_names,
		.n_source_names = SOURCE_N,
		.out = out,
		.color = tty && !options->no_color && !(no_color && no_color[0]) && term &&
			 strcmp(term, "dumb") != 0,
		.ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
	};
	memcpy(plan->metrics, options->metrics, sizeof(plan->metrics));
	if (options->by_machine)
		leave_out_columns(plan);
	if (tty && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		plan->width = size.ws_col;
}

/* Nobody reads any more: end as a command of a pipeline does, at once and without a word. Where
 * SIGPIPE is ignored (some service managers) the exit status tells. */
static int reader_gone(void)
{
	(void)raise(SIGPIPE);
	return -EPIPE;
}

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

enum { POLL_SAMPLE, POLL_SIGNAL, POLL_OUTPUT, POLL_RENEWAL, POLL_N };

/* What a log goes through. */
struct course {
	const struct options *options;
	struct session *session;
	struct renewal *renewal;
	const struct sink_ops *ops;
	struct sink *sink;
	uint64_t written;
};

/* The machine has become another: from now on by the session that was opened for it. */
static int renew(struct course *course)
{
	struct session *fresh = renewal_take(course->renewal), *old = course->session;
	int r;

	if (!fresh)
		return 0;
	r = course->ops->machine(course->sink, session_host(fresh), session_origins(fresh));
	course->session = fresh;
	renewal_close(course->renewal, old);
	return r;
}

/* The waiting sample, if it is one that differences can be told of. 0 or -errno of the output. */
static int write_record(struct course *course)
{
	const struct snapshot *snapshot;
	int r = session_take(course->session, &snapshot);

	if (r <= 0)
		return r;
	if (session_stranger(course->session))
		renewal_begin(course->renewal, course->session, course->options->interval_ns);
	if (!(snapshot->elapsed_s > 0))
		return 0;
	r = course->ops->write(course->sink, snapshot);
	if (r == 0)
		course->written++;
	return r;
}

/* Until enough records are out or a signal comes. 0 or -errno of the output. */
static int write_records(struct course *course, int signal_fd, int out_fd)
{
	const uint64_t count = course->options->count;
	struct pollfd fds[POLL_N] = {
		[POLL_SAMPLE] = { .events = POLLIN },
		[POLL_SIGNAL] = { .fd = signal_fd, .events = POLLIN },
		/* A pipe whose reader has gone says so at once, not only at the next record. */
		[POLL_OUTPUT] = { .fd = is_pipe(out_fd) ? out_fd : -1 },
		[POLL_RENEWAL] = { .events = POLLIN },
	};

	while (count == 0 || course->written < count) {
		int r;

		fds[POLL_SAMPLE].fd = session_fd(course->session);
		fds[POLL_RENEWAL].fd = renewal_fd(course->renewal);
		if (poll(fds, POLL_N, -1) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (fds[POLL_SIGNAL].revents)
			return 0;
		if (fds[POLL_OUTPUT].revents & (POLLERR | POLLHUP))
			return reader_gone();
		r = fds[POLL_SAMPLE].revents ? write_record(course) : 0;
		if (r == 0 && fds[POLL_RENEWAL].revents)
			r = renew(course);
		if (r < 0)
			return r;
	}
	return 0;
}

static int log_to(FILE *out, struct course *course, struct problem *ret_problem)
{
	const struct options *options = course->options;
	const char *source_names[SOURCE_N];
	struct sink_plan plan;
	sigset_t old;
	int fd, r, end;

	for (unsigned id = 0; id < SOURCE_N; id++)
		source_names[id] = source_row((enum source_id)id)->name;
	fill_plan(&plan, options, course->session, source_names, out);
	fd = cmd_signals_open(&old);
	if (fd < 0)
		return problem_set(ret_problem, -fd, "", _("signals cannot be watched"));
	r = session_start(course->session, options->interval_ns);
	if (r < 0) {
		cmd_signals_close(fd, &old);
		return problem_set(ret_problem, -r, "", _("the sampling cannot be started"));
	}
	r = course->ops->begin(&plan, &course->sink);
	if (r == 0) {
		r = write_records(course, fd, fileno(out));
		end = course->ops->end(course->sink);
		r = r < 0 ? r : end;
	}
	if (r == 0 && fflush(out) != 0)
		r = -errno;
	cmd_signals_close(fd, &old);
	if (r == -EPIPE)
		(void)reader_gone();
	else if (r < 0)
		problem_set(ret_problem, -r, "", _("the records cannot be written"));
	return r;
}

int command_log(const struct options *options)
{
	struct options mine = *options; /* borrows all that it points to */
	struct course course = { .options = &mine, .ops = sink_ops(options->format) };
	struct problem problem = { 0 };
	struct cmd_output output;
	int r, end;

	if (!course.ops) {
		problem_set(&problem, 0, _("use table, csv or json"),
			    _("log does not write this format"));
		cmd_complain(&problem);
		return EXIT_USAGE;
	}
	/* First of all, before another file could take the number of a closed standard output. */
	r = cmd_output_open(options, false, &output, &problem);
	if (r < 0) {
		cmd_complain(&problem);
		return cmd_exit_status(r);
	}
	complete_options(&mine);
	r = session_open(&mine, NULL, &course.session, &problem);
	if (r == 0) {
		r = renewal_new(&mine, &course.renewal);
		if (r < 0)
			problem_set(&problem, -r, "", _("the sampling cannot be started"));
		else
			r = log_to(output.stream, &course, &problem);
		renewal_free(course.renewal);
		session_close(course.session);
	}
	end = cmd_output_close(&output, true, r < 0 ? NULL : &problem);
	r = r < 0 ? r : end;
	if (r < 0 && problem.text[0])
		cmd_complain(&problem);
	return cmd_exit_status(r);
}
