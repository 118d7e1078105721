/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a probe of the ruler costs, alone and on a CPU that is busy with something else. */
#include "config.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "burst/core.h"
#include "burst/gauge.h"
#include "source/pin.h"

#include "figures.h"

#define PROBES 1000u

static double thread_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* A thread that is busy on the CPU to be probed and keeps when it did not run. */
struct victim {
	pthread_t thread;
	unsigned cpu;
	_Atomic bool ready, stop;
	_Atomic unsigned n;
	struct gap {
		uint64_t begin, end;
	} gaps[65536];
};

static void run_on(unsigned cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

static void *run_victim(void *arg)
{
	struct victim *victim = arg;
	uint64_t last, now;

	run_on(victim->cpu);
	victim->ready = true;
	for (last = gauge_tsc(); !victim->stop; last = now) {
		unsigned n = victim->n;

		now = gauge_tsc();
		if (now - last < 2000 || n == sizeof(victim->gaps) / sizeof(victim->gaps[0]))
			continue; /* under a microsecond: nobody else ran */
		victim->gaps[n] = (struct gap){ last, now };
		victim->n = n + 1;
	}
	return NULL;
}

/* Ticks of the gap of the victim in which this moment lies; NAN none. */
static double lost_ticks(const struct victim *victim, uint64_t moment)
{
	for (unsigned i = 0; i < victim->n; i++)
		if (victim->gaps[i].begin < moment && victim->gaps[i].end > moment)
			return (double)(victim->gaps[i].end - victim->gaps[i].begin);
	return NAN;
}

/* What a probe takes from a busy CPU: told by a program that is busy there, while this thread comes
 * from another CPU, probes, and goes back. */
static void bench_cost(unsigned home, unsigned away, double imul_cycles,
		       double tsc_hertz)
{
	static struct victim victim;
	static double here[PROBES], lost[PROBES];
	static uint64_t moments[PROBES];
	const unsigned n = PROBES;
	struct gauge_look look;
	unsigned k = 0;
	struct pin *pin;

	for (unsigned i = 0; i < n; i++) {
		double start = thread_us();

		gauge_probe(imul_cycles, &look);
		here[i] = thread_us() - start;
	}
	figure("ruler_cost", quantile(here, n, 0.5), "us", "<= 60",
	       "CPU time of a probe, already there");

	victim.cpu = away;
	pin = pin_new(away);
	if (!pin || home == away ||
	    pthread_create(&victim.thread, NULL, run_victim, &victim) != 0) {
		figure("ruler_cost_busy", NAN, "us", "<= 80", "one CPU only");
		pin_free(pin);
		return;
	}
	while (!victim.ready)
		(void)usleep(1000);
	for (unsigned i = 0; i < n; i++) {
		pin_begin(pin);
		(void)pin_to(pin, home);
		(void)usleep(1000);
		if (pin_to(pin, away) == 0)
			gauge_probe(imul_cycles, &look);
		moments[i] = gauge_tsc();
		pin_end(pin); /* any CPU may go on: like the reader, it leaves by sleeping */
		(void)usleep(200);
	}
	(void)usleep(1000); /* the victim writes its last gap down */
	victim.stop = true;
	(void)pthread_join(victim.thread, NULL);
	pin_free(pin);
	for (unsigned i = 0; i < n; i++) {
		lost[k] = lost_ticks(&victim, moments[i]) / tsc_hertz * 1e6;
		k += isnan(lost[k]) ? 0 : 1;
	}
	figure("ruler_cost_busy", quantile(lost, k, 0.25), "us", "<= 80",
	       "what a program busy there loses to a probe: the quarter in which no third came "
	       "between, of %u; half %.0f", k, quantile(lost, k, 0.5));
}

int main(void)
{
	struct core_table *table;
	struct gauge_core core;
	struct problem problem = { 0 };
	double hertz;
	cpu_set_t all;
	int home = -1, away = -1;

	if (core_table_load(&table, NULL) < 0 || sched_getaffinity(0, sizeof(all), &all) < 0)
		return 1;
	for (int cpu = 0; cpu < (int)CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((unsigned)cpu, &all))
			continue;
		if (home < 0)
			home = cpu;
		away = cpu;
	}
	if (gauge_tsc_calibrate(&hertz, &problem) < 0 ||
	    gauge_core_calibrate(table, "", &core, &problem) < 0)
		figure("ruler_cost", NAN, "us", "<= 60", "%s", problem.text);
	else
		bench_cost((unsigned)home, (unsigned)away, core.imul_cycles, hertz);
	core_table_free(table);
	return 0;
}
