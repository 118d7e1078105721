/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's accounting of each CPU's time in /proc/stat, and the CPU time of avxtop itself. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/nls.h"
#include "burst/board.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/source.h"

/* "cpu65535 " and ten numbers of up to 20 digits. */
#define LINE_MAX_BYTES 256

/* Fields of a line, proc(5). guest and guest_nice follow; they are in user and nice already. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

struct source {
	const struct host *host;
	const struct board *board;
	int fd;
	char *buf;
	size_t size;
	uint64_t self_ns; /* the largest told so far */
};

/* The sums of fields that are counters. */
static const struct {
	enum counter counter;
	unsigned fields; /* bits 1 << USER, … */
} sums[] = {
	{ COUNTER_OS_BUSY, 1 << USER | 1 << NICE | 1 << SYSTEM | 1 << IRQ | 1 << SOFTIRQ },
	{ COUNTER_OS_IDLE, 1 << IDLE | 1 << IOWAIT },
	{ COUNTER_OS_STEAL, 1 << STEAL },
};

#define N_SUMS (sizeof(sums) / sizeof(*sums))

static int procfs_probe(const struct source_env *env, struct offer *ret)
{
	int fd = hostfs_fd(env->fs, "proc/stat");

	for (unsigned i = 0; i < N_SUMS; i++) {
		ret->here[sums[i].counter] = fd >= 0;
		ret->refused[sums[i].counter] = fd < 0;
	}
	ret->here[COUNTER_SELF_TIME] = env->host->live;
	ret->refused[COUNTER_SELF_TIME] = !env->host->live;
	if (fd < 0)
		problem_set(&ret->why, -fd, "", _("the kernel's accounting (proc/stat) cannot be read"));
	else if (!env->host->live)
		problem_set(&ret->why, ENOTSUP, "",
			    _("avxtop's own cost is measured on the live machine only"));
	if (fd >= 0)
		close(fd);
	return 0;
}

static void procfs_close(struct source *source)
{
	if (!source)
		return;
	if (source->fd >= 0)
		close(source->fd);
	free(source->buf);
	free(source);
}

/* Works without /proc/stat too, for the sake of the own cost. */
static int procfs_open(const struct source_env *env, struct source **ret,
		       struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));
	uint64_t n_lines = env->host->n_cpus;

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	/* CPUs may come online that the host did not list. */
	if (env->host->possible > n_lines && env->host->possible <= 65536)
		n_lines = env->host->possible;
	source->host = env->host;
	source->board = env->host->live ? env->board : NULL;
	source->fd = hostfs_fd(env->fs, "proc/stat");
	source->size = (size_t)(n_lines + 1) * LINE_MAX_BYTES;
	source->buf = malloc(source->size);
	if (!source->buf) {
		procfs_close(source);
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	}
	*ret = source;
	return 0;
}

static void set_cpu(struct sample *into, unsigned index, const uint64_t *field)
{
	for (unsigned i = 0; i < N_SUMS; i++) {
		uint64_t sum = 0;

		for (unsigned f = 0; f < FIELDS; f++)
			sum += sums[i].fields & 1u << f ? field[f] : 0;
		sample_set(into, sums[i].counter, index, 0, sum, SOURCE_PROCFS);
	}
}

static void fail_cpu(struct sample *into, unsigned index, enum state state, int err)
{
	for (unsigned i = 0; i < N_SUMS; i++)
		*sample_at(into, sums[i].counter, index, 0) =
			reading_failed(state, err, SOURCE_PROCFS);
}

static enum state state_of(int err)
{
	return err == -EACCES || err == -EPERM ? STATE_DENIED : STATE_FAILED;
}

/* An unsigned number; moves past it and the spaces before it. */
static bool number(const char **text, uint64_t *ret)
{
	const char *p = *text + strspn(*text, " ");
	uint64_t v = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (unsigned)(*p - '0'), &v))
			return false;
	*text = p;
	*ret = v;
	return true;
}

static void parse_line(const struct host *host, const char *line, struct sample *into)
{
	uint64_t id, field[FIELDS];
	int index;

	line += strlen("cpu");
	/* "cpu  123": the sum of all CPUs, whose first number is no id. */
	if (*line == ' ' || !number(&line, &id) || id > UINT32_MAX)
		return;
	index = host_cpu_index(host, (unsigned)id);
	if (index < 0)
		return;
	for (int i = 0; i < FIELDS; i++)
		if (!number(&line, &field[i])) {
			fail_cpu(into, (unsigned)index, STATE_FAILED, -EINVAL);
			return;
		}
	set_cpu(into, (unsigned)index, field);
}

/* The lines "cpu…" come first; the rest of the file is of no use. A line that the buffer cuts is
 * none of ours. */
static void parse(const struct host *host, char *text, struct sample *into)
{
	char *end;

	for (; strncmp(text, "cpu", 3) == 0 && (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		parse_line(host, text, into);
	}
}

/* The whole buffer, or the file if it is shorter. Bytes or -errno. */
static ssize_t read_stat(const struct source *source)
{
	size_t len = 0;
	ssize_t n;

	if (source->fd < 0)
		return source->fd;
	do {
		n = pread(source->fd, source->buf + len, source->size - 1 - len, (off_t)len);
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
	} while (n != 0 && len < source->size - 1);
	source->buf[len] = '\0';
	return (ssize_t)len;
}

/* A worker publishes its CPU time now and then, so the rest may shrink; it is told once it grows. */
static void read_self(struct source *source, struct sample *into)
{
	uint64_t bursts = source->board ? board_cpu_time_ns(source->board) : 0;
	uint64_t all = clock_process_ns();

	if (all > bursts && all - bursts > source->self_ns)
		source->self_ns = all - bursts;
	sample_set(into, COUNTER_SELF_TIME, 0, 0, source->self_ns, SOURCE_PROCFS);
}

static int procfs_read(struct source *source, struct sample *into)
{
	ssize_t len;
	enum state missing;

	/* First, since the time of this read is what it is divided by. */
	if (source->host->live)
		read_self(source, into);
	len = read_stat(source);
	/* A CPU that has no line is offline. */
	missing = len < 0 ? state_of((int)len) : STATE_OFFLINE;
	for (unsigned i = 0; i < source->host->n_cpus; i++)
		fail_cpu(into, i, missing, (int)len);
	if (len >= 0)
		parse(source->host, source->buf, into);
	return len < 0 ? (int)len : 0;
}

const struct source_ops procfs_ops = {
	.probe = procfs_probe,
	.open = procfs_open,
	.read = procfs_read,
	.close = procfs_close,
};
