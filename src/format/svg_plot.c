/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves over time: two parts of the time axis side by side, all of it below. */
#include "config.h"
#include "format/svg.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "format/row.h"
#include "format/svg_draw.h"
#include "format/svg_frame.h"

#define MARGIN 24.0
#define LEFT 76.0
#define RIGHT 84.0
#define GAP 52.0 /* between the upper panels */
#define WIDTH 980.0
#define PANELS_Y 104.0
#define TITLE_HEIGHT 22.0
#define UPPER_HEIGHT 250.0
#define LOWER_HEIGHT 96.0
#define AXIS_HEIGHT 42.0
#define LEADING 18.0
#define LANE_HEIGHT 24.0
#define LANES_MOST 8
#define NOTE_COLUMNS 140

/* How wide and where the text of a mark is: above its bar, from its left end or, where there is no
 * room to the right, up to its right end. */
struct caption {
	double bar_from, bar_to;
	double text_x, text_width;
	bool at_end;
	unsigned lane;
};

static bool place(const struct svg_frame *frame, const struct svg_mark *mark, struct caption *ret)
{
	const double right = frame->x + frame->width;

	if (mark->to <= frame->from || mark->from >= frame->to)
		return false;
	ret->bar_from = svg_frame_x(frame, mark->from);
	ret->bar_to = fmax(svg_frame_x(frame, mark->to), ret->bar_from + 3);
	ret->text_width = svg_text_width(mark->text);
	ret->at_end = ret->bar_from + ret->text_width > right;
	ret->text_x = ret->at_end ? ret->bar_to - ret->text_width : ret->bar_from;
	return true;
}

/* The first lane in which nothing stands where this shall; how many lanes are used then. */
static unsigned find_lane(struct caption *caption, double ends[LANES_MOST], unsigned used)
{
	const double from = fmin(caption->bar_from, caption->text_x);
	unsigned lane = 0;

	while (lane < used && lane + 1 < LANES_MOST && ends[lane] + 10 > from)
		lane++;
	caption->lane = lane;
	ends[lane] = fmax(caption->bar_to, caption->text_x + caption->text_width);
	return lane >= used ? lane + 1 : used;
}

/* Draws the marks above the frame, or with NULL for out only counts the lanes that they need. */
static unsigned draw_labels(FILE *out, const struct svg_plot *plot, const struct svg_frame *frame,
			    double y)
{
	double ends[LANES_MOST];
	struct caption caption;
	unsigned used = 0;

	for (unsigned i = 0; i < plot->n_marks; i++) {
		if (!place(frame, &plot->marks[i], &caption))
			continue;
		used = find_lane(&caption, ends, used);
		if (!out)
			continue;
		const double at = y + LANE_HEIGHT * caption.lane;

		svg_text(out, caption.at_end ? caption.bar_to : caption.bar_from, at + 12,
			 caption.at_end ? "end" : "", plot->marks[i].text);
		svg_rect(out, caption.bar_from, at + 16, caption.bar_to - caption.bar_from, 4,
			 "span", NULL, plot->marks[i].text);
	}
	return used;
}

static void draw_marks(FILE *out, const struct svg_plot *plot, const struct svg_frame *frame)
{
	struct caption caption;

	for (unsigned i = 0; i < plot->n_marks; i++)
		if (plot->marks[i].deep && place(frame, &plot->marks[i], &caption))
			svg_rect(out, caption.bar_from, frame->y, caption.bar_to - caption.bar_from,
				 frame->height, "span-soft", NULL, NULL);
}

/* The curves in a frame with its axes; the last panel has no room for marks. 0 or -ENOMEM. */
static int draw_frame(FILE *out, const struct svg_plot *plot, const struct svg_frame *frame,
		      bool left, bool right)
{
	int r = 0;

	svg_frame_shade(out, frame, plot->shade_from, plot->shade_to);
	svg_frame_grid(out, frame, left, right ? plot->unity_hertz : NAN);
	draw_marks(out, plot, frame);
	for (unsigned i = 0; r == 0 && i < plot->n_curves; i++)
		r = svg_frame_curve(out, frame, &plot->curves[i]);
	return r;
}

