/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On and off times of a burst: pure arithmetic. */
#ifndef AVXTOP_BURST_PATTERN_H
#define AVXTOP_BURST_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* on_ns == period_ns: no gaps. */
struct pattern {
	uint64_t on_ns, period_ns;
};

#define PATTERN_DEFAULT ((struct pattern){ 4000000, 5000000 })

/* "4ms/5ms" or "100%" (or "80%": of 5 ms). 0 or -EINVAL (on > period, period < 100 us, > 10 s). */
int pattern_parse(const char *text, struct pattern *ret);

#endif
