/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At which instant a counter was read, and whether that is known well enough to make a rate of it:
 * a thread that had to wait for a CPU, or for the file, in the middle of a read cannot tell. Pure.
 */
#ifndef AVXTOP_SOURCE_INSTANT_H
#define AVXTOP_SOURCE_INSTANT_H

#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC before and after the read: the counter is of some instant between. */
struct instant {
	uint64_t begin_ns, end_ns;
};

/* For a rate over about `elapsed_ns`; 0: there will be none. */
bool instant_sharp(const struct instant *at, uint64_t elapsed_ns);
/* The same for a rate from one read to the next: the moment of either may be what is not known. */
bool instant_sharp_both(const struct instant *from, const struct instant *to, uint64_t elapsed_ns);
/* Whether reading once more is worth it; `at`: of the last try, first_ns: when the first one began.
 */
bool instant_again(const struct instant *at, uint64_t first_ns, uint64_t elapsed_ns);
/* The best guess, which is wrong by half of the time that the read took at most. */
uint64_t instant_ns(const struct instant *at);

#endif
