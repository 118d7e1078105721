/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program in a pseudo-terminal: start, feed the screen, type, end. */
#include "config.h"

#include "shot.h"

#include <err.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

double shot_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void shot_send(struct shot *shot, const char *bytes, size_t n)
{
	while (n > 0 && shot->fd >= 0) {
		ssize_t sent = write(shot->fd, bytes, n);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return; /* the program is gone: the next step says so */
		bytes += sent;
		n -= (size_t)sent;
	}
}

bool shot_pump(struct shot *shot, int ms)
{
	struct pollfd ready = { .fd = shot->fd, .events = POLLIN };
	char bytes[65536];

	if (shot->closed || shot->fd < 0) {
		poll(NULL, 0, ms);
		return false;
	}
	if (poll(&ready, 1, ms) <= 0)
		return true;
	ssize_t n = read(shot->fd, bytes, sizeof(bytes));

	if (n <= 0) {
		shot->closed = n == 0 || errno == EIO;
		return !shot->closed;
	}
	screen_feed(&shot->screen, bytes, (size_t)n);
	shot->last = shot_now();
	/* What the terminal answers to questions. */
	size_t answer = vterm_output_read(shot->screen.vt, bytes, sizeof(bytes));

	shot_send(shot, bytes, answer);
	return true;
}

void shot_end(struct shot *shot)
{
	if (shot->pid == 0)
		return;
	kill(-shot->pid, SIGTERM);
	kill(-shot->pid, SIGCONT);
	for (double end = shot_now() + 1; shot_now() < end; shot_pump(shot, 5))
		if (waitpid(shot->pid, NULL, WNOHANG) != 0)
			return;
	kill(-shot->pid, SIGKILL);
	waitpid(shot->pid, NULL, 0);
}

void shot_fail(struct shot *shot, const char *why, const char *argument)
{
	char *text = screen_text(&shot->screen);

	fprintf(stderr, "vtshot: %s '%s'; the screen is:\n%s", why, argument, text);
	free(text);
	shot_end(shot);
	exit(1);
}

static struct winsize window(const struct screen *screen)
{
	return (struct winsize){ .ws_row = (unsigned short)screen->rows,
				 .ws_col = (unsigned short)screen->cols };
}

void shot_start(struct shot *shot, const char *term, char **argv)
{
	struct winsize size_now = window(&shot->screen);
	int inside;

	if (openpty(&shot->fd, &inside, NULL, NULL, &size_now) || tcgetattr(inside, &shot->modes))
		err(2, "no pseudo-terminal");
	shot->began = shot->last = shot_now();
	shot->pid = fork();
	if (shot->pid < 0)
		err(2, "fork");
	if (shot->pid == 0) {
		close(shot->fd);
		if (login_tty(inside))
			_exit(127);
		/* as a login shell has them, though a shell that was itself put into the background ignores them */
		(void)signal(SIGINT, SIG_DFL);
		(void)signal(SIGQUIT, SIG_DFL);
		setenv("TERM", term, 1);
		unsetenv("COLUMNS");
		unsetenv("LINES");
		execvp(argv[0], argv);
		warn("%s", argv[0]);
		_exit(127);
	}
	close(inside);
}


int shot_resize(struct shot *shot, int rows, int cols)
{
	screen_resize(&shot->screen, rows, cols);
	struct winsize changed = window(&shot->screen);

	return ioctl(shot->fd, TIOCSWINSZ, &changed);
}
