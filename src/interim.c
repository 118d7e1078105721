/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for parts that are still being written, so that the program links. Last in the link order
 * and weak: whatever has landed takes precedence. Goes away with the last of them. */
#include "config.h"

#include <errno.h>

#include "source/source.h"

#define WEAK __attribute__((weak))

extern const struct source_ops ruler_ops;

static int no_probe(const struct source_env *env, struct offer *ret)
{
	(void)env;
	return problem_set(&ret->why, ENOSYS, "", "the ruler is still being built");
}

WEAK const struct source_ops ruler_ops = { .probe = no_probe };
