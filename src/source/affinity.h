/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the calling thread may run, as a list of CPUs: of any length, unlike cpu_set_t. */
#ifndef AVXTOP_SOURCE_AFFINITY_H
#define AVXTOP_SOURCE_AFFINITY_H

struct list;

/* Caller frees *ret. 0 or -errno. */
int affinity_get(struct list **ret);
/* -EINVAL: none of the CPUs is online and in the cpuset. */
int affinity_set(const struct list *list);

#endif
