/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A burst's result in one sentence, and who pays for it. */
#ifndef AVXTOP_BURST_VERDICT_H
#define AVXTOP_BURST_VERDICT_H

struct burst_result;

/* Sets who_pays and verdict from all the rest. Pure. */
void verdict(struct burst_result *result);

#endif
