# The dashboard. Sources may include headers of base/ model/ engine/ cmd/; ui/term.c alone knows curses.
noinst_LIBRARIES += libavxtop_ui.a
libavxtop_ui_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir) $(NCURSES_CFLAGS)
libavxtop_ui_a_SOURCES = \
	ui/action.c ui/action.h \
	ui/burst_draw.c \
	ui/burst_graph.c \
	ui/burst_panel.c ui/burst_panel.h \
	ui/burst_question.c \
	ui/canvas.c ui/canvas.h \
	ui/glyph.c ui/glyph.h \
	ui/graph.c ui/graph.h \
	ui/history.c ui/history.h \
	ui/history_note.c \
	ui/keys.c ui/keys.h ui/key_rows.h \
	ui/known.c ui/known.h \
	ui/layout.c ui/layout.h \
	ui/license.c ui/license.h \
	ui/lost.c ui/lost.h \
	ui/opening.c ui/opening.h \
	ui/package.c ui/package.h \
	ui/rescue.c ui/rescue.h \
	ui/question.c ui/question.h \
	ui/role_rows.h \
	ui/rows.c ui/rows.h \
	ui/scope_panel.c ui/scope_panel.h \
	ui/scope_plot.c ui/scope_plot.h \
	ui/scope_question.c \
	ui/shown.c ui/shown.h \
	ui/shown_note.c \
	ui/term.c ui/term.h \
	ui/theme.c ui/theme.h \
	ui/top.c ui/ui.h \
	ui/view.c ui/view.h \
	ui/view_header.c \
	ui/view_heat.c \
	ui/view_help.c \
	ui/view_overview.c \
	ui/view_row.c \
	ui/view_scope.c \
	ui/view_value.c \
	ui/view_why.c

# The picture of the README, from a real burst on this machine: look at it before committing it.
picture_steps = 'wait Quit; sleep 12000; key b; wait Expect; key \n; wait 8 of 10 s; stable 20; snap burst; key q; exit 0'
.PHONY: picture
picture: avxtop vtshot
	$(MKDIR_P) $(srcdir)/data/pictures
	./vtshot -g 100x30 -T 40 -d $(srcdir)/data/pictures $(picture_steps) -- ./avxtop --force
	rm -f $(srcdir)/data/pictures/burst.txt $(srcdir)/data/pictures/burst.ans

# The one with counters, on an emulated machine (as root).
picture_counters_steps = 'wait Quit; sleep 6000; snap counters; key q; exit 0'
.PHONY: picture-counters
picture-counters: avxtop vtshot emuhw
	$(MKDIR_P) $(srcdir)/data/pictures
	./emuhw -q -C $(srcdir)/tests/emuhw/scenarios/skylake-2s.emu -- \
		./vtshot -g 110x30 -T 40 -d $(srcdir)/data/pictures $(picture_counters_steps) -- ./avxtop
	rm -f $(srcdir)/data/pictures/counters.txt $(srcdir)/data/pictures/counters.ans
EXTRA_DIST += data/pictures
