/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Affinity of one thread, with sets as large as the kernel's, however many CPUs that are. */
#include "config.h"

#include "source/pin.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CPUS (1u << 20) /* no kernel is built for as many */

struct pin {
	size_t size; /* of each set, in bytes */
	cpu_set_t *before, *one;
	bool known, moved; /* `before` is; the thread has another affinity now */
};

static int resize(struct pin *pin, unsigned n_cpus)
{
	CPU_FREE(pin->before);
	CPU_FREE(pin->one);
	pin->size = CPU_ALLOC_SIZE(n_cpus);
	pin->before = CPU_ALLOC(n_cpus);
	pin->one = CPU_ALLOC(n_cpus);
	return pin->before && pin->one ? 0 : -ENOMEM;
}

struct pin *pin_new(unsigned largest_id)
{
	struct pin *pin = calloc(1, sizeof(*pin));
	unsigned n_cpus = CPU_SETSIZE;

	if (!pin)
		return NULL;
	while (n_cpus <= largest_id)
		n_cpus *= 2;
	do {
		if (resize(pin, n_cpus) < 0) {
			pin_free(pin);
			return NULL;
		}
		/* EINVAL: the kernel's own sets are larger, sched_getaffinity(2). */
	} while (sched_getaffinity(0, pin->size, pin->before) < 0 && errno == EINVAL &&
		 (n_cpus *= 2) <= MOST_CPUS);
	return pin;
}

void pin_free(struct pin *pin)
{
	if (!pin)
		return;
	CPU_FREE(pin->before);
	CPU_FREE(pin->one);
	free(pin);
}

void pin_begin(struct pin *pin)
{
	pin->known = sched_getaffinity(0, pin->size, pin->before) == 0;
	pin->moved = false;
}

int pin_to(struct pin *pin, unsigned id)
{
	/* Never move what cannot be moved back. */
	if (!pin->known)
		return -EPERM;
	if (id >= 8 * pin->size)
		return -EINVAL;
	CPU_ZERO_S(pin->size, pin->one);
	CPU_SET_S(id, pin->size, pin->one);
	if (sched_setaffinity(0, pin->size, pin->one) < 0)
		return -errno;
	pin->moved = true;
	return 0;
}

void pin_end(struct pin *pin)
{
	if (pin->moved && sched_setaffinity(0, pin->size, pin->before) < 0) {
		/* None of these may be run on any more: the cpuset was changed meanwhile, or they went
		 * offline. Wherever it is now, the kernel takes what is too much off the mask. */
		memset(pin->one, 0xff, pin->size);
		(void)sched_setaffinity(0, pin->size, pin->one);
	}
	pin->moved = false;
}
