/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated /dev/cpu, /sys and /proc. */
#include "config.h"

#include "tree.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "control.h"
#include "list.h"
#include "machine.h"
#include "truth.h"

static struct node root;

static char real[PATH_MAX];

static struct hidden {
	char *path;
	struct hidden *next;
} *hidden[MAXCPU];

static void g_truth(FILE *f, const struct node *n, double t)
{
	(void)n;
	truth_json(f, t);
}

static void g_time(FILE *f, const struct node *n, double t)
{
	(void)n;
	fprintf(f, "%.9f\n", t);
}

static void g_stats(FILE *f, const struct node *n, double t)
{
	(void)n;
	(void)t;
	fprintf(f,
		"msr_open %lu\nmsr_read %lu\nmsr_write %lu\nmsr_err %lu\nperf_open %lu\nperf_err "
		"%lu\nperf_read "
		"%lu\nperf_ioctl %lu\nfile_open %lu\nfile_read %lu\ncpuid_trap %lu\ntsc_trap "
		"%lu\naffinity %lu\n",
		counts.msr_open, counts.msr_read, counts.msr_write, counts.msr_err,
		counts.perf_open, counts.perf_err, counts.perf_read, counts.perf_ioctl,
		counts.file_open, counts.file_read, counts.cpuid_trap, counts.tsc_trap,
		counts.affinity);
	for (int i = 0; i < machine.ncpu; i++) {
		const struct cpu *c = &cpus[i];
		fprintf(f,
			"cpu%d msr_open %lu msr_read %lu msr_write %lu perf_open %lu perf_read %lu "
			"affinity %lu file_open %lu\n",
			i, c->n_msr_open, c->n_msr_read, c->n_msr_write, c->n_perf_open,
			c->n_perf_read, c->n_affinity, c->n_file_open);
	}
}

static int p_ctl(struct node *n, const char *s, double t)
{
	(void)n;
	(void)t;
	char *b = strdup(s), err[200];
	int rc = 0;
	for (char *sv, *l = strtok_r(b, "\n", &sv); l && !rc; l = strtok_r(NULL, "\n", &sv))
		if (emu_command(l, emu_now(), err,
				sizeof err)) { /* an earlier line may have been "step" */
			fprintf(stderr, "emuhw: ctl: %s\n", err);
			rc = -EINVAL;
		}
	free(b);
	return rc;
}

static void g_lockdown(FILE *f, const struct node *n, double t)
{
	(void)n, (void)t;
	for (int i = LOCKDOWN_NONE; i < LOCKDOWNS; i++)
		fprintf(f, i == machine.lockdown ? "[%s]%s" : "%s%s", lockdowns[i],
			i + 1 < LOCKDOWNS ? " " : "\n");
}

/* securityfs has nothing else there: what the host has is not the emulated kernel's. */
static void build_lockdown(struct node *sys)
{
	struct node *security = dir(sys, "kernel/security");

	dir(sys, "kernel")->pass = "sys/kernel";
	if (machine.lockdown != LOCKDOWN_ABSENT)
		gen(security, "lockdown", g_lockdown, 0, 0);
}

static void build_sys(struct node *sys)
{
	sys->pass = "sys";
	dir(sys, "devices")->pass = "sys/devices";
	dir(sys, "devices/system")->pass = "sys/devices/system";
	dir(sys, "class")->pass = "sys/class";
	dir(sys, "bus")->pass = "sys/bus";
	dir(sys, "bus/event_source")->pass = "sys/bus/event_source";
	dir(sys, "devices/virtual")->pass = "sys/devices/virtual";
	dir(sys, "devices/platform")->pass = "sys/devices/platform";
	struct node *parent = dir(sys, "devices/system/cpu");
	sets(parent, "online", NULL, ONLINE, 0);
	sets(parent, "offline", NULL, OFFLINE, 0);
	sets(parent, "present", NULL, PRESENT, 0);
	sets(parent, "possible", NULL, POSSIBLE, 0);
	text(parent, "kernel_max", "%d\n", MAXCPU - 1);
	sets(parent, "isolated", NULL, ISOLATED, 0);
	if (*machine.nohz_full)
		sets(parent, "nohz_full", NULL, NOHZ_FULL, 0);
	else
		text(parent, "nohz_full", "(null)\n");
	text(dir(parent, "smt"), "active", "%d\n", machine.threads > 1);
	rw(text(dir(parent, "smt"), "control", "%s\n",
		machine.threads > 1 ? "on" : "notsupported"));
	for (int i = 0; i < machine.ncpu; i++)
		build_cpu(parent, i);
	struct node *ci = dir(parent, "cpuidle");
	text(ci, "current_driver", "%s\n", machine.cpuidle);
	text(ci, "current_governor", "menu\n");
	text(ci, "current_governor_ro", "menu\n");
	text(ci, "available_governors", "menu\n");
	if (!strcmp(machine.cpufreq, "intel_pstate")) {
		struct node *ip = dir(parent, "intel_pstate");
		rw(text(ip, "no_turbo", "%d\n", machine.no_turbo));
		text(ip, "status", "active\n");
		text(ip, "turbo_pct", "40\n");
		text(ip, "num_pstates", "28\n");
		rw(text(ip, "max_perf_pct", "100\n"));
		rw(text(ip, "min_perf_pct", "27\n"));
	} else if (!strcmp(machine.cpufreq, "acpi-cpufreq"))
		rw(text(dir(parent, "cpufreq"), "boost", "%d\n", !machine.no_turbo));
	struct node *nodes = dir(sys, "devices/system/node");
	text(nodes, "online", machine.nodes > 1 ? "0-%d\n" : "%d\n", machine.nodes - 1);
	text(nodes, "possible", machine.nodes > 1 ? "0-%d\n" : "%d\n", machine.nodes - 1);
	text(nodes, "has_cpu", machine.nodes > 1 ? "0-%d\n" : "%d\n", machine.nodes - 1);
	for (int i = 0; i < machine.nodes; i++) {
		struct node *x = dir(nodes, "node%d", i);
		sets(x, "cpulist", "cpumap", NODE, i);
		text(x, "meminfo",
		     "Node %d MemTotal:       16777216 kB\nNode %d MemFree:        8388608 kB\n", i,
		     i);
		char b[512];
		size_t o = 0;
		for (int j = 0; j < machine.nodes; j++)
			o += (size_t)snprintf(b + o, sizeof b - o, "%s%d", j ? " " : "",
					      i == j ? 10 : 21);
		text(x, "distance", "%s\n", b);
	}

	build_lockdown(sys);
	build_pmus(sys);
	build_sensors(sys);
}

