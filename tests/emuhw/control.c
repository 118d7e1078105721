/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands: of the file .emu/ctl and of the timeline. */
#include "config.h"

#include "control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fault.h"
#include "list.h"
#include "machine.h"
#include "msr.h"

/* A command: its word, and what takes the rest of the line; -1: bad, with a message or without. */
typedef int run_fn(char *rest, double at, char *err, size_t n);

/* Cuts off the list that a line begins with; NULL when there is none. */
static char *first_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	size_t length = strcspn(word, " \t");

	if (!length)
		return NULL;
	*rest = word + length;
	if (**rest)
		*(*rest)++ = 0;
	*rest += strspn(*rest, " \t");
	return word;
}

static int run_cpu(char *rest, double at, char *err, size_t n)
{
	char *list = first_word(&rest);
	int hit = 0;

	for (int i = 0; list && i < machine.ncpu; i++)
		if (list_has(list, i)) {
			hit++;
			if (cpu_change(i, rest, at, err, n))
				return -1;
		}
	return hit ? 0 : -1;
}

static int run_pkg(char *rest, double at, char *err, size_t n)
{
	char *list = first_word(&rest);
	int hit = 0;

	for (int i = 0; list && i < machine.sockets; i++)
		if (list_has(list, i)) {
			hit++;
			if (pkg_change(i, rest, at, err, n))
				return -1;
		}
	return hit ? 0 : -1;
}

static int set_online(const char *list, bool on, double at)
{
	for (int i = 0; i < machine.ncpu; i++)
		if (list_has(list, i))
			cpu_set_online(i, on, at);
	return 0;
}

static int run_online(char *rest, double at, char *err, size_t n)
{
	(void)err, (void)n;
	return set_online(rest, true, at);
}

static int run_offline(char *rest, double at, char *err, size_t n)
{
	(void)err, (void)n;
	return set_online(rest, false, at);
}

static int run_fault(char *rest, double at, char *err, size_t n)
{
	(void)at;
	return fault_add(rest, err, n);
}

static int run_clear(char *rest, double at, char *err, size_t n)
{
	(void)rest, (void)at, (void)err, (void)n;
	fault_clear();
	return 0;
}

static int run_paranoid(char *rest, double at, char *err, size_t n)
{
	(void)at, (void)err, (void)n;
	machine.paranoid = atoi(rest);
	return 0;
}

static int run_clock(char *rest, double at, char *err, size_t n)
{
	(void)at, (void)err, (void)n;
	if (strcmp(rest, "manual") && strcmp(rest, "real"))
		return -1;
	clock_manual(!strcmp(rest, "manual"));
	return 0;
}

static int run_step(char *rest, double at, char *err, size_t n)
{
	char *end;
	double seconds = strtod(rest, &end);

	(void)at, (void)err, (void)n;
	if (end == rest || *end || seconds < 0)
		return -1;
	clock_step(seconds);
	return 0;
}

static int run_throttle(char *rest, double at, char *err, size_t n)
{
	double ms;
	int cpu;

	(void)at, (void)err, (void)n;
	if (sscanf(rest, "%d %lf", &cpu, &ms) != 2 || cpu < 0 || cpu >= machine.ncpu)
		return -1;
	cpus[cpu].thr_count++;
	cpus[cpu].thr_ms += ms;
	return 0;
}

static int run_mperfjump(char *rest, double at, char *err, size_t n)
{
	char *list = first_word(&rest), *end;
	long long by = strtoll(rest, &end, 0);
	int hit = 0;

	(void)at, (void)err, (void)n;
	if (!list || end == rest || end[strspn(end, " \t")])
		return -1;
	for (int i = 0; i < machine.ncpu; i++)
		if (list_has(list, i)) {
			cpus[i].mjump += by;
			hit++;
		}
	return hit ? 0 : -1;
}

static int run_setmsr(char *rest, double at, char *err, size_t n)
{
	long long number, value;
	int cpu;

	(void)err, (void)n;
	if (sscanf(rest, "%d %lli %lli", &cpu, &number, &value) != 3 || cpu < 0 ||
	    cpu >= machine.ncpu)
		return -1;
	msr_pin(cpu, (uint32_t)number, (uint64_t)value, at);
	return 0;
}

static const struct {
	const char *word;
	run_fn *run;
} commands[] = {
	{ "clear", run_clear },	  { "clock", run_clock },	  { "cpu", run_cpu },
	{ "fault", run_fault },	  { "mperfjump", run_mperfjump }, { "offline", run_offline },
	{ "online", run_online }, { "paranoid", run_paranoid },	  { "pkg", run_pkg },
	{ "setmsr", run_setmsr }, { "step", run_step },		  { "throttle", run_throttle },
};

int emu_command(const char *line, double at, char *err, size_t n)
{
	char b[1024], *rest = b, *word;

	snprintf(b, sizeof(b), "%s", line);
	b[strcspn(b, "\n")] = 0;
	word = first_word(&rest);
	if (!word || *word == '#')
		return 0;
	emu_log("ctl t=%.3f %s", at, line);
	snprintf(err, n, "bad command '%s'", line);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(word, commands[i].word))
			return commands[i].run(rest, at, err, n);
	return -1;
}
