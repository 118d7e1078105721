/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two ways lead to a clock: the ruler, and the rate of a kernel whose work a cycle is known. Where they
 * part, the likely cause is told, the worst first. */
#include "config.h"
#include "burst/agreement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "base/num.h"

static const char *const names[AGREEMENT_N] = {
	[AGREEMENT_FINE] = "fine",
	[AGREEMENT_WRONG] = "wrong-results",
	[AGREEMENT_CLOCKLESS] = "no-clock",
	[AGREEMENT_KINDS] = "kinds",
	[AGREEMENT_TOO_FAST] = "too-fast",
	[AGREEMENT_SIBLING_BUSY] = "sibling-busy",
	[AGREEMENT_STOLEN] = "stolen",
	[AGREEMENT_THROTTLED] = "throttled",
	[AGREEMENT_DIFFER] = "cpus-differ",
};

const char *agreement_name(enum agreement_finding finding)
{
	return names[finding];
}

static bool has_reason(const struct agreement_cpu *cpu)
{
	return cpu->why && cpu->why[0];
}

static enum agreement_finding explain_wrong(const struct agreement_cpu *cpu, char *why, size_t size)
{
	if (has_reason(cpu))
		(void)snprintf(why, size, _("CPU %u: %s"), cpu->id, cpu->why);
	else
		(void)snprintf(why, size, _("CPU %u: its results are not right, so nothing that it measured "
					    "is trusted"), cpu->id);
	return AGREEMENT_WRONG;
}

static enum agreement_finding explain_clockless(const struct agreement_cpu *cpu, char *why, size_t size)
{
	if (has_reason(cpu))
		(void)snprintf(why, size, _("CPU %u: %s"), cpu->id, cpu->why);
	else
		(void)snprintf(why, size, _("CPU %u: no look at the clock was undisturbed"), cpu->id);
	return AGREEMENT_CLOCKLESS;
}

static enum agreement_finding explain_fast(const struct agreement_cpu *cpu, char *why, size_t size)
{
	char rate[32], ruler[32];

	(void)snprintf(why, size, _("CPU %u: its rate needs %s at least, the ruler says %s: the count or the "
				    "clock is wrong"), cpu->id,
		       num_human_hertz(cpu->hertz * cpu->peak_ratio, rate, sizeof(rate)),
		       num_human_hertz(cpu->hertz, ruler, sizeof(ruler)));
	return AGREEMENT_TOO_FAST;
}

static enum agreement_finding explain_slow(const struct agreement_cpu *cpu, bool virtual_machine,
					   char *why, size_t size)
{
	const double percent = cpu->peak_ratio * 100;

	if (cpu->sibling_ratio > AGREEMENT_SIBLING) {
		(void)snprintf(why, size, _("CPU %u: %.0f %% of what its core can do a cycle: its SMT sibling "
					    "is %.0f %% busy"), cpu->id, percent, cpu->sibling_ratio * 100);
		return AGREEMENT_SIBLING_BUSY;
	}
	if (cpu->steal_ratio > AGREEMENT_STEAL) {
		(void)snprintf(why, size, _("CPU %u: %.0f %% of what its core can do a cycle: the hypervisor "
					    "took %.0f %% of its time"), cpu->id, percent,
			       cpu->steal_ratio * 100);
		return AGREEMENT_STOLEN;
	}
	(void)snprintf(why, size,
		       virtual_machine ?
			       _("CPU %u: %.0f %% of what its core can do a cycle: throttled dispatch, or a "
				 "busy SMT sibling that the hypervisor hides") :
		       isfinite(cpu->sibling_ratio) ?
			       _("CPU %u: %.0f %% of what its core can do a cycle: throttled dispatch, as no "
				 "SMT sibling is busy") :
			       _("CPU %u: %.0f %% of what its core can do a cycle: throttled dispatch, or a "
				 "busy SMT sibling"),
		       cpu->id, percent);
	return AGREEMENT_THROTTLED;
}

static enum agreement_finding look_at_one(const struct agreement_cpu *cpu, bool virtual_machine,
					  char *why, size_t size)
{
	if (!cpu->verified)
		return explain_wrong(cpu, why, size);
	if (isnan(cpu->hertz))
		return explain_clockless(cpu, why, size);
	if (cpu->peak_ratio > AGREEMENT_ABOVE)
		return explain_fast(cpu, why, size);
	if (cpu->peak_ratio < AGREEMENT_BELOW * cpu->reach)
		return explain_slow(cpu, virtual_machine, why, size);
	return AGREEMENT_FINE;
}

