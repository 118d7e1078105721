# Facts become a C file, so that one binary carries them; $AVXTOP_DATADIR overrides at run time.
data_embedded = \
	data/completions/avxtop.in \
	data/cores/amd.ini \
	data/cores/intel.ini \
	data/cpu/amd.ini \
	data/cpu/events/alder-lake.ini \
	data/cpu/events/broadwell.ini \
	data/cpu/events/cascade-lake.ini \
	data/cpu/events/granite-rapids.ini \
	data/cpu/events/haswell.ini \
	data/cpu/events/ice-lake-sp.ini \
	data/cpu/events/ice-lake.ini \
	data/cpu/events/sapphire-rapids.ini \
	data/cpu/events/skylake-sp.ini \
	data/cpu/events/skylake.ini \
	data/cpu/events/zen4.ini \
	data/cpu/intel.ini \
	data/cpu/registers.ini \
	data/man/avxtop.1.in \
	data/man/tables.md.in
EXTRA_DIST += $(data_embedded) data/cpu/events/README data/embed.awk
CLEANFILES += data/embedded.c
data/embedded.c: data/embed.awk $(data_embedded)
	$(AM_V_GEN)$(MKDIR_P) data && cd $(srcdir) && $(AWK) -f data/embed.awk $(data_embedded) \
		>$(abs_builddir)/$@.tmp && mv $(abs_builddir)/$@.tmp $(abs_builddir)/$@

# The manual and the completion are what the program says of itself. The tarball ships them filled and
# they are remade only when a table or their prose is newer, so that cross-builds need not run avxtop.
dist_man1_MANS = data/man/avxtop.1
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = data/completions/avxtop
MAINTAINERCLEANFILES += data/man/avxtop.1 data/completions/avxtop
docs_tables = \
	$(top_srcdir)/configure.ac \
	src/burst/kernel_rows.h \
	src/cmd/docs.c \
	src/engine/command_rows.h \
	src/engine/option_rows.h \
	src/engine/option_values.c \
	src/model/metric_rows.h \
	src/model/state_rows.h \
	src/source/source_rows.h \
	ui/key_rows.h
data/man/avxtop.1: data/man/avxtop.1.in src/cmd/docs_man.c $(docs_tables) | avxtop$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && LC_ALL=C.UTF-8 ./avxtop$(EXEEXT) docs man >$@.tmp && mv $@.tmp $@
data/completions/avxtop: data/completions/avxtop.in src/cmd/docs_completion.c $(docs_tables) | avxtop$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && LC_ALL=C.UTF-8 ./avxtop$(EXEEXT) docs completion >$@.tmp && mv $@.tmp $@
