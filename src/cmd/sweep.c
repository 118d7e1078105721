/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop sweep`: the clock by kernel and number of active cores, or of copies by size. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "cmd/progress.h"
#include "cmd/sweep.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"

#define POINT_NS 1300000000u /* a point of one second and what belongs to it */

const struct sweep_entry *sweep_find(const struct sweep_report *report, enum kernel kernel,
				     unsigned cores, const struct copy_shape *shape)
{
	for (unsigned i = 0; i < report->n_entries; i++) {
		const struct sweep_point *const point = report->entries[i].point;

		if (point->role == SWEEP_POINT && point->kernel == kernel && point->cores == cores &&
		    point->copy.bytes == shape->bytes && point->copy.from_align == shape->from_align &&
		    point->copy.to_align == shape->to_align)
			return &report->entries[i];
	}
	return NULL;
}

const char *sweep_shape_name(const struct copy_shape *shape, char *buf, size_t size)
{
	char bytes[32];

	(void)num_format_bytes(shape->bytes, bytes, sizeof(bytes));
	if (shape->from_align == 0 && shape->to_align == 0)
		(void)snprintf(buf, size, "%s", bytes);
	else if (shape->from_align == shape->to_align)
		(void)snprintf(buf, size, "%s+%u", bytes, shape->from_align);
	else
		(void)snprintf(buf, size, "%s+%u/%u", bytes, shape->from_align, shape->to_align);
	return buf;
}

const char *sweep_point_name(const struct sweep_point *point, char *buf, size_t size)
{
	const char *const kernel = kernel_row(point->kernel)->name;
	char shape[64] = "";

	if (point->copy.bytes)
		(void)sweep_shape_name(&point->copy, shape, sizeof(shape));
	(void)snprintf(buf, size, point->cores == 1 ? _("%s%s%s, %u core") : _("%s%s%s, %u cores"), kernel,
		       shape[0] ? " " : "", shape, point->cores);
	return buf;
}

static struct sweep_ask ask_of(const struct options *options)
{
	return (struct sweep_ask){
		.kernels = options->n_kernels ? options->kernels : NULL,
		.n_kernels = options->n_kernels,
		.counts = options->counts,
		.cpus = options->cpus,
		.copy = options->copy,
		.sizes = options->sizes,
		.n_sizes = options->n_sizes,
		.aligns = options->aligns,
		.n_aligns = options->n_aligns,
		.cold = options->cold,
	};
}

/* The busiest may be any of them. */
static struct list *cpus_of(const struct options *options, const struct host *host)
{
	const struct sweep_ask ask = ask_of(options);
	struct problem unused;
	struct list *cpus;
	struct sweep *sweep;

	if (sweep_new(&ask, host, &sweep, &unused) < 0)
		return NULL;
	cpus = sweep_cpus(sweep, sweep->counts[sweep->n_counts - 1]);
	sweep_free(sweep);
	return cpus;
}

static void complain(const struct progress *progress, const struct problem *problem)
{
	progress_clear(progress);
	cmd_complain(problem);
}

/* Few looks say little: what a signal cut short counts from as many pairs on as a judgment needs. */
static bool is_kept(const struct sweep_entry *entry)
{
	return entry->measured &&
	       (!entry->figures.stopped_early || entry->figures.pairs >= JUDGE_MIN_PAIRS);
}

static bool has_been_said(const struct sweep_report *report, const char *why)
{
	for (unsigned i = 0; i < report->n_entries; i++)
		if (strcmp(report->entries[i].why, why) == 0)
			return true;
	return false;
}

/* False: no further point will fare better. */
static bool take_point(struct sweep_measure *m, struct sweep_report *report,
		       const struct sweep_point *point)
{
	struct sweep_entry *const entry = &report->entries[report->n_entries];
	struct problem problem = { 0 };
	const int r = sweep_measure_point(m, point, entry, &problem);

	if (r < 0) {
		if (!has_been_said(report, problem.text))
			complain(m->progress, &problem);
		m->load->status = r == -ENOMEM ? EXIT_FAILED : EXIT_IMPOSSIBLE;
		report->n_entries++;
		/* the first one is as light as can be */
		return r != -ENOMEM && report->n_entries > 1;
	}
	if (!is_kept(entry)) {
		figures_free(&entry->figures);
		return true;
	}
	if (!entry->figures.verified && !entry->figures.stopped_early && m->load->status == EXIT_DONE)
		m->load->status = EXIT_FAILED;
	report->n_entries++;
	return true;
}

static void take_all(struct sweep_measure *m, struct sweep_report *report)
{
	const struct sweep *const sweep = m->sweep;
	const uint64_t duration_ns = m->load->options->duration_ns;
	char name[128];

	for (unsigned i = 0; i < sweep->n_points && !m->load->stopped; i++) {
		progress_show(m->progress, i, sweep->n_points,
			      duration_ns ? duration_ns + POINT_NS / 4 : POINT_NS,
			      sweep_point_name(&sweep->points[i], name, sizeof(name)));
		if (!take_point(m, report, &sweep->points[i]))
			break;
	}
	progress_clear(m->progress);
	report->stopped = m->load->stopped;
}

static bool has_points(const struct sweep_report *report)
{
	for (unsigned i = 0; i < report->n_entries; i++)
		if (report->entries[i].measured && report->entries[i].point->role == SWEEP_POINT)
			return true;
	return false;
}

static void complain_of_refused(struct load *load, const struct sweep *sweep)
{
	for (unsigned i = 0; i < sweep->n_refused; i++)
		cmd_complain(&sweep->refused[i]);
	if (sweep->named_refused)
		load->status = EXIT_IMPOSSIBLE;
}

/* Without a word, nothing written would look like a sweep that found nothing. */
static void complain_of_stop(struct load *load)
{
	struct problem problem;

	(void)problem_set(&problem, 0, _("let it run for longer, or shorten --duration"),
			  _("stopped before the first point was measured"));
	cmd_complain(&problem);
	load->status = EXIT_FAILED;
}

static void sweep_it(struct load *load, const struct sweep *sweep)
{
	struct progress progress;
	struct sweep_measure measure = { .load = load, .sweep = sweep, .progress = &progress,
					 .settled_celsius = NAN };
	struct sweep_report report = { .options = load->options, .host = session_host(load->session),
				       .sweep = sweep };

	report.entries = calloc(sweep->n_points, sizeof(*report.entries));
	measure.settled_hertz = calloc(sweep->n_counts, sizeof(double));
	if (report.entries && measure.settled_hertz) {
		for (unsigned i = 0; i < sweep->n_counts; i++)
			measure.settled_hertz[i] = NAN;
		progress_begin(&progress);
		take_all(&measure, &report);
		sweep_conclude(&report);
		if (has_points(&report))
			load_wrote(load, sweep_write(&report, load->out));
		else if (report.stopped && load->status == EXIT_DONE)
			complain_of_stop(load);
	} else {
		load->status = EXIT_FAILED;
	}
	for (unsigned i = 0; i < report.n_entries; i++)
		figures_free(&report.entries[i].figures);
	free(report.entries);
	free(measure.settled_hertz);
}

static void run(struct load *load)
{
	const struct sweep_ask ask = ask_of(load->options);
	struct problem problem = { 0 };
	struct sweep *sweep;
	int r;

	if (session_host(load->session)->live)
		r = sweep_new(&ask, session_host(load->session), &sweep, &problem);
	else
		r = problem_set(&problem, ENOTSUP, _("leave out --sysroot"),
				_("a sweep drives this machine only, not one that is read from files"));
	if (r < 0) {
		cmd_complain(&problem);
		load->status = cmd_exit_status(r);
		return;
	}
	complain_of_refused(load, sweep);
	sweep_it(load, sweep);
	sweep_free(sweep);
}

/* What only copies have. */
static int check_copy_options(const struct options *options)
{
	struct problem problem;
	const char *const name = options->n_sizes ? "--sizes" : options->n_aligns ? "--align" :
				 options->cold ? "--cold" : NULL;

	if (options->copy || !name)
		return 0;
	(void)problem_set(&problem, 0, _("add --copy"), _("%s is of copies"), name);
	cmd_complain(&problem);
	return -EINVAL;
}

int command_sweep(const struct options *options)
{
	static const struct load_ops ops = { .cpus = cpus_of, .run = run, .metrics = sweep_metrics };

	if (check_copy_options(options) < 0)
		return EXIT_USAGE;
	return load_command(options, &ops);
}
