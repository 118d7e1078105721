/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A PHASE of a burst, in the order in which they come. Fields: struct timeline_phase_row. */
TIMELINE_PHASE(THROTTLE, .name = "throttle", .title = N_("throttled"), .duration_key = "duration_s",
	.ratio_key = "rate_ratio")
TIMELINE_PHASE(HALT_DOWN, .name = "halt_down", .title = N_("halt"), .duration_key = "duration_s")
TIMELINE_PHASE(LOW_CLOCK, .name = "low_clock", .title = N_("lower clock"), .ratio_key = "drop_ratio",
	.hertz = true)
TIMELINE_PHASE(HOLD, .name = "hold", .title = N_("held after the end"), .duration_key = "duration_s")
TIMELINE_PHASE(HALT_UP, .name = "halt_up", .title = N_("second halt"), .duration_key = "duration_s")
TIMELINE_PHASE(RECOVERED, .name = "recovered", .title = N_("recovered"), .duration_key = "after_s")
