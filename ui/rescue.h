/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives the terminal back when the program crashes. */
#ifndef AVXTOP_UI_RESCUE_H
#define AVXTOP_UI_RESCUE_H

#include <stddef.h>
#include <termios.h>

/* From now on a fatal signal (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, and
 * SIGINT, SIGTERM, SIGHUP where they are not blocked) writes `restore`, sets `modes`, and then does
 * what it would have done. Copies both. */
void rescue_arm(const char *restore, size_t len, const struct termios *modes);
/* The terminal is as it was: nothing is left to be done. Handlers stay, and only re-raise. */
void rescue_disarm(void);

#endif
