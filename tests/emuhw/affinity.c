/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each thread of the program believes it is bound to. */
#include "config.h"

#include "affinity.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "list.h"
#include "machine.h"
#include "target.h"

struct binding {
	pid_t tid;
	unsigned char mask[MAXCPU / 8];
	struct binding *next;
};
static struct binding *bindings;
static pthread_mutex_t bindings_lock = PTHREAD_MUTEX_INITIALIZER;

static bool has(const unsigned char *mask, int cpu)
{
	return mask[cpu / 8] >> (cpu % 8) & 1;
}

static void set_bit(unsigned char *mask, int cpu)
{
	mask[cpu / 8] |= (unsigned char)(1u << (cpu % 8));
}

static struct binding *own_binding(pid_t tid)
{
	struct binding *b = bindings;

	while (b && b->tid != tid)
		b = b->next;
	return b;
}

/* The thread's own, or what it inherited from its process or that one's parents. */
static struct binding *binding_of(pid_t tid)
{
	for (int hop = 0; hop < 4 && tid > 0; hop++) {
		struct binding *b = own_binding(tid);
		pid_t group;

		if (b)
			return b;
		group = target_status(tid, "Tgid:");
		tid = group != tid ? group : target_status(tid, "PPid:");
	}
	return NULL;
}

int affinity_cpu(pid_t tid)
{
	struct binding *b;
	int cpu = 0;

	pthread_mutex_lock(&bindings_lock);
	b = binding_of(tid);
	while (b && cpu < machine.ncpu && !has(b->mask, cpu))
		cpu++;
	pthread_mutex_unlock(&bindings_lock);
	return cpu < machine.ncpu ? cpu : 0;
}

static int set_affinity(pid_t tid, const unsigned char *mask)
{
	unsigned char allowed[MAXCPU / 8] = { 0 };
	struct binding *b;
	int count = 0;

	emu_lock();
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].online && has(mask, i)) {
			set_bit(allowed, i);
			cpus[i].n_affinity++;
			count++;
		}
	emu_unlock();
	if (!count)
		return -EINVAL;
	pthread_mutex_lock(&bindings_lock);
	b = own_binding(tid);
	if (!b) {
		b = calloc(1, sizeof(*b));
		b->tid = tid;
		b->next = bindings;
		bindings = b;
	}
	memcpy(b->mask, allowed, sizeof(allowed));
	pthread_mutex_unlock(&bindings_lock);
	return 0;
}

static void get_affinity(pid_t tid, unsigned char *mask)
{
	struct binding *b;

	pthread_mutex_lock(&bindings_lock);
	b = binding_of(tid);
	emu_lock();
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].online && (b ? has(b->mask, i) : !list_has(machine.isolated, i)))
			set_bit(mask, i);
	emu_unlock();
	pthread_mutex_unlock(&bindings_lock);
}

int affinity_call(pid_t caller, const uint64_t args[], bool set, int64_t *val)
{
	pid_t tid = (pid_t)args[0] ? (pid_t)args[0] : caller;
	unsigned char mask[MAXCPU / 8] = { 0 };
	size_t length = args[1], need = (size_t)(machine.possible + 63) / 64 * 8;

	counts.affinity++;
	if (set) {
		if (length > sizeof(mask))
			length = sizeof(mask);
		if (!target_memory(caller, args[2], mask, length, false))
			return -EFAULT;
		return set_affinity(tid, mask);
	}
	if (length < need || length % 8)
		return -EINVAL;
	get_affinity(tid, mask);
	if (!target_memory(caller, args[2], mask, need, true))
		return -EFAULT;
	*val = (int64_t)need;
	return 0;
}

void affinity_each(void (*f)(pid_t tid, int cpu))
{
	pthread_mutex_lock(&bindings_lock);
	for (struct binding *b = bindings; b; b = b->next) {
		int count = 0, cpu = -1;

		for (int i = 0; i < machine.ncpu && count < 2; i++)
			if (has(b->mask, i)) {
				count++;
				cpu = i;
			}
		f(b->tid, count == 1 ? cpu : -1);
	}
	pthread_mutex_unlock(&bindings_lock);
}
