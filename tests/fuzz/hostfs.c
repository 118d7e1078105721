/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text in the files of a machine of four CPUs: the whole line from files to values. An input is
 * "@LETTER TEXT" for each file that is not as it should be, the letter being its place in the array
 * below: "@a0-7@x..." */
#include "config.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/problem.h"
#include "model/derive.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/identify.h"
#include "source/source.h"
#include "source/survey.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/tree.h"

#define CPU "sys/devices/system/cpu/"

static const struct {
	const char *path, *text;
} files[] = {
	{ CPU "present", "0-3\n" }, /* a */
	{ CPU "possible", "0-3\n" },
	{ CPU "online", "0-3\n" },
	{ CPU "isolated", "\n" }, /* d */
	{ CPU "nohz_full", "(null)\n" },
	{ "sys/devices/cpu_core/cpus", "0-1\n" },
	{ "sys/devices/cpu_atom/cpus", "2-3\n" }, /* g */
	{ CPU "cpu0/topology/physical_package_id", "0\n" },
	{ CPU "cpu0/topology/core_id", "0\n" },
	{ CPU "cpu0/topology/die_id", "0\n" }, /* j */
	{ CPU "cpu0/topology/core_cpus_list", "0-1\n" },
	{ CPU "cpu1/topology/thread_siblings_list", "0-1\n" },
	{ CPU "cpu0/cpuidle/state0/name", "POLL\n" }, /* m */
	{ CPU "cpu0/cpuidle/state0/time", "123\n" },
	{ CPU "cpu1/cpuidle/state0/name", "C1\n" },
	{ CPU "cpu1/cpuidle/state0/time", "456\n" }, /* p */
	{ CPU "cpu0/cpufreq/scaling_cur_freq", "2000000\n" },
	{ CPU "cpu0/cpufreq/cpuinfo_avg_freq", "2000000\n" },
	{ CPU "cpu0/cpufreq/scaling_max_freq", "3800000\n" }, /* s */
	{ CPU "cpu0/cpufreq/scaling_min_freq", "800000\n" },
	{ "proc/sys/kernel/osrelease", "6.1.0\n" },
	{ "proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t: avx2\n" }, /* v */
	{ "proc/stat", "cpu 9 0 9 9 9 0 0 0\ncpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3 4 5 6 7 8\n" },
	{ "proc/sys/kernel/perf_event_paranoid", "2\n" },
	{ "sys/kernel/security/lockdown", "[none] integrity\n" }, /* y */
	{ "proc/sys/kernel/nmi_watchdog", "1\n" },
};

#define N_FILES (sizeof(files) / sizeof(*files))
#define N_LISTS 3 /* the first: how many CPUs there are */

/* The tree is made once and outlives each input; only what an input changed is put back. */
static struct fuzz_tree {
	char *root;
	int fds[N_FILES];
	bool changed[N_FILES];
} tree;

static void tree_remove_all(void)
{
	tree_free(tree.root);
}

static void write_file(size_t i, const void *text, size_t size)
{
	FUZZ_MUST(ftruncate(tree.fds[i], 0) == 0);
	FUZZ_MUST(pwrite(tree.fds[i], text, size, 0) == (ssize_t)size);
}

static void make_tree(void)
{
	tree.root = tree_new();
	FUZZ_MUST(atexit(tree_remove_all) == 0);
	for (size_t i = 0; i < N_FILES; i++) {
		char path[256];

		tree_write(tree.root, files[i].path, "%s", files[i].text);
		(void)snprintf(path, sizeof(path), "%s/%s", tree.root, files[i].path);
		tree.fds[i] = open(path, O_WRONLY | O_CLOEXEC);
		FUZZ_MUST(tree.fds[i] >= 0);
	}
}

/* Machines of 1,000 CPUs and more are for the benchmark: here they would only make an input slow. */
static bool has_large_number(const uint8_t *data, size_t size)
{
	unsigned digits = 0;

	for (size_t i = 0; i < size; i++) {
		digits = isdigit(data[i]) ? digits + 1 : 0;
		if (digits > 3)
			return true;
	}
	return false;
}

