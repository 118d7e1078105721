/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One machine, its sources, its reader and its burst, held together; see session.h. */
#include "config.h"

#include "engine/session_own.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "base/privilege.h"
#include "burst/gauge.h"
#include "engine/options.h"
#include "engine/reader.h"
#include "engine/release.h"
#include "model/derive.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/identify.h"
#include "source/source.h"
#include "source/watch.h"

#define SMALL_MACHINE_CPUS 8

/* Best effort: one descriptor a CPU and file is read over and over; a small limit only means that
 * some counters stay absent. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int open_host(struct session *session, const struct options *options,
		     const struct host *before, struct problem *ret_problem)
{
	const char *root = options->sysroot ? options->sysroot : "/";
	bool live = !options->sysroot;
	int r;

	r = hostfs_open(root, &session->fs);
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("the folder %s cannot be opened"), root);
	r = watch_new(session->fs, live, &session->watch);
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("the session cannot be opened"));
	r = identify(session->fs, live, options->cpus, before, &session->host, ret_problem);
	if (r < 0)
		return r;
	watch_host(session->watch, session->host);
	session->host->release_s = NAN;
	session->host->tsc_hertz = 0;
	if (live) {
		/* Without: the ruler refuses with its own sentence, the rest works. */
		(void)gauge_tsc_calibrate(&session->host->tsc_hertz, NULL);
		session->host->release_s = release_load(session->host, session->fs);
	}
	return 0;
}

/* Root's rights for the files of one source, where sudo gave them and main() has lowered them: as
 * short as can be, before there is a thread, and not for a machine that the user has put into a
 * folder. */
static bool raise_for(struct session *session, const struct source_row *row)
{
	const bool raised = row->of_root && session->host->live && privilege_raise();

	session->as_root |= raised;
	return raised;
}

static int probe(struct session *session, const struct source_row *row, struct offer *offer)
{
	const bool raised = raise_for(session, row);
	int r = row->ops->probe(&session->env, offer);

	if (raised)
		privilege_unraise();
	return r;
}

static int open_source(struct session *session, enum source_id id, struct problem *ret_problem)
{
	const struct source_row *row = source_row(id);
	const bool raised = raise_for(session, row);
	int r;

	choose_duties(&session->choice, id, session->wanted[id]);
	session->env.wanted = session->wanted[id];
	r = row->ops->open(&session->env, &session->sources[id], ret_problem);
	if (raised)
		privilege_unraise();
	if (r < 0)
		session->sources[id] = NULL;
	return r;
}

static void probe_sources(struct session *session, const struct options *options)
{
	for (unsigned id = 1; id < SOURCE_N; id++) {
		const struct source_row *row = source_row((enum source_id)id);
		struct offer *offer = &session->offers[id];
		struct problem why;

		session->env.left_out = !options->sources[id];
		if (probe(session, row, offer) < 0) {
			why = offer->why;
			choose_refuse(offer, &why);
		}
		if (!options->sources[id]) {
			(void)problem_set(&why, 0, _("run it without that option"),
					  _("--source leaves out %s"), row->name);
			choose_refuse(offer, &why);
			offer->left_out = true;
		}
	}
	session->env.left_out = false;
}

/* May the ruler wake idle CPUs? If asked to; and in the dashboard of a small machine without
 * another clock, so that its first screen shows one. */
static bool wakes_idle(const struct session *session, const struct options *options)
{
	if (options->probe_idle)
		return true;
	return options->command == command_row(COMMAND_TOP) &&
	       session->host->n_cpus <= SMALL_MACHINE_CPUS &&
	       session->choice.origins[METRIC_BUSY_HERTZ].source == SOURCE_RULER;
}

/* What is measured, and what of it is worth a counter or a probe of its own. */
static void make_wish(struct session *session, const struct options *options)
{
	struct wish *wish = &session->wish;

	for (unsigned m = 0; m < METRIC_N; m++) {
		wish->needed[m] = !options->metrics_given || options->metrics[m];
		wish->asked[m] = options->metrics_given && options->metrics[m] && !options->every_metric;
		if (options->vectors && metric_row((enum metric)m)->vector)
			wish->asked[m] = wish->needed[m] = true;
	}
	wish->ruler = options->sources_named && options->sources[SOURCE_RULER];
	choose_asked(wish, session->asked);
	session->env.asked = session->asked;
}

/* A source that was opened for less than it is to read now, since another one could not be opened, is
 * opened again. */
static void close_outdated(struct session *session, enum source_id id)
{
	bool wanted[COUNTER_N];

	choose_duties(&session->choice, id, wanted);
	if (!session->sources[id] || memcmp(wanted, session->wanted[id], sizeof(wanted)) == 0)
		return;
	source_row(id)->ops->close(session->sources[id]);
	session->sources[id] = NULL;
}

/* Opens what the choice needs; what cannot be opened is refused with its reason, and the choice is
 * made again without it. */
static void open_sources(struct session *session, const struct options *options)
{
	struct problem problem;
	unsigned id;

	do {
		choose(session->offers, &session->wish, &session->choice);
		session->env.probe_idle = wakes_idle(session, options);
		for (id = 1; id < SOURCE_N; id++) {
			problem = (struct problem) { 0 };
			close_outdated(session, (enum source_id)id);
			if (session->choice.open[id] && !session->sources[id] &&
			    open_source(session, (enum source_id)id, &problem) < 0) {
				choose_refuse(&session->offers[id], &problem);
				break;
			}
		}
	} while (id < SOURCE_N);
	choose_explain(session->host, &session->choice);
	for (unsigned c = 0; c < COUNTER_N; c++)
		session->servers[c] = (uint8_t)session->choice.server[c];
}

