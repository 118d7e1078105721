noinst_LIBRARIES += libavxtop_ui.a
libavxtop_ui_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir) $(NCURSES_CFLAGS)
libavxtop_ui_a_SOURCES = \
	ui/burst_panel.c ui/burst_panel.h \
	ui/canvas.c ui/canvas.h \
	ui/graph.c ui/graph.h \
	ui/keys.c ui/keys.h ui/key_rows.h \
	ui/layout.c ui/layout.h \
	ui/role_rows.h \
	ui/term.c ui/term.h \
	ui/theme.c ui/theme.h \
	ui/top.c ui/ui.h \
	ui/view.h \
	ui/view_help.c \
	ui/view_overview.c
