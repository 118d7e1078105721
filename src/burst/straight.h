/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler's chain without a loop, for single sub-samples right behind a chunk of a burst. A loop's
 * last branch is predicted for some lengths and not for others; behind a chunk the predictor is not
 * settled, and its 20 cycles are 1 % of the difference of two lengths. */
#ifndef AVXTOP_BURST_STRAIGHT_H
#define AVXTOP_BURST_STRAIGHT_H

#define STRAIGHT_LINKS 300 /* 0.3 us at 3 cycles each and 3 GHz */

/* Dependent imul r32,r32. A longer chain is made of the same, warm code: the argument is the result of
 * the call before. */
unsigned straight(unsigned link);

#endif
