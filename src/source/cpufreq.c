/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own figure for the clock of a CPU, and the limits that it keeps to:
 * sys/devices/system/cpu/cpuN/cpufreq. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/nls.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/kept.h"
#include "source/ruler_rule.h"
#include "source/source.h"

#define PATH "sys/devices/system/cpu/cpu%u/cpufreq/%s"
#define HERTZ_PER_KHZ 1000

/* In order of preference for each counter. Linux 6.15 split the average over the last tick from
 * what may be only a request (Documentation/admin-guide/pm/cpufreq.rst). One file serves the whole
 * machine, so that a column has one meaning. */
static const struct candidate {
	const char *name, *note;
	enum counter counter;
	bool of_root; /* mode 0400: kept open, as root's rights may be gone at the next sample */
} candidates[] = {
	{ .counter = COUNTER_OS_HERTZ,
	  .name = "cpuinfo_avg_freq",
	  .note = N_("here cpuinfo_avg_freq, an average by the counters of the CPU") },
	{ .counter = COUNTER_OS_HERTZ,
	  .name = "scaling_cur_freq",
	  .note = N_("here scaling_cur_freq, which may be only a request") },
	{ .counter = COUNTER_OS_HERTZ,
	  .name = "cpuinfo_cur_freq", /* all that intel_pstate of RHEL 7 has */
	  .note = N_("here cpuinfo_cur_freq, what the driver reads from the hardware"),
	  .of_root = true },
	{ .counter = COUNTER_CAP_HERTZ, .name = "scaling_max_freq" },
	{ .counter = COUNTER_FLOOR_HERTZ, .name = "scaling_min_freq" },
};

static const enum counter counters[] = { COUNTER_OS_HERTZ, COUNTER_CAP_HERTZ, COUNTER_FLOOR_HERTZ };

#define N_CANDIDATES (sizeof(candidates) / sizeof(*candidates))
#define N_COUNTERS (sizeof(counters) / sizeof(*counters))

/* What is known of one counter of one CPU. */
struct look {
	struct kept file;
	uint64_t hertz; /* 0: never read since the CPU is online */
	uint64_t read_ns;
	enum state state;
	int err; /* negative, of the last read; 0 none */
};

struct source {
	const struct host *host;
	struct hostfs *fs;
	const char *files[N_COUNTERS]; /* NULL: not here */
	struct look *looks;	       /* [cpu][counter] */
	unsigned turn;		       /* the CPU to begin with */
	uint64_t interval_ns;	       /* as it was last */
	uint64_t read_ns;	       /* when the last sample began; 0 none */
	uint64_t owed_ns;	       /* by how much reading exceeded its share so far */
};

