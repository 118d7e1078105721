/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hand-made machine and its snapshots, for tests of views without terminal, session or time. */
#ifndef AVXTOP_TESTS_UNIT_UI_FIXTURE_H
#define AVXTOP_TESTS_UNIT_UI_FIXTURE_H

#include "burst/board.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/view.h"

struct fixture {
	struct host host;
	struct snapshot *snapshot;
	struct board *board;
	struct ui ui;
	struct canvas canvas;
	uint64_t now_ns;
};

/* `threads` CPUs a core, ids in the order of Linux: first threads of all cores, then the second ones.
 * The locale becomes UTF-8. Every CPU is half busy, without a clock. */
void fixture_open(struct fixture *fixture, unsigned packages, unsigned cores, unsigned threads);
void fixture_close(struct fixture *fixture);
/* Clock and load of a CPU from now on. */
void fixture_clock(struct fixture *fixture, unsigned cpu, double ghz, double busy);
void fixture_state(struct fixture *fixture, unsigned cpu, enum state state);
/* One second passes: aggregates, history, marks. */
void fixture_tick(struct fixture *fixture);
/* Draws at this size; compares with tests/golden/NAME.txt, or writes it with AVXTOP_GOLDEN=write. */
void fixture_golden(struct fixture *fixture, int width, int height, const char *name);
/* Draws; whether the text is on the screen. */
bool fixture_shows(struct fixture *fixture, int width, int height, const char *text);

#endif
