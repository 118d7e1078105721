/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a machine as text: those that a row allows. Links are read through, so that the tree
 * has none. */
#include "config.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/text.h"
#include "cmd/dump.h"

#define WORD_SIZE 64

static const struct row {
	const char *folder, *names, *only;
	void (*scrub)(char *text);
} rows[] = {
#define FILES(of, named, ...) { .folder = of, .names = named, __VA_ARGS__ },
#include "cmd/dump_rows.h"
#undef FILES
};

/* A folder on the way down to those of a row. */
struct walk {
	struct hostfs *fs;
	const struct row *row;
	struct text *into;
	char path[PATH_MAX];
};

/* The next word of a list, moving past it; false at the end. */
static bool next_word(const char **list, char word[WORD_SIZE])
{
	const char *start = *list + strspn(*list, " ");
	const size_t len = strcspn(start, " ");

	*list = start + len;
	(void)snprintf(word, WORD_SIZE, "%.*s", (int)len, start);
	return len > 0;
}

static bool is_listed(const char *list, const char *name)
{
	char word[WORD_SIZE];

	while (next_word(&list, word))
		if (fnmatch(word, name, FNM_PERIOD) == 0)
			return true;
	return false;
}

/* Is the device in this folder one of those that the row means? */
static bool is_meant(struct walk *walk)
{
	const char *list = walk->row->only;
	char file[WORD_SIZE], word[WORD_SIZE];

	if (!list)
		return true;
	return next_word(&list, file) &&
	       hostfs_read_line(walk->fs, word, sizeof(word), "%s/%s", walk->path, file) == 0 &&
	       is_listed(list, word);
}

/* Drivers and firmware write what they like: nothing that does harm in a terminal or ends a line. */
static void clean(char *text, bool line_too)
{
	for (; *text; text++)
		if ((*text < ' ' || *text > '~') && (line_too || (*text != '\n' && *text != '\t')))
			*text = '?';
}

static unsigned count_lines(const char *text)
{
	unsigned n = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		n++;
	return n;
}

static void put_file(struct walk *walk, const char *name)
{
	char path[PATH_MAX], *text;
	int r;

	if (snprintf(path, sizeof(path), "%s/%s", walk->path, name) >= (int)sizeof(path))
		return;
	r = hostfs_read(walk->fs, path, &text, NULL);
	clean(path, true);
	if (r < 0) {
		if (r != -EISDIR)
			text_addf(walk->into, "# %s: %s\n", path, strerrordesc_np(-r));
		return;
	}
	if (walk->row->scrub)
		walk->row->scrub(text);
	clean(text, false);
	text_addf(walk->into, "Path: %s\nLines: %u\n", path, count_lines(text));
	text_add(walk->into, text);
	if (*text && text[strlen(text) - 1] != '\n')
		text_add(walk->into, "\n");
	free(text);
}

static void put_folder(struct walk *walk)
{
	char **names;
	int r = is_meant(walk) ? hostfs_names(walk->fs, walk->path, &names) : -ENOENT;

	if (r < 0)
		return;
	for (char **name = names; *name; name++)
		if (is_listed(walk->row->names, *name))
			put_file(walk, *name);
	hostfs_names_free(names);
}

static void descend(struct walk *walk, size_t len, const char *rest);

static void enter(struct walk *walk, size_t len, const char *name, const char *rest)
{
	const int n = snprintf(walk->path + len, sizeof(walk->path) - len, "%s%s", len ? "/" : "",
			       name);

	if (n > 0 && (size_t)n < sizeof(walk->path) - len)
		descend(walk, len + (size_t)n, rest);
	walk->path[len] = '\0';
}

/* Into each folder below path[0..len) that the rest of the pattern stands for. */
static void descend(struct walk *walk, size_t len, const char *rest)
{
	const size_t n = strcspn(rest, "/");
	char pattern[WORD_SIZE], **names;

	if (n == 0) {
		put_folder(walk);
		return;
	}
	(void)snprintf(pattern, sizeof(pattern), "%.*s", (int)n, rest);
	rest += n + (rest[n] == '/');
	if (!strpbrk(pattern, "*[")) {
		enter(walk, len, pattern, rest);
		return;
	}
	if (hostfs_names(walk->fs, walk->path, &names) < 0)
		return;
	for (char **name = names; *name; name++)
		if (fnmatch(pattern, *name, FNM_PERIOD) == 0)
			enter(walk, len, *name, rest);
	hostfs_names_free(names);
}

void dump_files(struct hostfs *fs, struct text *into)
{
	struct walk walk = { .fs = fs, .into = into };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		walk.row = &rows[i];
		descend(&walk, 0, rows[i].folder);
	}
}