static bool has(const struct source_env *env, unsigned cpu, const char *name)
{
	int fd = hostfs_fd(env->fs, PATH, env->host->cpus[cpu].id, name);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* 0 if some CPU has the file, else why none has: a refusal tells more than that it is not there. One driver
 * serves all CPUs (cpufreq_driver in drivers/cpufreq/cpufreq.c): what it has not made for one that it serves
 * it has for none. */
static int find(const struct source_env *env, const char *name)
{
	int err = -ENOENT;

	for (unsigned i = 0; i < env->host->n_cpus; i++) {
		int fd = hostfs_fd(env->fs, PATH, env->host->cpus[i].id, name);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		if (fd == -EACCES || fd == -EPERM)
			err = fd;
		else if (fd == -ENOENT && err == -ENOENT && has(env, i, "scaling_driver"))
			return err;
	}
	return err;
}

/* The first candidate that is there; NULL none, with the reason. */
static const struct candidate *pick(const struct source_env *env, enum counter counter,
				    int *ret_err)
{
	int err = -ENOENT;

	for (size_t i = 0; i < N_CANDIDATES; i++) {
		int r;

		if (candidates[i].counter != counter)
			continue;
		r = find(env, candidates[i].name);
		if (r == 0)
			return &candidates[i];
		if (r != -ENOENT)
			err = r;
	}
	*ret_err = err;
	return NULL;
}

static int cpufreq_probe(const struct source_env *env, struct offer *ret)
{
	bool any = false, all = true, denied = false;

	for (size_t i = 0; i < N_COUNTERS; i++) {
		int err = 0;
		const struct candidate *found = pick(env, counters[i], &err);

		ret->here[counters[i]] = found != NULL;
		ret->refused[counters[i]] = !found;
		ret->note[counters[i]] = found ? found->note : NULL;
		any = any || found;
		all = all && found;
		denied = denied || err == -EACCES || err == -EPERM;
	}
	if (denied)
		problem_set(&ret->why, EACCES, "", _("reading cpufreq was refused"));
	else if (!any)
		problem_set(&ret->why, ENOENT, "",
			    _("the kernel offers no cpufreq here (no cpufreq driver)"));
	else if (!all)
		problem_set(&ret->why, ENOENT, "", _("the cpufreq driver here has no such file"));
	return 0;
}

static void cpufreq_close(struct source *source)
{
	if (!source)
		return;
	for (size_t i = 0; source->looks && i < source->host->n_cpus * N_COUNTERS; i++)
		kept_close(&source->looks[i].file);
	free(source->looks);
	free(source);
}

/* Whether a file of a CPU is to be read: STATE_OK. Some kernels interrupt a CPU to tell its clock
 * (x86 before Linux 5.19: arch/x86/kernel/cpu/aperfmperf.c); the limits disturb nobody. */
static enum state rule(const struct source *source, unsigned cpu, size_t i)
{
	const struct host_cpu *row = &source->host->cpus[cpu];

	if (!source->files[i])
		return STATE_UNSUPPORTED;
	if (counters[i] == COUNTER_OS_HERTZ && row->isolated && !row->named)
		return STATE_ISOLATED;
	return row->wanted ? STATE_OK : STATE_NOT_ASKED;
}

/* Nothing was read of this CPU yet: `state`, unless it will never be. */
static void forget(struct source *source, unsigned cpu, enum state state)
{
	for (size_t i = 0; i < N_COUNTERS; i++) {
		enum state to_be = rule(source, cpu, i);

		struct look *look = &source->looks[cpu * N_COUNTERS + i];

		look->hertz = 0;
		look->state = to_be == STATE_OK ? state : to_be;
		look->err = 0;
	}
}

static void open_file(struct source *source, unsigned cpu, size_t i, bool of_root, unsigned *budget)
{
	struct kept *file = &source->looks[cpu * N_COUNTERS + i].file;
	unsigned none = 0;

	kept_init(file, of_root ? budget : &none);
	if (source->files[i])
		kept_open(file, source->fs, PATH, source->host->cpus[cpu].id, source->files[i]);
}

static int cpufreq_open(const struct source_env *env, struct source **ret,
			struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));
	size_t n = env->host->n_cpus * N_COUNTERS;
	unsigned budget = kept_budget(8);

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = env->host;
	source->fs = env->fs;
	source->interval_ns = env->interval_ns;
	source->looks = calloc(n + 1, sizeof(*source->looks));
	if (!source->looks) {
		cpufreq_close(source);
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	}
	for (size_t i = 0; i < N_COUNTERS; i++) {
		int err;
		const struct candidate *found = pick(env, counters[i], &err);

		source->files[i] = found ? found->name : NULL;
		for (unsigned cpu = 0; cpu < env->host->n_cpus; cpu++)
			open_file(source, cpu, i, found && found->of_root, &budget);
	}
	for (unsigned cpu = 0; cpu < env->host->n_cpus; cpu++)
		forget(source, cpu, STATE_FIRST);
	*ret = source;
	return 0;
}

/* The kernel keeps these as unsigned int, and 0 where it does not know. */
static int read_hertz(struct source *source, unsigned cpu, size_t i)
{
	struct look *look = &source->looks[cpu * N_COUNTERS + i];
	uint64_t khz;
	int r = kept_read(&look->file, source->fs, &khz, PATH, source->host->cpus[cpu].id,
			  source->files[i]);

	if (r < 0)
		return r;
	if (khz == 0 || khz > UINT32_MAX)
		return -ERANGE;
	look->hertz = khz * HERTZ_PER_KHZ;
	return 0;
}

