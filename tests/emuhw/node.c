/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of the emulated file tree, and the ways to add one. */
#include "config.h"

#include "node.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "machine.h"

static size_t hash_of(const char *s)
{
	size_t h = 1469598103u;
	while (*s)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

struct node *node_child(const struct node *d, const char *name)
{
	if (!d->cap)
		return NULL;
	for (size_t i = hash_of(name) & (d->cap - 1); d->hash[i]; i = (i + 1) & (d->cap - 1))
		if (!strcmp(d->hash[i]->name, name))
			return d->hash[i];
	return NULL;
}

static void hash_put(struct node *d, struct node *k)
{
	size_t i = hash_of(k->name) & (d->cap - 1);
	while (d->hash[i])
		i = (i + 1) & (d->cap - 1);
	d->hash[i] = k;
}

struct node *node_add(struct node *d, const char *name, enum node_kind kind, int mode)
{
	struct node *k = node_child(d, name);
	if (k)
		return k;
	k = calloc(1, sizeof *k);
	k->name = strdup(name);
	k->kind = kind;
	k->mode = mode;
	k->cpu = d->cpu;
	k->vis = d->vis;
	if (d->last)
		d->last->next = k;
	else
		d->kids = k;
	d->last = k;
	if (++d->nkids * 2 > d->cap) {
		free(d->hash);
		d->cap = d->cap ? d->cap * 2 : 8;
		d->hash = calloc(d->cap, sizeof *d->hash);
		for (struct node *x = d->kids; x; x = x->next)
			hash_put(d, x);
	} else
		hash_put(d, k);
	return k;
}

/* create directories of a /-separated path below d; the path is a printf format */
struct node *dir(struct node *d, const char *fmt, ...)
{
	char b[PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(b, sizeof b, fmt, ap);
	va_end(ap);
	for (char *sv, *c = strtok_r(b, "/", &sv); c; c = strtok_r(NULL, "/", &sv))
		d = node_add(d, c, NODE_DIR, 0755);
	return d;
}

struct node *text(struct node *d, const char *name, const char *fmt, ...)
{
	struct node *k = node_add(d, name, NODE_TEXT, 0444);
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&k->text, fmt, ap) < 0)
		abort();
	va_end(ap);
	return k;
}

struct node *gen(struct node *d, const char *name, gen_fn *g, int cpu, int arg)
{
	struct node *k = node_add(d, name, NODE_TEXT, 0444);
	k->gen = g;
	k->cpu = cpu;
	k->arg = arg;
	return k;
}

struct node *link_to(struct node *d, const char *name, const char *fmt, ...)
{
	struct node *k = node_add(d, name, NODE_LINK, 0777);
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&k->text, fmt, ap) < 0)
		abort();
	va_end(ap);
	return k;
}

static bool f_online(int c, int a)
{
	(void)a;
	return c < machine.ncpu && cpus[c].online;
}

static bool f_offline(int c, int a)
{
	(void)a;
	return c >= machine.ncpu ? c < machine.possible : !cpus[c].online;
}

static bool f_present(int c, int a)
{
	(void)a;
	return c < machine.ncpu;
}

static bool f_possible(int c, int a)
{
	(void)a;
	return c < machine.possible;
}

static bool f_node(int c, int a)
{
	return c < machine.ncpu && cpus[c].online && cpus[c].node == a;
}

static bool f_sib(int c, int a)
{
	return c < machine.ncpu && cpus[c].online && cpus[c].pkg == cpus[a].pkg &&
	       cpus[c].core == cpus[a].core;
}

static bool f_pkg(int c, int a)
{
	return c < machine.ncpu && cpus[c].online && cpus[c].pkg == cpus[a].pkg;
}

static bool f_pkgmask(int c, int a)
{
	(void)a;
	return c < machine.ncpu && cpus[c].online && first_online(cpus[c].pkg) == c;
}

static bool f_atom(int c, int a)
{
	(void)a;
	return f_online(c, 0) && cpus[c].atom;
}

static bool f_big(int c, int a)
{
	(void)a;
	return f_online(c, 0) && !cpus[c].atom;
}

static bool f_isolated(int c, int a)
{
	(void)a;
	return c < machine.ncpu && list_has(machine.isolated, c);
}

static bool f_nohz_full(int c, int a)
{
	(void)a;
	return c < machine.ncpu && list_has(machine.nohz_full, c);
}

static bool f_coremask(int c, int a)
{
	(void)a;
	if (!f_online(c, 0))
		return false;
	for (int i = 0; i < c; i++)
		if (f_sib(i, c))
			return false;
	return true;
}

static bool (*const set_tests[])(int, int) = { f_online, f_offline,  f_present,	 f_possible, f_node,
					       f_sib,	 f_pkg,	     f_pkgmask,	 f_coremask, f_atom,
					       f_big,	 f_isolated, f_nohz_full };

static void g_list(FILE *f, const struct node *n, double t)
{
	(void)t;
	char b[65536];
	list_write(b, sizeof(b), set_tests[n->arg], n->cpu, machine.possible);
	fprintf(f, "%s\n", b);
}

static void g_mask(FILE *f, const struct node *n, double t)
{
	(void)t;
	int words = (machine.possible + 31) / 32,
	    first = machine.possible % 32 ? machine.possible % 32 : 32;
	for (int w = words - 1; w >= 0; w--) {
		uint32_t m = 0;
		for (int i = 0; i < 32; i++)
			if (set_tests[n->arg](w * 32 + i, n->cpu))
				m |= 1u << i;
		fprintf(f, "%0*x%s", w == words - 1 ? (first + 3) / 4 : 8, m, w ? "," : "\n");
	}
}

void sets(struct node *d, const char *list, const char *mask, enum cpu_set set, int cpu)
{
	if (list)
		gen(d, list, g_list, cpu, (int)set);
	if (mask)
		gen(d, mask, g_mask, cpu, (int)set);
}

static int p_store(struct node *n, const char *s, double t)
{
	(void)t;
	free(n->text);
	n->text = strdup(s);
	return 0;
}

struct node *rw(struct node *n)
{
	n->mode = 0644;
	if (!n->put)
		n->put = p_store;
	return n;
}
