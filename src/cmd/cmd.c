/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands share: complaints, and where the output goes. */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nls.h"
#include "base/text.h"
#include "engine/options.h"

void cmd_complain(const struct problem *problem)
{
	char line[sizeof(struct problem) + 128], safe[sizeof(line)];

	problem_format(problem, line, sizeof(line));
	text_escape_terminal(line, safe, sizeof(safe));
	fprintf(stderr, "avxtop: %s\n", safe);
}

const char *cmd_absent(const struct options *options)
{
	return options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ? "-" : "–";
}

int cmd_exit_status(int r)
{
	if (r >= 0)
		return EXIT_DONE;
	if (r == -EINVAL)
		return EXIT_USAGE;
	return r == -ENOTSUP ? EXIT_IMPOSSIBLE : EXIT_FAILED;
}

/* May this be written or replaced? A file of another user is not ours to change; pipes and devices are
 * for whoever may open them. */
static int output_check(const struct stat *status)
{
	if (S_ISLNK(status->st_mode))
		return -ELOOP;
	if (S_ISDIR(status->st_mode))
		return -EISDIR;
	return S_ISREG(status->st_mode) && status->st_uid != geteuid() ? -EPERM : 0;
}

/* What stands at `path` now. *ret_straight: no regular file (a pipe, a device), so that it must be written
 * itself and never renamed over; *ret_mode: of the file that will be there. */
static int output_look(const char *path, bool *ret_straight, mode_t *ret_mode)
{
	struct stat status;
	mode_t mask;

	*ret_straight = false;
	if (lstat(path, &status) < 0) {
		if (errno != ENOENT)
			return -errno;
		mask = umask(0);
		umask(mask);
		*ret_mode = 0666 & ~mask;
		return 0;
	}
	*ret_straight = !S_ISREG(status.st_mode);
	*ret_mode = status.st_mode & 0777;
	return output_check(&status);
}

/* A new file beside `path`, so that the later rename stays in one file system. */
static int temporary_open(const char *path, mode_t mode, char **ret)
{
	char *name;
	int fd, r;

	if (asprintf(&name, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0) {
		r = -errno;
		free(name);
		return r;
	}
	if (fchmod(fd, mode) < 0) {
		r = -errno;
		(void)unlink(name);
		(void)close(fd);
		free(name);
		return r;
	}
	*ret = name;
	return fd;
}

/* What was opened is looked at, and only then emptied: since output_look() another file may have taken
 * the name. */
static int straight_open(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
	struct stat status;
	int r = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0)
		r = -errno;
	if (r == 0)
		r = output_check(&status);
	if (r == 0 && S_ISREG(status.st_mode) && ftruncate(fd, 0) < 0)
		r = -errno;
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return fd;
}

int cmd_output_open(const struct options *options, bool whole, struct cmd_output *ret,
		    struct problem *ret_problem)
{
	const char *path = options->output;
	char *temporary = NULL;
	mode_t mode = 0;
	bool straight;
	FILE *stream;
	int fd;

	if (!path) {
		*ret = (struct cmd_output){ .stream = stdout };
		return 0;
	}
	fd = output_look(path, &straight, &mode);
	if (fd == 0 && whole && !straight)
		fd = temporary_open(path, mode, &temporary);
	else if (fd == 0)
		fd = straight_open(path);
	if (fd < 0)
		return problem_set(ret_problem, -fd, "", _("cannot write \"%.128s\""), path);
	stream = fdopen(fd, "w");
	if (!stream) {
		(void)close(fd);
		if (temporary)
			(void)unlink(temporary);
		free(temporary);
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	}
	*ret = (struct cmd_output){ .stream = stream, .temporary = temporary, .path = path };
	return 0;
}

int cmd_output_close(struct cmd_output *output, bool keep, struct problem *ret_problem)
{
	int err = 0;

	errno = EIO; /* an earlier write may have failed without leaving its reason */
	if (fflush(output->stream) != 0 || ferror(output->stream))
		err = errno;
	if (output->path && fclose(output->stream) != 0 && !err)
		err = errno;
	if (output->temporary) {
		if (!err && keep && rename(output->temporary, output->path) < 0)
			err = errno;
		if (err || !keep)
			(void)unlink(output->temporary);
		free(output->temporary);
	}
	if (!err)
		return 0;
	if (!output->path)
		return problem_set(ret_problem, err, "", _("cannot write to standard output"));
	return problem_set(ret_problem, err, "", _("cannot write \"%.128s\""), output->path);
}
