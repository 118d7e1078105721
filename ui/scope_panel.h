/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What view 6 knows of a scope: the question before it, whether one runs, what it has found. */
#ifndef AVXTOP_UI_SCOPE_PANEL_H
#define AVXTOP_UI_SCOPE_PANEL_H

#include <stdbool.h>
#include <stdint.h>

struct canvas;
struct microscope_result;
struct thermal_look;
struct ui;

/* Lines that the cursor goes through after the kernels. */
enum scope_field { SCOPE_FIELD_CPU, SCOPE_FIELD_BURSTS, SCOPE_FIELD_LENGTH, SCOPE_FIELD_N };

struct scope_panel {
	bool asking;	 /* the question is open */
	bool running;	 /* one was started and has not been seen to end */
	unsigned kernel; /* enum kernel: chosen */
	unsigned cursor; /* a kernel, or their number + enum scope_field */
	int cpu;	 /* number of the CPU as typed; -1 none */
	unsigned bursts;
	uint64_t burst_ns;
	char refusal[640];	   /* why it was not started; "" none */
	char note[640];		   /* what is allowed but said; "" none */
	struct thermal_look *look; /* the sensors are being asked, and then it starts; NULL: not */
	const struct microscope_result
		*result;    /* of the session: good after scope_panel_refresh() */
	uint64_t looked_ns; /* CLOCK_MONOTONIC of the last picture of a running one */
};

/* After burst_panel_init(): its kernel is the first choice here, too. */
void scope_panel_init(struct ui *ui);
/* The key b: stops the one that runs, or asks, or closes the question. */
void scope_panel_burst(struct ui *ui);
/* The key k: asks, unless one runs. */
void scope_panel_kernel(struct ui *ui);
/* True when the key was for the question. */
bool scope_panel_key(struct ui *ui, int code);
/* To be called about ten times a second while scope_panel_active(). True when something changed. */
bool scope_panel_tick(struct ui *ui);
/* Before drawing: the session may have replaced the result since. */
void scope_panel_refresh(struct ui *ui);
/* The session is another one: what its scope has found is no more. */
void scope_panel_forget(struct ui *ui);
bool scope_panel_active(const struct ui *ui);
void scope_panel_free(struct ui *ui);

/* Index in the host of the chosen CPU; -1: there is no such one. */
int scope_panel_cpu(const struct ui *ui);
/* Enter: asks the sensors, and starts when they have answered. */
void scope_panel_answer(struct ui *ui);
/* Takes an answer back that has not started anything yet, and what was said to it. */
void scope_panel_recall(struct scope_panel *panel);

/* scope_question.c: true when the key was for the question. */
bool scope_question_key(struct ui *ui, int code);
/* Lines that it takes on a screen of this height; 0: it cannot be shown. */
int scope_question_lines(int height);
void scope_question_draw(const struct ui *ui, struct canvas *canvas, int y, int lines);

#endif
