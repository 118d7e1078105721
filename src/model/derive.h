/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two samples in, one snapshot out. Pure: no file, clock, locale, static or allocation. */
#ifndef AVXTOP_MODEL_DERIVE_H
#define AVXTOP_MODEL_DERIVE_H

struct host;
struct sample;
struct snapshot;

/* prev may be NULL (first sample): values that need a difference become STATE_FIRST. */
void derive(const struct host *host, const struct sample *prev, const struct sample *cur,
	    struct snapshot *ret);

#endif
