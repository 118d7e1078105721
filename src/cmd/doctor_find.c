/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The diagnosis: of each source, counter, fact about the machine and metric, whether it is there, and if
 * not, which kind of reason that has and what can be done. Knows no source by name. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nls.h"
#include "cmd/cmd.h"
#include "cmd/doctor.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/survey.h"

#define WAIT_MS 3000 /* for the first sample; whole machines take well under a second */

struct find {
	const struct options *options;
	const struct host *host;
	const struct offer *offers;
	const struct origin *origins;
	const struct sample *sample; /* NULL: none came in time */
	struct survey_env survey;
	struct diagnosis *diagnosis;
};

static struct finding *add(struct find *find, enum doctor_part part, const char *name)
{
	struct finding *finding = &find->diagnosis->findings[find->diagnosis->n++];

	finding->part = part;
	finding->name = name;
	return finding;
}

/* What a user can do where the one who found the problem does not know better. */
static void give_remedy(const struct find *find, struct finding *finding)
{
	struct problem *why = &finding->why;
	const char *remedy = _(cause_row(finding->cause)->remedy);

	if (!remedy[0] || why->remedy[0])
		return;
	if (finding->cause == CAUSE_REFUSED && find->survey.rights.user == 0)
		remedy = _("a container or a security module refuses it even to root: ask who set it up");
	if (finding->cause == CAUSE_REFUSED && find->survey.rights.sudo)
		remedy = _("sudo env -u SUDO_UID avxtop asks as root for as long as it runs");
	if (finding->cause == CAUSE_LEFT_OUT && !find->host->live)
		remedy = _("run it on that machine, without --sysroot");
	(void)problem_set(why, why->err, remedy, "%s", why->text);
}

static void set_cause(const struct find *find, struct finding *finding, enum cause cause,
		      const struct problem *why)
{
	finding->cause = cause;
	finding->why = *why;
	give_remedy(find, finding);
	finding->why.err = problem_answer(why->err);
}

/* Not of what is not there or was left alone, nor of a CPU that had no turn yet. */
static bool was_read(enum state state)
{
	switch (state) {
	case STATE_UNSUPPORTED:
	case STATE_OFFLINE:
	case STATE_NOT_ASKED:
	case STATE_NOT_ALLOWED:
	case STATE_ISOLATED:
	case STATE_IDLE:
	case STATE_FIRST:
		return false;
	default:
		return true;
	}
}

/* A file that is there may still not be read: what the first sample says about the counter. */
static void judge_readings(const struct find *find, enum counter counter, unsigned source,
			   struct finding *finding)
{
	const struct sample *sample = find->sample;
	struct problem why = { 0 };
	bool denied = false;
	int err = 0;

	for (unsigned i = sample ? sample->offset[counter] : 0; sample && i < sample->offset[counter + 1];
	     i++) {
		const struct reading *reading = &sample->readings[i];

		if (reading->source != source || !was_read((enum state)reading->state))
			continue;
		finding->readings++;
		if (reading->state != STATE_DENIED && reading->state != STATE_FAILED)
			continue;
		finding->failed++;
		/* One speaks for all: a refusal, which can be mended, else the first that is known.
		 */
		if (err == 0 || (reading->state == STATE_DENIED && !denied))
			err = reading_errno(reading);
		denied |= reading->state == STATE_DENIED;
	}
	if (finding->failed == 0)
		return;
	(void)problem_set(&why, 0, "", _("%u of %u readings failed"), finding->failed,
			  finding->readings);
	why.err = err;
	if (finding->failed < finding->readings)
		set_cause(find, finding, CAUSE_FOUND, &why);
	else
		set_cause(find, finding, denied ? CAUSE_REFUSED : CAUSE_FAILS, &why);
}

static bool serves_any(const struct offer *offer)
{
	for (unsigned c = 0; c < COUNTER_N; c++)
		if (offer->here[c])
			return true;
	return false;
}

static void refuse_counter(struct find *find, struct finding *finding, const struct offer *offer,
			   enum counter counter)
{
	struct problem why;
	enum cause cause;

	offer_why(offer, counter, &why);
	cause = cause_of(why.err, find->host);
	/* Where the source has other counters, no hypervisor keeps this one back, unless the source knows
	 * better: then it says who can help. */
	if (serves_any(offer) && cause == CAUSE_VIRTUAL && !why.remedy[0])
		cause = why.err == ENOTSUP ? CAUSE_NOT_ON_CPU : CAUSE_ABSENT;
	if (serves_any(offer) && cause == CAUSE_ABSENT && !why.remedy[0])
		(void)problem_set(&why, why.err, _("another driver, kernel or CPU may have it"), "%s",
				  why.text);
	set_cause(find, finding, cause, &why);
}

