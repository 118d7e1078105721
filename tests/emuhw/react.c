/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated CPUs follow the program's own pinned threads. */
#include "config.h"

#include "react.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "machine.h"
#include "target.h"

/*
 * Ten times a second every thread that is bound to one CPU is stopped for a moment: the
 * instructions at its program counter tell which vector width it executes, its scheduler statistics
 * whether it is running.
 */
enum { IDLE, SCALAR, V256, V512 };

static struct thread {
	pid_t tid;
	int cpu, cls;
	int64_t run;
	bool asked, live;
} * threads;
static int count;

static pthread_t tracer;

static void *ticker(void *arg)
{
	(void)arg;
	for (;;) {
		usleep(100000);
		pthread_kill(tracer, SIGUSR1);
	}
	return NULL;
}

static void no_op(int s)
{
	(void)s;
}

/* By the prefixes of EVEX and VEX: not a disassembly, but a loop has many of them. */
static int classify(const unsigned char *b, int n)
{
	int cls = SCALAR;
	for (int i = 0; i + 5 < n; i++) {
		if (b[i] == 0x62 && !(b[i + 1] & 0x08) && (b[i + 1] & 7) && (b[i + 2] & 4)) {
			int l = b[i + 3] >> 5 & 3;
			if (l == 2)
				return V512;
			if (l == 1)
				cls = V256;
			i += 5;
		} else if (b[i] == 0xc5 && (b[i + 1] & 4)) {
			cls = V256;
			i += 3;
		} else if (b[i] == 0xc4 && (b[i + 1] & 0x1f) >= 1 && (b[i + 1] & 0x1f) <= 3 &&
			   (b[i + 2] & 4)) {
			cls = V256;
			i += 4;
		}
	}
	return cls;
}

static int clock_of(int cls)
{
	if (cls == V512 && machine.turbo_avx512)
		return machine.turbo_avx512;
	if (cls == V256 && machine.turbo_avx2)
		return machine.turbo_avx2;
	return machine.nturbo ? machine.turbo[0] : (int)machine.base_mhz;
}

static void react_apply(struct thread *t, int cls)
{
	char keys[160];
	double now;

	if (cls == t->cls)
		return;
	emu_lock();
	now = emu_now();
	snprintf(keys, sizeof(keys),
		 "busy=100 mhz=%d ipc=1.5 temp=%d l0=%d l1=%d l2=%d fp256=%d fp512=%d",
		 clock_of(cls), 50 + 10 * cls, cls == SCALAR ? 100 : 0, cls == V256 ? 100 : 0,
		 cls == V512 ? 100 : 0, cls == V256 ? 3000 : 0, cls == V512 ? 3000 : 0);
	if (cls == IDLE)
		cpu_restore(t->cpu, now);
	else
		cpu_override(t->cpu, keys, now);
	emu_log("react tid=%d cpu=%d class=%d", t->tid, t->cpu, cls);
	emu_unlock();
	t->cls = cls;
}

/* Nanoseconds that the thread has run, or -1. */
static int64_t run_time(pid_t tid)
{
	unsigned long long run;
	char path[64];
	FILE *f;
	int got;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", tid);
	f = fopen(path, "re");
	if (!f)
		return -1;
	got = fscanf(f, "%llu", &run);
	fclose(f);
	return got == 1 ? (int64_t)run : -1;
}

static struct thread *thread_of(pid_t tid, int cpu, int64_t run)
{
	struct thread *t;

	for (int i = 0; i < count; i++)
		if (threads[i].tid == tid)
			return &threads[i];
	threads = realloc(threads, sizeof(*threads) * (size_t)(count + 1));
	t = &threads[count++];
	*t = (struct thread) { .tid = tid, .cpu = cpu, .run = run };
	return t;
}

static void look_at(pid_t tid, int cpu)
{
	int64_t run = cpu >= 0 ? run_time(tid) : -1;
	struct thread *t;
	bool busy;

	if (run < 0)
		return;
	t = thread_of(tid, cpu, run);
	if (t->cpu != cpu) {
		react_apply(t, IDLE);
		t->cpu = cpu;
	}
	t->live = true;
	busy = run - t->run > 10000000; /* of the last 100 ms */
	t->run = run;
	if (!busy)
		react_apply(t, IDLE);
	else if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) == 0)
		t->asked = true;
}

void react_tick(void)
{
	for (int i = 0; i < count; i++)
		threads[i].live = false;
	affinity_each(look_at);
	for (int i = 0; i < count; i++)
		if (!threads[i].live) {
			react_apply(&threads[i], IDLE);
			threads[i--] = threads[--count];
		}
}

void react_sample(pid_t tid)
{
	struct user_regs_struct r;
	unsigned char code[96]; /* the loop lies around the program counter */

	for (int i = 0; i < count; i++) {
		if (threads[i].tid != tid || !threads[i].asked)
			continue;
		threads[i].asked = false;
		if (!ptrace(PTRACE_GETREGS, tid, 0, &r) &&
		    target_memory(tid, r.rip - sizeof(code) / 2, code, sizeof(code), false))
			react_apply(&threads[i], classify(code, sizeof(code)));
		return;
	}
}

void react_start(void)
{
	struct sigaction sa = { .sa_handler = no_op };
	pthread_t thread;

	sigaction(SIGUSR1, &sa, NULL);
	tracer = pthread_self();
	if (pthread_create(&thread, NULL, ticker, NULL))
		abort();
	pthread_detach(thread);
}
