/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A burst's result in one sentence. */
#include "config.h"
#include "burst/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/nls.h"
#include "base/num.h"
#include "burst/burst.h"

struct seen {
	unsigned judged; /* driven CPUs with pairs enough */
	unsigned fell;	 /* of these, with a drop */
	const struct burst_cpu *worst; /* largest drop among them */
	const struct burst_cpu *some;  /* any driven CPU with a pair */
	const struct burst_cpu
		*still;	 /* low after the load ended: the lowest; a driven one if any is */
	double noise;	 /* largest of the driven CPUs */
	uint64_t chunks, wrong;
	enum relation farthest; /* of others whose clock fell */
};

/* Is `cpu` the one to speak of rather than `other`? */
static bool lower(const struct burst_cpu *cpu, const struct burst_cpu *other)
{
	if (!other || (cpu->role == RELATION_SELF) != (other->role == RELATION_SELF))
		return !other || cpu->role == RELATION_SELF;
	return cpu->ends.after_hertz / cpu->ends.before_hertz <
	       other->ends.after_hertz / other->ends.before_hertz;
}

static struct seen look_over(const struct burst_result *result)
{
	struct seen seen = { .farthest = RELATION_SELF };

	for (unsigned i = 0; i < result->n_cpus; i++) {
		const struct burst_cpu *const cpu = &result->cpus[i];
		const struct judgment *const j = &cpu->judgment;
		const bool still = cpu->recovery == RECOVERY_STILL_LOW;

		if (still && lower(cpu, seen.still))
			seen.still = cpu;
		if (cpu->role != RELATION_SELF) {
			if ((j->seen || still) && cpu->role > seen.farthest)
				seen.farthest = cpu->role;
			continue;
		}
		seen.chunks += cpu->chunks;
		seen.wrong += cpu->chunks_wrong;
		if (j->pairs > 0)
			seen.some = cpu;
		if (isnan(j->low))
			continue;
		seen.judged++;
		seen.noise = fmax(seen.noise, j->noise);
		if (!j->seen)
			continue;
		seen.fell++;
		if (!seen.worst || j->drop_ratio > seen.worst->judgment.drop_ratio)
			seen.worst = cpu;
	}
	return seen;
}

static const char *who_pays(const struct seen *seen)
{
	switch (seen->farthest) {
	case RELATION_SIBLING:
		return "sibling";
	case RELATION_SAME_PACKAGE:
		return "package";
	case RELATION_OTHER_PACKAGE: /* nobody expects that: not this burst's doing alone */
	case RELATION_SELF:
		break;
	}
	return seen->fell || seen->still ? "this thread" : "nobody measurable";
}

/* For one digit after the point; never "-0.0". */
static double percent(double ratio)
{
	return fabs(ratio) < 0.0005 ? 0 : ratio * 100;
}

/* Whole sentences: they are translated. */
static void say_drop(const struct burst_result *result, const struct seen *seen, char *buf,
		     size_t size)
{
	const struct judgment *const j = &seen->worst->judgment;
	const double drop = j->drop_ratio * 100, low = j->low * 100, high = j->high * 100;
	char before[32], during[32];

	(void)num_human_hertz(j->before_hertz, before, sizeof(before));
	(void)num_human_hertz(j->during_hertz, during, sizeof(during));
	if (result->n_driven > 1)
		(void)snprintf(buf, size,
			       _("the clock falls on %u of %u driven CPUs, at most by %.1f %% "
				 "(%.1f to %.1f %%), from %s to %s"),
			       seen->fell, result->n_driven, drop, low, high, before, during);
	else if (seen->worst->held)
		(void)snprintf(buf, size,
			       _("the clock falls by %.1f %% (%.1f to %.1f %%), from %s to %s, and stays "
				 "low beyond the gaps of the pattern"),
			       drop, low, high, before, during);
	else
		(void)snprintf(buf, size,
			       _("the clock falls by %.1f %% (%.1f to %.1f %%), from %s to %s"), drop,
			       low, high, before, during);
}

/* The most that there is to say: without it, a clock that stays low from the first wide instruction
 * to the end would pass for one that never fell. */
static void say_still_low(const struct seen *seen, char *buf, size_t size)
{
	const struct ends *const ends = &seen->still->ends;
	char before[32], during[32], after[32];

	(void)num_human_hertz(ends->before_hertz, before, sizeof(before));
	(void)num_human_hertz(ends->during_hertz, during, sizeof(during));
	(void)num_human_hertz(ends->after_hertz, after, sizeof(after));
	(void)snprintf(
		buf, size,
		seen->still->role == RELATION_SELF
			? _("the clock fell from %s to %s with the load and is still low after it "
			    "ended: %s")
			: _("the clock of a CPU that was not driven fell from %s to %s with the "
			    "load and is still low after it ended: %s"),
		before, during, after);
}

void verdict(struct burst_result *result)
{
	const struct seen seen = look_over(result);
	char *const buf = result->verdict;
	const size_t size = sizeof(result->verdict);

	result->who_pays = who_pays(&seen);
	if (seen.wrong > 0 && kernel_row(result->kernel)->copy)
		(void)snprintf(buf, size,
			       _("%" PRIu64 " of %" PRIu64 " chunks were not copied right: this CPU, its "
				 "memory or its power supply is faulty"),
			       seen.wrong, seen.chunks);
	else if (seen.wrong > 0)
		(void)snprintf(buf, size,
			       _("%" PRIu64 " of %" PRIu64 " chunks computed a wrong result: this CPU "
				 "or its power supply is faulty"),
			       seen.wrong, seen.chunks);
	else if (seen.still)
		say_still_low(&seen, buf, size);
	else if (seen.worst)
		say_drop(result, &seen, buf, size);
	else if (seen.judged > 0)
		(void)snprintf(buf, size, _("no drop seen beyond ±%.1f %% noise"), seen.noise * 100);
	else if (seen.some)
		(void)snprintf(buf, size,
			       P_("too few to test: %u undisturbed pair, clock %+.1f %%",
				  "too few to test: %u undisturbed pairs, clock %+.1f %%",
				  seen.some->judgment.pairs),
			       seen.some->judgment.pairs, percent(-seen.some->judgment.drop_ratio));
	else
		(void)snprintf(buf, size, "%s", _("cannot tell: no undisturbed look at the clock"));
}
