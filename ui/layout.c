/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sharing out lines and cells; what matters least goes first when there is too little room. */
#include "config.h"

#include "ui/layout.h"

#define GRAPH_MIN 6  /* rule and five lines: less does not show a fall */
#define GRAPH_MAX 17
#define ROWS_MIN 3   /* that stay visible beside a panel, where it has its least lines */
#define BAR_MIN 10
#define BAR_MAX 48
#define LICENSE_MIN 8
#define LICENSE_MAX 12
#define LOST_ONE 9 /* "−1800 lic", and two of that kind */
#define LOST_TWO 18
#define NOTE_MIN 22
#define NOTE_MAX 48

static int at_most(int value, int limit)
{
	return value < limit ? value : limit;
}

void layout_screen(int width, int height, unsigned rows, int panel, int heat, struct layout *ret)
{
	*ret = (struct layout){ .width = width, .height = height, .license_y = -1, .heat_y = -1 };
	ret->fits = width >= LAYOUT_MIN_WIDTH && height >= LAYOUT_MIN_HEIGHT;
	if (!ret->fits)
		return;
	int top = 0, bottom = height - 1;
	int n = rows < (unsigned)height ? (int)rows : height; /* more rows than lines make no difference */

	ret->bar_y = bottom;
	ret->title_y = top++;
	ret->clock_y = top++;
	if (height >= 12)
		ret->license_y = top++;
	if (heat > 0 && height >= 14) {
		ret->heat_n = height >= 18 + 2 * heat ? heat : 1;
		ret->heat_y = top;
		top += ret->heat_n;
	}
	if (height >= 20)
		top++; /* air */
	ret->heading_y = top++;
	ret->rows_y = top;
	if (panel > 0) {
		int beside = at_most(n > 1 ? n : 1, ROWS_MIN);

		while (beside > 1 && bottom - top - beside < LAYOUT_PANEL_MIN)
			beside--;
		ret->panel_n = at_most(panel, bottom - top - beside);
		bottom -= ret->panel_n;
		ret->panel_y = bottom;
	} else if (height >= 16) {
		ret->events_n = height >= 40 ? 6 : height >= 24 ? 3 : 2;
		bottom -= ret->events_n;
		ret->events_y = bottom;
	}
	ret->rows_n = bottom - top;
	int spare = ret->rows_n - at_most(n, ret->rows_n) - 1;

	if (spare >= GRAPH_MIN) {
		ret->graph_n = at_most(spare, GRAPH_MAX);
		ret->rows_n -= ret->graph_n;
		ret->graph_y = bottom - ret->graph_n;
	} else if (ret->events_n > 0 && spare > 0) {
		ret->events_n += spare;
		ret->rows_n -= spare;
		ret->events_y -= spare;
	}
}

/* Takes `width` cells and one of space from what is left. */
static bool take(int *left, int width, struct column *column)
{
	if (*left < width + 1)
		return false;
	*left -= width + 1;
	column->width = width;
	return true;
}

static void place(int *x, struct column *column)
{
	column->x = *x;
	if (column->width)
		*x += column->width + 1;
}

/* What tells which CPU is slow comes first, then why. */
static void share_out(int *left, const struct columns_need *need, struct columns *ret)
{
	const unsigned idle = need->n_idle < LAYOUT_MAX_IDLE ? need->n_idle : LAYOUT_MAX_IDLE;
	const unsigned metrics =
		need->n_metrics < LAYOUT_MAX_METRICS ? need->n_metrics : LAYOUT_MAX_METRICS;

	take(left,
	     need->cpu_width < 3    ? 3
	     : need->cpu_width > 12 ? 12
				    : need->cpu_width,
	     &ret->cpu);
	ret->mark.width = ret->sees.width = 1;
	*left -= 2;
	take(left, 4, &ret->clock);
	*left -= BAR_MIN + 1;
	take(left, 4, &ret->busy);
	if (need->lost)
		take(left, LOST_ONE, &ret->lost);
	if (need->license)
		take(left, LICENSE_MIN, &ret->license);
	if (need->core)
		take(left, 6, &ret->core);
	if (!need->vectors)
		take(left, NOTE_MIN, &ret->note);
	while ((unsigned)ret->n_metrics < metrics &&
	       take(left, need->metric_width, &ret->metrics[ret->n_metrics]))
		ret->n_metrics++;
	if (need->vectors)
		take(left, NOTE_MIN, &ret->note);
	if (ret->lost.width && *left >= LOST_TWO - LOST_ONE) {
		*left -= LOST_TWO - LOST_ONE;
		ret->lost.width = LOST_TWO;
	}
	if (ret->license.width && *left >= LICENSE_MAX - LICENSE_MIN) {
		*left -= LICENSE_MAX - LICENSE_MIN;
		ret->license.width = LICENSE_MAX;
	}
	while ((unsigned)ret->n_idle<idle && * left> 14 && take(left, 6, &ret->idle[ret->n_idle]))
		ret->n_idle++;
	ret->first_idle = need->n_idle - (unsigned)ret->n_idle;
	if (*left < 0)
		*left = 0;
	ret->bar.width =
		BAR_MIN + (ret->note.width ? at_most(*left / 3, BAR_MAX - BAR_MIN) : *left);
	*left -= ret->bar.width - BAR_MIN;
	if (ret->note.width)
		ret->note.width += at_most(*left, NOTE_MAX - NOTE_MIN);
}

void layout_columns(int width, const struct columns_need *need, struct columns *ret)
{
	int left = width - 1, x = 1;

	*ret = (struct columns) { .n_idle = 0 };
	share_out(&left, need, ret);
	place(&x, &ret->core);
	place(&x, &ret->cpu);
	ret->mark.x = x++;
	ret->clock.x = x;
	x += ret->clock.width;
	ret->sees.x = x;
	x += 2;
	place(&x, &ret->bar);
	place(&x, &ret->busy);
	place(&x, &ret->license);
	place(&x, &ret->lost);
	for (int i = 0; i < ret->n_metrics; i++)
		place(&x, &ret->metrics[i]);
	for (int i = 0; i < ret->n_idle; i++)
		place(&x, &ret->idle[i]);
	ret->note.x = x + 1;
	if (ret->note.width)
		ret->note.width = at_most(ret->note.width, width - ret->note.x);
}
