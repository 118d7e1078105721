/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of states. */
#include "config.h"

#include "model/state.h"

#include "base/nls.h"

static const struct state_row rows[STATE_N] = {
#define STATE(id, ...) [STATE_##id] = { __VA_ARGS__ },
#include "model/state_rows.h"
#undef STATE
};

const struct state_row *state_row(enum state state)
{
	return &rows[(unsigned)state < STATE_N ? state : STATE_UNSUPPORTED];
}

bool state_usable(enum state state)
{
	return state == STATE_OK || state == STATE_STALE || state == STATE_SCALED;
}
