/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The truth as JSON: what holds now, and the exact counts since the start. */
#ifndef AVXTOP_TESTS_EMUHW_TRUTH_H
#define AVXTOP_TESTS_EMUHW_TRUTH_H

#include <stdio.h>

void truth_json(FILE *f, double t);

#endif