static void find_counter(struct find *find, unsigned source, enum counter counter)
{
	const struct offer *offer = &find->offers[source];
	struct finding *finding = add(find, PART_COUNTER, counter_row(counter)->name);

	finding->source = source_row((enum source_id)source)->name;
	if (offer->here[counter])
		judge_readings(find, counter, source, finding);
	else if (!find->options->sources[source])
		set_cause(find, finding, CAUSE_LEFT_OUT, &offer->why);
	else
		refuse_counter(find, finding, offer, counter);
}

/* A source is there as soon as one of its counters is; else it has the cause of the first. */
static void find_source(struct find *find, unsigned source)
{
	const struct offer *offer = &find->offers[source];
	const unsigned at = find->diagnosis->n;
	struct finding *finding = add(find, PART_SOURCE, source_row((enum source_id)source)->name);

	finding->help = source_row((enum source_id)source)->help;
	for (unsigned c = 0; c < COUNTER_N; c++)
		if ((offer->here[c] || offer->refused[c]) &&
		    !counter_row((enum counter)c)->internal)
			find_counter(find, source, (enum counter)c);
	for (unsigned i = at + 1; i < find->diagnosis->n; i++)
		if (find->diagnosis->findings[i].cause == CAUSE_FOUND)
			return;
	if (find->diagnosis->n > at + 1) {
		finding->cause = finding[1].cause;
		finding->why = finding[1].why;
	}
}

static void find_fact(struct find *find, enum survey survey)
{
	struct finding *finding = add(find, PART_MACHINE, survey_row(survey)->name);
	struct survey_fact fact = { 0 };

	survey_row(survey)->look(&find->survey, &fact);
	/* "Run it as root" is what has been done already. */
	if (find->survey.rights.sudo && (fact.meaning.err == EACCES || fact.meaning.err == EPERM))
		fact.meaning.remedy[0] = '\0';
	memcpy(finding->value, fact.value, sizeof(finding->value));
	set_cause(find, finding, fact.cause, &fact.meaning);
}

/* A counter of this name that is not there, as its source judged it; NULL none. */
static const struct finding *missing_counter(const struct diagnosis *diagnosis, const char *name)
{
	const struct finding *missing = NULL;

	for (unsigned i = 0; i < diagnosis->n; i++) {
		const struct finding *finding = &diagnosis->findings[i];

		if (finding->part != PART_COUNTER || strcmp(finding->name, name) != 0)
			continue;
		if (finding->cause == CAUSE_FOUND)
			return NULL;
		missing = missing ? missing : finding;
	}
	return missing;
}

static const struct finding *missing_input(const struct diagnosis *diagnosis, const enum counter *inputs)
{
	const struct finding *missing = NULL;

	for (; inputs && *inputs != COUNTER_N && !missing; inputs++)
		missing = missing_counter(diagnosis, counter_row(*inputs)->name);
	return missing;
}

static bool told_of(const struct diagnosis *diagnosis, const enum counter *inputs, bool found)
{
	for (; *inputs != COUNTER_N; inputs++) {
		const char *name = counter_row(*inputs)->name;
		bool told = false;

		for (unsigned i = 0; i < diagnosis->n && !told; i++)
			told = diagnosis->findings[i].part == PART_COUNTER &&
			       strcmp(diagnosis->findings[i].name, name) == 0;
		if (told != found || (found && missing_counter(diagnosis, name)))
			return false;
	}
	return true;
}

/* What the metric is made of here, or why it is not; NULL is fine. */
static const enum counter *inputs_here(const struct find *find, const struct metric_row *row,
				       const struct origin *origin)
{
	const struct finding *instead;

	if (!row->inputs || told_of(find->diagnosis, row->inputs, true))
		return row->inputs;
	/* Known of packages, if not of cores. */
	if (row->package_inputs && origin->name)
		return row->package_inputs;
	if (!row->instead)
		return row->inputs;
	/* What the user left out is nearer than what the machine does not have. */
	instead = missing_input(find->diagnosis, row->instead);
	return !instead || instead->cause == CAUSE_LEFT_OUT || told_of(find->diagnosis, row->inputs, false)
		       ? row->instead
		       : row->inputs;
}

