/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A ROLE of a cell: colors of the default theme (256-color index, 8-color index, -1 the
 * terminal's own) and an attribute for monochrome terminals. Never color alone: views put a mark or
 * letter beside it. Text on the terminal's own background keeps its own color, or one that is
 * readable on black and on white. */
ROLE(NORMAL, .name = "normal", .color256 = -1, .color8 = -1)
ROLE(TITLE, .name = "title", .color256 = 72, .color8 = 2, .bold = true)
ROLE(DIM, .name = "dim", .color256 = 246, .color8 = -1, .dim = true)
ROLE(LABEL, .name = "label", .color256 = 74, .color8 = 6)
ROLE(VALUE, .name = "value", .color256 = -1, .color8 = -1, .bold = true)
ROLE(CLOCK, .name = "clock", .color256 = 72, .color8 = 2)
ROLE(CLOCK_IDLE, .name = "clock-idle", .color256 = 242, .color8 = 2, .dim = true)
ROLE(DROPPED, .name = "dropped", .color256 = 203, .color8 = 1, .bold = true)
ROLE(BURST, .name = "burst", .color256 = 172, .color8 = 3, .bold = true)
ROLE(LIGHT, .name = "light", .color256 = 136, .color8 = 3)
ROLE(ABSENT, .name = "absent", .color256 = 244, .color8 = -1, .dim = true)
ROLE(DISTURBED, .name = "disturbed", .color256 = 137, .color8 = 3)
ROLE(TICK, .name = "tick", .color256 = 240, .color8 = -1, .dim = true)
ROLE(HEADING, .name = "heading", .color256 = 16, .back256 = 72, .color8 = 0, .back8 = 2, .reverse = true)
ROLE(CURSOR, .name = "cursor", .color256 = 255, .back256 = 24, .color8 = 7, .back8 = 4, .reverse = true)
ROLE(KEY, .name = "key", .color256 = -1, .color8 = -1, .bold = true)
ROLE(KEY_TEXT, .name = "key-text", .color256 = 16, .back256 = 72, .color8 = 0, .back8 = 6, .reverse = true)
ROLE(PANEL, .name = "panel", .color256 = -1, .color8 = -1)
ROLE(FRAME, .name = "frame", .color256 = 72, .color8 = 2)
ROLE(WARN, .name = "warn", .color256 = 203, .color8 = 1, .bold = true)
ROLE(LICENSE0, .name = "license0", .color256 = 72, .color8 = 2)
ROLE(LICENSE1, .name = "license1", .color256 = 178, .color8 = 3)
ROLE(LICENSE2, .name = "license2", .color256 = 203, .color8 = 1)
