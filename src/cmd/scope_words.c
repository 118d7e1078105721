/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for what a scope saw. */
#include "config.h"
#include "cmd/scope_show.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/nls.h"
#include "base/num.h"
#include "base/text.h"
#include "burst/microscope.h"

#define TIME_SIZE 32

const char *scope_time(double seconds, char *buf, size_t size)
{
	const double us = seconds * 1e6;

	if (!isfinite(seconds) || fabs(us) >= 999.5)
		return num_human_time(seconds, buf, size);
	/* Phases are told to a tenth of a microsecond; what was asked for is mostly round. */
	if (fabs(us) < 0.995 && us != 0)
		(void)snprintf(buf, size, "%.2f us", us);
	else
		(void)snprintf(buf, size, fabs(us - round(us)) < 0.05 ? "%.0f us" : "%.1f us", us);
	return buf;
}

/* What was put together, as far as it goes. */
static void take(struct text *text, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%s", text->data ? text->data : "");
	text_free(text);
}

static void add_interval(struct text *text, const struct timeline_phase *phase)
{
	if (isfinite(phase->low_s) && isfinite(phase->high_s))
		/* TRANSLATORS: 95 % interval of a time in microseconds: "(8.8 to 9.2)" */
		text_addf(text, _(" (%.1f to %.1f)"), phase->low_s * 1e6, phase->high_s * 1e6);
}

/* Of what was not seen: what could have hidden. */
static void add_limit(struct text *text, const struct timeline_phase *phase)
{
	char limit[TIME_SIZE];

	if (isfinite(phase->limit_s) && isfinite(phase->limit))
		text_addf(text, _("not seen: none of more than %.1f %% that lasts %s or longer"),
			  phase->limit * 100, scope_time(phase->limit_s, limit, sizeof(limit)));
	else if (isfinite(phase->limit_s))
		text_addf(text, _("not seen: none of %s or longer"),
			  scope_time(phase->limit_s, limit, sizeof(limit)));
	else if (isfinite(phase->limit))
		text_addf(text, _("not seen: none of more than %.1f %%"), phase->limit * 100);
	else
		text_add(text, _("cannot be told"));
}

static void add_drop(struct text *text, const struct timeline_phase *phase)
{
	char hertz[TIME_SIZE];

	text_addf(text, _("%.1f %% lower"), phase->ratio * 100);
	if (isfinite(phase->low) && isfinite(phase->high))
		text_addf(text, _(" (%.1f to %.1f)"), phase->low * 100, phase->high * 100);
	if (isfinite(phase->hertz))
		text_addf(text, ", %s", num_human_hertz(phase->hertz, hertz, sizeof(hertz)));
}

void scope_phase_words(const struct timeline *timeline, enum timeline_phase_id id, char *buf,
		       size_t size)
{
	const struct timeline_phase *const phase = &timeline->phases[id];
	struct text text = { 0 };
	char time[TIME_SIZE];

	(void)scope_time(phase->duration_s, time, sizeof(time));
	if (!phase->seen) {
		add_limit(&text, phase);
	} else if (id == TIMELINE_LOW_CLOCK) {
		add_drop(&text, phase);
	} else {
		if (id == TIMELINE_THROTTLE)
			text_addf(&text, _("to ×%.2f for "), phase->ratio);
		if (phase->high_s > 0 && isinf(phase->high_s))
			text_addf(&text, _("at least %s"), time);
		else
			text_add(&text, time);
		if (id == TIMELINE_HOLD || id == TIMELINE_RECOVERED)
			text_add(&text, _(" after the last wide instruction"));
		add_interval(&text, phase);
	}
	take(&text, buf, size);
}

void scope_phase_label(const struct timeline *timeline, enum timeline_phase_id id, char *buf,
		       size_t size)
{
	const struct timeline_phase *const phase = &timeline->phases[id];
	char time[TIME_SIZE];

	(void)scope_time(phase->duration_s, time, sizeof(time));
	if (!phase->seen)
		(void)snprintf(buf, size, "%s", "");
	else if (id == TIMELINE_LOW_CLOCK)
		(void)snprintf(buf, size, "−%.1f %%", phase->ratio * 100);
	else if (id == TIMELINE_THROTTLE)
		(void)snprintf(buf, size, "×%.2f, %s", phase->ratio, time);
	else
		(void)snprintf(buf, size, "%s%s", isinf(phase->high_s) ? "≥ " : "", time);
}

