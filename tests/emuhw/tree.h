/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated /dev/cpu, /sys and /proc. */
#ifndef AVXTOP_TESTS_EMUHW_TREE_H
#define AVXTOP_TESTS_EMUHW_TREE_H

#include "node.h"

/* REALROOT is where the program finds the host's own /proc and /sys. */
void tree_build(const char *realroot);
/* The node of a path, NULL when there is none; holds until the next call. */
struct node *tree_walk(const char *path);

/* Calls with the path of each file and folder that comes and goes with the CPU; not with what is in them. */
void tree_each_hidden(int cpu, void (*call)(const char *path));

/* Parts of it. */
void build_cpu(struct node *parent, int cpu);
void build_pmus(struct node *sys);
void build_sensors(struct node *sys);
void build_proc(struct node *proc);

#endif
