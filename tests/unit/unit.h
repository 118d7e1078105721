/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each unit test includes: cmocka with the headers it wants before it. */
#ifndef AVXTOP_TESTS_UNIT_UNIT_H
#define AVXTOP_TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
