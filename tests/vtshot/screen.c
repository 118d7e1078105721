/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of vtshot as text and as text with SGR sequences. */
#include "config.h"

#include "screen.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

static int move_cursor(VTermPos pos, VTermPos old, int visible, void *user)
{
	struct screen *screen = user;

	(void)old;
	(void)visible;
	screen->cursor = pos;
	return 1;
}

static int set_property(VTermProp property, VTermValue *value, void *user)
{
	struct screen *screen = user;

	if (property == VTERM_PROP_CURSORVISIBLE)
		screen->cursor_visible = value->boolean;
	else if (property == VTERM_PROP_ALTSCREEN)
		screen->altscreen = value->boolean;
	else if (property == VTERM_PROP_MOUSE)
		screen->mouse = value->number != VTERM_PROP_MOUSE_NONE;
	return 1;
}

void screen_open(struct screen *screen, int rows, int cols)
{
	static const VTermScreenCallbacks callbacks = { .movecursor = move_cursor,
							.settermprop = set_property };

	*screen = (struct screen){ .rows = rows, .cols = cols, .cursor_visible = true };
	screen->vt = vterm_new(rows, cols);
	if (!screen->vt)
		err(2, "no memory for %d x %d cells", cols, rows);
	vterm_set_utf8(screen->vt, 1);
	screen->cells = vterm_obtain_screen(screen->vt);
	vterm_screen_enable_altscreen(screen->cells, 1);
	vterm_screen_set_callbacks(screen->cells, &callbacks, screen);
	vterm_screen_reset(screen->cells, 1);
}

void screen_close(struct screen *screen)
{
	vterm_free(screen->vt);
	screen->vt = NULL;
}

void screen_resize(struct screen *screen, int rows, int cols)
{
	screen->rows = rows;
	screen->cols = cols;
	vterm_set_size(screen->vt, rows, cols);
	vterm_screen_flush_damage(screen->cells);
}

void screen_feed(struct screen *screen, const char *bytes, size_t n)
{
	vterm_input_write(screen->vt, bytes, n);
	vterm_screen_flush_damage(screen->cells);
}

const char *screen_left_behind(struct screen *screen)
{
	static const VTermAttr flags[] = { VTERM_ATTR_BOLD, VTERM_ATTR_ITALIC, VTERM_ATTR_BLINK,
					   VTERM_ATTR_REVERSE };
	VTermState *state = vterm_obtain_state(screen->vt);
	VTermValue value;

	if (screen->altscreen)
		return "the alternate screen is still shown";
	if (!screen->cursor_visible)
		return "the cursor is still hidden";
	if (screen->mouse)
		return "the mouse is still reported";
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (vterm_state_get_penattr(state, flags[i], &value) && value.boolean)
			return "an attribute (bold, italic, blink or reverse) is still on";
	if (vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &value) &&
	    !VTERM_COLOR_IS_DEFAULT_FG(&value.color))
		return "a foreground color is still on";
	if (vterm_state_get_penattr(state, VTERM_ATTR_BACKGROUND, &value) &&
	    !VTERM_COLOR_IS_DEFAULT_BG(&value.color))
		return "a background color is still on";
	return NULL;
}

void screen_cell(const struct screen *screen, int row, int col, VTermScreenCell *ret)
{
	vterm_screen_get_cell(screen->cells, (VTermPos){ .row = row, .col = col }, ret);
	if (ret->chars[0] == 0 || ret->chars[0] == (uint32_t)-1) {
		ret->chars[0] = ' ';
		ret->chars[1] = 0;
	}
}

int screen_width(const VTermScreenCell *cell)
{
	return cell->width > 1 ? 2 : 1;
}

static void put_utf8(FILE *out, uint32_t c)
{
	if (c < 0x80) {
		fputc((int)c, out);
		return;
	}
	int tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint32_t lead[] = { 0, 0xc0, 0xe0, 0xf0 };

	fputc((int)(lead[tail] | c >> 6 * tail), out);
	while (tail-- > 0)
		fputc((int)(0x80 | (c >> 6 * tail & 63)), out);
}

void screen_put_cell(FILE *out, const VTermScreenCell *cell)
{
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		put_utf8(out, cell->chars[i]);
}

/* Columns of a row up to its last cell that is no space. */
static int row_end(const struct screen *screen, int row)
{
	VTermScreenCell cell;
	int end = 0;

	for (int col = 0; col < screen->cols; col += screen_width(&cell)) {
		screen_cell(screen, row, col, &cell);
		if (cell.chars[0] != ' ' || cell.chars[1])
			end = col + screen_width(&cell);
	}
	return end;
}

char *screen_text(const struct screen *screen)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	VTermScreenCell cell;

	if (!out)
		err(2, "no memory for the text");
	for (int row = 0; row < screen->rows; row++) {
		int end = row_end(screen, row);

		for (int col = 0; col < end; col += screen_width(&cell)) {
			screen_cell(screen, row, col, &cell);
			screen_put_cell(out, &cell);
		}
		fputc('\n', out);
	}
	if (fclose(out))
		err(2, "no memory for the text");
	return text;
}

static void put_color(FILE *out, const VTermColor *color, bool back)
{
	if (back ? VTERM_COLOR_IS_DEFAULT_BG(color) : VTERM_COLOR_IS_DEFAULT_FG(color))
		return;
	if (VTERM_COLOR_IS_INDEXED(color))
		fprintf(out, ";%d;5;%d", back ? 48 : 38, color->indexed.idx);
	else
		fprintf(out, ";%d;2;%d;%d;%d", back ? 48 : 38, color->rgb.red, color->rgb.green,
			color->rgb.blue);
}

static void put_sgr(FILE *out, const VTermScreenCell *cell)
{
	fprintf(out, "\033[0%s%s%s%s%s", cell->attrs.bold ? ";1" : "",
		cell->attrs.italic ? ";3" : "", cell->attrs.underline ? ";4" : "",
		cell->attrs.blink ? ";5" : "", cell->attrs.reverse ? ";7" : "");
	put_color(out, &cell->fg, false);
	put_color(out, &cell->bg, true);
	fputc('m', out);
}

static bool same_look(const VTermScreenCell *a, const VTermScreenCell *b)
{
	return a->attrs.bold == b->attrs.bold && a->attrs.italic == b->attrs.italic &&
	       a->attrs.underline == b->attrs.underline && a->attrs.blink == b->attrs.blink &&
	       a->attrs.reverse == b->attrs.reverse && vterm_color_is_equal(&a->fg, &b->fg) &&
	       vterm_color_is_equal(&a->bg, &b->bg);
}

void screen_write_ansi(const struct screen *screen, FILE *out)
{
	VTermScreenCell cell, before;

	for (int row = 0; row < screen->rows; row++) {
		for (int col = 0; col < screen->cols; col += screen_width(&cell)) {
			screen_cell(screen, row, col, &cell);
			if (col == 0 || !same_look(&cell, &before))
				put_sgr(out, &cell);
			before = cell;
			screen_put_cell(out, &cell);
		}
		fputs("\033[0m\n", out);
	}
}
