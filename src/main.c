/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program: locale, standard streams, which command to run. The only file of src/ that knows of
 * the dashboard. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/nls.h"
#include "base/privilege.h"
#include "cmd/cmd.h"
#include "engine/options.h"
#include "ui/ui.h"

static int (*const run[])(const struct options *options) = {
#define COMMAND(id, function, ...) [COMMAND_##id] = function,
#include "engine/command_rows.h"
#undef COMMAND
};

const char *cmd_key_at(unsigned index, char *buf, size_t size, const char **ret_help)
{
	return ui_key_at(index, buf, size, ret_help);
}

/* Descriptors 0 to 2 that are closed would be given to the next file opened, and what is printed
 * would go there. Each is filled with one that fails (EBADF) when used in its sense, so that a
 * command still learns that its standard output is closed. */
static int fill_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* The lowest free number, which is fd. */
		if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			return -1;
	}
	return 0;
}

/* Numbers stay as in the C locale: LC_NUMERIC is never set. A locale that is not installed leaves the
 * C locale in place. */
static void set_locale(void)
{
	(void)setlocale(LC_CTYPE, "");
	(void)setlocale(LC_MESSAGES, "");
	(void)setlocale(LC_TIME, "");
	(void)bindtextdomain(PACKAGE, LOCALEDIR);
	(void)textdomain(PACKAGE);
}

/* Then session_open() needs root's rights, where sudo gave them, and gives them back. */
static bool opens_session(const struct options *options)
{
	return !options->version && !options->help && options->command->opens_session;
}

static int dispatch(const struct options *options)
{
	if (options->version)
		cmd_version(stdout, ui_curses_version());
	else if (options->help && options->command_named)
		cmd_help(options->command, stdout);
	else if (options->help)
		cmd_help_all(stdout);
	else
		return run[options->command->id](options);
	return EXIT_DONE;
}

/* Whatever a command printed must have arrived: a full disk is a failure. */
static int finish_stdout(int status)
{
	struct problem problem;

	errno = 0; /* stays: an earlier write has failed, and its reason is lost */
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (status == EXIT_DONE && errno != EPIPE) {
		problem_set(&problem, errno, "", _("cannot write to standard output"));
		cmd_complain(&problem);
	}
	return status == EXIT_DONE ? EXIT_FAILED : status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct problem problem;
	int status = EXIT_USAGE, r;

	if (fill_standard_streams() < 0)
		return EXIT_FAILED;
	r = privilege_lower(&problem);
	set_locale();
	if (r < 0) {
		cmd_complain(&problem);
		return EXIT_FAILED;
	}
	if (options_parse(argc, argv, &options, &problem) < 0) {
		cmd_complain(&problem);
	} else if (!opens_session(&options) && privilege_drop(&problem) < 0) {
		cmd_complain(&problem);
		status = EXIT_FAILED;
	} else {
		status = dispatch(&options);
	}
	options_free(&options);
	return finish_stdout(status);
}
