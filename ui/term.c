/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that knows curses. Signals are the caller's (ui/top.c blocks them and reads them from
 * a descriptor), so none of the handlers that curses installs ever runs. */
#include "config.h"

#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/nls.h"
#include "ui/rescue.h"
#include "ui/theme.h"
#include "ui/ui.h"

static struct {
	SCREEN *screen; /* NULL: not started */
	struct termios modes; /* as found */
	bool ascii;
	struct canvas shown; /* what the last blit left on the screen */
	char restore[512]; /* what gives the screen back without curses */
	size_t restore_len;
} term;

const char *ui_curses_version(void)
{
	return curses_version();
}

static const char *const no_terminal_remedy = N_("use avxtop log for text output");

int term_check(struct problem *ret_problem)
{
	const char *name = getenv("TERM");
	int err;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return problem_set(ret_problem, 0, _(no_terminal_remedy), "%s",
				   _("the dashboard needs a terminal for input and output"));
	if (!name || !*name)
		return problem_set(ret_problem, 0, _(no_terminal_remedy), "%s",
				   _("TERM is not set, so nothing is known about this terminal"));
	if (setupterm(name, STDOUT_FILENO, &err) == ERR)
		return problem_set(ret_problem, 0, _(no_terminal_remedy),
				   _("nothing is known about a terminal of type '%.40s'"), name);
	bool moves = cursor_address != NULL && clear_screen != NULL;

	del_curterm(cur_term);
	if (!moves)
		return problem_set(ret_problem, 0, _(no_terminal_remedy),
				   _("a terminal of type '%.40s' cannot place its cursor"), name);
	return 0;
}

/* For tputs(), which wants a function of one character. */
static int restore_put(int c)
{
	if (term.restore_len < sizeof(term.restore))
		term.restore[term.restore_len++] = (char)c;
	return c;
}

static void restore_add(const char *capability)
{
	if (capability && capability != (char *)-1)
		tputs(capability, 1, restore_put);
}

/* Mouse reports are no part of every terminfo entry; switching off what is not on does no harm. */
static void restore_collect(bool mouse)
{
	term.restore_len = 0;
	if (mouse)
		restore_add("\033[?1006l\033[?1000l");
	restore_add(exit_attribute_mode);
	restore_add(keypad_local);
	restore_add(exit_ca_mode);
	restore_add(cursor_normal); /* last: see leave_screen() */
	if (!exit_ca_mode) /* no second screen: leave the prompt on a line of its own */
		restore_add("\r\n");
}

static enum theme_level color_level(bool color)
{
	if (!color || !has_colors() || start_color() == ERR || COLORS < 8)
		return THEME_MONO;
	(void)use_default_colors();
	return COLORS >= 256 && COLOR_PAIRS > ROLE_N ? THEME_256 : THEME_8;
}

static attr_t role_attr[ROLE_N]; /* made by term_start(): with the color pair in it */

static void make_attributes(enum theme_level level)
{
	for (int role = 0; role < ROLE_N; role++) {
		struct style style = theme_style((enum role)role, level);
		attr_t attr = (style.bold ? A_BOLD : 0) | (style.dim ? A_DIM : 0) |
			      (style.reverse ? A_REVERSE : 0);

		if (level != THEME_MONO && (style.color >= 0 || style.back >= 0) &&
		    init_pair((short)(role + 1), style.color, style.back) == OK)
			attr |= COLOR_PAIR(role + 1);
		role_attr[role] = attr;
	}
}

/* Terminals whose font or line drawing cannot be relied on, whatever the locale says. */
static bool poor_glyphs(void)
{
	static const char *const poor[] = { "linux", "vt100", "vt102", "vt220", "ansi", "cons25" };
	const char *name = getenv("TERM");

	for (size_t i = 0; i < sizeof(poor) / sizeof(poor[0]); i++)
		if (name && strcmp(name, poor[i]) == 0)
			return true;
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

/* Never called: the signal is blocked and read from a descriptor. */
static void leave_tstp(int signo)
{
	(void)signo;
}

/*
 * While curses writes a screen it sets SIGTSTP to be ignored, and a Ctrl-Z of that moment is lost, even though the
 * signal is blocked. It does so only where it found the default action (ncurses, lib_tstp.c).
 */
static void keep_tstp(void)
{
	struct sigaction own = { .sa_handler = leave_tstp };

	(void)sigaction(SIGTSTP, &own, NULL);
}

int term_start(const struct term_options *options, struct problem *ret_problem)
{
	if (tcgetattr(STDIN_FILENO, &term.modes) < 0)
		return problem_set(ret_problem, errno, "", "%s", _("the terminal's modes cannot be read"));
	keep_tstp();
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen)
		return problem_set(ret_problem, ENOTTY, _(no_terminal_remedy), "%s",
				   _("the terminal cannot be started"));
	set_term(term.screen);
	restore_collect(options->mouse);
	rescue_arm(term.restore, term.restore_len, &term.modes);
	term.ascii = options->ascii || poor_glyphs();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	leaveok(stdscr, TRUE);
	(void)curs_set(0);
	if (options->mouse) {
		mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
		mouseinterval(0);
	}
	make_attributes(color_level(options->color));
	return 0;
}