static double draw_swatch(FILE *out, double x, double y, const char *name, const char *class,
			  const char *band)
{
	if (band)
		svg_rect(out, x, y - 9, 26, 10, band, NULL, NULL);
	if (class)
		svg_line(out, x, y - 4, x + 26, y - 4, class);
	svg_text(out, x + 34, y, "", name);
	return x + 34 + svg_text_width(name) + 26;
}

static void draw_head(FILE *out, const struct svg_plot *plot)
{
	double x = MARGIN;

	svg_text(out, MARGIN, 34, "title", plot->title);
	svg_text(out, MARGIN, 55, "dim", plot->subtitle);
	for (unsigned i = 0; i < plot->n_curves; i++)
		x = draw_swatch(out, x, 82, plot->curves[i].name,
				plot->curves[i].second ? "line rate" : "line clock",
				plot->curves[i].second ? "band-rate" : "band");
	if (plot->shade_text)
		(void)draw_swatch(out, x, 82, plot->shade_text, NULL, "burst");
}

struct sheet {
	struct svg_frame frames[SVG_PANELS];
	double lanes_y, notes_y, height;
};

static void lay_out(const struct svg_plot *plot, struct sheet *sheet)
{
	const double whole = WIDTH - LEFT - RIGHT, half = (whole - GAP) / 2;
	unsigned lanes = 0, lines = 0;
	double y;

	for (int i = 0; i < SVG_PANELS; i++)
		sheet->frames[i] = (struct svg_frame) {
			.x = i == 1 ? LEFT + half + GAP : LEFT,
			.width = i == 2 ? whole : half,
			.height = i == 2 ? LOWER_HEIGHT : UPPER_HEIGHT,
			.from = plot->panels[i].from,
			.to = plot->panels[i].to,
			.low = plot->low,
			.high = plot->high,
		};
	for (int i = 0; i < 2; i++) {
		const unsigned n = draw_labels(NULL, plot, &sheet->frames[i], 0);

		lanes = n > lanes ? n : lanes;
	}
	sheet->lanes_y = PANELS_Y + TITLE_HEIGHT;
	y = sheet->lanes_y + LANE_HEIGHT * lanes + 4;
	sheet->frames[0].y = sheet->frames[1].y = y;
	y += UPPER_HEIGHT + AXIS_HEIGHT + TITLE_HEIGHT;
	sheet->frames[2].y = y;
	sheet->notes_y = y + LOWER_HEIGHT + AXIS_HEIGHT + 20;
	for (unsigned i = 0; i < plot->n_notes; i++)
		lines += svg_wrap(NULL, 0, 0, 0, NOTE_COLUMNS, "", plot->notes[i]);
	sheet->height = sheet->notes_y + LEADING * lines + 4;
}

int svg_plot_write(FILE *out, const struct svg_plot *plot)
{
	struct sheet sheet;
	int r = 0;

	lay_out(plot, &sheet);
	svg_begin(out, WIDTH, sheet.height, plot->title);
	draw_head(out, plot);
	for (int i = 0; r == 0 && i < SVG_PANELS; i++) {
		const struct svg_frame *const frame = &sheet.frames[i];
		const double title_y = i == 2 ? frame->y - 8 : PANELS_Y + 12;

		svg_text(out, frame->x, title_y, "strong", plot->panels[i].title);
		if (i < 2)
			(void)draw_labels(out, plot, frame, sheet.lanes_y);
		r = draw_frame(out, plot, frame, i != 1, i != 0);
	}
	svg_text(out, LEFT, sheet.frames[2].y + LOWER_HEIGHT + 36, "dim", plot->x_title);
	for (unsigned i = 0; i < plot->n_notes; i++)
		sheet.notes_y +=
			LEADING * svg_wrap(out, MARGIN, sheet.notes_y, LEADING, NOTE_COLUMNS,
					   i ? "dim" : "strong", plot->notes[i]);
	svg_end(out);
	return r < 0 ? r : row_flush(out);
}
