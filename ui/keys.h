/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of keys: what a key does, its group and its help. Help view, key bar and manual are
 * made from it. */
#ifndef AVXTOP_UI_KEYS_H
#define AVXTOP_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

struct ui;

/* Characters are their code points; what has none lies beyond Unicode. */
enum key_code {
	KEY_CODE_NONE = 0,
	KEY_CODE_TAB = '\t',
	KEY_CODE_ENTER = '\r',
	KEY_CODE_ESCAPE = 27,
	KEY_CODE_BACKSPACE = 127,
	KEY_CODE_UP = 0x110000,
	KEY_CODE_DOWN,
	KEY_CODE_LEFT,
	KEY_CODE_RIGHT,
	KEY_CODE_PAGE_UP,
	KEY_CODE_PAGE_DOWN,
	KEY_CODE_HOME,
	KEY_CODE_END,
	KEY_CODE_BACK_TAB,
	KEY_CODE_CLICK, /* at struct key_event x, y */
	KEY_CODE_WHEEL_UP,
	KEY_CODE_WHEEL_DOWN,
	KEY_CODE_F0 = 0x110100,
};
#define KEY_CODE_F(n) (KEY_CODE_F0 + (n))
#define KEY_CODE_CONTROL(c) ((c) & 0x1f)

struct key_event {
	int code;
	int x, y; /* of the mouse */
};

enum key_group {
	KEY_GROUP_VIEW,
	KEY_GROUP_LOOK,
	KEY_GROUP_MOVE,
	KEY_GROUP_BURST,
	KEY_GROUP_GENERAL,
	KEY_GROUP_N
};

#define KEY_MAX 4
struct key_row {
	int codes[KEY_MAX]; /* the first stands in the key bar */
	void (*run)(struct ui *ui);
	enum key_group group;
	const char *bar;  /* word in the key bar, untranslated; NULL not there */
	const char *help; /* one sentence, untranslated */
};

const struct key_row *keys_get(unsigned index);	    /* NULL at the end */
const struct key_row *keys_find(int code);	    /* NULL: the key means nothing */
const char *keys_group_title(enum key_group group); /* untranslated */
/* "F1", "PgUp", "Ctrl-L", "q"; returns buf (size >= 8). */
const char *keys_name(int code, char *buf, size_t size);
/* All names of a row: "F1, ?, h"; returns buf. */
const char *keys_names(const struct key_row *row, char *buf, size_t size);

#endif
