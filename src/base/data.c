/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts and texts of data/: built in, or from $AVXTOP_DATADIR. */
#include "config.h"
#include "base/data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nls.h"

static int load_file(const char *path, char **ret)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	int r = 0;

	if (!file)
		return -errno;
	/* Up to the first NUL, which no text has: the whole file. */
	errno = 0;
	if (getdelim(&text, &size, '\0', file) < 0) {
		r = feof(file) ? 0 : -(errno ? errno : EIO);
		free(text);
		text = r == 0 ? strdup("") : NULL;
		if (r == 0 && !text)
			r = -ENOMEM;
	}
	(void)fclose(file);
	if (r == 0)
		*ret = text;
	return r;
}

int data_load(const char *name, char **ret, struct problem *ret_problem)
{
	const char *folder = secure_getenv("AVXTOP_DATADIR");
	char *path, *copy;
	int r;

	if (!folder || folder[0] == '\0') {
		for (const struct data_file *file = data_files; file->name; file++) {
			if (strcmp(file->name, name) != 0)
				continue;
			copy = strdup(file->text);
			if (!copy)
				return problem_set(ret_problem, ENOMEM, "", _("no memory for data"));
			*ret = copy;
			return 0;
		}
		return problem_set(ret_problem, ENOENT, "", _("there is no data file %s"), name);
	}
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return problem_set(ret_problem, ENOMEM, "", _("no memory for data"));
	r = load_file(path, ret);
	if (r < 0)
		r = problem_set(ret_problem, -r,
				_("unset AVXTOP_DATADIR, or let it name a complete copy of data/"),
				_("cannot read %s"), path);
	free(path);
	return r;
}

const char *data_name(const char *folder, unsigned index)
{
	const size_t len = strlen(folder);

	for (const struct data_file *file = data_files; file->name; file++) {
		if (strncmp(file->name, folder, len) != 0)
			continue;
		/* Folders in it have names of their own. */
		if ((len == 0 || !strchr(file->name + len, '/')) && index-- == 0)
			return file->name;
	}
	return NULL;
}
