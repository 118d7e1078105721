/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread that loads or watches a CPU does to itself first. */
#include "config.h"

#include "burst/worker.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/nls.h"
#include "model/host.h"

#define WORKER_NICE 5
/* A busy machine disturbs all probes of 3 ms now and then. */
#define CALIBRATE_ATTEMPTS 8

int worker_create(pthread_t *ret, void *(*run)(void *), void *argument)
{
	sigset_t all, before;
	int err;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(ret, NULL, run, argument);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

int worker_pin(unsigned id, struct problem *ret_problem)
{
	const size_t size = CPU_ALLOC_SIZE(id + 1);
	cpu_set_t *const set = CPU_ALLOC(id + 1);
	int err = ENOMEM;

	if (set) {
		CPU_ZERO_S(size, set);
		CPU_SET_S(id, size, set);
		err = sched_setaffinity(0, size, set) < 0 ? errno : 0;
		CPU_FREE(set);
	}
	return err ? problem_set(ret_problem, err, "", _("cannot be pinned to CPU %u"), id) : 0;
}

int worker_calibrate(const struct host *host, unsigned cpu, const struct core_table *table,
		     struct gauge_core *ret, struct problem *ret_problem)
{
	const char *const uarch = host->kinds[host->cpus[cpu].kind].uarch;
	int r = -1;

	if (!(host->tsc_hertz > 0))
		return problem_set(
			ret_problem, ENOTSUP, "",
			_("no clock can be measured: the time-stamp counter is not usable"));
	for (unsigned i = 0; r < 0 && i < CALIBRATE_ATTEMPTS; i++)
		r = gauge_core_calibrate(table, uarch, ret, ret_problem);
	return r;
}

/* Niceness is a thread's own on Linux (setpriority(2), "C library/kernel differences"). */
void worker_be_nice(void)
{
	const id_t self = (id_t)syscall(SYS_gettid);

	if (getpriority(PRIO_PROCESS, self) < WORKER_NICE)
		(void)setpriority(PRIO_PROCESS, self, WORKER_NICE);
}

/* Flush-to-zero and denormals-are-zero, in this thread only (Intel SDM vol. 1, MXCSR): the numbers
 * are normal anyway, but a fault must not cost microcode assists of 150 cycles each. */
void worker_flush_to_zero(void)
{
	const uint32_t bits = 1u << 15 | 1u << 6;
	uint32_t mxcsr;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	mxcsr |= bits;
	__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
}

bool worker_is_on(unsigned id)
{
	const int cpu = sched_getcpu();

	return cpu < 0 || (unsigned)cpu == id;
}

uint64_t worker_cpu_time_ns(void)
{
	struct timespec time;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}