/* Terminals made with libvterm keep one saved cursor for both screens, its being hidden included: one
 * that curses saved while it scrolled comes back when the second screen is left. */
static void leave_screen(void)
{
	endwin();
	if (cursor_normal)
		putp(cursor_normal);
	(void)fflush(stdout);
}

void term_stop(void)
{
	if (!term.screen)
		return;
	leave_screen();
	rescue_disarm();
	(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &term.modes);
	delscreen(term.screen);
	term.screen = NULL;
	canvas_free(&term.shown);
}

bool term_ascii(void)
{
	return term.ascii;
}

void term_size(int *ret_width, int *ret_height)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0 || size.ws_row == 0) {
		*ret_width = COLS;
		*ret_height = LINES;
	} else {
		*ret_width = size.ws_col;
		*ret_height = size.ws_row;
	}
	if (*ret_width < 1 || *ret_height < 1)
		*ret_width = *ret_height = 1;
}

void term_resize(void)
{
	int width, height;

	term_size(&width, &height);
	if (width != COLS || height != LINES)
		(void)resizeterm(height, width);
	canvas_free(&term.shown);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->role == b->role && strcmp(a->text, b->text) == 0;
}

void term_blit(const struct canvas *canvas)
{
	bool all = term.shown.width != canvas->width || term.shown.height != canvas->height;

	if (all) {
		if (canvas_resize(&term.shown, canvas->width, canvas->height) < 0)
			return;
		erase();
		clearok(stdscr, TRUE);
	}
	for (int y = 0; y < canvas->height; y++) {
		for (int x = 0; x < canvas->width; x++) {
			size_t i = (size_t)y * (size_t)canvas->width + (size_t)x;
			const struct cell *cell = &canvas->cells[i];

			if (!all && same_cell(cell, &term.shown.cells[i]))
				continue;
			term.shown.cells[i] = *cell;
			if (!cell->text[0])
				continue; /* drawn with its left half */
			attrset((int)role_attr[cell->role]);
			mvaddstr(y, x, cell->text);
		}
	}
	refresh();
}

static bool mouse_key(struct key_event *ret)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return false;
	ret->x = event.x;
	ret->y = event.y;
	if (event.bstate & BUTTON4_PRESSED)
		ret->code = KEY_CODE_WHEEL_UP;
	else if (event.bstate & BUTTON5_PRESSED)
		ret->code = KEY_CODE_WHEEL_DOWN;
	else
		ret->code = KEY_CODE_CLICK;
	return true;
}

static int translate(int c)
{
	switch (c) {
	case KEY_UP: return KEY_CODE_UP;
	case KEY_DOWN: return KEY_CODE_DOWN;
	case KEY_LEFT: return KEY_CODE_LEFT;
	case KEY_RIGHT: return KEY_CODE_RIGHT;
	case KEY_PPAGE: return KEY_CODE_PAGE_UP;
	case KEY_NPAGE: return KEY_CODE_PAGE_DOWN;
	case KEY_HOME: return KEY_CODE_HOME;
	case KEY_END: return KEY_CODE_END;
	case KEY_BTAB: return KEY_CODE_BACK_TAB;
	case KEY_BACKSPACE:
	case '\b': return KEY_CODE_BACKSPACE;
	case KEY_ENTER:
	case '\n': return KEY_CODE_ENTER;
	}
	if (c >= KEY_F(1) && c <= KEY_F(12))
		return KEY_CODE_F(c - KEY_F0);
	return c < KEY_MIN ? c : KEY_CODE_NONE;
}

bool term_key(struct key_event *ret)
{
	for (;;) {
		int c = getch();

		if (c == ERR)
			return false;
		if (c == KEY_MOUSE && !mouse_key(ret))
			continue;
		if (c != KEY_MOUSE)
			*ret = (struct key_event){ .code = translate(c) };
		if (ret->code != KEY_CODE_NONE && c != KEY_RESIZE)
			return true;
	}
}

void term_resume(void)
{
	reset_prog_mode();
	term_resize();
	clearok(stdscr, TRUE);
	refresh();
}

void term_suspend(void)
{
	sigset_t stop, before;
	struct sigaction was, plain = { .sa_handler = SIG_DFL };

	leave_screen();
	rescue_disarm();
	(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &term.modes);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	(void)sigaction(SIGTSTP, &plain, &was);
	raise(SIGTSTP); /* blocked until the next line */
	(void)pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)sigaction(SIGTSTP, &was, NULL);
	rescue_arm(term.restore, term.restore_len, &term.modes);
	term_resume();
}
