/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scenario file: sections in brackets, a line each, # begins a comment. */
#include "config.h"

#include "scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fault.h"
#include "list.h"
#include "machine.h"

struct proc *procs;

struct proc *process_of(int tid)
{
	for (struct proc *p = procs; p; p = p->next)
		if (tid >= p->pid && tid < p->pid + p->threads)
			return p;
	return NULL;
}

/* Where the reading is. */
struct reading {
	char section[32];
	char list[256]; /* of the section's CPUs or packages */
	char offline[256];
	bool built; /* the machine is complete: later sections say what it does */
	char err[200];
};

/* Ends [machine]: what follows is about CPUs that must have their numbers. */
static int build_machine(struct reading *at)
{
	if (machine_topology()) {
		snprintf(at->err, sizeof(at->err), "the machine is too large");
		return -1;
	}
	at->built = true;
	if (machine.tsc_host || machine.base_host)
		machine.tsc_mhz = host_tsc_mhz();
	if (machine.base_host)
		machine.base_mhz = machine.tsc_mhz;
	else if (machine.tsc_mhz <= 0)
		machine.tsc_mhz = machine.base_mhz;
	for (int i = 0; i < machine.ncpu; i++) {
		struct seg *g = calloc(1, sizeof(*g));

		cpu_defaults(&g->c);
		cpu_rates(g);
		cpus[i].sch.s = g;
		cpus[i].sch.n = 1;
	}
	for (int i = 0; i < machine.sockets; i++) {
		struct seg *g = calloc(1, sizeof(*g));

		pkg_defaults(&g->p);
		pkg_rates(g);
		packages[i].sch.s = g;
		packages[i].sch.n = 1;
	}
	return 0;
}

/* The schedule of the list's i-th CPU or package, NULL when it is not in the list. */
static struct sched *schedule_of(const struct reading *at, int i)
{
	if (!list_has(at->list, i))
		return NULL;
	return at->section[0] == 'c' ? &cpus[i].sch : &packages[i].sch;
}

static int schedules(const struct reading *at)
{
	return at->section[0] == 'c' ? machine.ncpu : machine.sockets;
}

static int read_section(struct reading *at, const char *line)
{
	at->list[0] = 0;
	if (sscanf(line, "[%31[a-z] %255[^]]]", at->section, at->list) < 1)
		return -1;
	if (strcmp(at->section, "machine") && !at->built && build_machine(at))
		return -1;
	if (strcmp(at->section, "cpu") && strcmp(at->section, "package"))
		return 0;
	for (int i = 0; i < schedules(at); i++) {
		struct sched *s = schedule_of(at, i);

		if (s)
			s->n = 0, s->loop = 0;
	}
	return 0;
}

static int read_machine(struct reading *at, char *line)
{
	char *value = strchr(line, '='), *end = value;

	if (!value)
		return -1;
	*value++ = 0;
	value += strspn(value, " \t");
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	if (!strcmp(line, "offline")) {
		snprintf(at->offline, sizeof(at->offline), "%s", value);
		return 0;
	}
	if (machine_key(line, value)) {
		snprintf(at->err, sizeof(at->err),
			 "unknown machine key '%s', or not its value: '%s'", line, value);
		return -1;
	}
	return 0;
}

/* "SECONDS key=value ...": each line inherits the one before; "loop=SECONDS" repeats. */
static int read_schedule(struct reading *at, char *line)
{
	int is_cpu = at->section[0] == 'c';
	double loop = 0, when = 0;
	int is_loop = sscanf(line, "loop=%lf", &loop) == 1;
	char *keys = line, copy[900];

	if (!is_loop)
		when = strtod(line, &keys);
	if (!is_loop && keys == line)
		return -1;
	for (int i = 0; i < schedules(at); i++) {
		struct sched *s = schedule_of(at, i);
		struct seg g = { 0 };

		if (!s)
			continue;
		if (is_loop) {
			s->loop = loop;
			continue;
		}
		if (s->n)
			g = s->s[s->n - 1];
		else if (is_cpu)
			cpu_defaults(&g.c);
		else
			pkg_defaults(&g.p);
		g.at = when;
		snprintf(copy, sizeof(copy), "%s", keys);
		if (set_keys(copy, &g, is_cpu, at->err, sizeof(at->err)))
			return -1;
		s->s = realloc(s->s, sizeof(g) * (size_t)(s->n + 1));
		s->s[s->n++] = g;
	}
	return 0;
}