static enum agreement_finding look_at_kinds(const struct agreement_cpu *cpus, unsigned n, char *why,
					    size_t size)
{
	for (unsigned i = 1; i < n; i++)
		if (strcmp(cpus[i].kind, cpus[0].kind) != 0) {
			(void)snprintf(why, size, _("CPU %u is of kind %s, CPU %u of kind %s: no one clock "
						    "is that of both"), cpus[0].id, cpus[0].kind, cpus[i].id,
				       cpus[i].kind);
			return AGREEMENT_KINDS;
		}
	return AGREEMENT_FINE;
}

/* All clocks are known. */
static enum agreement_finding look_at_spread(const struct agreement_cpu *cpus, unsigned n,
					     struct agreement *ret)
{
	const struct agreement_cpu *low = cpus, *high = cpus;
	char low_text[32], high_text[32];

	for (unsigned i = 1; i < n; i++) {
		low = cpus[i].hertz < low->hertz ? &cpus[i] : low;
		high = cpus[i].hertz > high->hertz ? &cpus[i] : high;
	}
	if (!(low->hertz < high->hertz * (1 - AGREEMENT_NEAR)))
		return AGREEMENT_FINE;
	(void)num_human_hertz(low->hertz, low_text, sizeof(low_text));
	(void)num_human_hertz(high->hertz, high_text, sizeof(high_text));
	if (low->hertz < high->hertz * (1 - AGREEMENT_APART)) {
		(void)snprintf(ret->why, sizeof(ret->why),
			       _("its CPUs differ: CPU %u runs at %s, CPU %u at %s"), low->id, low_text,
			       high->id, high_text);
		return AGREEMENT_DIFFER;
	}
	(void)snprintf(ret->note, sizeof(ret->note), _("CPU %u runs at %s, CPU %u at %s"), low->id,
		       low_text, high->id, high_text);
	return AGREEMENT_FINE;
}

/* The ruler and the rate a cycle are of undisturbed moments; the rate over time is not. */
static void look_at_time(const struct agreement_cpu *cpus, unsigned n, struct agreement *ret)
{
	const struct agreement_cpu *least = NULL, *stolen = NULL;

	for (unsigned i = 0; i < n; i++) {
		if (cpus[i].time_ratio < AGREEMENT_TIME &&
		    (!least || cpus[i].time_ratio < least->time_ratio))
			least = &cpus[i];
		if (cpus[i].steal_ratio > AGREEMENT_STEAL &&
		    (!stolen || cpus[i].steal_ratio > stolen->steal_ratio))
			stolen = &cpus[i];
	}
	if (least)
		(void)snprintf(ret->time_note, sizeof(ret->time_note),
			       _("CPU %u: other programs took %.0f %% of its time; its rate over time is what "
				 "they left"), least->id, (1 - least->time_ratio) * 100);
	else if (stolen)
		(void)snprintf(ret->time_note, sizeof(ret->time_note),
			       _("CPU %u: the hypervisor took %.0f %% of its time; its rate over time is what "
				 "it left"), stolen->id, stolen->steal_ratio * 100);
}

void agreement_find(const struct agreement_cpu *cpus, unsigned n, bool virtual_machine,
		    struct agreement *ret)
{
	ret->finding = AGREEMENT_FINE;
	ret->why[0] = ret->note[0] = ret->time_note[0] = '\0';
	/* the worst of all CPUs: findings are in that order */
	for (unsigned i = 0; i < n; i++) {
		char why[sizeof(ret->why)];
		const enum agreement_finding found =
			look_at_one(&cpus[i], virtual_machine, why, sizeof(why));

		if (found != AGREEMENT_FINE && (ret->finding == AGREEMENT_FINE || found < ret->finding)) {
			ret->finding = found;
			(void)snprintf(ret->why, sizeof(ret->why), "%s", why);
		}
	}
	if (ret->finding == AGREEMENT_FINE || ret->finding > AGREEMENT_KINDS) {
		char why[sizeof(ret->why)];

		if (look_at_kinds(cpus, n, why, sizeof(why)) != AGREEMENT_FINE) {
			ret->finding = AGREEMENT_KINDS;
			(void)snprintf(ret->why, sizeof(ret->why), "%s", why);
		}
	}
	if (ret->finding == AGREEMENT_FINE)
		ret->finding = look_at_spread(cpus, n, ret);
	look_at_time(cpus, n, ret);
}
