/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop doctor`: what can be seen here and through which source, and how to see more. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/nls.h"
#include "base/num.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/doctor.h"
#include "cmd/list.h"
#include "cmd/wrap.h"
#include "engine/options.h"
#include "engine/session.h"

#define WIDTH 80

struct report {
	const struct diagnosis *diagnosis;
	enum doctor_part part; /* the rows of this table; PART_N: all */
	bool absent_only;      /* leave out what is found, and let one row speak for all of one reason */
	const char *absent;    /* mark of what is not there */
	struct text text;      /* of the cell */
};

const char *doctor_part_name(enum doctor_part part)
{
	static const char *const names[] = {
		[PART_SOURCE] = "source",
		[PART_COUNTER] = "counter",
		[PART_MACHINE] = "machine",
		[PART_METRIC] = "metric",
	};

	return names[part];
}

/* Not there for the same reason, which is then told once. */
static bool same_reason(const struct finding *a, const struct finding *b)
{
	return a->part == b->part && a->cause == b->cause && a->told == b->told &&
	       strcmp(a->why.text, b->why.text) == 0 &&
	       (a->part != PART_COUNTER || a->source == b->source);
}

static bool is_first_of_reason(const struct diagnosis *diagnosis, unsigned index)
{
	for (unsigned i = 0; i < index; i++)
		if (same_reason(&diagnosis->findings[i], &diagnosis->findings[index]))
			return false;
	return true;
}

static bool is_row(const struct report *report, unsigned index)
{
	const struct finding *finding = &report->diagnosis->findings[index];

	if (report->part != PART_N && finding->part != report->part)
		return false;
	return !report->absent_only || (finding->cause != CAUSE_FOUND &&
					is_first_of_reason(report->diagnosis, index));
}

/* Index of the n-th row of the table; diagnosis->n: there are not that many. */
static unsigned row_index(const struct report *report, unsigned n)
{
	unsigned i = 0;

	for (; i < report->diagnosis->n; i++)
		if (is_row(report, i) && n-- == 0)
			break;
	return i;
}

static unsigned count_rows(const struct report *report)
{
	unsigned n = 0;

	while (row_index(report, n) < report->diagnosis->n)
		n++;
	return n;
}

/* Names of all that are not there for the reason of this one. */
static void add_names(struct text *text, const struct diagnosis *diagnosis, unsigned index)
{
	const struct finding *first = &diagnosis->findings[index];

	text_add(text, first->name);
	for (unsigned i = index + 1; i < diagnosis->n; i++)
		if (same_reason(first, &diagnosis->findings[i]))
			text_addf(text, ", %s", diagnosis->findings[i].name);
}

/* What the kernel answered is told where it refused or failed; that there is no such file goes without
 * saying where the sentence does. */
static bool tells_errno(const struct finding *finding)
{
	return finding->failed > 0 || finding->cause == CAUSE_REFUSED ||
	       finding->cause == CAUSE_FAILS;
}

/* The remedy behind a semicolon: a colon may stand before, as after the names of counters. */
static void add_sentence(struct text *text, bool with_errno, const struct problem *why)
{
	struct problem told = *why;
	char line[sizeof(told) + 128], safe[sizeof(line)];

	if (!with_errno)
		told.err = 0;
	told.remedy[0] = '\0';
	text_escape_terminal(problem_format(&told, line, sizeof(line)), safe, sizeof(safe));
	text_add(text, safe);
	text_escape_terminal(why->remedy, safe, sizeof(safe));
	if (safe[0])
		text_addf(text, "; %s", safe);
}

/* Under the words about a source: the counters that it has, then those that it has not, by reason. */
static void add_counters(struct report *report, unsigned source)
{
	const struct diagnosis *diagnosis = report->diagnosis;

	for (unsigned i = source + 1; i < diagnosis->n; i++) {
		const struct finding *finding = &diagnosis->findings[i];

		if (finding->part != PART_COUNTER)
			return;
		if (!is_first_of_reason(diagnosis, i))
			continue;
		text_addf(&report->text, "\n%s ", finding->cause == CAUSE_FOUND ? "+" : report->absent);
		add_names(&report->text, diagnosis, i);
		if (!finding->why.text[0])
			continue;
		text_add(&report->text, ": ");
		/* Of a source that is there, each counter has a cause of its own. */
		if (finding->cause != diagnosis->findings[source].cause)
			text_addf(&report->text, "%s, ", _(cause_row(finding->cause)->title));
		add_sentence(&report->text, tells_errno(finding), &finding->why);
	}
}

enum { NAME, STATE, MEANING };

static const char *people_cell(void *data, unsigned row, unsigned column, bool people)
{
	struct report *report = data;
	const unsigned index = row_index(report, row);
	const struct finding *finding = &report->diagnosis->findings[index];

	(void)people;
	if (column == NAME)
		return finding->name;
	if (column == STATE)
		return _(cause_row(finding->cause)->title);
	text_free(&report->text);
	if (finding->part == PART_SOURCE) {
		text_add(&report->text, _(finding->help));
		add_counters(report, index);
	} else if (finding->part == PART_METRIC) {
		add_names(&report->text, report->diagnosis, index);
		text_add(&report->text, "\n");
		if (finding->told)
			text_addf(&report->text, _("see %s above"), finding->told);
		else
			add_sentence(&report->text, tells_errno(finding), &finding->why);
	} else {
		add_sentence(&report->text, tells_errno(finding), &finding->why);
	}
	return report->text.data ? report->text.data : "";
}

static int print_part(struct report *report, enum doctor_part part, const char *title, FILE *out)
{
	struct cmd_column columns[] = {
		[NAME] = { .key = "name", .title = part == PART_METRIC ? NULL : N_("NAME") },
		[STATE] = { .key = "state", .title = N_("STATE") },
		[MEANING] = { .key = "meaning", .title = title },
	};
	struct cmd_list list = {
		.columns = columns,
		.n_columns = sizeof(columns) / sizeof(columns[0]),
		.cell = people_cell,
		.data = report,
	};

	report->part = part;
	report->absent_only = part == PART_METRIC;
	list.n_rows = count_rows(report);
	if (list.n_rows == 0)
		return 0;
	(void)fputc('\n', out);
	return cmd_list_table(&list, out);
}

static void add_slow(struct text *text, const char *source)
{
	if (source)
		text_addf(text,
			  _("No sample came in time, since a file of the source %s is slow; "
			    "--source -%s leaves it out"),
			  source, source);
	else
		text_add(text, _("No sample came in time"));
}

static int print_people(struct report *report, FILE *out)
{
	const struct diagnosis *diagnosis = report->diagnosis;
	struct text sentence = { 0 }, slow = { 0 }, lines = { 0 };
	int r;

	add_sentence(&sentence, false, &diagnosis->verdict);
	cmd_wrap(&lines, sentence.data ? sentence.data : "", 0, WIDTH);
	if (!diagnosis->sampled) {
		text_add(&lines, "\n");
		add_slow(&slow, diagnosis->slow_source);
		cmd_wrap(&lines, slow.data ? slow.data : "", 0, WIDTH);
	}
	r = sentence.failed || slow.failed || lines.failed ? -ENOMEM : 0;
	(void)fprintf(out, "%s\n", lines.data ? lines.data : "");
	text_free(&sentence);
	text_free(&slow);
	text_free(&lines);
	if (r == 0)
		r = print_part(report, PART_SOURCE, N_("WHAT THE SOURCE READS, AND WHAT IT CANNOT"), out);
	if (r == 0)
		r = print_part(report, PART_MACHINE, N_("ABOUT THIS MACHINE"), out);
	if (r == 0)
		r = print_part(report, PART_METRIC, N_("METRICS THAT ARE NOT MEASURED, AND WHY"), out);
	return r;
}

enum { CSV_PART, CSV_NAME, CSV_SOURCE, CSV_STATE, CSV_VALUE, CSV_ERRNO, CSV_WHY, CSV_REMEDY };

static const char *csv_cell(void *data, unsigned row, unsigned column, bool people)
{
	struct report *report = data;
	const struct finding *finding = &report->diagnosis->findings[row];

	(void)people;
	switch (column) {
	case CSV_PART:
		return doctor_part_name(finding->part);
	case CSV_NAME:
		return finding->name;
	case CSV_SOURCE:
		return finding->source;
	case CSV_STATE:
		return cause_row(finding->cause)->name;
	case CSV_VALUE:
		return finding->value;
	case CSV_ERRNO:
		text_free(&report->text);
		if (finding->why.err)
			text_addf(&report->text, "%d", finding->why.err);
		return report->text.data;
	case CSV_WHY:
		return finding->why.text;
	default:
		return finding->why.remedy;
	}
}

static int print_csv(struct report *report, const struct options *options,
		     struct problem *ret_problem)
{
	static const struct cmd_column columns[] = {
		[CSV_PART] = { .key = "part" },	    [CSV_NAME] = { .key = "name" },
		[CSV_SOURCE] = { .key = "source" }, [CSV_STATE] = { .key = "state" },
		[CSV_VALUE] = { .key = "value" },   [CSV_ERRNO] = { .key = "errno" },
		[CSV_WHY] = { .key = "why" },	    [CSV_REMEDY] = { .key = "remedy" },
	};
	const struct cmd_list list = {
		.columns = columns,
		.n_columns = sizeof(columns) / sizeof(columns[0]),
		.n_rows = report->diagnosis->n,
		.cell = csv_cell,
		.data = report,
	};

	return cmd_list(&list, options, ret_problem);
}

static int print(struct report *report, const struct options *options, struct problem *ret_problem)
{
	struct cmd_output output;
	int r, closed;

	if (options->format == FORMAT_CSV)
		return print_csv(report, options, ret_problem);
	r = cmd_output_open(options, true, &output, ret_problem);
	if (r < 0)
		return r;
	r = options->format == FORMAT_JSON ? doctor_json(report->diagnosis, output.stream)
					   : print_people(report, output.stream);
	closed = cmd_output_close(&output, r == 0, ret_problem);
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("the diagnosis could not be written"));
	return closed;
}

int command_doctor(const struct options *options)
{
	struct diagnosis diagnosis = { 0 };
	struct report report = { .diagnosis = &diagnosis, .absent = cmd_absent(options) };
	struct session *session = NULL;
	struct problem problem;
	int r;

	if (options->dump)
		return doctor_dump(options);
	r = session_open(options, NULL, &session, &problem);
	if (r == 0)
		r = doctor_find(session, options, &diagnosis, &problem);
	if (r == 0)
		r = print(&report, options, &problem);
	if (r < 0)
		cmd_complain(&problem);
	else if (!diagnosis.clock_source)
		r = -ENOTSUP;
	text_free(&report.text);
	doctor_free(&diagnosis);
	session_close(session);
	return cmd_exit_status(r);
}
