/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal: start, stop, keys, and showing a canvas. One a process. */
#ifndef AVXTOP_UI_TERM_H
#define AVXTOP_UI_TERM_H

#include <stdbool.h>

#include "base/problem.h"
#include "ui/canvas.h"
#include "ui/keys.h"

struct term_options {
	bool color, mouse;
	bool ascii; /* even where the terminal could do more */
};

/* Whether a dashboard can be shown at all: standard input and output are a terminal of a known type.
 * 0 or -errno with a sentence and a remedy; nothing is written or changed. */
int term_check(struct problem *ret_problem);
/* Takes the terminal over; from now on term_stop() or a crash gives it back as it was. */
int term_start(const struct term_options *options, struct problem *ret_problem);
void term_stop(void); /* also when never started */

/* Only ASCII may be drawn: asked for, or the locale or the terminal has no more. */
bool term_ascii(void);
void term_size(int *ret_width, int *ret_height); /* cells, at least 1 × 1 */
/* The window may have changed, or somebody else has written to it: the next blit draws everything. */
void term_resize(void);
/* Shows the canvas; only cells that changed since the last call are sent. */
void term_blit(const struct canvas *canvas);
/* One key if there is any; never blocks. */
bool term_key(struct key_event *ret);
/* Gives the terminal back, stops the process as SIGTSTP does, and takes it again on SIGCONT. */
void term_suspend(void);
/* The process was continued: sets modes again, the next blit draws everything. */
void term_resume(void);

#endif
