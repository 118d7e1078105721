/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in each idle state, as the kernel accounts it: sys/devices/system/cpu/cpuN/cpuidle/stateM. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/nls.h"
#include "base/num.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/idle_states.h"
#include "source/idle_told.h"
#include "source/instant.h"
#include "source/kept.h"
#include "source/source.h"

#define FOLDER "sys/devices/system/cpu/cpu%u/cpuidle/state%u/"

/* One state of one CPU. */
struct item {
	unsigned cpu, state; /* index in host; number of the folder */
	unsigned label;	     /* index in host->idle_states */
	bool keep;	     /* the file stays open */
	int fd;		     /* -1: to be opened */
};

struct source {
	const struct host *host;
	struct hostfs *fs;
	struct item *items; /* ascending CPU, then state */
	size_t n_items, size;
	struct idle_told *told; /* [cpu][label] */
	uint64_t *age_ns;	/* [cpu]: how long into the last read its files were begun */
	uint64_t begin_ns;	/* of this read */
	uint64_t read_ns;	/* of the last sample; 0 none */
	uint64_t elapsed_ns;	/* since then */
	uint64_t interval_ns;	/* as asked for at first */
	uint64_t rate_ns;	/* what a rate is made over at least: this one or the next */
};

static int cpuidle_probe(const struct source_env *env, struct offer *ret)
{
	ret->here[COUNTER_IDLE_TIME] = ret->here[COUNTER_IDLE_AGE] = env->host->n_idle_states > 0;
	ret->refused[COUNTER_IDLE_TIME] = ret->refused[COUNTER_IDLE_AGE] = env->host->n_idle_states == 0;
	if (env->host->n_idle_states == 0)
		problem_set(&ret->why, ENOENT, "",
			    _("the kernel offers no idle states here (no cpuidle driver)"));
	return 0;
}

static void cpuidle_close(struct source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->n_items; i++)
		if (source->items[i].fd >= 0)
			close(source->items[i].fd);
	free(source->items);
	free(source->told);
	free(source->age_ns);
	free(source);
}

static int find_label(const struct host *host, const char *name)
{
	for (unsigned i = 0; i < host->n_idle_states; i++)
		if (strcmp(host->idle_states[i], name) == 0)
			return (int)i;
	return -1;
}

static int add_item(struct source *source, const struct item *item)
{
	if (source->n_items == source->size) {
		size_t size = source->size ? 2 * source->size : 64;
		struct item *items = reallocarray(source->items, size, sizeof(*items));

		if (!items)
			return -ENOMEM;
		source->items = items;
		source->size = size;
	}
	source->items[source->n_items++] = *item;
	return 0;
}

static int open_time(const struct source *source, const struct item *item)
{
	return hostfs_fd(source->fs, FOLDER "time", source->host->cpus[item->cpu].id, item->state);
}

static bool is_absent(const struct source *source, const struct item *item)
{
	int fd = open_time(source, item);

	if (fd >= 0)
		close(fd);
	return fd == -ENOENT;
}

/* Two states of one name are one. *ret_plain: all states have a name that is known here. */
static int find_states(struct source *source, unsigned cpu, bool *ret_plain)
{
	bool plain = true;

	for (unsigned state = 0, n = 0;; state++, n++) {
		struct item item = { .cpu = cpu, .fd = -1 };
		char name[64];
		int label, err;

		if (idle_state_next(source->fs, source->host->cpus[cpu].id, &state, name,
				    sizeof(name)) < 0)
			break;
		label = find_label(source->host, name);
		plain = plain && label >= 0 && state == n;
		if (label < 0)
			continue;
		item.state = state;
		item.label = (unsigned)label;
		err = add_item(source, &item);
		if (err < 0)
			return err;
	}
	*ret_plain = plain;
	return 0;
}

/* The items of one CPU, if there are any. */
struct model {
	size_t first, n;
};

/* False where this CPU has not as many states as the model: they are numbered without holes. */
static bool copy_states(struct source *source, unsigned cpu, const struct model *model, int *ret_err)
{
	struct item last = { .cpu = cpu, .state = (unsigned)model->n - 1 };
	struct item beyond = { .cpu = cpu, .state = (unsigned)model->n };

	if (is_absent(source, &last) || !is_absent(source, &beyond))
		return false;
	for (size_t i = 0; i < model->n && *ret_err == 0; i++) {
		struct item item = source->items[model->first + i];

		item.cpu = cpu;
		*ret_err = add_item(source, &item);
	}
	return true;
}

