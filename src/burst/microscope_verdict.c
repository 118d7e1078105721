/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the microscope saw, in a sentence or three. Pure. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "base/num.h"
#include "burst/microscope_own.h"

struct words {
	char throttle[32], halt[32], hertz[32], hold[32], second[32], after[32];
};

/* Sentences are joined by semicolons; one that does not fit is left out. */
static void add(char *buf, size_t size, const char *sentence)
{
	const size_t length = strlen(buf);
	const char *const join = length ? "; " : "";

	if (!sentence[0] || length + strlen(join) + strlen(sentence) >= size)
		return;
	(void)snprintf(buf + length, size - length, "%s%s", join, sentence);
}

static void human_time(double s, char *buf, size_t size)
{
	(void)num_human_time(s, buf, size);
}

static struct words words_for(const struct timeline_phase *phases)
{
	struct words words;

	human_time(phases[TIMELINE_THROTTLE].duration_s, words.throttle, sizeof(words.throttle));
	human_time(phases[TIMELINE_HALT_DOWN].duration_s, words.halt, sizeof(words.halt));
	human_time(phases[TIMELINE_HOLD].duration_s, words.hold, sizeof(words.hold));
	human_time(phases[TIMELINE_HALT_UP].duration_s, words.second, sizeof(words.second));
	human_time(phases[TIMELINE_RECOVERED].duration_s, words.after, sizeof(words.after));
	(void)num_human_hertz(phases[TIMELINE_LOW_CLOCK].hertz, words.hertz, sizeof(words.hertz));
	return words;
}

/* Whole sentences: they are translated. */
static void say_entry(const struct timeline_phase *phases, const struct words *w, char *buf,
		      size_t size)
{
	const double rate = phases[TIMELINE_THROTTLE].ratio;
	const double drop = phases[TIMELINE_LOW_CLOCK].ratio * 100;
	const unsigned seen = (phases[TIMELINE_THROTTLE].seen ? 4u : 0u) |
			      (phases[TIMELINE_HALT_DOWN].seen ? 2u : 0u) |
			      (phases[TIMELINE_LOW_CLOCK].seen ? 1u : 0u);

	switch (seen) {
	case 7:
		(void)snprintf(buf, size,
			       _("throttled to x%.2f for %s, then halted for %s, then a clock "
				 "lower by %.1f %% (%s)"),
			       rate, w->throttle, w->halt, drop, w->hertz);
		break;
	case 6:
		(void)snprintf(
			buf, size,
			_("throttled to x%.2f for %s, then halted for %s, at no lower clock"), rate,
			w->throttle, w->halt);
		break;
	case 5:
		(void)snprintf(buf, size,
			       _("throttled to x%.2f for %s, then a clock lower by %.1f %% (%s)"),
			       rate, w->throttle, drop, w->hertz);
		break;
	case 4:
		(void)snprintf(buf, size, _("throttled to x%.2f for %s, at no lower clock"), rate,
			       w->throttle);
		break;
	case 3:
		(void)snprintf(buf, size, _("halted for %s, then a clock lower by %.1f %% (%s)"),
			       w->halt, drop, w->hertz);
		break;
	case 2:
		(void)snprintf(buf, size, _("halted for %s, at no lower clock"), w->halt);
		break;
	case 1:
		(void)snprintf(buf, size,
			       _("a clock lower by %.1f %% (%s), without throttle or halt"), drop,
			       w->hertz);
		break;
	default:
		buf[0] = '\0';
		break;
	}
}

static void say_release(const struct timeline_phase *phases, const struct words *w, char *buf,
			size_t size)
{
	const struct timeline_phase *const hold = &phases[TIMELINE_HOLD];
	const bool second = phases[TIMELINE_HALT_UP].seen, back = phases[TIMELINE_RECOVERED].seen;

	buf[0] = '\0';
	if (hold->seen && isinf(hold->high_s))
		(void)snprintf(buf, size,
			       _("still low %s after the end, when nobody looked any more"),
			       w->hold);
	else if (hold->seen && second && back)
		(void)snprintf(
			buf, size,
			_("held low for %s after the end, then halted for %s, recovered after %s"),
			w->hold, w->second, w->after);
	else if (hold->seen && second)
		(void)snprintf(buf, size, _("held low for %s after the end, then halted for %s"),
			       w->hold, w->second);
	else if (hold->seen && back)
		(void)snprintf(buf, size, _("held low for %s after the end, recovered after %s"),
			       w->hold, w->after);
	else if (hold->seen)
		(void)snprintf(buf, size, _("held low for %s after the end"), w->hold);
	else if (second)
		(void)snprintf(buf, size, _("halted for %s after the end"), w->second);
}