static void find_hidden(const struct node *d, const char *path)
{
	for (const struct node *k = d->kids; k; k = k->next) {
		char *below;
		if (asprintf(&below, "%s/%s", path, k->name) < 0)
			abort();
		if (k->vis < 0) {
			find_hidden(k, below);
			free(below);
			continue;
		}
		struct hidden *h = calloc(1, sizeof *h);
		*h = (struct hidden){ below, hidden[k->vis] };
		hidden[k->vis] = h;
	}
}

void tree_each_hidden(int cpu, void (*call)(const char *path))
{
	for (const struct hidden *h = hidden[cpu]; h; h = h->next)
		call(h->path);
}

void tree_build(const char *realroot)
{
	snprintf(real, sizeof real, "%s", realroot);
	root.kind = NODE_DIR;
	root.mode = 0755;
	root.vis = -1;
	root.name = (char *)"";
	build_sys(dir(&root, "sys"));
	build_proc(dir(&root, "proc"));
	struct node *dc = dir(&root, "dev/cpu");
	for (int i = 0; i < machine.ncpu; i++) {
		struct node *d = dir(dc, "%d", i);
		d->vis = i;
		if (machine.have_msr) {
			struct node *m = node_add(d, "msr", NODE_MSR, 0600);
			m->cpu = i;
		}
		struct node *c = node_add(d, "cpuid", NODE_CPUID, 0444);
		c->cpu = i;
	}
	struct node *e = dir(&root, ".emu");
	struct node *c = node_add(e, "ctl", NODE_CTL, 0666);
	c->put = p_ctl;
	gen(e, "truth", g_truth, 0, 0);
	gen(e, "time", g_time, 0, 0);
	gen(e, "stats", g_stats, 0, 0);
	dir(&root, ".perf")->mode = 0755;
	find_hidden(&root, "");
}

bool node_visible(const struct node *n)
{
	return n->vis < 0 || cpus[n->vis].online;
}

struct node *tree_walk(const char *path)
{
	static struct node perfn, ln;
	char b[PATH_MAX];
	snprintf(b, sizeof b, "%s", path);
	struct node *d = &root;
	if (!strncmp(path, "/.perf/", 7)) {
		perfn.kind = NODE_PERF;
		perfn.mode = 0600;
		perfn.name = (char *)"perf";
		return &perfn;
	}
	char *sv, *c = strtok_r(b, "/", &sv);
	for (; c; c = strtok_r(NULL, "/", &sv)) {
		struct node *k = node_child(d, c);
		if (!k && d->pass && !strtok_r(NULL, "/", &sv)) {
			char p[PATH_MAX * 2];
			struct stat st;
			snprintf(p, sizeof p, "%s/%s/%s", real, d->pass,
				 c); /* a link into the real tree */
			/* the daemon keeps the real /proc and /sys at their usual places */
			char h[PATH_MAX * 2];
			snprintf(h, sizeof h, "/%s/%s", d->pass, c);
			if (lstat(h, &st) && strcmp(c, "self") && strcmp(c, "thread-self"))
				return NULL;
			free(ln.text);
			ln.kind = NODE_LINK;
			ln.mode = 0777;
			ln.text = strdup(p);
			return &ln;
		}
		if (!k || !node_visible(k))
			return NULL;
		d = k;
	}
	return d;
}
