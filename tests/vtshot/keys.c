/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys by name. Apart from screen.c, since <term.h> defines macros that hit the names of libvterm. */
#include "config.h"

#include "keys.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

static const struct key {
	const char *name, *capability; /* of terminfo; NULL: the same everywhere */
	const char *bytes;
} keys[] = {
	{ "<SPACE>", NULL, " " },
	{ "<UP>", "kcuu1", NULL },
	{ "<DOWN>", "kcud1", NULL },
	{ "<RIGHT>", "kcuf1", NULL },
	{ "<LEFT>", "kcub1", NULL },
	{ "<PGUP>", "kpp", NULL },
	{ "<PGDN>", "knp", NULL },
	{ "<HOME>", "khome", NULL },
	{ "<END>", "kend", NULL },
	{ "<BACKSPACE>", "kbs", NULL },
	{ "<F10>", "kf10", NULL },
	{ "<F11>", "kf11", NULL },
	{ "<F12>", "kf12", NULL },
	{ "<F1>", "kf1", NULL },
	{ "<F2>", "kf2", NULL },
	{ "<F3>", "kf3", NULL },
	{ "<F4>", "kf4", NULL },
	{ "<F5>", "kf5", NULL },
	{ "<F6>", "kf6", NULL },
	{ "<F7>", "kf7", NULL },
	{ "<F8>", "kf8", NULL },
	{ "<F9>", "kf9", NULL },
	{ "\\e", NULL, "\033" },
	{ "\\n", NULL, "\r" },
	{ "\\t", NULL, "\t" },
	{ "\\\\", NULL, "\\" },
};

void keys_open(const char *term)
{
	int unused;

	(void)setupterm(term, STDOUT_FILENO, &unused);
}

static const char *key_bytes(const struct key *key)
{
	char *bytes;

	if (!key->capability)
		return key->bytes;
	if (!cur_term)
		return NULL;
	bytes = tigetstr(key->capability);
	return bytes == (char *)-1 ? NULL : bytes;
}

size_t keys_take(const char *text, char *buf, size_t size, size_t *ret_n)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *bytes;

		if (strncmp(text, keys[i].name, strlen(keys[i].name)))
			continue;
		bytes = key_bytes(&keys[i]);
		if (!bytes || strlen(bytes) > size)
			return 0;
		*ret_n = strlen(bytes);
		memcpy(buf, bytes, *ret_n);
		return strlen(keys[i].name);
	}
	*ret_n = 1;
	buf[0] = *text;
	if (*text != '\\')
		return 1;
	if (text[1] != 'x' || strspn(text + 2, "0123456789abcdefABCDEF") < 2)
		return 0;
	buf[0] = (char)strtol((char[]){ text[2], text[3], 0 }, NULL, 16);
	return 4;
}