/* One driver names the states of all CPUs of a kind (drivers/cpuidle/driver.c), so names are read of one of
 * them in each package; of the others only whether they have the same number of states. */
static int find_all(struct source *source)
{
	const struct host *host = source->host;
	struct model *models = calloc((size_t)host->n_kinds * host->n_packages + 1, sizeof(*models));
	int err = models ? 0 : -ENOMEM;

	for (unsigned cpu = 0; cpu < host->n_cpus && err == 0; cpu++) {
		struct model *model = &models[host->cpus[cpu].kind * host->n_packages +
					      host->cpus[cpu].package];
		const size_t begin = source->n_items;
		bool plain = false;

		if (model->n > 0 && copy_states(source, cpu, model, &err))
			continue;
		if (err == 0)
			err = find_states(source, cpu, &plain);
		if (err == 0 && plain && model->n == 0)
			*model = (struct model){ begin, source->n_items - begin };
	}
	free(models);
	return err;
}

/* Keeps files open as far as half of the allowed descriptors go: the rest is opened at each read,
 * which takes three times as long. */
static void keep_open(struct source *source)
{
	const unsigned budget = kept_budget(2);

	for (size_t i = 0; i < source->n_items && i < budget; i++) {
		struct item *item = &source->items[i];

		item->fd = open_time(source, item);
		if (item->fd == -EMFILE || item->fd == -ENFILE)
			return;
		item->keep = true;
	}
}

static int cpuidle_open(const struct source_env *env, struct source **ret,
			struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));
	int err = 0;

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = env->host;
	source->fs = env->fs;
	source->rate_ns = source->interval_ns = env->interval_ns;
	source->told = calloc((size_t)env->host->n_cpus * env->host->n_idle_states + 1,
			      sizeof(*source->told));
	source->age_ns = calloc(env->host->n_cpus + 1, sizeof(*source->age_ns));
	if (!source->told || !source->age_ns)
		err = -ENOMEM;
	if (err == 0)
		err = find_all(source);
	if (err < 0) {
		cpuidle_close(source);
		return problem_set(ret_problem, -err, "", _("out of memory"));
	}
	keep_open(source);
	*ret = source;
	return 0;
}

/* 0 or -errno; -ENODATA where nothing comes, or no more: the descriptor of a CPU that went offline
 * stays dead when the CPU comes back. */
static int read_number(int fd, uint64_t *ret)
{
	char buf[32];
	const ssize_t n = pread(fd, buf, sizeof(buf) - 1, 0);

	if (n <= 0)
		return n < 0 ? -errno : -ENODATA;
	buf[n - (buf[n - 1] == '\n')] = '\0';
	return num_parse_u64(buf, ret);
}

/* *ret_anew: the file is another one than the last time, and so may the counter be. */
static int read_time(struct source *source, struct item *item, uint64_t *ret, bool *ret_anew)
{
	int err;

	if (item->fd >= 0) {
		err = read_number(item->fd, ret);
		if (err == 0 || err == -EINVAL || err == -ERANGE)
			return err;
		close(item->fd);
		*ret_anew = true;
	}
	item->fd = open_time(source, item);
	if (item->fd < 0)
		return item->fd;
	err = read_number(item->fd, ret);
	if (!item->keep || err < 0) {
		close(item->fd);
		item->fd = -1;
	}
	return err;
}

/* The same, as often as it takes to know when. */
static int read_sharp(struct source *source, struct item *item, uint64_t *ret, bool *ret_anew,
		      struct instant *ret_at)
{
	const uint64_t first_ns = clock_mono_ns();
	int err;

	ret_at->begin_ns = first_ns;
	for (;;) {
		err = read_time(source, item, ret, ret_anew);
		ret_at->end_ns = clock_mono_ns();
		if (err < 0 || !instant_again(ret_at, first_ns, source->rate_ns))
			return err;
		ret_at->begin_ns = ret_at->end_ns;
	}
}

static enum state state_of(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
		return STATE_OFFLINE; /* the folder goes with the CPU, maybe before its line in proc/stat */
	case -EACCES:
	case -EPERM:
		return STATE_DENIED;
	default:
		return STATE_FAILED;
	}
}

