# Facts become a C file, so that one binary carries them; $AVXTOP_DATADIR overrides at run time.
data_embedded = \
	data/completions/avxtop.in \
	data/cores/amd.ini \
	data/cores/intel.ini \
	data/cpu/amd.ini \
	data/cpu/intel.ini \
	data/man/avxtop.1.in \
	data/man/tables.md.in
EXTRA_DIST += $(data_embedded) data/embed.awk
CLEANFILES += data/embedded.c
data/embedded.c: data/embed.awk $(data_embedded)
	$(AM_V_GEN)$(MKDIR_P) data && cd $(srcdir) && $(AWK) -f data/embed.awk $(data_embedded) \
		>$(abs_builddir)/$@.tmp && mv $(abs_builddir)/$@.tmp $(abs_builddir)/$@

