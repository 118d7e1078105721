/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bar of long commands. */
#include "config.h"
#include "cmd/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/nls.h"
#include "base/text.h"

#define BAR 24 /* cells */
#define WIDTH 80 /* of a terminal that does not say */

void progress_begin(struct progress *progress)
{
	struct winsize size;
	const char *const term = getenv("TERM");

	*progress = (struct progress){ .began_ns = clock_mono_ns(), .width = WIDTH };
	progress->shown = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	if (progress->shown && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		progress->width = size.ws_col;
}

void progress_show(struct progress *progress, unsigned done, unsigned all, uint64_t expected_ns,
		   const char *what)
{
	const uint64_t spent_ns = clock_mono_ns() - progress->began_ns;
	const uint64_t step_ns = done ? spent_ns / done : expected_ns;
	const unsigned left_s = (unsigned)(step_ns * (all - done) / NS_PER_S) + 1;
	const int filled = all ? (int)(BAR * done / all) : 0;
	char line[256], bar[BAR + 1];

	if (!progress->shown)
		return;
	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)filled);
	bar[BAR] = '\0';
	if (left_s < 120)
		(void)snprintf(line, sizeof(line), _("[%s] %u of %u, %u s left: %s"), bar, done, all, left_s,
			       what);
	else
		(void)snprintf(line, sizeof(line), _("[%s] %u of %u, %u min left: %s"), bar, done, all,
			       (left_s + 59) / 60, what);
	/* a line that wraps could not be taken back */
	while (line[0] && text_width(line) >= (int)progress->width)
		line[strlen(line) - 1] = '\0';
	(void)fprintf(stderr, "\r\033[K%s", line);
	(void)fflush(stderr);
}

void progress_clear(const struct progress *progress)
{
	if (!progress->shown)
		return;
	(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
}