static int read_timeline(char *line)
{
	char *command;
	double when = strtod(line, &command);

	return command == line ? -1 : timeline_add(when, command + strspn(command, " \t"));
}

static int set_process(struct proc *p, const char *key, const char *value)
{
	if (!strcmp(key, "comm"))
		snprintf(p->comm, sizeof(p->comm), "%s", value);
	else if (!strcmp(key, "cpu"))
		p->cpu = atoi(value);
	else if (!strcmp(key, "threads"))
		p->threads = atoi(value);
	else if (!strcmp(key, "busy"))
		p->busy = atof(value);
	else if (!strcmp(key, "uid"))
		p->uid = atoi(value);
	else if (strcmp(key, "avx512"))
		return -1;
	else if (!strcmp(value, "busy"))
		p->avx = 1;
	else if (strcmp(value, "never")) {
		p->avx = 0;
		p->avx_at = atof(value);
	}
	return 0;
}

static int read_process(char *line)
{
	struct proc *p = calloc(1, sizeof(*p));
	char *rest, *word = strtok_r(line, " \t", &rest);

	*p = (struct proc) { .pid = atoi(word), .threads = 1, .avx = -1, .comm = "proc" };
	p->next = procs;
	procs = p;
	while ((word = strtok_r(NULL, " \t", &rest))) {
		char *value = strchr(word, '=');

		if (!value)
			return -1;
		*value++ = 0;
		if (set_process(p, word, value))
			return -1;
	}
	return 0;
}

static int read_line(struct reading *at, char *line)
{
	char *end = line + strlen(line);

	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	if (!*line)
		return 0;
	if (*line == '[')
		return read_section(at, line);
	if (!strcmp(at->section, "machine"))
		return at->built ? -1 : read_machine(at, line);
	if (!strcmp(at->section, "cpu") || !strcmp(at->section, "package"))
		return read_schedule(at, line);
	if (!strcmp(at->section, "fault"))
		return fault_add(line, at->err, sizeof(at->err));
	if (!strcmp(at->section, "timeline"))
		return read_timeline(line);
	if (!strcmp(at->section, "process"))
		return read_process(line);
	return -1;
}

static int read_all(FILE *f, const char *file)
{
	struct reading at = { 0 };
	char line[1024];

	for (int number = 1; fgets(line, sizeof(line), f); number++) {
		snprintf(at.err, sizeof(at.err), "bad line");
		line[strcspn(line, "#\n")] = 0;
		if (read_line(&at, line + strspn(line, " \t"))) {
			fprintf(stderr, "emuhw: %s:%d: %s\n", file, number, at.err);
			return -1;
		}
	}
	if (!at.built) {
		fprintf(stderr, "emuhw: %s: no [cpu ...] or [package ...] section\n", file);
		return -1;
	}
	for (int i = 0; *at.offline && i < machine.ncpu; i++)
		if (list_has(at.offline, i)) {
			cpus[i].online = false;
			cpus[i].sch.frozen = true;
		}
	return 0;
}

int scenario_load(const char *file)
{
	FILE *f = fopen(file, "re");
	int rc;

	if (!f) {
		fprintf(stderr, "emuhw: %s: %m\n", file);
		return -1;
	}
	machine_preset("skylake-sp");
	rc = read_all(f, file);
	fclose(f);
	if (!rc)
		clock_start(!strcmp(machine.clock, "manual"));
	return rc;
}