static void say_none(const struct timeline_phase *phases, char *buf, size_t size)
{
	char throttle[32], halt[32];

	human_time(phases[TIMELINE_THROTTLE].limit_s, throttle, sizeof(throttle));
	human_time(phases[TIMELINE_HALT_DOWN].limit_s, halt, sizeof(halt));
	(void)snprintf(
		buf, size,
		_("no phase seen: neither a throttle by more than %.0f %% over %s, nor a halt "
		  "over %s, nor a clock lower by more than %.1f %%"),
		ceil(phases[TIMELINE_THROTTLE].limit * 100), throttle, halt,
		phases[TIMELINE_LOW_CLOCK].limit * 100);
}

/* What one entry costs, and from which length on a burst is worth it. */
static void say_price(const struct microscope_result *result, char *buf, size_t size)
{
	const struct price *const price = &result->price;
	const char *const narrower =
		result->narrower >= 0 ? kernel_row((enum kernel)result->narrower)->name : "";
	char cost[32], even[32];

	buf[0] = '\0';
	if (!(price->entry_s + price->after_s > 0))
		return;
	human_time(price->entry_s + price->after_s, cost, sizeof(cost));
	human_time(price->break_even_s, even, sizeof(even));
	if (isnan(price->break_even_s) || !narrower[0])
		(void)snprintf(buf, size, _("one burst costs %s beside its own time"), cost);
	else if (isinf(price->break_even_s))
		(void)snprintf(buf, size,
			       _("one burst costs %s beside its own time, and loses against %s "
				 "whatever its length"),
			       cost, narrower);
	else
		(void)snprintf(
			buf, size,
			_("one burst costs %s beside its own time, and loses against %s when "
			  "it is shorter than %s"),
			cost, narrower, even);
}

static void say_share(const struct microscope_result *result, char *buf, size_t size)
{
	const double ratio = result->price.break_even_ratio;

	buf[0] = '\0';
	if (!result->own.phases[TIMELINE_LOW_CLOCK].seen || isnan(ratio) || result->narrower < 0 ||
	    ratio <= 0)
		return;
	if (isinf(ratio) || ratio >= 1)
		(void)snprintf(buf, size, _("wide code never pays"));
	else
		(void)snprintf(buf, size, _("wide code pays above %.0f %% of the time"),
			       ratio * 100);
}

void microscope_verdict(struct microscope_result *result)
{
	const struct timeline *const own = &result->own;
	const struct words words = words_for(own->phases);
	char *const buf = result->verdict;
	const size_t size = sizeof(result->verdict);
	char sentence[256];

	buf[0] = '\0';
	if (result->epochs_done > 0 && !result->verified) {
		add(buf, size,
		    _("the load computed a wrong result: this CPU or its power supply is faulty"));
		return;
	}
	if (own->epochs == 0) {
		if (result->epochs_done > 0)
			add(buf, size, _("cannot tell: no undisturbed burst"));
		else if (result->left_s == 0)
			add(buf, size, _("nothing was measured"));
		return;
	}
	say_entry(own->phases, &words, sentence, sizeof(sentence));
	if (!sentence[0] && isnan(own->phases[TIMELINE_HALT_DOWN].limit_s)) {
		(void)snprintf(sentence, sizeof(sentence),
			       P_("too few to tell phases: %u undisturbed burst",
				  "too few to tell phases: %u undisturbed bursts", own->epochs),
			       own->epochs);
		add(buf, size, sentence);
		return;
	}
	if (!sentence[0] && !own->phases[TIMELINE_HALT_UP].seen)
		say_none(own->phases, sentence, sizeof(sentence));
	add(buf, size, sentence);
	say_release(own->phases, &words, sentence, sizeof(sentence));
	add(buf, size, sentence);
	say_price(result, sentence, sizeof(sentence));
	add(buf, size, sentence);
	say_share(result, sentence, sizeof(sentence));
	add(buf, size, sentence);
}
