/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes and texts as SVG. */
#include "config.h"
#include "format/svg_draw.h"

#include <stdint.h>
#include <string.h>

#define GLYPH_WIDTH 7.2 /* mean of wide sans-serif fonts at 12 px, bold ones included */

/* The picture stands alone: no script, no font and no style from elsewhere. Text on its own ground
 * is readable wherever it is put. The two line colors differ in lightness, too. */
static const char style[] =
	"text{font:12px system-ui,'Segoe UI','DejaVu Sans',Arial,sans-serif;fill:#1f2328}"
	".title{font-size:17px;font-weight:600}.strong{font-weight:600}.dim{fill:#59636e}"
	".middle{text-anchor:middle}.end{text-anchor:end}"
	".light{fill:#ffffff}.dark{fill:#111111}"
	".ground{fill:#ffffff}.absent{fill:none;stroke:#b0b7bf;stroke-dasharray:3 3}"
	".grid{stroke:#d9dee3}.axis{stroke:#8c959f}.mark{stroke:#8c959f;stroke-dasharray:3 3}"
	".burst{fill:#fff1d6}.span{fill:#8250df}.span-soft{fill:#8250df;fill-opacity:.10}"
	".line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}"
	".clock{stroke:#0550ae}.rate{stroke:#d4700a;stroke-width:1.5;stroke-dasharray:5 3}"
	".band{fill:#0550ae;fill-opacity:.2}.band-rate{fill:#d4700a;fill-opacity:.16}"
	"@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#9198a1}.ground{fill:#"
	"0d1117}"
	".light{fill:#ffffff}.dark{fill:#111111}"
	".grid{stroke:#262c36}.absent{stroke:#545d68}.burst{fill:#33270f}.span{fill:#b083f0}"
	".span-soft{fill:#b083f0}.clock{stroke:#6cb6ff}.band{fill:#6cb6ff}.rate{stroke:#f0a04b}"
	".band-rate{fill:#f0a04b}}";

void svg_begin(FILE *out, double width, double height, const char *title)
{
	(void)fprintf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		      "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
		      width, height, width, height);
	svg_escape(out, title);
	(void)fprintf(out, "</title>\n<style>%s</style>\n", style);
	svg_rect(out, 0, 0, width, height, "ground", NULL, NULL);
}

void svg_end(FILE *out)
{
	(void)fputs("</svg>\n", out);
}

/* Bytes of the character at s; 0 where there is none that UTF-8 (RFC 3629) and XML 1.0 (2.2 Char)
 * allow. */
static size_t character(const unsigned char *s)
{
	const size_t len = s[0] < 0x80	 ? 1
			   : s[0] < 0xc2 ? 0
			   : s[0] < 0xe0 ? 2
			   : s[0] < 0xf0 ? 3
			   : s[0] < 0xf5 ? 4
					 : 0;
	uint32_t point = len < 2 ? s[0] : s[0] & (0x7fu >> len);

	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (s[i] & 0x3fu);
	}
	if (point < 0x20 || (point >= 0x7f && point < 0xa0) || (len == 3 && point < 0x800) ||
	    (len == 4 && (point < 0x10000 || point > 0x10ffff)) ||
	    (point >= 0xd800 && point < 0xe000) || point == 0xfffe || point == 0xffff)
		return 0;
	return len;
}

static void escape(FILE *out, const char *text, size_t size)
{
	const unsigned char *s = (const unsigned char *)text, *const end = s + size;

	while (s < end) {
		const size_t len = character(s);
		const char *const entity = *s == '&'	? "&amp;"
					   : *s == '<'	? "&lt;"
					   : *s == '>'	? "&gt;"
					   : *s == '"'	? "&quot;"
					   : *s == '\'' ? "&#39;"
					   : len == 0	? "\xef\xbf\xbd"
							: NULL;

		if (entity)
			(void)fputs(entity, out);
		else
			(void)fwrite(s, 1, len, out);
		s += len ? len : 1;
	}
}

void svg_escape(FILE *out, const char *text)
{
	escape(out, text, strlen(text));
}

static void put_text(FILE *out, double x, double y, const char *class, const char *text,
		     size_t size)
{
	(void)fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	escape(out, text, size);
	(void)fputs("</text>\n", out);
}

void svg_text(FILE *out, double x, double y, const char *class, const char *text)
{
	if (text)
		put_text(out, x, y, class, text, strlen(text));
}

static size_t count(const char *text, size_t size)
{
	const unsigned char *s = (const unsigned char *)text, *const end = s + size;
	size_t n = 0;

	for (; s < end; n++) {
		const size_t len = character(s);

		s += len ? len : 1;
	}
	return n;
}

/* Bytes of the first line: words that fit, or one that does not. */
static size_t first_line(const char *text, unsigned columns)
{
	size_t size = strcspn(text, " ");

	while (text[size]) {
		const size_t next = size + strspn(text + size, " ");
		const size_t more = next + strcspn(text + next, " ");

		if (more == next || count(text, more) > columns)
			break;
		size = more;
	}
	return size;
}

unsigned svg_wrap(FILE *out, double x, double y, double leading, unsigned columns,
		  const char *class, const char *text)
{
	unsigned lines = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		const size_t size = first_line(text, columns);

		if (out)
			put_text(out, x, y + leading * lines, class, text, size);
		lines++;
		text += size;
	}
	return lines;
}

void svg_rect(FILE *out, double x, double y, double width, double height, const char *class,
	      const char *fill, const char *hint)
{
	(void)fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", x, y,
		      width > 0 ? width : 0, height > 0 ? height : 0);
	if (class)
		(void)fprintf(out, " class=\"%s\"", class);
	if (fill)
		(void)fprintf(out, " fill=\"%s\"", fill);
	if (hint) {
		(void)fputs("><title>", out);
		svg_escape(out, hint);
		(void)fputs("</title></rect>\n", out);
	} else {
		(void)fputs("/>\n", out);
	}
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class)
{
	(void)fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
		      x1, y1, x2, y2, class);
}

void svg_path(FILE *out, const struct svg_point *points, size_t n, bool closed, const char *class)
{
	if (n < 2)
		return;
	(void)fprintf(out, "<path class=\"%s\" d=\"M", class);
	for (size_t i = 0; i < n; i++)
		(void)fprintf(out, "%s%.1f,%.1f", i ? " " : "", points[i].x, points[i].y);
	(void)fputs(closed ? "Z\"/>\n" : "\"/>\n", out);
}

double svg_text_width(const char *text)
{
	return text ? GLYPH_WIDTH * (double)count(text, strlen(text)) : 0;
}