static bool lay_out(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;

	for (size_t i = 0; i < N_FILES; i++) {
		if (tree.changed[i])
			write_file(i, files[i].text, strlen(files[i].text));
		tree.changed[i] = false;
	}
	while (at < end && (at = memchr(at, '@', (size_t)(end - at))) && at + 1 < end) {
		const uint8_t letter = at[1], *text = at + 2;
		const uint8_t *next = memchr(text, '@', (size_t)(end - text));
		const size_t i = (size_t)(letter - 'a'), n = (size_t)((next ? next : end) - text);

		at = text;
		if (letter < 'a' || i >= N_FILES)
			continue;
		if (i < N_LISTS && has_large_number(text, n))
			return false;
		write_file(i, text, n);
		tree.changed[i] = true;
	}
	return true;
}

static void check_host(const struct host *host)
{
	FUZZ_MUST(host->n_cpus > 0 && host->n_cores > 0 && host->n_packages > 0 && host->n_kinds > 0);
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct host_cpu *cpu = &host->cpus[i];

		FUZZ_MUST(cpu->core < host->n_cores && cpu->package < host->n_packages);
		FUZZ_MUST(cpu->kind < host->n_kinds && host_cpu_index(host, cpu->id) == (int)i);
	}
	for (const char *c = host->brand; *c; c++)
		FUZZ_MUST((unsigned char)*c >= ' ' && *c != 0x7f);
}

static void check_values(const struct snapshot *snapshot)
{
	for (unsigned i = 0; i < snapshot->n_values; i++)
		FUZZ_MUST(!state_usable((enum state)snapshot->values[i].state) ||
			  isfinite(snapshot->values[i].v));
}

static void survey_all(const struct survey_env *env)
{
	for (unsigned i = 0; i < SURVEY_N; i++) {
		struct survey_fact fact = { 0 };

		survey_row((enum survey)i)->look(env, &fact);
		FUZZ_MUST(memchr(fact.value, '\0', sizeof(fact.value)));
	}
}

static bool offers(const struct offer *offer)
{
	for (unsigned i = 0; i < COUNTER_N; i++)
		if (offer->here[i])
			return true;
	return false;
}

static void sample_all(const struct source_env *env)
{
	struct sample *prev = sample_new(env->host), *cur = sample_new(env->host);
	struct snapshot *snapshot = snapshot_new(env->host);

	FUZZ_MUST(prev && cur && snapshot);
	prev->mono_ns = 1000000000;
	cur->mono_ns = 2000000000;
	for (unsigned id = 1; id < SOURCE_N; id++) {
		const struct source_ops *ops = source_row((enum source_id)id)->ops;
		struct offer offer = { 0 };
		struct problem problem = { 0 };
		struct source *source;

		if (ops->probe(env, &offer) < 0 || !offers(&offer) ||
		    ops->open(env, &source, &problem) < 0)
			continue; /* as a session: what offers nothing is not opened */
		(void)ops->read(source, prev);
		(void)ops->read(source, cur);
		ops->close(source);
	}
	derive(env->host, NULL, prev, snapshot);
	check_values(snapshot);
	derive(env->host, prev, cur, snapshot);
	check_values(snapshot);
	sample_free(prev);
	sample_free(cur);
	snapshot_free(snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct problem problem = { 0 };
	struct hostfs *fs = NULL;
	struct host *host = NULL;

	if (!tree.root)
		make_tree();
	if (!lay_out(data, size))
		return 0;
	FUZZ_MUST(hostfs_open(tree.root, &fs) == 0);
	if (identify(fs, false, NULL, NULL, &host, &problem) == 0) {
		struct survey_env look = { .host = host, .fs = fs };

		check_host(host);
		survey_rights_read(host, false, &look.rights);
		survey_all(&look);
		sample_all(&(struct source_env){ .host = host, .fs = fs, .interval_ns = 1000000000 });
	} else {
		FUZZ_MUST(!host && problem.text[0]);
	}
	host_free(host);
	hostfs_close(fs);
	return 0;
}