void scope_epochs_words(const struct timeline *timeline, char *buf, size_t size)
{
	const unsigned gaps = timeline->dropped[TIMELINE_GAP];
	const unsigned moved = timeline->dropped[TIMELINE_MOVED];
	struct text text = { 0 };
	char time[TIME_SIZE];

	text_addf(&text, P_("%u burst of %s", "%u bursts of %s", timeline->epochs),
		  timeline->epochs, scope_time(timeline->burst_s, time, sizeof(time)));
	if (gaps + moved)
		text_addf(&text,
			  _("; %u left out: %u interrupted, %u whose clock moved by itself "
			    "meanwhile"),
			  gaps + moved, gaps, moved);
	take(&text, buf, size);
}

void scope_price_words(const struct microscope_result *result, char *buf, size_t size)
{
	const struct price *const price = &result->price;
	char entry[TIME_SIZE], after[TIME_SIZE], limit[TIME_SIZE];
	const double after_s = isfinite(price->after_s) ? price->after_s : 0;

	(void)scope_time(price->entry_s, entry, sizeof(entry));
	(void)scope_time(price->after_s, after, sizeof(after));
	(void)scope_time(price->limit_s, limit, sizeof(limit));
	if (!isfinite(price->entry_s))
		(void)snprintf(buf, size, "%s", "");
	else if (price->entry_s > 0 && price->after_s == 0)
		(void)snprintf(
			buf, size,
			_("a burst loses %s at its beginning, and code behind it nothing that "
			  "could be seen"),
			entry);
	else if (price->entry_s > 0 || after_s > 0)
		(void)snprintf(buf, size,
			       _("a burst loses %s at its beginning, and code behind it %s"), entry,
			       isfinite(price->after_s) ? after : _("an unknown time"));
	else if (isfinite(price->limit_s))
		(void)snprintf(buf, size, _("none seen: no burst loses more than %s"), limit);
	else
		(void)snprintf(buf, size, "%s", "");
}

static const char *narrower(const struct microscope_result *result)
{
	return result->narrower >= 0 ? kernel_row((enum kernel)result->narrower)->name : "";
}

void scope_even_words(const struct microscope_result *result, char *buf, size_t size)
{
	const struct price *const price = &result->price;
	struct text text = { 0 };
	char time[TIME_SIZE];

	if (isfinite(price->speedup))
		text_addf(&text, _("%.2f times the rate of %s"), price->speedup, narrower(result));
	if (isinf(price->break_even_s))
		text_addf(&text, _("%sno burst makes up for its price"), text.len ? "; " : "");
	else if (price->break_even_s > 0)
		text_addf(&text, _("%sbursts shorter than %s lose"), text.len ? "; " : "",
			  scope_time(price->break_even_s, time, sizeof(time)));
	if (price->break_even_ratio > 0 && isfinite(price->break_even_ratio))
		text_addf(
			&text,
			_("%swhere the low clock lasts, wide code pays above %.0f %% of the time"),
			text.len ? "; " : "", price->break_even_ratio * 100);
	take(&text, buf, size);
}

void scope_duty_words(const struct microscope_duty *duty, char *buf, size_t size)
{
	char on[TIME_SIZE], period[TIME_SIZE], after[TIME_SIZE];
	struct text text = { 0 };

	text_addf(&text,
		  P_("%u burst of %s every %s: ", "%u bursts of %s every %s: ", duty->bursts),
		  duty->bursts, scope_time((double)duty->pattern.on_ns / 1e9, on, sizeof(on)),
		  scope_time((double)duty->pattern.period_ns / 1e9, period, sizeof(period)));
	if (!isfinite(duty->last_ratio)) {
		text_add(&text, _("the clock in the gaps cannot be told"));
		take(&text, buf, size);
		return;
	}
	if (isfinite(duty->first_ratio))
		text_addf(&text, _("clock in the first gaps %.1f %%, in the last ones %.1f %%"),
			  duty->first_ratio * 100, duty->last_ratio * 100);
	else
		text_addf(&text, _("clock in the last gaps %.1f %%"), duty->last_ratio * 100);
	if (isfinite(duty->low) && isfinite(duty->high))
		text_addf(&text, _(" (%.1f to %.1f)"), duty->low * 100, duty->high * 100);
	text_add(&text, _(" of that before"));
	if (duty->after_s == 0)
		text_add(&text, _("; behind the last one it was never 2 % lower"));
	else if (isfinite(duty->after_s))
		text_addf(&text, duty->not_back ? _("; not back within %s") : _("; back after %s"),
			  scope_time(duty->after_s, after, sizeof(after)));
	take(&text, buf, size);
}
