/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers to and from text, always as in the C locale: the program never sets LC_NUMERIC. */
#ifndef AVXTOP_BASE_NUM_H
#define AVXTOP_BASE_NUM_H

#include <stddef.h>
#include <stdint.h>

/* Whole string must be a number. Return 0, -EINVAL (not a number) or -ERANGE. */
int num_parse_u64(const char *text, uint64_t *ret);
int num_parse_double(const char *text, double *ret);
int num_parse_hex(const char *text, uint64_t *ret); /* "0x1828" */

/* TIME of the command line: "1", "0.5", "250ms", "3s", "80us", "2min"; a bare number is seconds. */
int num_parse_time(const char *text, uint64_t *ret_ns);

/* "4096", "16K", "1M", "2G": powers of 1,024. 0, -EINVAL or -ERANGE. */
int num_parse_bytes(const char *text, uint64_t *ret);

/* Shortest text that reads back as the same double; integers without a fraction. Returns buf. */
const char *num_format(double value, char *buf, size_t size);

/* For people: "3.41 GHz", "812 MHz", "4.0 ms", "71 us", "12.5 GFLOP/s"; three or four digits. */
const char *num_human_hertz(double hertz, char *buf, size_t size);
const char *num_human_time(double seconds, char *buf, size_t size);
const char *num_human_rate(double per_second, const char *unit, char *buf, size_t size);
/* The same back: "16K"; whole numbers of the largest unit that leaves them whole. */
const char *num_format_bytes(uint64_t bytes, char *buf, size_t size);

#endif
