/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A KEY, in the order of the key bar and the help: its function in ui/action.c (declared by
 * this row), codes, group, help. */
KEY(HELP, action_help, .codes = { KEY_CODE_F(1), '?', 'h' }, .group = KEY_GROUP_GENERAL,
	.bar = N_("Help"), .help = N_("this help, and back"))
KEY(OVERVIEW, action_overview, .codes = { '1' }, .group = KEY_GROUP_VIEW,
	.help = N_("overview: which CPU is slow"))
KEY(SCOPE, action_scope, .codes = { '6' }, .group = KEY_GROUP_VIEW,
	.bar = N_("Scope"), .help = N_("scope: the clock across one burst, in microseconds; and back"))
KEY(VIEW, action_view, .codes = { KEY_CODE_F(3) }, .group = KEY_GROUP_VIEW,
	.help = N_("the next view"))
KEY(BURST, action_burst, .codes = { 'b', KEY_CODE_F(5) }, .group = KEY_GROUP_BURST,
	.bar = N_("Burst"), .help = N_("burst, or in view 6 a scope: asks, Enter starts it; while one runs, stops it"))
KEY(KERNEL, action_kernel, .codes = { 'k' }, .group = KEY_GROUP_BURST,
	.bar = N_("Kernel"), .help = N_("choose the load of the next burst or scope"))
KEY(PANEL, action_panel, .codes = { 'p' }, .group = KEY_GROUP_BURST,
	.help = N_("show or hide the burst panel; a burst goes on without it"))
KEY(WHY, action_why, .codes = { 'i' }, .group = KEY_GROUP_LOOK,
	.bar = N_("Why –"), .help = N_("all values of the chosen row, why the rest is absent, and what would show it"))
KEY(VECTORS, action_vectors, .codes = { 'v' }, .group = KEY_GROUP_LOOK,
	.help = N_("columns on vector code, and back; start with --vectors, so that they are counted"))
KEY(GROUP, action_group, .codes = { 'g' }, .group = KEY_GROUP_LOOK,
	.bar = N_("Group"), .help = N_("rows: CPUs, cores, packages"))
KEY(SORT, action_sort, .codes = { 's' }, .group = KEY_GROUP_LOOK,
	.bar = N_("Sort"), .help = N_("order: CPU number, slowest clock, busiest"))
KEY(FILTER, action_filter, .codes = { '/' }, .group = KEY_GROUP_LOOK,
	.bar = N_("Filter"), .help = N_("show only a CPU list (0-3,8) or rows with a word (burst, idle, offline, P-core)"))
KEY(PAUSE, action_pause, .codes = { ' ' }, .group = KEY_GROUP_LOOK,
	.bar = N_("Pause"), .help = N_("hold the picture; measuring goes on"))
KEY(SLOWER, action_slower, .codes = { '+', '=' }, .group = KEY_GROUP_LOOK,
	.help = N_("longer interval, up to 10 s"))
KEY(FASTER, action_faster, .codes = { '-' }, .group = KEY_GROUP_LOOK,
	.help = N_("shorter interval, down to 0.1 s"))
KEY(REDRAW, action_redraw, .codes = { KEY_CODE_CONTROL('L') }, .group = KEY_GROUP_GENERAL,
	.help = N_("draw the whole screen again"))
KEY(BACK, action_back, .codes = { KEY_CODE_ESCAPE }, .group = KEY_GROUP_GENERAL,
	.help = N_("back: closes a panel, leaves a view, then clears the filter"))
KEY(UP, action_up, .codes = { KEY_CODE_UP, KEY_CODE_WHEEL_UP }, .group = KEY_GROUP_MOVE,
	.help = N_("one row up (k too in help and panels)"))
KEY(DOWN, action_down, .codes = { KEY_CODE_DOWN, 'j', KEY_CODE_WHEEL_DOWN }, .group = KEY_GROUP_MOVE,
	.help = N_("one row down"))
KEY(PAGE_UP, action_page_up, .codes = { KEY_CODE_PAGE_UP, KEY_CODE_CONTROL('B') }, .group = KEY_GROUP_MOVE,
	.help = N_("one page up; in the panel of i its lines"))
KEY(PAGE_DOWN, action_page_down, .codes = { KEY_CODE_PAGE_DOWN, KEY_CODE_CONTROL('F') }, .group = KEY_GROUP_MOVE,
	.help = N_("one page down; in the panel of i its lines"))
KEY(HOME, action_home, .codes = { KEY_CODE_HOME }, .group = KEY_GROUP_MOVE,
	.help = N_("first row"))
KEY(END, action_end, .codes = { KEY_CODE_END, 'G' }, .group = KEY_GROUP_MOVE,
	.help = N_("last row"))
KEY(CLICK, action_click, .codes = { KEY_CODE_CLICK }, .group = KEY_GROUP_MOVE,
	.help = N_("mouse: chooses a row, or presses a key of the key bar"))
KEY(QUIT, action_quit, .codes = { 'q', KEY_CODE_F(10), KEY_CODE_CONTROL('C') }, .group = KEY_GROUP_GENERAL,
	.bar = N_("Quit"), .help = N_("quit; a burst ends too"))
