/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dashboard's state, and the views that draw it. Views only read: the same state gives the same
 * canvas, so each is tested as text. */
#ifndef AVXTOP_UI_VIEW_H
#define AVXTOP_UI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"
#include "ui/burst_panel.h"
#include "ui/canvas.h"
#include "ui/history.h"
#include "ui/layout.h"
#include "ui/rows.h"
#include "ui/scope_panel.h"

struct host;
struct options;
struct origin;
struct session;
struct snapshot;

#define VIEW_LABEL_WIDTH 9 /* "License" and its like above the table, with the space after */

#define VIEW_IDLE_BUSY 0.05 /* below it a probe has to wake the CPU, and its clock hurts nobody */

enum view_id { VIEW_OVERVIEW, VIEW_SCOPE, VIEW_HELP };

struct prompt {
	bool open;
	char text[96], before[96]; /* before: what Esc brings back */
};

struct ui {
	const struct options *options;
	struct session *session; /* NULL in tests of views */
	const struct host *host;
	const struct origin *origins;	 /* [METRIC_N]; NULL: not known */
	const struct snapshot *snapshot; /* what is shown; NULL before the first */
	uint64_t interval_ns;

	enum view_id view, helped; /* helped: where the help goes back to */
	struct history history;
	struct rows rows;
	enum row_group group;
	enum row_sort sort;
	struct prompt filter;
	unsigned cursor, top; /* rows */
	int mouse_x, mouse_y; /* of the last click */
	int help_top;	      /* first line of the help that is shown */
	bool vectors;	      /* the columns on vector code are shown */
	bool why;	      /* the panel on the chosen row is open */
	int why_top;	      /* its first line that is shown */
	struct burst_panel burst;
	struct scope_panel scope;
	struct layout layout; /* of the last view_update() */
	bool paused, quit, redraw;
};

/* Rows, layout and scroll position for a screen of this size; before each view_draw(). */
void view_update(struct ui *ui, int width, int height);
void view_draw(const struct ui *ui, struct canvas *canvas);
/* The row of that CPU (index in the host) comes under the cursor, where it has one. */
void view_choose_cpu(struct ui *ui, unsigned index);
/* Key whose word stands at x in the key bar; NULL none. */
struct key_row;
const struct key_row *view_bar_hit(const struct ui *ui, int x);

/* Does the key mean something in the view that is shown? */
bool view_takes(const struct ui *ui, const struct key_row *key);

/* Parts, each in its own file; they draw where ui->layout says. */
void view_overview_draw(const struct ui *ui, struct canvas *canvas);
void view_header_draw(const struct ui *ui, struct canvas *canvas);
void view_row_heading(const struct ui *ui, struct canvas *canvas, const struct columns *columns);
void view_row_draw(const struct ui *ui, struct canvas *canvas, const struct columns *columns,
		   const struct row *row, int y);
int view_why_lines(const struct ui *ui, int width); /* lines that the panel wants */
void view_why_draw(const struct ui *ui, struct canvas *canvas);
void view_scope_draw(const struct ui *ui, struct canvas *canvas);
void view_help_draw(const struct ui *ui, struct canvas *canvas);
int view_help_lines(void);
int view_heat_lines(const struct ui *ui, int width); /* that there are to tell of packages */
void view_heat_draw(const struct ui *ui, struct canvas *canvas);
bool view_heat_throttled(const struct ui *ui, const struct row *row); /* in this interval */
/* What heat or, where the clock has dropped, power does to a row; false: nothing that is known. */
bool view_heat_note(const struct ui *ui, const struct row *row, bool dropped, char *buf,
		    size_t size);
/* "3", "3,35", "64 CPUs": what a row is called; caller frees; NULL when out of memory. cpus: of it. */
char *view_row_name(const struct host *host, const struct row *row, const unsigned *cpus, unsigned n);
/* A core's or package's id into buf, which is returned: "–" where the kernel does not tell it. */
const char *view_id(int id, char *buf, size_t size);
void view_columns(const struct ui *ui, struct columns *ret);
/* Does a source serve it here? METRIC_N is none. */
bool view_served(const struct ui *ui, enum metric metric);
/* Where a row's value of the metric stands: at its own scope or the next larger one that the metric
 * is given at. False: it is given for parts of the row only. */
bool view_place(const struct ui *ui, enum metric metric, const struct row *row,
		enum scope *ret_scope, unsigned *ret_index);
/* The value there; never NULL. */
const struct value *view_value(const struct ui *ui, enum metric metric, const struct row *row,
			       unsigned label);
bool view_core_idle(const struct ui *ui, unsigned core); /* all its CPUs are, as far as is known */
/* The metrics that have columns on this machine and for these rows, in the order of columns; how
 * many. */
unsigned view_metrics(const struct ui *ui, enum metric ret[LAYOUT_MAX_METRICS]);
unsigned view_strip_width(int width); /* CPUs that one line of a heat strip holds */

#endif
