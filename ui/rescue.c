/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Crash handlers. They call nothing that is not async-signal-safe (signal-safety(7)): curses may be
 * what crashed. State is static because a handler has no other way to it. */
#include "config.h"

#include "ui/rescue.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The last three are blocked but for the time in which the machine is opened (ui/top.c). */
static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGABRT,
			     SIGQUIT, SIGINT, SIGTERM, SIGHUP };

static struct {
	char restore[512];
	size_t len;
	struct termios modes;
	volatile sig_atomic_t armed;
} state;

static void on_fatal(int number)
{
	if (state.armed) {
		state.armed = 0;
		(void)!write(STDOUT_FILENO, state.restore, state.len);
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &state.modes);
	}
	/* SA_RESETHAND has put the default action back; SA_NODEFER lets it happen right here. */
	raise(number);
}

/* Overrunning the stack must be survivable for as long as the handler takes. */
static void use_other_stack(void)
{
	static char stack[16384];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };

	(void)sigaltstack(&other, NULL);
}

void rescue_arm(const char *restore, size_t len, const struct termios *modes)
{
	struct sigaction action = { .sa_handler = on_fatal }, was;

	if (len > sizeof(state.restore))
		len = sizeof(state.restore);
	memcpy(state.restore, restore, len);
	state.len = len;
	state.modes = *modes;
	state.armed = 1;
	use_other_stack();
	action.sa_flags = (int)((unsigned)SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		/* As nohup(1) has it. */
		if (sigaction(fatal[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			(void)sigaction(fatal[i], &action, NULL);
	}
}

void rescue_disarm(void)
{
	state.armed = 0;
}