static enum state state_of(int err)
{
	switch (err) {
	case 0:
		return STATE_OK;
	case -ENOENT:
		return STATE_UNSUPPORTED;
	case -EACCES:
	case -EPERM:
		return STATE_DENIED;
	case -EAGAIN:
		return STATE_NO_TICKS; /* cpuinfo_avg_freq of a CPU without a recent tick */
	default:
		return STATE_FAILED;
	}
}

/* The folder of an offline CPU may be that of a policy whose other CPUs run: its figure is theirs.
 */
static bool is_offline(const struct source *source, unsigned cpu, const struct sample *sample)
{
	const struct reading *os = sample_get(sample, COUNTER_OS_BUSY, cpu, 0);

	if (os->source == SOURCE_NONE)
		return !source->host->cpus[cpu].online;
	return os->state == STATE_OFFLINE;
}

static void look_at(struct source *source, unsigned cpu, uint64_t now_ns)
{
	for (size_t i = 0; i < N_COUNTERS; i++) {
		struct look *look = &source->looks[cpu * N_COUNTERS + i];

		look->state = rule(source, cpu, i);
		look->err = 0;
		if (look->state != STATE_OK)
			continue;
		look->read_ns = now_ns;
		look->err = read_hertz(source, cpu, i);
		look->state = state_of(look->err);
	}
}

/* Without a turn: what was read before is old, and after a while too old to be told; what failed
 * then, or never was, stays as it is. */
static void skip(struct source *source, unsigned cpu, uint64_t now_ns)
{
	for (size_t i = 0; i < N_COUNTERS; i++) {
		struct look *look = &source->looks[cpu * N_COUNTERS + i];

		if (state_usable(look->state))
			look->state = sample_too_old(look->read_ns, now_ns, source->interval_ns)
					      ? STATE_SKIPPED
					      : STATE_STALE;
		else if (look->state == STATE_OFFLINE)
			look->state = STATE_FIRST;
	}
}

/* A file may take 15 ms (EPYC 7502P, htop issue 471): reading gets the share of an interval that
 * the ruler gets, CPUs by turns, and what it took beyond that it goes without in the next samples.
 */
static void look_at_all(struct source *source, const struct sample *sample)
{
	const unsigned n = source->host->n_cpus, begin = source->turn;
	uint64_t budget = ruler_budget_ns(source->interval_ns), now = clock_mono_ns();
	uint64_t deadline = now + budget - (source->owed_ns < budget ? source->owed_ns : budget);
	bool skipped = false;

	source->owed_ns -= source->owed_ns < budget ? source->owed_ns : budget;
	for (unsigned i = 0; i < n; i++) {
		unsigned cpu = (begin + i) % n;

		if (is_offline(source, cpu, sample)) {
			forget(source, cpu, STATE_OFFLINE);
		} else if (now < deadline) {
			look_at(source, cpu, now);
			now = clock_mono_ns();
		} else {
			skip(source, cpu, now);
			if (!skipped)
				source->turn = cpu;
			skipped = true;
		}
	}
	if (now > deadline)
		source->owed_ns += now - deadline;
}

static int cpufreq_read(struct source *source, struct sample *into)
{
	if (source->read_ns && into->mono_ns > source->read_ns)
		source->interval_ns = into->mono_ns - source->read_ns;
	source->read_ns = into->mono_ns;
	look_at_all(source, into);
	for (unsigned cpu = 0; cpu < source->host->n_cpus; cpu++)
		for (size_t i = 0; i < N_COUNTERS; i++) {
			const struct look *look = &source->looks[cpu * N_COUNTERS + i];

			struct reading *reading = sample_at(into, counters[i], cpu, 0);

			*reading = reading_failed(look->state, look->err, SOURCE_CPUFREQ);
			if (state_usable(look->state))
				reading->raw = look->hertz;
		}
	return 0;
}

const struct source_ops cpufreq_ops = {
	.probe = cpufreq_probe,
	.open = cpufreq_open,
	.read = cpufreq_read,
	.close = cpufreq_close,
	.keeps_share = true,
};
