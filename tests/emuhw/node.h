/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of the emulated file tree, and the ways to add one. */
#ifndef AVXTOP_TESTS_EMUHW_NODE_H
#define AVXTOP_TESTS_EMUHW_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum node_kind { NODE_DIR, NODE_LINK, NODE_TEXT, NODE_MSR, NODE_CPUID, NODE_CTL, NODE_PERF };

struct node;
typedef void gen_fn(FILE *f, const struct node *n, double t);
typedef int put_fn(struct node *n, const char *text, double t);

struct node {
	char *name;
	enum node_kind kind;
	int mode;
	struct node *kids, *last, *next;
	struct node **hash; /* directories: open addressing over the names */
	size_t nkids, cap;
	gen_fn *gen;
	put_fn *put;
	char *text; /* the constant text of a file, the target of a link */
	int cpu, arg;
	int vis;	  /* the CPU whose being online makes it visible, -1: always */
	const char *pass; /* the real directory that unknown names link into */
};

struct node *node_child(const struct node *d, const char *name);
/* Adds to d, or finds there. Texts and paths are printf formats. */
struct node *node_add(struct node *d, const char *name, enum node_kind kind, int mode);
struct node *dir(struct node *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct node *text(struct node *d, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct node *link_to(struct node *d, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct node *gen(struct node *d, const char *name, gen_fn *g, int cpu, int arg);
/* Not the files of a CPU that is offline. */
bool node_visible(const struct node *n);
/* Makes a file writable, and lets it keep what is written if nothing else does. */
struct node *rw(struct node *n);

/* Sets of CPUs that files list. */
enum cpu_set {
	ONLINE,
	OFFLINE,
	PRESENT,
	POSSIBLE,
	NODE,
	SIB,
	PKG,
	PKGMASK,
	COREMASK,
	ATOMS,
	BIGS,
	ISOLATED,
	NOHZ_FULL
};
/* Adds files with the set as a list and as a mask; either name may be NULL. */
void sets(struct node *d, const char *list, const char *mask, enum cpu_set set, int cpu);

#endif
