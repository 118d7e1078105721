/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the session_*.c files share with each other and with nobody else. */
#ifndef AVXTOP_ENGINE_SESSION_OWN_H
#define AVXTOP_ENGINE_SESSION_OWN_H

#include "engine/choose.h"
#include "engine/own_burst.h"
#include "engine/own_microscope.h"
#include "engine/session.h"
#include "source/source.h"

struct session {
	struct hostfs *fs;
	struct host *host;
	struct board *board;
	struct source *watch;
	bool readonly, as_root;

	struct source_env env;
	struct offer offers[SOURCE_N];
	struct wish wish;
	struct choice choice;
	bool asked[COUNTER_N], wanted[SOURCE_N][COUNTER_N];
	uint8_t servers[COUNTER_N]; /* of choice, as a sample has them */
	struct source *sources[SOURCE_N]; /* by id; NULL where not open */

	struct reader *reader;
	struct sample *prev, *cur; /* prev counts once have_prev */
	bool have_prev, have_snapshot, stranger;
	struct snapshot *snapshot;

	struct own_burst burst;
	struct own_microscope microscope;
};

#endif
