/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID and RDTSC of the program: they fault, and are answered here. */
#include "config.h"

#include "trace.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "affinity.h"
#include "clock.h"
#include "leaf.h"
#include "machine.h"
#include "msr.h"
#include "react.h"

static uint64_t vdso_of(pid_t pid)
{
	char p[64];
	snprintf(p, sizeof p, "/proc/%d/auxv", pid);
	FILE *f = fopen(p, "r");
	Elf64_auxv_t a;
	uint64_t v = 0;
	while (f && fread(&a, sizeof a, 1, f) == 1)
		if (a.a_type == AT_SYSINFO_EHDR)
			v = a.a_un.a_val;
	if (f)
		fclose(f);
	return v;
}

/* Of the last programs that were executed. */
static uint64_t vdsos[64];
static int vdso_count;
static bool tell; /* that CPUID cannot be answered here */

/* run one system call in a stopped tracee */
static long inject(pid_t tid, long nr, long a0, long a1)
{
	struct user_regs_struct sv, r;
	int st;
	ptrace(PTRACE_GETREGS, tid, 0, &sv);
	r = sv;
	long w = ptrace(PTRACE_PEEKTEXT, tid, sv.rip, 0);
	ptrace(PTRACE_POKETEXT, tid, sv.rip, (w & ~0xffffffL) | 0xcc050f);
	r.rax = (unsigned long)nr;
	r.orig_rax = (unsigned long)-1;
	r.rdi = (unsigned long)a0;
	r.rsi = (unsigned long)a1;
	ptrace(PTRACE_SETREGS, tid, 0, &r);
	int pend = 0;
	for (;;) {
		ptrace(PTRACE_CONT, tid, 0, 0);
		if (waitpid(tid, &st, __WALL) < 0 || WIFEXITED(st) || WIFSIGNALED(st))
			return -1;
		if (WSTOPSIG(st) == SIGTRAP && !(st >> 16))
			break;
		pend = WSTOPSIG(st);
	}
	ptrace(PTRACE_GETREGS, tid, 0, &r);
	ptrace(PTRACE_POKETEXT, tid, sv.rip, w);
	sv.orig_rax = (unsigned long)-1;
	ptrace(PTRACE_SETREGS, tid, 0, &sv);
	if (pend && pend != SIGTRAP)
		kill(tid, pend);
	return (long)r.rax;
}

static void on_exec(pid_t tid)
{
	int st;
	ptrace(PTRACE_SYSCALL, tid, 0,
	       0); /* leave execve first: its return value would overwrite rax */
	if (waitpid(tid, &st, __WALL) < 0 || !WIFSTOPPED(st))
		return;
	if (inject(tid, SYS_arch_prctl, 0x1012 /* ARCH_SET_CPUID */, 0) && tell) {
		tell = false;
		fprintf(stderr, "emuhw: CPUID faulting is not available here: it is the host's\n");
	}
	if (!machine.tsc_host)
		inject(tid, SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
	vdsos[vdso_count++ % 64] = vdso_of(tid);
}

/* The vDSO keeps the real counter, so that clock_gettime is right. */
static bool in_vdso(uint64_t rip)
{
	for (int i = 0; i < 64; i++)
		if (vdsos[i] && rip >= vdsos[i] && rip < vdsos[i] + 0x4000)
			return true;
	return false;
}

static void emulate_cpuid(pid_t tid, struct user_regs_struct *r)
{
	int cpu = affinity_cpu(tid);
	uint32_t x[4];

	emu_lock();
	counts.cpuid_trap++;
	emu_cpuid((uint32_t)r->rax, (uint32_t)r->rcx, cpu, x);
	emu_unlock();
	r->rax = x[0];
	r->rbx = x[1];
	r->rcx = x[2];
	r->rdx = x[3];
	r->rip += 2;
}

static void emulate_tsc(pid_t tid, struct user_regs_struct *r, bool with_cpu)
{
	unsigned aux = 0;
	uint64_t v;

	if (in_vdso(r->rip)) {
		v = __rdtscp(&aux);
	} else {
		aux = (unsigned)affinity_cpu(tid);
		emu_lock();
		counts.tsc_trap++;
		v = tsc_now(emu_now());
		emu_unlock();
	}
	r->rax = (uint32_t)v;
	r->rdx = v >> 32;
	if (with_cpu)
		r->rcx = aux;
	r->rip += with_cpu ? 3 : 2;
}

/* True when the thread has stopped at one of these instructions, which is done then. */
static bool emulate(pid_t tid)
{
	static const unsigned char cpuid[] = { 0x0f, 0xa2 }, rdtsc[] = { 0x0f, 0x31 },
				   rdtscp[] = { 0x0f, 0x01, 0xf9 };
	struct user_regs_struct r;
	siginfo_t si;
	long code;

	if (ptrace(PTRACE_GETSIGINFO, tid, 0, &si) || si.si_code != SI_KERNEL ||
	    ptrace(PTRACE_GETREGS, tid, 0, &r))
		return false;
	code = ptrace(PTRACE_PEEKTEXT, tid, r.rip, 0);
	if (!memcmp(&code, cpuid, sizeof(cpuid)))
		emulate_cpuid(tid, &r);
	else if (!memcmp(&code, rdtsc, sizeof(rdtsc)))
		emulate_tsc(tid, &r, false);
	else if (!memcmp(&code, rdtscp, sizeof(rdtscp)))
		emulate_tsc(tid, &r, true);
	else
		return false;
	ptrace(PTRACE_SETREGS, tid, 0, &r);
	return true;
}

int trace_attach(pid_t child, bool quiet)
{
	tell = !quiet;
	return (int)ptrace(PTRACE_SEIZE, child, 0,
			   PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
				   PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL);
}

/* A thread has stopped: lets it go on, unless it is to be stopped as a terminal stops a job. */
static void go_on(pid_t tid, pid_t child, int st)
{
	int sig = WSTOPSIG(st), event = st >> 16;

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) {
		ptrace(PTRACE_LISTEN, tid, 0, 0);
		if (tid == child && sig == SIGTSTP)
			kill(getpid(), SIGSTOP);
		return;
	}
	if (event == PTRACE_EVENT_EXEC)
		on_exec(tid);
	else if (event == PTRACE_EVENT_STOP)
		react_sample(tid);
	else if (!event && sig == SIGSEGV && emulate(tid))
		sig = 0;
	ptrace(PTRACE_CONT, tid, 0, event ? 0 : sig);
}

int trace_run(pid_t child)
{
	if (machine.react)
		react_start();
	for (;;) {
		int st;
		pid_t tid = waitpid(-1, &st, __WALL);

		if (tid < 0 && errno != EINTR)
			return 125;
		if (tid < 0) {
			if (machine.react)
				react_tick();
		} else if (WIFEXITED(st) || WIFSIGNALED(st)) {
			if (tid == child)
				return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
		} else {
			go_on(tid, child, st);
		}
	}
}
