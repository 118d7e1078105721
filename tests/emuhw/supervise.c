/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that are answered here: perf_event_open, affinity, limits. */
#include "config.h"

#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "event.h"
#include "fs.h"
#include "machine.h"
#include "perf.h"
#include "target.h"

static int listener;
static const char *mountpoint;

#define CAN_ADMIN (1ULL << 21)		       /* CAP_SYS_ADMIN */
#define CAN_PERF (1ULL << 38 | CAN_ADMIN) /* CAP_PERFMON */

static int group_id(pid_t pid, int fd) /* perf id of a descriptor of the target, -EBADF */
{
	char p[64], t[PATH_MAX], *s;
	snprintf(p, sizeof p, "/proc/%d/fd/%d", pid, fd);
	ssize_t n = readlink(p, t, sizeof t - 1);
	if (n < 0)
		return -EBADF;
	t[n] = 0;
	return (s = strstr(t, "/.perf/")) ? atoi(s + 7) : -EBADF;
}

static int do_perf(const struct seccomp_notif *rq, struct seccomp_notif_resp *rs)
{
	struct perf_event_attr a;
	const __u64 *x = rq->data.args;
	pid_t tgt = (pid_t)x[1];
	int cpu = (int)x[2], gfd = (int)x[3];
	unsigned long fl = x[4];
	uint32_t sz = 0;
	if (!target_memory((pid_t)rq->pid, x[0] + offsetof(struct perf_event_attr, size), &sz, 4,
			   false))
		return -EFAULT;
	if (!sz)
		sz = PERF_ATTR_SIZE_VER0;
	if (sz < PERF_ATTR_SIZE_VER0 || sz > 4096) {
		uint32_t ok = sizeof a;
		target_memory((pid_t)rq->pid, x[0] + offsetof(struct perf_event_attr, size), &ok, 4,
			      true);
		return -E2BIG;
	}
	memset(&a, 0, sizeof a);
	if (!target_memory((pid_t)rq->pid, x[0], &a, sz < sizeof a ? sz : sizeof a, false))
		return -EFAULT;
	/* tracepoints, breakpoints and per-task software events are the real kernel's business */
	if (a.type == PERF_TYPE_TRACEPOINT || a.type == PERF_TYPE_BREAKPOINT ||
	    (a.type > 5 && a.type < T_MSR && !(machine.ecores && a.type == T_ATOM)) ||
	    (a.type == PERF_TYPE_SOFTWARE && cpu < 0)) {
		rs->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		return 0;
	}
	int gid = -1;
	if (gfd >= 0 && (gid = group_id((pid_t)rq->pid, gfd)) < 0)
		return gid;
	const struct pev_caller caller = {
		.perfmon = target_capable((pid_t)rq->pid, CAN_PERF),
		.admin = target_capable((pid_t)rq->pid, CAN_ADMIN),
		.uid = (uid_t)target_status((pid_t)rq->pid, "Uid:"),
	};
	perf_wait_closes();
	emu_lock();
	int id = pev_open(&a, tgt, cpu, gid, fl, &caller, emu_now());
	emu_unlock();
	if (id < 0)
		return id;
	char p[PATH_MAX + 32];
	snprintf(p, sizeof p, "%s/.perf/%d", mountpoint, id);
	int fd = open(p, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		emu_lock();
		pev_close(id, emu_now());
		emu_unlock();
		return -errno;
	}
	struct seccomp_notif_addfd ad = { .id = rq->id,
					  .flags = SECCOMP_ADDFD_FLAG_SEND,
					  .srcfd = (__u32)fd,
					  .newfd_flags =
						  fl & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0 };
	int rc = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &ad), e = errno;
	close(fd);
	if (rc < 0)
		return -e; /* e.g. EMFILE: the target's own RLIMIT_NOFILE */
	return INT_MIN;	   /* already answered */
}

/* turbostat insists on raising RLIMIT_NOFILE: without CAP_SYS_RESOURCE it gets what the hard limit
 * allows. */
static int do_prlimit(const struct seccomp_notif *rq, struct seccomp_notif_resp *rs)
{
	struct rlimit nl, cur;
	const __u64 *x = rq->data.args;
	pid_t pid = (pid_t)x[0] ? (pid_t)x[0] : (pid_t)rq->pid;
	if ((int)x[1] != RLIMIT_NOFILE || !x[2] || x[3] ||
	    prlimit(pid, RLIMIT_NOFILE, NULL, &cur) ||
	    !target_memory((pid_t)rq->pid, x[2], &nl, sizeof nl, false) ||
	    nl.rlim_max <= cur.rlim_max) {
		rs->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		return 0;
	}
	nl.rlim_max = cur.rlim_max;
	if (nl.rlim_cur > nl.rlim_max)
		nl.rlim_cur = nl.rlim_max;
	return prlimit(pid, RLIMIT_NOFILE, &nl, NULL) ? -errno : 0;
}

static void *supervise(void *arg)
{
	(void)arg;
	struct seccomp_notif_sizes z;
	syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &z);
	struct seccomp_notif *rq = calloc(1, z.seccomp_notif + 64);
	struct seccomp_notif_resp *rs = calloc(1, z.seccomp_notif_resp + 64);
	for (;;) {
		memset(rq, 0, z.seccomp_notif);
		memset(rs, 0, z.seccomp_notif_resp);
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, rq)) {
			if (errno == EINTR || errno == ENOENT)
				continue;
			return NULL;
		}
		rs->id = rq->id;
		const uint64_t args[] = { rq->data.args[0], rq->data.args[1], rq->data.args[2] };
		int64_t val = 0;
		int e = -ENOSYS;
		switch (rq->data.nr) {
		case SYS_perf_event_open:
			e = do_perf(rq, rs);
			break;
		case SYS_sched_setaffinity:
			e = affinity_call((pid_t)rq->pid, args, true, &val);
			break;
		case SYS_sched_getaffinity:
			e = affinity_call((pid_t)rq->pid, args, false, &val);
			break;
		case SYS_prlimit64:
			e = do_prlimit(rq, rs);
			break;
		}
		if (e == INT_MIN)
			continue;
		rs->error = e < 0 ? e : 0;
		rs->val = e < 0 ? 0 : val;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, rs);
	}
}

int supervise_filter(void)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_getaffinity, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { sizeof(f) / sizeof(*f), f };
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &p);
}

void supervise_start(int fd, const char *mnt)
{
	pthread_t thread;

	listener = fd;
	mountpoint = mnt;
	if (pthread_create(&thread, NULL, supervise, NULL))
		abort();
	pthread_detach(thread);
}
