/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string, and widths in terminal cells. */
#include "config.h"
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/* Room for `more` bytes and the NUL. */
static bool reserve(struct text *text, size_t more)
{
	size_t size = text->size ? text->size : 64;
	char *data;

	if (text->failed)
		return false;
	if (text->data && text->size - text->len > more)
		return true;
	while (size - text->len <= more) {
		if (size > SIZE_MAX / 2)
			goto fail;
		size *= 2;
	}
	data = realloc(text->data, size);
	if (!data)
		goto fail;
	text->data = data;
	text->size = size;
	return true;
fail:
	text->failed = true;
	return false;
}

void text_add(struct text *text, const char *string)
{
	const size_t len = strlen(string);

	if (!reserve(text, len))
		return;
	memcpy(text->data + text->len, string, len + 1);
	text->len += len;
}

void text_addf(struct text *text, const char *format, ...)
{
	va_list args, again;
	int len;

	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, args);
	if (len < 0)
		text->failed = true;
	else if (reserve(text, (size_t)len)) {
		(void)vsnprintf(text->data + text->len, (size_t)len + 1, format, again);
		text->len += (size_t)len;
	}
	va_end(again);
	va_end(args);
}

void text_free(struct text *text)
{
	if (!text)
		return;
	free(text->data);
	*text = (struct text){ 0 };
}

/* One character of the locale: its bytes (at least 1) and cells. */
static size_t next_cells(const char *at, mbstate_t *state, int *ret_cells)
{
	wchar_t c;
	const size_t len = mbrtowc(&c, at, strlen(at), state);

	if (len == 0 || len == (size_t)-1 || len == (size_t)-2) {
		*state = (mbstate_t){ 0 };
		*ret_cells = 1;
		return 1;
	}
	*ret_cells = wcwidth(c);
	if (*ret_cells < 0)
		*ret_cells = 1; /* control characters: shown as '?' after text_escape_terminal() */
	return len;
}

int text_width(const char *string)
{
	mbstate_t state = { 0 };
	int width = 0, cells;

	while (*string) {
		string += next_cells(string, &state, &cells);
		width += cells;
	}
	return width;
}

/* Bytes of the well-formed UTF-8 character at `at` (RFC 3629: no overlong forms, no surrogates),
 * 0 when there is none. */
static size_t utf8_length(const unsigned char *at, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t c = at[0];
	size_t len;

	if (c < 0x80) {
		len = 1;
	} else if ((c & 0xe0) == 0xc0) {
		len = 2;
		c &= 0x1f;
	} else if ((c & 0xf0) == 0xe0) {
		len = 3;
		c &= 0x0f;
	} else if ((c & 0xf8) == 0xf0) {
		len = 4;
		c &= 0x07;
	} else {
		return 0;
	}
	for (size_t i = 1; i < len; i++) {
		if ((at[i] & 0xc0) != 0x80) /* the NUL ends here too */
			return 0;
		c = c << 6 | (at[i] & 0x3fu);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret = c;
	return len;
}

/* C0, DEL, C1; separators and the marks that reorder text (Unicode Bidi_Control). */
static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void text_escape_terminal(const char *string, char *buf, size_t size)
{
	const unsigned char *at = (const unsigned char *)string;
	size_t used = 0;

	if (size == 0)
		return;
	while (*at) {
		uint32_t c = 0;
		const size_t len = utf8_length(at, &c);
		const bool bad = len == 0 || is_control(c);
		const size_t out = bad ? 1 : len;

		if (used + out >= size)
			break;
		if (bad)
			buf[used] = '?';
		else
			memcpy(buf + used, at, len);
		used += out;
		at += len ? len : 1;
	}
	buf[used] = '\0';
}

#define WORD_MAX 63u /* longer words are no typing errors of a name */
#define NEAR_MAX 5u  /* more would not help */

/* Edits (insert, delete, replace, swap of neighbors) that turn a into b, ignoring case: optimal
 * string alignment. Both at most WORD_MAX long. */
static unsigned edit_distance(const char *a, const char *b)
{
	unsigned rows[3][WORD_MAX + 1];
	unsigned *before = rows[0], *prev = rows[1], *cur = rows[2];
	const size_t a_len = strlen(a), b_len = strlen(b);

	for (size_t j = 0; j <= b_len; j++)
		prev[j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned *swap = before;

		cur[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			const int x = tolower((unsigned char)a[i - 1]);
			const int y = tolower((unsigned char)b[j - 1]);
			unsigned best = prev[j - 1] + (x != y);

			if (prev[j] + 1 < best)
				best = prev[j] + 1;
			if (cur[j - 1] + 1 < best)
				best = cur[j - 1] + 1;
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			cur[j] = best;
		}
		before = prev;
		prev = cur;
		cur = swap;
	}
	return prev[b_len];
}

static unsigned nearness(const char *word, const char *name)
{
	const size_t len = strlen(word);

	if (strlen(name) > WORD_MAX)
		return WORD_MAX;
	/* The beginning of a name is as good as one wrong letter. */
	if (len >= 3 && strncasecmp(word, name, len) == 0)
		return name[len] != '\0';
	return edit_distance(word, name);
}

void text_near(const char *word, const char *(*name)(unsigned index), char *buf, size_t size)
{
	const size_t len = strlen(word);
	size_t limit = len / 3 > 2 ? len / 3 : 2, used = 0;
	unsigned listed = 0;

	if (size == 0)
		return;
	buf[0] = '\0';
	if (len > WORD_MAX || len == 0)
		return;
	if (limit > len - 1)
		limit = len - 1; /* not a name with nothing in common */
	for (unsigned distance = 0; distance <= limit; distance++) {
		for (unsigned i = 0; name(i) && listed < NEAR_MAX; i++) {
			const size_t need = strlen(name(i)) + (listed ? 2 : 0);

			if (nearness(word, name(i)) != distance || used + need >= size)
				continue;
			(void)snprintf(buf + used, size - used, "%s%s", listed ? ", " : "", name(i));
			used += need;
			listed++;
		}
	}
}
