/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read of a core or a package is read of one of its CPUs: which one, and whether it may be. */
#ifndef AVXTOP_SOURCE_PLACE_H
#define AVXTOP_SOURCE_PLACE_H

#include <stdbool.h>

#include "model/state.h"

struct host;
struct sample;

/* STATE_OK, or why nothing is to be read: no CPU of the core (package) is online or was asked for, or
 * reading interrupts a CPU (`disturbs`) that is to be left alone. *ret_cpu: index of the first one that
 * is online, which the kernel asks for the package too. `sample` knows from proc/stat who is online. */
enum state place_of_core(const struct host *host, const struct sample *sample, unsigned core,
			 bool disturbs, unsigned *ret_cpu);
enum state place_of_package(const struct host *host, const struct sample *sample, unsigned package,
			    bool disturbs, unsigned *ret_cpu);

/* What a failed read means; err: negative errno. */
enum state place_failed(int err);

#endif
