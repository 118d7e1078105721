/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the calling thread may run, as a list of CPUs. */
#include "config.h"
#include "source/affinity.h"

#include <errno.h>
#include <sched.h>

#include "base/list.h"

static int to_list(const cpu_set_t *set, size_t size, struct list **ret)
{
	struct list *list = list_new();

	if (!list)
		return -ENOMEM;
	for (unsigned id = 0; id < size * 8; id++) {
		if (!CPU_ISSET_S(id, size, set))
			continue;
		const int r = list_add(list, id);

		if (r < 0) {
			list_free(list);
			return r;
		}
	}
	*ret = list;
	return 0;
}

int affinity_get(struct list **ret)
{
	/* The kernel refuses a mask shorter than its own with EINVAL and does not tell its size. */
	for (unsigned n = 1024; n <= LIST_MAX_ID + 1; n *= 2) {
		const size_t size = CPU_ALLOC_SIZE(n);
		cpu_set_t *set = CPU_ALLOC(n);
		int r;

		if (!set)
			return -ENOMEM;
		CPU_ZERO_S(size, set);
		r = sched_getaffinity(0, size, set) < 0 ? -errno : to_list(set, size, ret);
		CPU_FREE(set);
		if (r != -EINVAL)
			return r;
	}
	return -EINVAL;
}

int affinity_set(const struct list *list)
{
	unsigned n = 0;
	cpu_set_t *set;
	size_t size;
	int r;

	for (int id = -1; (id = list_next(list, id + 1)) >= 0;)
		n = (unsigned)id + 1;
	if (n == 0)
		return -EINVAL;
	size = CPU_ALLOC_SIZE(n);
	set = CPU_ALLOC(n);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (int id = -1; (id = list_next(list, id + 1)) >= 0;)
		CPU_SET_S((unsigned)id, size, set);
	r = sched_setaffinity(0, size, set) < 0 ? -errno : 0;
	CPU_FREE(set);
	return r;
}
