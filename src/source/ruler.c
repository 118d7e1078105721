/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler as a source: pins the reader to each busy CPU in turn and gauges it there; a CPU that
 * avxtop drives itself is read from the board of its worker. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/board.h"
#include "burst/gauge.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/pin.h"
#include "source/ruler_cores.h"
#include "source/ruler_rule.h"
#include "source/source.h"

/* Raw readings are whole numbers: thousandths keep what a probe knows. */
#define FIXED 1000.0
#define TRIES 4u /* probes of a CPU in one interval, while they are disturbed */

/* What is known of one CPU. */
struct look {
	uint64_t cycles, ticks; /* of the last undisturbed probe, in thousandths; 0: none yet */
	struct gauge_moment moment;
	uint64_t gap, span;     /* summed over all probes; span 0: never probed */
	enum state state;       /* of the last interval's probe, or why there was none */
	uint64_t os_busy, os_idle;
	bool have_os, offline; /* as the kernel's accounting says */
	double busy; /* NAN not known */
};

struct source {
	struct source_env env;
	struct core_table *table;
	struct gauge_core *cores; /* one a kind; imul_cycles 0: not calibrated */
	struct look *looks;	  /* one a CPU */
	struct pin *pin;
	unsigned turn;	     /* the CPU to begin with, so that all get theirs on a big machine */
	uint64_t read_ns;    /* when the last sample was read; 0 never */
	uint64_t suspended_ns, early_ns; /* of the last sample; when early() probed */
	uint64_t interval_ns; /* between the last two */
	bool accounted;	     /* see ruler_rule.h */
	bool compared;	     /* two samples told how busy each CPU was */
	bool fresh;	     /* early() has probed for the read() to come */
};

static const enum counter counters[] = {
	COUNTER_TSC,	   COUNTER_TSC_TIME,  COUNTER_RULER_CYCLES, COUNTER_RULER_TICKS,
	COUNTER_RULER_GAP, COUNTER_RULER_SPAN, COUNTER_RULER_SEES,
};
#define N_COUNTERS (sizeof(counters) / sizeof(*counters))

static int ruler_probe(const struct source_env *env, struct offer *ret)
{
	bool refused = ruler_refusal(env->host, &ret->why) < 0;

	for (unsigned i = 0; i < N_COUNTERS; i++) {
		ret->here[counters[i]] = !refused;
		ret->refused[counters[i]] = refused;
	}
	return 0;
}

static void ruler_close(struct source *source)
{
	if (!source)
		return;
	pin_free(source->pin);
	free(source->looks);
	free(source->cores);
	core_table_free(source->table);
	free(source);
}

static int ruler_open(const struct source_env *env, struct source **ret, struct problem *ret_problem)
{
	struct source *source;
	int r = ruler_refusal(env->host, ret_problem);

	if (r < 0)
		return r;
	source = calloc(1, sizeof(*source));
	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->env = *env;
	source->interval_ns = env->interval_ns;
	source->accounted = true;
	source->cores = calloc(env->host->n_kinds, sizeof(*source->cores));
	source->looks = calloc(env->host->n_cpus, sizeof(*source->looks));
	source->pin = pin_new(env->host->cpus[env->host->n_cpus - 1].id);
	if (!source->cores || !source->looks || !source->pin)
		r = problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	if (r == 0)
		r = core_table_load(&source->table, ret_problem);
	if (r == 0) {
		r = ruler_cores(env->host, source->table, source->cores, ret_problem);
	}
	if (r < 0) {
		ruler_close(source);
		return r;
	}
	for (unsigned i = 0; i < env->host->n_cpus; i++)
		source->looks[i] = (struct look){ .state = STATE_FIRST, .busy = NAN };
	*ret = source;
	return 0;
}

