/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command: one loop that waits for samples, keys and signals, and draws only when one of them
 * changed something. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/nls.h"
#include "cmd/cmd.h"
#include "engine/options.h"
#include "engine/renewal.h"
#include "engine/session.h"
#include "model/host.h"
#include "ui/keys.h"
#include "ui/opening.h"
#include "ui/term.h"
#include "ui/ui.h"
#include "ui/view.h"

#define TICK_MS 100	     /* while a burst runs or is about to */
#define SECOND_SAMPLE_MS 250 /* differences need two samples: the second comes early */

struct top {
	struct ui ui;
	struct renewal *renewal;
	struct session *fresh; /* takes over with its first interval; NULL none */
	struct canvas canvas;
	int signals;	    /* signalfd */
	uint64_t kick_ns;   /* when the early second sample is due; 0: no more */
	uint64_t taken;	    /* snapshots */
	bool dirty;
};

/* Signals come through a descriptor. Blocked before any thread is made, so that all inherit it. */
static int open_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH, SIGPIPE };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&set, numbers[i]);
	if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0)
		return -EINVAL;
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

/* While the machine is read nobody reads the descriptor, and reading may take long: then these end
 * the program at once, as rescue.c does it. */
static void let_signals_end(bool on)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	(void)pthread_sigmask(on ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

static int open_ui(struct top *top, const struct options *options, struct problem *ret_problem)
{
	struct ui *ui = &top->ui;
	int r = session_open(options, NULL, &ui->session, ret_problem);

	if (r < 0)
		return r;
	ui->options = options;
	ui->host = session_host(ui->session);
	ui->origins = session_origins(ui->session);
	ui->interval_ns = options->interval_ns;
	ui->vectors = options->vectors;
	ui->group = rows_default_group(ui->host);
	if (history_init(&ui->history, ui->host) < 0)
		return problem_set(ret_problem, ENOMEM, "", "%s", _("the dashboard cannot be started"));
	if (renewal_new(options, &top->renewal) < 0)
		return problem_set(ret_problem, ENOMEM, "", "%s", _("the dashboard cannot be started"));
	burst_panel_init(ui);
	scope_panel_init(ui);
	return 0;
}

/* What the panel and a held picture show is of the session that made it. */
static bool may_renew(const struct ui *ui)
{
	return !ui->burst.open && ui->view != VIEW_SCOPE && !ui->paused &&
	       !burst_panel_active(ui) && !scope_panel_active(ui) &&
	       !session_burst_running(ui->session) && !session_microscope_running(ui->session);
}

/* The machine has become another: from now on by the session that was opened for it. */
static void renew(struct top *top)
{
	struct ui *ui = &top->ui;
	struct session *fresh = top->fresh, *old = ui->session;

	top->fresh = NULL;
	if (history_rehost(&ui->history, session_host(fresh), clock_real_ns()) < 0) {
		renewal_close(top->renewal, fresh);
		return;
	}
	ui->session = fresh;
	ui->host = session_host(fresh);
	ui->origins = session_origins(fresh);
	ui->snapshot = NULL; /* the first waits */
	rows_free(&ui->rows);
	burst_panel_forget(ui);
	scope_panel_forget(ui);
	session_set_interval(fresh, ui->interval_ns);
	renewal_close(top->renewal, old);
}

static void close_ui(struct top *top)
{
	burst_panel_free(&top->ui);
	scope_panel_free(&top->ui);
	if (top->ui.session) {
		session_burst_stop(top->ui.session);
		session_microscope_stop(top->ui.session);
	}
	term_stop(); /* before anything that may take its time */
	renewal_free(top->renewal);
	session_close(top->fresh);
	if (top->ui.history.host) /* borrowed of the session */
		history_free(&top->ui.history);
	session_close(top->ui.session);
	rows_free(&top->ui.rows);
	canvas_free(&top->canvas);
	if (top->signals >= 0)
		close(top->signals);
}

static void draw(struct top *top)
{
	int width, height;

	term_size(&width, &height);
	if (width != top->canvas.width || height != top->canvas.height)
		if (canvas_resize(&top->canvas, width, height) < 0)
			return;
	top->canvas.ascii = term_ascii();
	burst_panel_refresh(&top->ui);
	scope_panel_refresh(&top->ui);
	view_update(&top->ui, width, height);
	view_draw(&top->ui, &top->canvas);
	term_blit(&top->canvas);
	top->dirty = false;
}

static void prompt_key(struct ui *ui, int code)
{
	struct prompt *prompt = &ui->filter;
	size_t len = strlen(prompt->text); /* bytes */

	if (code == KEY_CODE_ENTER || code == KEY_CODE_ESCAPE) {
		if (code == KEY_CODE_ESCAPE)
			memcpy(prompt->text, prompt->before, sizeof(prompt->text));
		prompt->open = false;
	} else if (code == KEY_CODE_BACKSPACE) {
		prompt->text[len ? len - 1 : 0] = '\0';
	} else if (code >= ' ' && code < KEY_CODE_BACKSPACE && len + 1 < sizeof(prompt->text)) {
		prompt->text[len] = (char)code;
		prompt->text[len + 1] = '\0';
	}
}

static void press(struct top *top, const struct key_event *event)
{
	struct ui *ui = &top->ui;
	int code = event->code;

	top->dirty = true;
	if (ui->filter.open) {
		prompt_key(ui, code);
		return;
	}
	ui->mouse_x = event->x;
	ui->mouse_y = event->y;
	if (burst_panel_key(ui, code) || scope_panel_key(ui, code))
		return;
	if (ui->view == VIEW_HELP && code == 'k')
		code = KEY_CODE_UP;
	const struct key_row *key = keys_find(code);

	if (key && view_takes(ui, key))
		key->run(ui);
}

static void read_keys(struct top *top, short events)
{
	struct key_event event;
	int waiting = 0;

	/* A terminal that is readable and has nothing to read is gone. */
	if ((events & (POLLHUP | POLLERR | POLLNVAL)) ||
	    (ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0)) {
		top->ui.quit = true;
		return;
	}
	while (!top->ui.quit && term_key(&event))
		press(top, &event);
}

static void read_signals(struct top *top)
{
	struct signalfd_siginfo info;

	while (read(top->signals, &info, sizeof(info)) == sizeof(info)) {
		switch ((int)info.ssi_signo) {
		case SIGTSTP: term_suspend(); break;
		case SIGCONT: term_resume(); break;
		case SIGWINCH: term_resize(); break;
		case SIGPIPE: break; /* the failed write tells by itself */
		default: top->ui.quit = true; break;
		}
		top->dirty = true;
	}
}

static void take_samples(struct top *top)
{
	struct ui *ui = &top->ui;
	const struct snapshot *snapshot;

	while (session_take(ui->session, &snapshot) == 1) {
		ui->snapshot = snapshot;
		history_push(&ui->history, snapshot, session_board(ui->session));
		if (session_stranger(ui->session) && !top->fresh)
			renewal_begin(top->renewal, ui->session, ui->interval_ns);
		top->dirty = true;
		top->taken++;
		if (top->taken == 1)
			top->kick_ns = clock_mono_ns() + SECOND_SAMPLE_MS * NS_PER_MS;
	}
	if (ui->options->count && top->taken > ui->options->count)
		ui->quit = true;
}

/* Milliseconds until something is due by itself; -1: nothing is. */
static int next_due(const struct top *top)
{
	if (burst_panel_active(&top->ui) || scope_panel_active(&top->ui))
		return TICK_MS;
	if (!top->kick_ns)
		return -1;
	uint64_t now = clock_mono_ns();

	return now >= top->kick_ns ? 0 : (int)((top->kick_ns - now) / NS_PER_MS) + 1;
}

static void do_due(struct top *top)
{
	if (top->kick_ns && clock_mono_ns() >= top->kick_ns) {
		top->kick_ns = 0;
		if (top->ui.interval_ns > 2 * SECOND_SAMPLE_MS * NS_PER_MS)
			session_kick(top->ui.session);
	}
	if (burst_panel_tick(&top->ui))
		top->dirty = true;
	if (scope_panel_tick(&top->ui))
		top->dirty = true;
}

static void run(struct top *top)
{
	while (!top->ui.quit) {
		struct pollfd fds[] = {
			{ .fd = STDIN_FILENO, .events = POLLIN },
			{ .fd = top->signals, .events = POLLIN },
			/* While paused the newest sample waits in the reader. */
			{ .fd = top->ui.paused ? -1 : session_fd(top->ui.session), .events = POLLIN },
			{ .fd = renewal_fd(top->renewal), .events = POLLIN },
			{ .fd = top->fresh && may_renew(&top->ui) ? session_fd(top->fresh) : -1,
			  .events = POLLIN },
		};

		if (top->ui.redraw) {
			term_resume();
			top->ui.redraw = false;
			top->dirty = true;
		}
		if (top->dirty)
			draw(top);
		if (poll(fds, sizeof(fds) / sizeof(fds[0]), next_due(top)) < 0 && errno != EINTR)
			break;
		if (fds[1].revents)
			read_signals(top);
		if (fds[0].revents)
			read_keys(top, fds[0].revents);
		if (fds[3].revents)
			top->fresh = renewal_take(top->renewal);
		if (fds[4].revents && may_renew(&top->ui))
			renew(top);
		if (fds[2].revents || fds[4].revents)
			take_samples(top);
		do_due(top);
	}
}

/* no-color.org: set and not empty. */
static bool color_wanted(const struct options *options)
{
	const char *no_color = getenv("NO_COLOR");

	return !options->no_color && !(no_color && *no_color);
}

int command_top(const struct options *options)
{
	struct top *top = calloc(1, sizeof(*top)); /* holds the panel's points: too big for a stack */
	struct problem problem = { 0 };
	struct term_options term = {
		.color = color_wanted(options),
		.mouse = !options->no_mouse,
		.ascii = options->ascii,
	};
	int status = EXIT_USAGE;

	if (!top)
		return EXIT_FAILED;
	top->signals = -1;
	if (term_check(&problem) < 0)
		goto out;
	status = EXIT_FAILED;
	top->signals = open_signals();
	if (top->signals < 0) {
		problem_set(&problem, -top->signals, "", "%s", _("signals cannot be read"));
		goto out;
	}
	if (term_start(&term, &problem) < 0)
		goto out;
	opening_draw(options);
	let_signals_end(true);
	int r = open_ui(top, options, &problem);

	let_signals_end(false);
	if (r < 0) {
		status = r == -ENOTSUP ? EXIT_IMPOSSIBLE : EXIT_FAILED;
		goto out;
	}
	r = session_start(top->ui.session, options->interval_ns);
	if (r < 0) {
		problem_set(&problem, -r, "", "%s", _("the reader thread cannot be started"));
		goto out;
	}
	top->dirty = true;
	run(top);
	status = EXIT_DONE;
out:
	close_ui(top);
	free(top);
	if (problem.text[0])
		cmd_complain(&problem);
	return status;
}