static void find_metric(struct find *find, enum metric metric)
{
	const struct metric_row *row = metric_row(metric);
	const struct origin *origin = &find->origins[metric];
	struct finding *finding = add(find, PART_METRIC, row->name);
	const struct finding *missing;
	struct problem why = { 0 };

	finding->source = origin->name;
	missing = missing_input(find->diagnosis, inputs_here(find, row, origin));
	if (origin->why)
		(void)problem_set(&why, 0, "", "%s", origin->why);
	if (row->license_event && !origin->name && host_lacks_license_events(find->host)) {
		set_cause(find, finding, CAUSE_NOT_ON_CPU, &why);
	} else if (missing) {
		finding->source = NULL;
		finding->told = missing->source;
		set_cause(find, finding, missing->cause, &missing->why);
	} else if (!origin->name) {
		set_cause(find, finding, row->inputs ? CAUSE_ABSENT : CAUSE_NOT_READ, &why);
	}
}

/* Metrics that are a measured clock. The kernel's own figure is none: it may be a request. */
static const enum metric clocks[] = { METRIC_BUSY_HERTZ, METRIC_AVERAGE_HERTZ };

static const struct finding *metric_finding(const struct diagnosis *diagnosis, enum metric metric)
{
	return &diagnosis->findings[diagnosis->n - METRIC_N + (unsigned)metric];
}

static void judge_clock(struct diagnosis *diagnosis)
{
	const struct finding *first = metric_finding(diagnosis, clocks[0]);
	const struct finding *kernels = metric_finding(diagnosis, METRIC_OS_HERTZ);
	char text[sizeof(first->why.text)];

	for (unsigned i = 0; i < sizeof(clocks) / sizeof(*clocks) && !diagnosis->clock_source; i++)
		diagnosis->clock_source = metric_finding(diagnosis, clocks[i])->source;
	if (diagnosis->clock_source) {
		(void)problem_set(&diagnosis->verdict, 0, "",
				  _("A clock can be measured here, by the source %s"),
				  diagnosis->clock_source);
	} else {
		memcpy(text, first->why.text, sizeof(text));
		(void)problem_set(&diagnosis->verdict, first->why.err, first->why.remedy,
				  kernels->source ? _("No clock can be measured here, the kernel's own "
						      "figure (os_hertz) is all there is: %s")
						  : _("No clock can be measured here: %s"),
				  text);
	}
	diagnosis->verdict.err = problem_answer(diagnosis->verdict.err);
}

/* Waits for the first sample, as long as a healthy machine may take. */
static const struct sample *first_sample(struct session *session, uint64_t interval_ns)
{
	struct pollfd wait = { .events = POLLIN };
	const struct snapshot *snapshot;

	if (session_start(session, interval_ns) < 0)
		return NULL;
	wait.fd = session_fd(session);
	if (poll(&wait, 1, WAIT_MS) <= 0 || session_take(session, &snapshot) <= 0)
		return NULL;
	return session_sample(session);
}

int doctor_find(struct session *session, const struct options *options, struct diagnosis *ret,
		struct problem *ret_problem)
{
	struct find find = {
		.options = options,
		.host = session_host(session),
		.offers = session_offers(session),
		.origins = session_origins(session),
		.survey = { .host = session_host(session), .fs = session_fs(session) },
		.diagnosis = ret,
	};

	enum source_id slow = SOURCE_NONE;

	*ret = (struct diagnosis){ .host = find.host };
	ret->findings = calloc(SOURCE_N * (1 + COUNTER_N) + SURVEY_N + METRIC_N,
			       sizeof(*ret->findings));
	if (!ret->findings)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	survey_rights_read(find.host, session_as_root(session), &find.survey.rights);
	find.sample = first_sample(session, options->interval_ns);
	ret->sampled = find.sample != NULL;
	if (!ret->sampled)
		slow = session_reading(session);
	ret->slow_source = slow ? source_row(slow)->name : NULL;
	for (unsigned source = SOURCE_NONE + 1; source < SOURCE_N; source++)
		find_source(&find, source);
	for (unsigned survey = 0; survey < SURVEY_N; survey++)
		find_fact(&find, (enum survey)survey);
	for (unsigned metric = 0; metric < METRIC_N; metric++)
		find_metric(&find, (enum metric)metric);
	judge_clock(ret);
	return 0;
}

void doctor_free(struct diagnosis *diagnosis)
{
	free(diagnosis->findings);
	diagnosis->findings = NULL;
}