static bool is_offline(const struct sample *sample, unsigned cpu)
{
	return sample_get(sample, COUNTER_OS_BUSY, cpu, 0)->state == STATE_OFFLINE;
}

/* A CPU that was offline from the start has no items, and says why all the same. */
static void say_offline(const struct host *host, struct sample *into)
{
	for (unsigned cpu = 0; cpu < host->n_cpus; cpu++)
		for (unsigned label = 0; is_offline(into, cpu) && label < host->n_idle_states; label++)
			sample_fail(into, COUNTER_IDLE_TIME, cpu, label, STATE_OFFLINE, SOURCE_CPUIDLE);
}

/* One item more of its label. */
static void add_time(struct source *source, const struct item *item, uint64_t us, bool anew,
		     const struct instant *at, struct sample *into)
{
	struct idle_told *told =
		&source->told[(size_t)item->cpu * source->host->n_idle_states + item->label];
	struct reading *reading = sample_at(into, COUNTER_IDLE_TIME, item->cpu, item->label);

	if (reading->source == SOURCE_NONE) {
		*reading = (struct reading) { us, STATE_OK, SOURCE_CPUIDLE };
		told->before = told->at;
		told->at.begin_ns = at->begin_ns;
	} else if (reading->state == STATE_OK || reading->state == STATE_RESET) {
		reading->raw += us;
	}
	told->at.end_ns = at->end_ns;
	/* The CPU was away between two samples that both saw it. */
	if (anew && reading->state == STATE_OK)
		reading->state = STATE_RESET;
	if ((reading->state == STATE_OK || reading->state == STATE_RESET) &&
	    !instant_sharp_both(&told->before, &told->at, source->rate_ns))
		reading->state = STATE_LATE;
	sample_set(into, COUNTER_IDLE_AGE, item->cpu, item->label,
		   instant_ns(&told->at) - source->begin_ns, SOURCE_CPUIDLE);
}

/* Adds up the items of one CPU by label. Returns the first item of the next CPU. */
static size_t read_cpu(struct source *source, size_t i, struct sample *into)
{
	unsigned cpu = source->items[i].cpu;
	bool offline = is_offline(into, cpu);

	for (; i < source->n_items && source->items[i].cpu == cpu; i++) {
		struct item *item = &source->items[i];
		struct instant at;
		uint64_t us = 0;
		bool anew = false;
		int err = offline ? -ENODEV : read_sharp(source, item, &us, &anew, &at);

		if (err < 0)
			*sample_at(into, COUNTER_IDLE_TIME, cpu, item->label) =
				reading_failed(state_of(err), err, SOURCE_CPUIDLE);
		else
			add_time(source, item, us, anew, &at, into);
	}
	return i;
}

/* On a big or busy machine the last CPU's files are read long after the first one's: each CPU has
 * an interval of its own, from the first of its files in the last sample to the last one in this.
 */
static int cpuidle_read(struct source *source, struct sample *into)
{
	const uint64_t read_ns = sample_read_ns(into, SOURCE_CPUIDLE);
	const bool first = source->read_ns == 0;

	if (!first && read_ns > source->read_ns)
		source->elapsed_ns = read_ns - source->read_ns;
	if (!first && source->elapsed_ns < source->interval_ns)
		source->rate_ns = source->elapsed_ns;
	else
		source->rate_ns = source->interval_ns;
	source->read_ns = read_ns;
	source->begin_ns = clock_mono_ns();
	say_offline(source->host, into);
	for (size_t i = 0; i < source->n_items;) {
		unsigned cpu = source->items[i].cpu;
		uint64_t age_ns = clock_mono_ns() - source->begin_ns, own_ns;

		i = read_cpu(source, i, into);
		own_ns = source->elapsed_ns + clock_mono_ns() - source->begin_ns;
		own_ns -= source->age_ns[cpu] < own_ns ? source->age_ns[cpu] : own_ns;
		idle_hold_back(source->told, source->host, cpu, first ? 0 : own_ns / 1000, into);
		source->age_ns[cpu] = age_ns;
	}
	return 0;
}

const struct source_ops cpuidle_ops = {
	.probe = cpuidle_probe,
	.open = cpuidle_open,
	.read = cpuidle_read,
	.close = cpuidle_close,
};
