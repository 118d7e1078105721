/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands: of the file .emu/ctl and of the timeline. */
#ifndef AVXTOP_TESTS_EMUHW_CONTROL_H
#define AVXTOP_TESTS_EMUHW_CONTROL_H

#include <stddef.h>

/* 0, or -1 with a message in ERR. */
int emu_command(const char *line, double at, char *err, size_t n);

#endif
