/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 in and out without the locale, and one table of ASCII look-alikes, so that views are written
 * once and are right on a vt100 too. */
#include "config.h"

#include "ui/glyph.h"

#include "format/braille.h"

size_t glyph_next(const char *text, uint32_t *ret_point)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
	uint32_t point;

	*ret_point = '?';
	if (len == 1) {
		if (s[0] >= 0x20 && s[0] != 0x7f)
			*ret_point = s[0];
		return 1;
	}
	if (len == 0 || s[0] > 0xf4)
		return 1;
	point = s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 1;
		point = point << 6 | (s[i] & 0x3fu);
	}
	/* Overlong forms, surrogates, C1 controls and what lies beyond Unicode are not characters. */
	if (point < 0xa0 || (len == 3 && point < 0x800) || (len == 4 && point < 0x10000) ||
	    (point >= 0xd800 && point < 0xe000) || point > 0x10ffff)
		return len;
	*ret_point = point;
	return len;
}

void glyph_encode(uint32_t point, char ret[8])
{
	unsigned len = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

	if (len == 1) {
		ret[0] = (char)point;
	} else {
		for (unsigned i = len - 1; i > 0; i--, point >>= 6)
			ret[i] = (char)(0x80u | (point & 0x3fu));
		ret[0] = (char)((0xf00u >> len & 0xffu) | point);
	}
	ret[len] = '\0';
}

static const struct {
	uint32_t point;
	char ascii;
} looks[] = {
	{ 0xb0, '\'' },	 /* degree */
	{ 0xb1, '~' },	 /* plus-minus */
	{ 0xb5, 'u' },	 /* micro */
	{ 0xb7, '-' },	 /* middle dot */
	{ 0xd7, 'x' },	 /* times */
	{ 0x2e2, 's' },	 /* small s */
	{ 0x3bc, 'u' },	 /* mu */
	{ 0x2013, '-' }, /* en dash: absent */
	{ 0x2014, '-' }, /* em dash */
	{ 0x2018, '\'' }, { 0x2019, '\'' },
	{ 0x201c, '"' },  { 0x201d, '"' },
	{ 0x2026, '~' }, /* ellipsis */
	{ 0x2190, '<' },  { 0x2191, '^' },
	{ 0x2192, '>' },  { 0x2193, 'v' },
	{ 0x2212, '-' }, /* minus */
	{ 0x2264, '<' },  { 0x2265, '>' },
	{ 0x2500, '-' },  { 0x2501, '=' },
	{ 0x2502, '|' },  { 0x2503, '|' },
	{ 0x2504, '.' },  { 0x2506, ':' },
	{ 0x250c, '+' },  { 0x2510, '+' },
	{ 0x2514, '+' },  { 0x2518, '+' },
	{ 0x254c, '.' },  { 0x254e, ':' },
	{ 0x2581, '_' },  { 0x2582, '.' },
	{ 0x2583, ',' },  { 0x2584, '-' },
	{ 0x2585, '=' },  { 0x2586, '+' },
	{ 0x2587, '*' },  { 0x2588, '#' },
	{ 0x2591, '.' },  { 0x2592, ':' }, /* shades: licenses 0 and 1; 2 is the full block */
	{ 0x25b2, '^' },		   /* rose */
	{ 0x25b8, '>' },		   /* chosen */
	{ 0x25bc, 'v' },		   /* dropped */
	{ 0x25c2, '<' },  { 0x2713, '+' }, /* check mark */
};

char glyph_ascii(uint32_t point)
{
	if (point < 0x80)
		return (char)point;
	if (point >= 0x2800 && point <= 0x28ff)
		return braille_ascii((unsigned)point - 0x2800);
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (looks[i].point == point)
			return looks[i].ascii;
	return '?';
}
