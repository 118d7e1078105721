/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A KEY, in the order of the key bar and the help: codes, function in ui/action.c, group,
 * help. */
KEY(HELP, .codes = { KEY_CODE_F(1), '?', 'h' }, .run = action_help, .group = KEY_GROUP_GENERAL,
	.bar = N_("Help"), .help = N_("this help, and back"))
KEY(BURST, .codes = { 'b', KEY_CODE_F(5) }, .run = action_burst, .group = KEY_GROUP_BURST,
	.bar = N_("Burst"), .help = N_("vector burst: asks first, Enter starts it; while one runs, stops it"))
KEY(KERNEL, .codes = { 'k' }, .run = action_kernel, .group = KEY_GROUP_BURST,
	.bar = N_("Kernel"), .help = N_("choose the load of the next burst"))
KEY(PANEL, .codes = { 'p' }, .run = action_panel, .group = KEY_GROUP_BURST,
	.help = N_("show or hide the burst panel; a burst goes on without it"))
KEY(WHY, .codes = { 'i' }, .run = action_why, .group = KEY_GROUP_LOOK,
	.bar = N_("Why –"), .help = N_("why values of the chosen row are absent, and what would show them"))
KEY(GROUP, .codes = { 'g' }, .run = action_group, .group = KEY_GROUP_LOOK,
	.bar = N_("Group"), .help = N_("rows: CPUs, cores, packages"))
KEY(SORT, .codes = { 's' }, .run = action_sort, .group = KEY_GROUP_LOOK,
	.bar = N_("Sort"), .help = N_("order: CPU number, slowest clock, busiest"))
KEY(FILTER, .codes = { '/' }, .run = action_filter, .group = KEY_GROUP_LOOK,
	.bar = N_("Filter"), .help = N_("show only a CPU list (0-3,8) or rows with a word (burst, idle, offline, P-core)"))
KEY(PAUSE, .codes = { ' ' }, .run = action_pause, .group = KEY_GROUP_LOOK,
	.bar = N_("Pause"), .help = N_("hold the picture; measuring goes on"))
KEY(SLOWER, .codes = { '+', '=' }, .run = action_slower, .group = KEY_GROUP_LOOK,
	.help = N_("longer interval, up to 10 s"))
KEY(FASTER, .codes = { '-' }, .run = action_faster, .group = KEY_GROUP_LOOK,
	.help = N_("shorter interval, down to 0.1 s"))
KEY(REDRAW, .codes = { KEY_CODE_CONTROL('L') }, .run = action_redraw, .group = KEY_GROUP_GENERAL,
	.help = N_("draw the whole screen again"))
KEY(BACK, .codes = { KEY_CODE_ESCAPE }, .run = action_back, .group = KEY_GROUP_GENERAL,
	.help = N_("back: closes a panel, then the filter"))
KEY(UP, .codes = { KEY_CODE_UP, KEY_CODE_WHEEL_UP }, .run = action_up, .group = KEY_GROUP_MOVE,
	.help = N_("one row up (k too in help and panels)"))
KEY(DOWN, .codes = { KEY_CODE_DOWN, 'j', KEY_CODE_WHEEL_DOWN }, .run = action_down, .group = KEY_GROUP_MOVE,
	.help = N_("one row down"))
KEY(PAGE_UP, .codes = { KEY_CODE_PAGE_UP, KEY_CODE_CONTROL('B') }, .run = action_page_up, .group = KEY_GROUP_MOVE,
	.help = N_("one page up"))
KEY(PAGE_DOWN, .codes = { KEY_CODE_PAGE_DOWN, KEY_CODE_CONTROL('F') }, .run = action_page_down, .group = KEY_GROUP_MOVE,
	.help = N_("one page down"))
KEY(HOME, .codes = { KEY_CODE_HOME }, .run = action_home, .group = KEY_GROUP_MOVE,
	.help = N_("first row"))
KEY(END, .codes = { KEY_CODE_END, 'G' }, .run = action_end, .group = KEY_GROUP_MOVE,
	.help = N_("last row"))
KEY(CLICK, .codes = { KEY_CODE_CLICK }, .run = action_click, .group = KEY_GROUP_MOVE,
	.help = N_("mouse: chooses a row, or presses a key of the key bar"))
KEY(QUIT, .codes = { 'q', KEY_CODE_F(10), KEY_CODE_CONTROL('C') }, .run = action_quit, .group = KEY_GROUP_GENERAL,
	.bar = N_("Quit"), .help = N_("quit; a burst ends too"))