static int fill(struct session *session, const struct options *options, const struct host *before,
		struct problem *ret_problem)
{
	int r = open_host(session, options, before, ret_problem);

	if (r < 0)
		return r;
	session->readonly = options->readonly;
	session->board = board_new(session->host->n_cpus);
	session->prev = sample_new(session->host);
	session->cur = sample_new(session->host);
	session->snapshot = snapshot_new(session->host);
	if (!session->board || !session->prev || !session->cur || !session->snapshot)
		return problem_set(ret_problem, ENOMEM, "", _("the session cannot be opened"));
	session->env = (struct source_env) {
		.host = session->host,
		.fs = session->fs,
		.board = session->board,
		.no_pmu = options->no_pmu,
		.interval_ns = options->interval_ns,
	};
	make_wish(session, options);
	session->burst.host = session->host;
	session->burst.fs = session->fs;
	session->burst.board = session->board;
	session->microscope.host = session->host;
	session->microscope.fs = session->fs;
	session->microscope.board = session->board;
	probe_sources(session, options);
	open_sources(session, options);
	return 0;
}

int session_open(const struct options *options, const struct host *before, struct session **ret,
		 struct problem *ret_problem)
{
	struct session *session = calloc(1, sizeof(*session));
	struct problem unused;
	int r, dropped;

	raise_file_limit();
	r = session ? fill(session, options, before, ret_problem)
		    : problem_set(ret_problem, ENOMEM, "", _("the session cannot be opened"));
	/* Whatever came of it: nothing after this is for root to do. */
	dropped = privilege_drop(r < 0 ? &unused : ret_problem);
	if (r == 0)
		r = dropped;
	if (r < 0)
		session_close(session);
	else
		*ret = session;
	return r;
}

/* What the reader thread uses, and so all the rest. */
static void release(void *arg)
{
	struct session *session = arg;

	for (unsigned id = 1; id < SOURCE_N; id++)
		if (session->sources[id])
			source_row((enum source_id)id)->ops->close(session->sources[id]);
	watch_ops.close(session->watch);
	snapshot_free(session->snapshot);
	sample_free(session->cur);
	sample_free(session->prev);
	board_free(session->board);
	host_free(session->host);
	hostfs_close(session->fs);
	free(session);
}

void session_close(struct session *session)
{
	if (!session)
		return;
	own_burst_free(&session->burst);
	own_microscope_free(&session->microscope);
	if (session->reader)
		reader_stop(session->reader, release, session);
	else
		release(session);
}

const struct host *session_host(const struct session *session)
{
	return session->host;
}

struct hostfs *session_fs(struct session *session)
{
	return session->fs;
}

struct board *session_board(struct session *session)
{
	return session->board;
}

const struct origin *session_origins(const struct session *session)
{
	return session->choice.origins;
}

bool session_as_root(const struct session *session)
{
	return session->as_root;
}

const struct offer *session_offers(const struct session *session)
{
	return session->offers;
}

int session_start(struct session *session, uint64_t interval_ns)
{
	struct reader_source sources[SOURCE_N]; /* none of SOURCE_NONE, but the watch */
	unsigned n = 0;

	if (session->reader)
		return -EALREADY;
	for (unsigned id = 1; id < SOURCE_N; id++)
		if (session->sources[id])
			sources[n++] = (struct reader_source) { source_row((enum source_id)id)->ops,
								session->sources[id], id };
	sources[n++] = (struct reader_source) { &watch_ops, session->watch, SOURCE_NONE };
	return reader_start(session->host, sources, n, session->servers, interval_ns, &session->reader);
}

void session_set_interval(struct session *session, uint64_t interval_ns)
{
	reader_set_interval(session->reader, interval_ns);
}

enum source_id session_reading(struct session *session)
{
	return session->reader ? (enum source_id)reader_reading(session->reader) : SOURCE_NONE;
}

void session_kick(struct session *session)
{
	reader_kick(session->reader);
}

int session_fd(const struct session *session)
{
	return reader_fd(session->reader);
}

static void keep_as_previous(struct session *session)
{
	struct sample *swap = session->prev;

	session->prev = session->cur;
	session->cur = swap;
	session->have_prev = true;
}

void session_skip(struct session *session)
{
	if (session->reader && reader_take(session->reader, session->cur))
		keep_as_previous(session);
}

int session_take(struct session *session, const struct snapshot **ret)
{
	if (!session->reader || !reader_take(session->reader, session->cur))
		return 0;
	(void)session_burst_result(session); /* its end may have told the release time */
	derive(session->host, session->have_prev ? session->prev : NULL, session->cur,
	       session->snapshot);
	keep_as_previous(session);
	session->have_snapshot = true;
	session->stranger = session->prev->stranger; /* which was `cur` until now */
	*ret = session->snapshot;
	return 1;
}

const struct sample *session_sample(const struct session *session)
{
	return session->have_snapshot ? session->prev : NULL;
}

bool session_stranger(const struct session *session)
{
	return session->stranger;
}
