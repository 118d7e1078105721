/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a script: one function and one row each. */
#include "config.h"

#include "steps.h"

#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keys.h"
#include "shot.h"

static bool on_screen(const struct shot *shot, const char *words)
{
	char *text = screen_text(&shot->screen);
	bool found = strstr(text, words) != NULL;

	free(text);
	return found;
}

double step_number(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end)
		errx(2, "'%s' is not a number", text);
	return value;
}

void step_size(const char *text, int *ret_x, int *ret_y)
{
	int end = 0;

	if (sscanf(text, "%4dx%4d%n", ret_x, ret_y, &end) != 2 || text[end] || *ret_x < 0 || *ret_y < 0)
		errx(2, "'%s' is not NUMBERxNUMBER", text);
}

static void until(struct shot *shot, const char *words, bool wanted, const char *why)
{
	double end = shot_now() + shot->limit;

	while (on_screen(shot, words) != wanted)
		if ((!shot_pump(shot, 20) && on_screen(shot, words) != wanted) || shot_now() > end)
			shot_fail(shot, why, words);
}

static void step_wait(struct shot *shot, const char *words)
{
	until(shot, words, true, "waited in vain for");
}

static void step_gone(struct shot *shot, const char *words)
{
	until(shot, words, false, "still there:");
}

static void step_expect(struct shot *shot, const char *words)
{
	if (!on_screen(shot, words))
		shot_fail(shot, "not on the screen:", words);
}

static void step_reject(struct shot *shot, const char *words)
{
	if (on_screen(shot, words))
		shot_fail(shot, "on the screen:", words);
}

static void step_stable(struct shot *shot, const char *ms)
{
	double quiet = step_number(ms) / 1e3, end = shot_now() + shot->limit;

	shot->last = shot_now();
	while (shot_now() - shot->last < quiet && shot_pump(shot, 5))
		if (shot_now() > end)
			shot_fail(shot, "never stable for", ms);
}

static void step_sleep(struct shot *shot, const char *ms)
{
	for (double end = shot_now() + step_number(ms) / 1e3; shot_now() < end;)
		shot_pump(shot, 5);
}

static void step_key(struct shot *shot, const char *keys)
{
	while (*keys) {
		char bytes[32];
		size_t n, used = keys_take(keys, bytes, sizeof(bytes), &n);

		if (used == 0)
			shot_fail(shot, "cannot be typed on this TERM:", keys);
		shot_send(shot, bytes, n);
		keys += used;
	}
}

static void step_click(struct shot *shot, const char *where)
{
	char bytes[256];
	int col, row;

	step_size(where, &col, &row);
	vterm_mouse_move(shot->screen.vt, row, col, VTERM_MOD_NONE);
	vterm_mouse_button(shot->screen.vt, 1, true, VTERM_MOD_NONE);
	vterm_mouse_button(shot->screen.vt, 1, false, VTERM_MOD_NONE);
	shot_send(shot, bytes, vterm_output_read(shot->screen.vt, bytes, sizeof(bytes)));
}

static void step_resize(struct shot *shot, const char *to)
{
	int cols, rows;

	step_size(to, &cols, &rows);
	if (cols < 1 || rows < 1)
		errx(2, "'%s' is no window", to);
	if (shot_resize(shot, rows, cols))
		shot_fail(shot, "no terminal to resize to", to);
}

static FILE *create(const struct shot *shot, const char *name, const char *extension)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.%s", shot->dir, name, extension);
	out = fopen(path, "we");
	if (!out)
		err(2, "%s", path);
	return out;
}

static void finish(FILE *out, const char *name)
{
	if (fclose(out))
		err(2, "%s", name);
}

static void step_snap(struct shot *shot, const char *name)
{
	FILE *out = create(shot, name, "txt");
	char *text = screen_text(&shot->screen);

	fputs(text, out);
	free(text);
	finish(out, name);
	out = create(shot, name, "ans");
	screen_write_ansi(&shot->screen, out);
	finish(out, name);
	out = create(shot, name, "svg");
	screen_write_svg(&shot->screen, out);
	finish(out, name);
}

static void step_time(struct shot *shot, const char *name)
{
	printf("%s\t%.1f\n", name, (shot->last - shot->began) * 1e3);
}

