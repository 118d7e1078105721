/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The burst panel: asks before the first burst, shows what the clock does, tells the verdict. */
#ifndef AVXTOP_UI_BURST_PANEL_H
#define AVXTOP_UI_BURST_PANEL_H

#include <stdbool.h>
#include <stdint.h>

struct burst_result;
struct canvas;
struct thermal_look;
struct ui;

/* A clock inside the burst, of the first driven CPU. */
struct burst_point {
	uint64_t mono_ns;
	double hertz;
};

#define BURST_POINTS 600

enum burst_stage { BURST_ASKING, BURST_RUNNING, BURST_ENDED };
/* Lines that the cursor goes through after the kernels. */
enum burst_field { BURST_FIELD_CPUS, BURST_FIELD_SECONDS, BURST_FIELD_DUTY, BURST_FIELD_N };

struct burst_panel {
	bool open;
	enum burst_stage stage;
	unsigned kernel;   /* enum kernel: chosen */
	unsigned cursor;   /* a kernel, or their number + enum burst_field */
	char cpus[96];	   /* as typed */
	uint64_t duration_ns;
	bool no_gaps;	   /* 100 % instead of the default pattern */
	bool confirmed;	   /* a burst was started before: later ones ask all the same, with these values */
	char refusal[640]; /* why it was not started; "" none */
	struct thermal_look *look; /* the sensors are being asked, and then it starts; NULL: not */
	char note[640];	   /* what is allowed but said; "" none */
	const struct burst_result *result; /* of the session: only good after burst_panel_refresh() */
	int lead;	   /* index in the host of the first driven CPU; -1 none */
	uint64_t start_ns, end_ns, looked_ns; /* CLOCK_MONOTONIC; end 0: still running */
	struct burst_point points[BURST_POINTS];
	unsigned n_points;
};

/* Kernel, CPUs and time as the command line or the machine suggest. */
void burst_panel_init(struct ui *ui);
/* Opens it to ask; at_kernels: with the cursor on the kernels. */
void burst_panel_ask(struct ui *ui);
/* True when the key was for the panel. */
bool burst_panel_key(struct ui *ui, int code);
void burst_panel_stop(struct ui *ui);
/* To be called about ten times a second while burst_panel_active(). True when something changed. */
bool burst_panel_tick(struct ui *ui);
/* Before drawing: the session may have replaced the result since. */
void burst_panel_refresh(struct ui *ui);
/* The session is another one: what its burst has left is no more. */
void burst_panel_forget(struct ui *ui);
bool burst_panel_active(const struct ui *ui);
void burst_panel_free(struct ui *ui);
/* Reason that the kernel cannot run on the CPUs chosen, translated; NULL when it can. buf holds it. */
const char *burst_panel_unusable(const struct ui *ui, unsigned kernel, char *buf, unsigned long size);

/* Index in the host of the first CPU in the panel's list; -1 none. */
int burst_panel_first_cpu(const struct ui *ui);
/* Enter: asks the sensors, and starts when they have answered. */
void burst_panel_answer(struct ui *ui);
/* Takes an answer back that has not started anything yet, and what was said to it. */
void burst_panel_recall(struct burst_panel *panel);

/* burst_question.c: true when the key was for the question. */
bool burst_question_key(struct ui *ui, int code);
/* burst_draw.c */
int burst_panel_lines(const struct ui *ui, int height); /* that it wants of a screen so high */
void burst_panel_draw(const struct ui *ui, struct canvas *canvas);
/* burst_graph.c: the clock of the first driven CPU with the burst's edges. */
void burst_graph_draw(const struct ui *ui, struct canvas *canvas, int x, int y, int width, int height);

#endif
