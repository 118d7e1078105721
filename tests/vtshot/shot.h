/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program in a pseudo-terminal, and the screen that shows what it draws. */
#ifndef AVXTOP_TESTS_VTSHOT_SHOT_H
#define AVXTOP_TESTS_VTSHOT_SHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include "screen.h"

struct shot {
	struct screen screen;
	struct termios modes; /* before the program ran */
	int fd;		      /* terminal's side; -1 hung up */
	pid_t pid;	      /* 0: has been waited for */
	int status;
	bool closed; /* the program's side of the terminal is closed */
	double began, last; /* when the program was started and when it last drew, in seconds */
	double limit;
	const char *dir;
};

/* Ends the program when it cannot be started. The screen must be open. */
void shot_start(struct shot *shot, const char *term, char **argv);
void shot_end(struct shot *shot); /* SIGTERM, and SIGKILL a second later, to its process group */
/* Ends the program, prints the screen and exits with 1. */
_Noreturn void shot_fail(struct shot *shot, const char *why, const char *argument);

double shot_now(void); /* seconds, monotonic */
/* Feeds the screen for at most `ms` milliseconds; false when nothing more can come. */
bool shot_pump(struct shot *shot, int ms);
void shot_send(struct shot *shot, const char *bytes, size_t n);
int shot_resize(struct shot *shot, int rows, int cols); /* -1: there is no terminal any more */

#endif