static void step_signal(struct shot *shot, const char *name)
{
	int found = 0;

	for (int i = 1; i < NSIG && !found; i++)
		if (sigabbrev_np(i) && !strcmp(sigabbrev_np(i), name))
			found = i;
	if (!found)
		found = (int)step_number(name);
	if (shot->pid == 0 || kill(shot->pid, found))
		shot_fail(shot, "no program to send the signal to:", name);
}

static void step_hangup(struct shot *shot, const char *argument)
{
	(void)argument;
	close(shot->fd);
	shot->fd = -1;
}

static void step_exit(struct shot *shot, const char *code)
{
	double end = shot_now() + shot->limit;

	while (shot->pid) {
		if (waitpid(shot->pid, &shot->status, WNOHANG) == shot->pid)
			shot->pid = 0;
		else if (shot_now() > end)
			shot_fail(shot, "did not end", code);
		else
			shot_pump(shot, 5);
	}
	/* What it wrote last may still be under way; a child may hold the terminal for longer. */
	while (!shot->closed && shot->fd >= 0 && shot_now() < end) {
		double before = shot->last;

		if (!shot_pump(shot, 20) || before == shot->last)
			break;
	}
	int status = WIFEXITED(shot->status) ? WEXITSTATUS(shot->status) : 128 + WTERMSIG(shot->status);

	if (*code && status != (int)step_number(code)) {
		char found[80];

		snprintf(found, sizeof(found), "exit status %d, not", status);
		shot_fail(shot, found, code);
	}
}

static void step_restored(struct shot *shot, const char *argument)
{
	const char *left = screen_left_behind(&shot->screen);
	struct termios modes;

	(void)argument;
	if (left)
		shot_fail(shot, "not restored:", left);
	if (shot->fd < 0 || tcgetattr(shot->fd, &modes))
		shot_fail(shot, "not restored:", "no terminal is left to ask");
	if (modes.c_iflag != shot->modes.c_iflag || modes.c_oflag != shot->modes.c_oflag ||
	    modes.c_lflag != shot->modes.c_lflag)
		shot_fail(shot, "not restored:", "modes of the line (stty) differ");
}

/* Another step, which must be done in so many milliseconds; how many it took is printed. */
static void step_within(struct shot *shot, const char *argument)
{
	char ms[16] = "", *step = strdup(argument);
	size_t digits = strcspn(argument, " ");
	double began = shot_now(), took;

	if (!step || digits >= sizeof(ms) || !argument[digits])
		errx(2, "step 'within' needs milliseconds and a step, not '%s'", argument);
	memcpy(ms, argument, digits);
	step_run(shot, step + digits);
	took = (shot_now() - began) * 1e3;
	printf("within\t%.1f\n", took);
	if (took > step_number(ms))
		shot_fail(shot, "took too long:", argument);
	free(step);
}

static const struct step {
	const char *name;
	void (*run)(struct shot *shot, const char *argument);
	bool bare; /* needs no argument */
} steps[] = {
	{ "wait", step_wait, false },	  { "gone", step_gone, false },
	{ "expect", step_expect, false }, { "reject", step_reject, false },
	{ "stable", step_stable, false }, { "sleep", step_sleep, false },
	{ "key", step_key, false },	  { "click", step_click, false },
	{ "resize", step_resize, false }, { "snap", step_snap, false },
	{ "time", step_time, false },	  { "within", step_within, false },
	{ "signal", step_signal, false }, { "hangup", step_hangup, true },
	{ "exit", step_exit, true },	  { "restored", step_restored, true },
};

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n > 0 && strchr(" \t\n", text[n - 1]))
		text[--n] = 0;
}

void step_run(struct shot *shot, char *text)
{
	text += strspn(text, " \t\n");
	trim(text);
	if (!*text)
		return;
	char *argument = text + strcspn(text, " \t\n");

	if (*argument) {
		*argument++ = 0;
		argument += strspn(argument, " \t\n");
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (!strcmp(text, steps[i].name)) {
			if (!*argument && !steps[i].bare)
				errx(2, "step '%s' needs an argument", text);
			steps[i].run(shot, argument);
			return;
		}
	errx(2, "unknown step '%s'", text);
}