/* How often the kernel has taken the CPU from this thread for another one. */
static long preemptions(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* Probes the CPU that this thread is pinned to. Only what the TSC shows and the kernel does not know
 * of is a gap: a probe in which another task ran says nothing about hidden steal. */
static void probe_here(struct source *source, unsigned index)
{
	struct look *look = &source->looks[index];
	double imul_cycles = source->cores[source->env.host->cpus[index].kind].imul_cycles;
	struct gauge_look gauge;

	for (unsigned tries = 0; tries < TRIES; tries++) {
		long before = preemptions();

		gauge_probe(imul_cycles, &gauge);
		if (preemptions() == before) {
			look->gap += gauge.gap_ticks;
			look->span += gauge.span_ticks;
		}
		if (gauge.flags == 0)
			break;
	}
	look->moment = gauge_moment();
	if (gauge.flags != 0) {
		look->state = STATE_DISTURBED;
	} else if (isnan(gauge_hertz(&gauge, source->env.host->tsc_hertz))) {
		look->state = STATE_UNCALIBRATED;
	} else {
		look->cycles = (uint64_t)llround(gauge.cycles * FIXED);
		look->ticks = (uint64_t)llround(gauge.ticks * FIXED);
		look->state = STATE_OK;
	}
}

static bool is_driven(const struct source *source, unsigned index, struct board_entry *ret)
{
	return source->env.board && board_read(source->env.board, index, ret) && ret->driven;
}

/* What is to happen to a CPU: STATE_OK, probe it. */
static enum state rule(const struct source *source, unsigned index)
{
	const struct host *host = source->env.host;
	const struct ruler_look_at cpu = {
		.may = source->looks[index].offline ? STATE_OFFLINE :
						      (enum state)host_cpu_state(host, index),
		.os_busy = source->looks[index].busy,
		.accounted = source->accounted,
		.probe_idle = source->env.probe_idle,
		.calibrated = source->cores[host->cpus[index].kind].imul_cycles > 0,
	};

	return ruler_rule(&cpu);
}

/* A value that was taken before is stale; one that never was is still to come. */
static enum state unrefreshed(const struct look *look)
{
	return look->ticks > 0 ? STATE_STALE : STATE_FIRST;
}

/* One CPU's turn; false: it would have been probed, but no time is left. */
static bool take_turn(struct source *source, unsigned index, bool time_left)
{
	struct look *look = &source->looks[index];
	struct board_entry entry;
	enum state state;
	int r;

	if (is_driven(source, index, &entry)) {
		/* read() takes the worker's own reading, unless the burst has ended by then. */
		look->state = unrefreshed(look);
		return true;
	}
	state = rule(source, index);
	if (state != STATE_OK) {
		look->state = state;
		return true;
	}
	if (!time_left) {
		look->state = unrefreshed(look);
		return false;
	}
	r = pin_to(source->pin, source->env.host->cpus[index].id);
	if (r == 0)
		probe_here(source, index);
	else
		look->state = r == -EINVAL || r == -EPERM ? STATE_NOT_ALLOWED : STATE_FAILED;
	return true;
}

/* Probes what may be probed, within the budget; the CPUs for which no time was left are the first
 * next time. The affinity of the thread is as before in the end. */
static void probe_all(struct source *source)
{
	const unsigned n = source->env.host->n_cpus;
	const unsigned begin = source->turn;
	uint64_t deadline = clock_mono_ns() + ruler_budget_ns(source->interval_ns);
	bool skipped = false;

	pin_begin(source->pin);
	for (unsigned i = 0; i < n; i++) {
		unsigned index = (begin + i) % n;

		if (!take_turn(source, index, i == 0 || clock_mono_ns() < deadline) && !skipped) {
			skipped = true;
			source->turn = index;
		}
	}
	pin_end(source->pin);
}

static void ruler_early(struct source *source, const struct sample *prev)
{
	(void)prev; /* read() has kept what is needed of it */
	/* Before the second sample nobody knows who is idle: its read() probes once it does, so that the
	 * very first interval has clocks. */
	if (source->accounted && !source->compared && !source->env.probe_idle)
		return;
	probe_all(source);
	source->fresh = true;
	source->early_ns = clock_mono_ns();
}

/* Was the machine suspended since the last sample? */
static bool is_resumed(struct source *source, const struct sample *sample)
{
	const struct sample last = { .suspended_ns = source->suspended_ns };

	source->suspended_ns = sample->suspended_ns;
	return source->read_ns != 0 && sample_suspended_ns(&last, sample) > 0;
}

/* Nothing counts from before the CPU was offline or the machine suspended: its TSC may have been set
 * anew, and slept while the clock beside it did not. */
static void forget(struct look *look)
{
	look->cycles = look->ticks = 0;
	look->moment = (struct gauge_moment){ 0 };
	look->gap = look->span = 0;
	look->state = STATE_FIRST;
}

/* The kernel's accounting in this sample: how busy each CPU was since the last one. */
static void take_accounting(struct source *source, const struct sample *sample, bool resumed)
{
	bool accounted = false;

	for (unsigned i = 0; i < source->env.host->n_cpus; i++) {
		const struct reading *busy = sample_get(sample, COUNTER_OS_BUSY, i, 0);
		const struct reading *idle = sample_get(sample, COUNTER_OS_IDLE, i, 0);
		struct look *look = &source->looks[i];
		bool have = state_usable((enum state)busy->state) &&
			    state_usable((enum state)idle->state);

		if (have && look->have_os) {
			look->busy = ruler_busy(look->os_busy, busy->raw, look->os_idle, idle->raw,
						look->busy);
			source->compared = true;
		} else {
			look->busy = NAN;
		}
		look->have_os = have;
		look->offline = busy->state == STATE_OFFLINE;
		if (look->offline || resumed)
			forget(look);
		look->os_busy = busy->raw;
		look->os_idle = idle->raw;
		accounted = accounted || have;
	}
	source->accounted = accounted;
	if (source->read_ns != 0 && sample->mono_ns > source->read_ns)
		source->interval_ns = sample->mono_ns - source->read_ns;
	source->read_ns = sample->mono_ns;
}

static void set(struct sample *into, enum counter counter, unsigned index, enum state state,
		uint64_t raw)
{
	*sample_at(into, counter, index, 0) =
		(struct reading){ .raw = raw, .state = (uint8_t)state, .source = SOURCE_RULER };
}

/* Sums and the TSC rise over any number of intervals: between two probes they are only old. */
static void set_sums(const struct look *look, unsigned index, struct sample *into)
{
	enum state state = look->state;

	if (look->moment.raw_ns > 0 && !look->offline)
		state = state == STATE_OK || state == STATE_DISTURBED ? STATE_OK : STATE_STALE;
	set(into, COUNTER_TSC, index, state, look->moment.tsc);
	set(into, COUNTER_TSC_TIME, index, state, look->moment.raw_ns);
	set(into, COUNTER_RULER_GAP, index, state, look->gap);
	set(into, COUNTER_RULER_SPAN, index, state, look->span);
}

static void set_driven(const struct board_entry *entry, unsigned index, struct sample *into)
{
	bool known = entry->mono_ns != 0 && entry->cycles > 0 && entry->ticks > 0;
	enum state state = known ? STATE_OK : STATE_FIRST;

	set(into, COUNTER_RULER_CYCLES, index, state, known ? (uint64_t)llround(entry->cycles * FIXED) : 0);
	set(into, COUNTER_RULER_TICKS, index, state, known ? (uint64_t)llround(entry->ticks * FIXED) : 0);
	set(into, COUNTER_RULER_SEES, index, state, 1);
}

/* early() has looked for this sample, and nothing has held the thread up since (a stop by SIGSTOP, a
 * suspend): else its clocks are of another time. */
static bool is_fresh(const struct source *source, uint64_t interval_ns, bool resumed)
{
	return source->fresh && !resumed && clock_mono_ns() - source->early_ns < 2 * interval_ns;
}

static int ruler_read(struct source *source, struct sample *into)
{
	const uint64_t usual_ns = source->interval_ns;
	const bool resumed = is_resumed(source, into);

	take_accounting(source, into, resumed);
	if (!is_fresh(source, usual_ns, resumed))
		probe_all(source);
	source->fresh = false;
	for (unsigned i = 0; i < source->env.host->n_cpus; i++) {
		struct look *look = &source->looks[i];
		struct board_entry entry;

		if (look->offline)
			look->state = STATE_OFFLINE;
		set_sums(look, i, into);
		if (is_driven(source, i, &entry)) {
			set_driven(&entry, i, into);
			continue;
		}
		set(into, COUNTER_RULER_CYCLES, i, look->state, look->cycles);
		set(into, COUNTER_RULER_TICKS, i, look->state, look->ticks);
		set(into, COUNTER_RULER_SEES, i, look->state, 0);
	}
	return 0;
}

const struct source_ops ruler_ops = {
	.probe = ruler_probe,
	.open = ruler_open,
	.early = ruler_early,
	.read = ruler_read,
	.close = ruler_close,
};
