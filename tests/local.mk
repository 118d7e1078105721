# Tests speak TAP. Unit tests are cmocka programs, each with its own block below; shell tests need only their line here.
TEST_EXTENSIONS = .sh
LOG_DRIVER = $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = bash $(srcdir)/tests/alone.sh bash $(srcdir)/tests/unit.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash $(srcdir)/tests/alone.sh
CLEANFILES += load.lock tests.lock
AM_TESTS_ENVIRONMENT = export CMOCKA_MESSAGE_OUTPUT=TAP AVXTOP=$(abs_builddir)/avxtop \
	SRCDIR=$(abs_top_srcdir) BUILDDIR=$(abs_builddir) VTSHOT=$(abs_builddir)/vtshot EMUHW=$(abs_builddir)/emuhw;
unit_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir) $(CMOCKA_CFLAGS)
unit_libs = libavxtop.a libkernels.a $(CMOCKA_LIBS) $(CPUID_LIBS) $(PFM_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)

# Shell tests, one a line, sorted.
shell_tests = \
	tests/cli/burst-kill.sh \
	tests/cli/burst.sh \
	tests/cli/cases-affinity.sh \
	tests/cli/cases-files.sh \
	tests/cli/cases-topology.sh \
	tests/cli/doctor-dump.sh \
	tests/cli/doctor.sh \
	tests/cli/log-clock.sh \
	tests/cli/log-sysroot.sh \
	tests/cli/log-weather.sh \
	tests/cli/log.sh \
	tests/cli/harmless.sh \
	tests/cli/help.sh \
	tests/cli/lists.sh \
	tests/cli/manual.sh \
	tests/cli/scope.sh \
	tests/cli/streams.sh \
	tests/cli/sudo.sh \
	tests/cli/sweep.sh \
	tests/cli/usage.sh \
	tests/emu/cases-counters.sh \
	tests/emu/counters.sh \
	tests/emu/doctor.sh \
	tests/emu/hotplug.sh \
	tests/emu/msr.sh \
	tests/emu/observer.sh \
	tests/emu/perf.sh \
	tests/emu/rights.sh \
	tests/emu/soak.sh \
	tests/emu/truth.sh \
	tests/emuhw/selftest.sh \
	tests/screen/burst.sh \
	tests/screen/cases.sh \
	tests/screen/keys.sh \
	tests/screen/machine.sh \
	tests/screen/restore.sh \
	tests/screen/scope.sh \
	tests/screen/size.sh \
	tests/screen/slow-file.sh \
	tests/screen/terminals.sh \
	tests/vtshot/selftest.sh
# Those that make check runs: all, unless told otherwise.
shell_checked = $(shell_tests)
TESTS += $(shell_checked)
EXTRA_DIST += $(shell_tests) tests/golden tests/alone.sh tests/tap.sh tests/unit.sh tests/cli/lib.sh tests/emu/counters.jq tests/emu/lib.sh \
	tests/screen/lib.sh tests/hosts/host.awk tests/hosts/hosts.sh tests/hosts/registers.tsv tests/hosts/ticks.awk tests/hosts/unpack.awk \
	tests/hosts/unpack.sh

# All that make check runs, built but not run.
check-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS)
.PHONY: check-programs

# "N passed, N failed, N skipped" of the last make check, in words that do not change.
check-summary:
	@$(AWK) -f $(srcdir)/tests/summary.awk $(TEST_LOGS)
EXTRA_DIST += tests/summary.awk
.PHONY: check-summary

# Rewrites what tests compare with; the diff is part of the review.
golden:
	-AVXTOP_GOLDEN=write $(MAKE) $(AM_MAKEFLAGS) check >golden.log
	cd $(srcdir) && git status --short tests/golden
.PHONY: golden

# What the compiler does not see: tests/lint-NAME.sh each, quick, and says what to do.
lints = \
	tests/lint-cppcheck.sh \
	tests/lint-curses.sh \
	tests/lint-format.sh \
	tests/lint-headers.sh \
	tests/lint-host.sh \
	tests/lint-hostfs.sh \
	tests/lint-includes.sh \
	tests/lint-length.sh \
	tests/lint-license.sh \
	tests/lint-locale.sh \
	tests/lint-output.sh \
	tests/lint-potfiles.sh \
	tests/lint-shell.sh \
	tests/lint-spelling.sh \
	tests/lint-texts.sh \
	tests/lint-tidy.sh \
	tests/lint-vectors.sh \
	tests/lint-widths.sh
lint: all
	@$(AM_TESTS_ENVIRONMENT) CC='$(CC)' CPPFLAGS='$(CPUID_CFLAGS) $(JANSSON_CFLAGS)' bash $(srcdir)/tests/lint.sh $(lints)
EXTRA_DIST += tests/lint.sh $(lints)
.PHONY: lint

# Figures that must be reached: each program prints lines of "name TAB figure TAB unit TAB must", see tests/bench/run.sh.
# A program also needs EXTRA_PROGRAMS += its name.
bench_programs =
bench_scripts = tests/bench/emulated.sh tests/bench/large.sh tests/bench/scope.sh tests/bench/top.sh
bench_tools = tests/bench/big_tree tests/bench/cost
bench: all $(bench_programs) $(bench_tools) $(bench_terminal) $(bench_machine)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/bench/run.sh $(bench_programs:%=./%) $(bench_scripts:%=$(srcdir)/%)
CLEANFILES += $(bench_programs) $(bench_tools)
EXTRA_DIST += tests/bench/README.md tests/bench/run.sh $(bench_scripts)
.PHONY: bench

# The test terminal. Screen tests skip themselves where it could not be built.
if HAVE_VTERM
check_PROGRAMS += vtshot
bench_terminal = vtshot$(EXEEXT)
vtshot_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/vtshot $(VTERM_CFLAGS) $(NCURSES_CFLAGS)
vtshot_SOURCES = \
	tests/vtshot/keys.c tests/vtshot/keys.h \
	tests/vtshot/screen.c tests/vtshot/screen.h \
	tests/vtshot/shot.c tests/vtshot/shot.h \
	tests/vtshot/steps.c tests/vtshot/steps.h \
	tests/vtshot/svg.c \
	tests/vtshot/vtshot.c
vtshot_LDADD = $(VTERM_LIBS) $(NCURSES_LIBS)
endif

# The emulated machine. Tests on it skip themselves where it could not be built or cannot run.
if HAVE_FUSE
check_PROGRAMS += emuhw
bench_machine = emuhw$(EXEEXT)
emuhw_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/emuhw $(FUSE_CFLAGS)
emuhw_SOURCES = \
	tests/emuhw/affinity.c \
	tests/emuhw/affinity.h \
	tests/emuhw/clock.c \
	tests/emuhw/clock.h \
	tests/emuhw/control.c \
	tests/emuhw/control.h \
	tests/emuhw/core.c \
	tests/emuhw/core.h \
	tests/emuhw/emuhw.c \
	tests/emuhw/event.c \
	tests/emuhw/event.h \
	tests/emuhw/fault.c \
	tests/emuhw/fault.h \
	tests/emuhw/fs.c \
	tests/emuhw/fs.h \
	tests/emuhw/leaf.c \
	tests/emuhw/leaf.h \
	tests/emuhw/list.c \
	tests/emuhw/list.h \
	tests/emuhw/machine.c \
	tests/emuhw/machine.h \
	tests/emuhw/msr.c \
	tests/emuhw/msr.h \
	tests/emuhw/node.c \
	tests/emuhw/node.h \
	tests/emuhw/perf.c \
	tests/emuhw/perf.h \
	tests/emuhw/react.c \
	tests/emuhw/react.h \
	tests/emuhw/register.h \
	tests/emuhw/register_amd.c \
	tests/emuhw/register_intel.c \
	tests/emuhw/scenario.c \
	tests/emuhw/scenario.h \
	tests/emuhw/schedule.c \
	tests/emuhw/schedule.h \
	tests/emuhw/state.c \
	tests/emuhw/state.h \
	tests/emuhw/supervise.c \
	tests/emuhw/supervise.h \
	tests/emuhw/target.c \
	tests/emuhw/target.h \
	tests/emuhw/trace.c \
	tests/emuhw/trace.h \
	tests/emuhw/tree.c \
	tests/emuhw/tree.h \
	tests/emuhw/tree_cpu.c \
	tests/emuhw/tree_pmu.c \
	tests/emuhw/tree_proc.c \
	tests/emuhw/tree_sensors.c \
	tests/emuhw/truth.c \
	tests/emuhw/truth.h
emuhw_LDADD = $(FUSE_LIBS)

# What asks the emulation, and partly the real kernel, the same.
check_PROGRAMS += tests/emuhw/accept/burst tests/emuhw/accept/hotplug tests/emuhw/accept/msr tests/emuhw/accept/perf
tests_emuhw_accept_burst_SOURCES = tests/emuhw/accept/burst.c
tests_emuhw_accept_hotplug_SOURCES = tests/emuhw/accept/hotplug.c
tests_emuhw_accept_msr_SOURCES = tests/emuhw/accept/msr.c tests/emuhw/accept/check.h
tests_emuhw_accept_perf_SOURCES = tests/emuhw/accept/perf.c tests/emuhw/accept/check.h
endif

# The emulation against other people's tools: ./bootstrap install emuhw brings them.
check-emuhw: emuhw$(EXEEXT) $(check_PROGRAMS)
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/emuhw/accept/accept.py $(CHECKS)
EXTRA_DIST += tests/emuhw/accept/accept.py

# A minute on each emulated machine, while files fail and CPUs come and go; best with --enable-sanitizers.
soak: all $(check_PROGRAMS)
	@$(AM_TESTS_ENVIRONMENT) SOAK_SECONDS=$${SOAK_SECONDS-60} bash $(srcdir)/tests/emu/soak.sh $${MACHINES-all}
EXTRA_DIST += tests/emu/soak.awk
.PHONY: check-emuhw soak
EXTRA_DIST += tests/emuhw/README.md tests/emuhw/scenarios

# Tests of the dashboard; golden screens: AVXTOP_GOLDEN=write make check rewrites them, the diff is reviewed.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/ui_canvas tests/unit/ui_layout tests/unit/ui_view
TESTS += tests/unit/ui_canvas tests/unit/ui_layout tests/unit/ui_view
tests_unit_ui_canvas_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_canvas_SOURCES = tests/unit/ui_canvas.c
tests_unit_ui_canvas_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
tests_unit_ui_layout_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_layout_SOURCES = tests/unit/ui_layout.c
tests_unit_ui_layout_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
tests_unit_ui_view_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_view_SOURCES = tests/unit/ui_view.c tests/unit/ui_fixture.c tests/unit/ui_fixture.h
tests_unit_ui_view_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
endif

# The second look at a busy CPU's clock for tests/cli/log-clock.sh.
check_PROGRAMS += tests/cli/chain
tests_cli_chain_SOURCES = tests/cli/chain.c

# Kernels that lack a system call, for tests/cli/cases-files.sh.
check_PROGRAMS += tests/cli/refuse
tests_cli_refuse_SOURCES = tests/cli/refuse.c

# Fuzzers. make fuzz runs them for FUZZ_SECONDS each; make check only over their corpus, with any compiler.
fuzzers = hostfs list options
fuzz_tests = tests/fuzz/hostfs tests/fuzz/list tests/fuzz/options
check_PROGRAMS += $(fuzz_tests)
TESTS += $(fuzz_tests)
fuzz_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir)
fuzz_libs = libavxtop.a libkernels.a $(CPUID_LIBS) $(PFM_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)
tests_fuzz_hostfs_CPPFLAGS = $(fuzz_cppflags) -DFUZZ_NAME='"hostfs"' -DFUZZ_ROUNDS=500u
tests_fuzz_hostfs_SOURCES = tests/fuzz/feed.c tests/fuzz/fuzz.h tests/fuzz/hostfs.c tests/unit/tree.c tests/unit/tree.h
tests_fuzz_hostfs_LDADD = $(fuzz_libs)
tests_fuzz_list_CPPFLAGS = $(fuzz_cppflags) -DFUZZ_NAME='"list"' -DFUZZ_ROUNDS=5000u
tests_fuzz_list_SOURCES = tests/fuzz/feed.c tests/fuzz/fuzz.h tests/fuzz/list.c
tests_fuzz_list_LDADD = $(fuzz_libs)
tests_fuzz_options_CPPFLAGS = $(fuzz_cppflags) -DFUZZ_NAME='"options"' -DFUZZ_ROUNDS=5000u
tests_fuzz_options_SOURCES = tests/fuzz/feed.c tests/fuzz/fuzz.h tests/fuzz/options.c
tests_fuzz_options_LDADD = $(fuzz_libs)
fuzz:
	@$(AM_TESTS_ENVIRONMENT) FUZZ_LIBS='$(fuzz_libs) $(LIBS)' bash $(srcdir)/tests/fuzz/run.sh $(fuzzers)
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/run.sh
.PHONY: fuzz

# The engine: reader thread, choice of sources, session, kept release time.
if HAVE_CMOCKA
engine_tests = \
	tests/unit/choose \
	tests/unit/reader \
	tests/unit/release \
	tests/unit/session
check_PROGRAMS += $(engine_tests)
TESTS += $(engine_tests)
tests_unit_choose_CPPFLAGS = $(unit_cppflags)
tests_unit_choose_SOURCES = tests/unit/choose.c
tests_unit_choose_LDADD = $(unit_libs)
tests_unit_reader_CPPFLAGS = $(unit_cppflags)
tests_unit_reader_SOURCES = tests/unit/reader.c
tests_unit_reader_LDADD = $(unit_libs)
tests_unit_release_CPPFLAGS = $(unit_cppflags)
tests_unit_release_SOURCES = tests/unit/release.c
tests_unit_release_LDADD = $(unit_libs)
tests_unit_session_CPPFLAGS = $(unit_cppflags)
tests_unit_session_SOURCES = tests/unit/session.c
tests_unit_session_LDADD = $(unit_libs)
endif

# The line: tables, samples, sources, formulas, formats.
if HAVE_CMOCKA
line_tests = \
	tests/unit/aggregate \
	tests/unit/cpufreq \
	tests/unit/derive \
	tests/unit/formats \
	tests/unit/sample \
	tests/unit/sources \
	tests/unit/tables
check_PROGRAMS += $(line_tests)
TESTS += $(line_tests)
fake_sources = tests/unit/fake.c tests/unit/fake.h tests/unit/unit.h
tests_unit_aggregate_CPPFLAGS = $(unit_cppflags)
tests_unit_aggregate_SOURCES = tests/unit/aggregate.c $(fake_sources)
tests_unit_aggregate_LDADD = $(unit_libs)
# Reads must not allocate, and take as long as the test says.
tests_unit_cpufreq_CPPFLAGS = $(unit_cppflags)
tests_unit_cpufreq_SOURCES = tests/unit/cpufreq.c tests/unit/tree.c tests/unit/tree.h \
	$(fake_sources)
tests_unit_cpufreq_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=pread,--wrap=clock_mono_ns
tests_unit_cpufreq_LDADD = $(unit_libs)
tests_unit_derive_CPPFLAGS = $(unit_cppflags)
tests_unit_derive_SOURCES = tests/unit/derive.c $(planted_sources)
tests_unit_derive_LDADD = $(unit_libs)
tests_unit_formats_CPPFLAGS = $(unit_cppflags) $(JANSSON_CFLAGS)
tests_unit_formats_SOURCES = tests/unit/formats.c $(fake_sources)
tests_unit_formats_LDADD = $(unit_libs)
tests_unit_sample_CPPFLAGS = $(unit_cppflags)
tests_unit_sample_SOURCES = tests/unit/sample.c $(fake_sources)
tests_unit_sample_LDADD = $(unit_libs)
# Sources must not allocate while they read: the test counts.
tests_unit_sources_CPPFLAGS = $(unit_cppflags)
tests_unit_sources_SOURCES = tests/unit/sources.c tests/unit/tree.c tests/unit/tree.h \
	$(fake_sources)
tests_unit_sources_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=clock_mono_ns
tests_unit_sources_LDADD = $(unit_libs)
tests_unit_tables_CPPFLAGS = $(unit_cppflags)
tests_unit_tables_SOURCES = tests/unit/tables.c $(fake_sources)
tests_unit_tables_LDADD = $(unit_libs)
endif

# Units of base, and what of the machine is known.
if HAVE_CMOCKA
base_tests = \
	tests/unit/clock \
	tests/unit/data \
	tests/unit/facts \
	tests/unit/host \
	tests/unit/hostfs \
	tests/unit/identify \
	tests/unit/identity \
	tests/unit/list \
	tests/unit/num \
	tests/unit/problem \
	tests/unit/text \
	tests/unit/topology
check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)
tests_unit_clock_CPPFLAGS = $(unit_cppflags)
tests_unit_clock_SOURCES = tests/unit/clock.c tests/unit/unit.h
tests_unit_clock_LDADD = $(unit_libs)
tests_unit_data_CPPFLAGS = $(unit_cppflags)
tests_unit_data_SOURCES = tests/unit/data.c tests/unit/tree.c tests/unit/tree.h tests/unit/unit.h
tests_unit_data_LDADD = $(unit_libs)
tests_unit_facts_CPPFLAGS = $(unit_cppflags)
tests_unit_facts_SOURCES = tests/unit/facts.c tests/unit/unit.h
tests_unit_facts_LDADD = $(unit_libs)
tests_unit_host_CPPFLAGS = $(unit_cppflags)
tests_unit_host_SOURCES = tests/unit/host.c tests/unit/unit.h
tests_unit_host_LDADD = $(unit_libs)
tests_unit_hostfs_CPPFLAGS = $(unit_cppflags)
tests_unit_hostfs_SOURCES = tests/unit/hostfs.c tests/unit/tree.c tests/unit/tree.h tests/unit/unit.h
tests_unit_hostfs_LDADD = $(unit_libs)
tests_unit_identify_CPPFLAGS = $(unit_cppflags)
tests_unit_identify_SOURCES = tests/unit/identify.c tests/unit/machine.c tests/unit/machine.h tests/unit/tree.c tests/unit/tree.h tests/unit/unit.h
tests_unit_identify_LDADD = $(unit_libs)
tests_unit_identity_CPPFLAGS = $(unit_cppflags) $(CPUID_CFLAGS)
tests_unit_identity_SOURCES = tests/unit/identity.c tests/unit/unit.h
tests_unit_identity_LDADD = $(unit_libs)
tests_unit_list_CPPFLAGS = $(unit_cppflags)
tests_unit_list_SOURCES = tests/unit/list.c tests/unit/unit.h
tests_unit_list_LDADD = $(unit_libs)
tests_unit_num_CPPFLAGS = $(unit_cppflags)
tests_unit_num_SOURCES = tests/unit/num.c tests/unit/unit.h
tests_unit_num_LDADD = $(unit_libs)
tests_unit_problem_CPPFLAGS = $(unit_cppflags)
tests_unit_problem_SOURCES = tests/unit/problem.c tests/unit/unit.h
tests_unit_problem_LDADD = $(unit_libs)
tests_unit_text_CPPFLAGS = $(unit_cppflags)
tests_unit_text_SOURCES = tests/unit/text.c tests/unit/unit.h
tests_unit_text_LDADD = $(unit_libs)
tests_unit_topology_CPPFLAGS = $(unit_cppflags)
tests_unit_topology_SOURCES = tests/unit/topology.c tests/unit/machine.c tests/unit/machine.h tests/unit/tree.c tests/unit/tree.h tests/unit/unit.h
tests_unit_topology_LDADD = $(unit_libs)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/options tests/unit/options_random
TESTS += tests/unit/options tests/unit/options_random
tests_unit_options_CPPFLAGS = $(unit_cppflags)
tests_unit_options_SOURCES = tests/unit/options.c tests/unit/unit.h
tests_unit_options_LDADD = $(unit_libs)
tests_unit_options_random_CPPFLAGS = $(unit_cppflags)
tests_unit_options_random_SOURCES = tests/unit/options_random.c tests/unit/unit.h
tests_unit_options_random_LDADD = $(unit_libs)
endif

# The ruler.
if HAVE_CMOCKA
ruler_tests = \
	tests/unit/calibrate \
	tests/unit/core \
	tests/unit/gauge_analyze \
	tests/unit/ruler
check_PROGRAMS += $(ruler_tests)
TESTS += $(ruler_tests)
tests_unit_calibrate_CPPFLAGS = $(unit_cppflags)
tests_unit_calibrate_SOURCES = tests/unit/calibrate.c tests/unit/unit.h
tests_unit_calibrate_LDADD = $(unit_libs)
tests_unit_core_CPPFLAGS = $(unit_cppflags)
tests_unit_core_SOURCES = tests/unit/core.c tests/unit/unit.h
tests_unit_core_LDADD = $(unit_libs)
tests_unit_gauge_analyze_CPPFLAGS = $(unit_cppflags)
tests_unit_gauge_analyze_SOURCES = tests/unit/gauge_analyze.c tests/unit/unit.h
tests_unit_gauge_analyze_LDADD = $(unit_libs)
tests_unit_ruler_CPPFLAGS = $(unit_cppflags)
tests_unit_ruler_SOURCES = tests/unit/ruler.c tests/unit/unit.h
tests_unit_ruler_LDADD = $(unit_libs)
endif

bench_programs += tests/bench/ruler tests/bench/ruler_cost
EXTRA_PROGRAMS += tests/bench/ruler tests/bench/ruler_cost
tests_bench_ruler_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir)/tests/bench
tests_bench_ruler_SOURCES = tests/bench/ruler.c tests/bench/figures.c tests/bench/figures.h
tests_bench_ruler_cost_CPPFLAGS = $(tests_bench_ruler_CPPFLAGS)
tests_bench_ruler_cost_SOURCES = tests/bench/ruler_cost.c tests/bench/figures.c tests/bench/figures.h
tests_bench_ruler_cost_LDADD = $(tests_bench_ruler_LDADD)
tests_bench_ruler_LDADD = libavxtop.a libkernels.a $(CPUID_LIBS) $(PFM_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)

# Bursts.
if HAVE_CMOCKA
burst_tests = \
	tests/unit/board \
	tests/unit/burst \
	tests/unit/burst_rules \
	tests/unit/burst_simulated \
	tests/unit/copier \
	tests/unit/judge \
	tests/unit/kernel \
	tests/unit/schedule \
	tests/unit/span
check_PROGRAMS += $(burst_tests)
TESTS += $(burst_tests)
tests_unit_board_CPPFLAGS = $(unit_cppflags)
tests_unit_board_SOURCES = tests/unit/board.c
tests_unit_board_LDADD = $(unit_libs)
tests_unit_burst_CPPFLAGS = $(unit_cppflags)
tests_unit_burst_SOURCES = tests/unit/burst.c
tests_unit_burst_LDADD = $(unit_libs)
tests_unit_burst_rules_CPPFLAGS = $(unit_cppflags)
tests_unit_burst_rules_SOURCES = tests/unit/burst_rules.c $(fake_sources) tests/unit/tree.c tests/unit/tree.h
tests_unit_burst_rules_LDADD = $(unit_libs)
tests_unit_burst_simulated_CPPFLAGS = $(unit_cppflags)
tests_unit_burst_simulated_SOURCES = tests/unit/burst_simulated.c $(fake_sources)
tests_unit_burst_simulated_LDADD = $(unit_libs)
tests_unit_copier_CPPFLAGS = $(unit_cppflags)
tests_unit_copier_SOURCES = tests/unit/copier.c
tests_unit_copier_LDADD = $(unit_libs)
tests_unit_judge_CPPFLAGS = $(unit_cppflags)
tests_unit_judge_SOURCES = tests/unit/judge.c $(fake_sources)
tests_unit_judge_LDADD = $(unit_libs)
tests_unit_kernel_CPPFLAGS = $(unit_cppflags)
tests_unit_kernel_SOURCES = tests/unit/kernel.c tests/unit/amx_emulator.c tests/unit/amx_emulator.h
tests_unit_kernel_LDADD = $(unit_libs)
tests_unit_schedule_CPPFLAGS = $(unit_cppflags)
tests_unit_schedule_SOURCES = tests/unit/schedule.c
tests_unit_schedule_LDADD = $(unit_libs)
tests_unit_span_CPPFLAGS = $(unit_cppflags)
tests_unit_span_SOURCES = tests/unit/span.c $(fake_sources)
tests_unit_span_LDADD = $(unit_libs)
endif

# What benchmarks are made with.
EXTRA_PROGRAMS += $(bench_tools)
tests_bench_big_tree_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir)
tests_bench_big_tree_SOURCES = tests/bench/big_tree.c tests/unit/tree.c tests/unit/tree.h
tests_bench_big_tree_LDADD = libavxtop.a
tests_bench_cost_SOURCES = tests/bench/cost.c

bench_programs += tests/bench/copy
EXTRA_PROGRAMS += tests/bench/copy
tests_bench_copy_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir)/tests/bench
tests_bench_copy_SOURCES = tests/bench/copy.c tests/bench/figures.c tests/bench/figures.h
tests_bench_copy_LDADD = libavxtop.a libkernels.a $(CPUID_LIBS) $(PFM_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)

bench_programs += tests/bench/burst
EXTRA_PROGRAMS += tests/bench/burst
tests_bench_burst_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src
tests_bench_burst_SOURCES = tests/bench/burst.c
tests_bench_burst_LDADD = libavxtop.a libkernels.a $(CPUID_LIBS) $(PFM_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/hotplug
TESTS += tests/unit/hotplug
tests_unit_hotplug_CPPFLAGS = $(unit_cppflags)
tests_unit_hotplug_SOURCES = tests/unit/hotplug.c $(fake_sources) tests/unit/tree.c tests/unit/tree.h
tests_unit_hotplug_LDADD = $(unit_libs)
check_PROGRAMS += tests/unit/renewal
TESTS += tests/unit/renewal
tests_unit_renewal_CPPFLAGS = $(unit_cppflags)
tests_unit_renewal_SOURCES = tests/unit/renewal.c tests/unit/tree.c tests/unit/tree.h
tests_unit_renewal_LDADD = $(unit_libs)
check_PROGRAMS += tests/unit/ui_history
TESTS += tests/unit/ui_history
tests_unit_ui_history_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_history_SOURCES = tests/unit/ui_history.c $(fake_sources)
tests_unit_ui_history_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/survey
TESTS += tests/unit/survey
tests_unit_survey_CPPFLAGS = $(unit_cppflags)
tests_unit_survey_SOURCES = tests/unit/survey.c tests/unit/tree.c tests/unit/tree.h
tests_unit_survey_LDADD = $(unit_libs)
endif

# Heat and power, and how often a slow source is read.
if HAVE_CMOCKA
heat_tests = \
	tests/unit/pace \
	tests/unit/powercap \
	tests/unit/thermal \
	tests/unit/ui_heat
check_PROGRAMS += $(heat_tests)
TESTS += $(heat_tests)
tests_unit_pace_CPPFLAGS = $(unit_cppflags)
tests_unit_pace_SOURCES = tests/unit/pace.c tests/unit/unit.h
tests_unit_pace_LDADD = $(unit_libs)
tests_unit_powercap_CPPFLAGS = $(unit_cppflags)
tests_unit_powercap_SOURCES = tests/unit/powercap.c tests/unit/tree.c tests/unit/tree.h $(fake_sources)
tests_unit_powercap_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_mono_ns
tests_unit_powercap_LDADD = $(unit_libs)
tests_unit_thermal_CPPFLAGS = $(unit_cppflags)
tests_unit_thermal_SOURCES = tests/unit/thermal.c tests/unit/tree.c tests/unit/tree.h $(fake_sources)
tests_unit_thermal_LDADD = $(unit_libs)
tests_unit_ui_heat_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_heat_SOURCES = tests/unit/ui_heat.c tests/unit/ui_fixture.c tests/unit/ui_fixture.h
tests_unit_ui_heat_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
endif

# The dashboard with counters.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/ui_counters
TESTS += tests/unit/ui_counters
tests_unit_ui_counters_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_counters_SOURCES = tests/unit/ui_counters.c tests/unit/ui_fixture.c tests/unit/ui_fixture.h
tests_unit_ui_counters_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
endif

# Registers of CPUs: what they mean, and the source that reads them.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/msr tests/unit/msr_decode
TESTS += tests/unit/msr tests/unit/msr_decode
tests_unit_msr_CPPFLAGS = $(unit_cppflags)
tests_unit_msr_SOURCES = tests/unit/msr.c tests/unit/tree.c tests/unit/tree.h $(fake_sources)
tests_unit_msr_LDADD = $(unit_libs)
tests_unit_msr_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_mono_ns
tests_unit_msr_decode_CPPFLAGS = $(unit_cppflags)
tests_unit_msr_decode_SOURCES = tests/unit/msr_decode.c $(fake_sources)
tests_unit_msr_decode_LDADD = $(unit_libs)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/privilege
TESTS += tests/unit/privilege
tests_unit_privilege_CPPFLAGS = $(unit_cppflags)
tests_unit_privilege_SOURCES = tests/unit/privilege.c tests/unit/unit.h
tests_unit_privilege_LDADD = $(unit_libs)
endif

# Pictures.
scope_sources = tests/unit/scope_fixture.c tests/unit/scope_fixture.h
if HAVE_CMOCKA
picture_tests = tests/unit/scope tests/unit/svg
check_PROGRAMS += $(picture_tests)
TESTS += $(picture_tests)
tests_unit_scope_CPPFLAGS = $(unit_cppflags) $(JANSSON_CFLAGS)
tests_unit_scope_SOURCES = tests/unit/scope.c $(scope_sources) tests/unit/unit.h
tests_unit_scope_LDADD = $(unit_libs)
tests_unit_svg_CPPFLAGS = $(unit_cppflags)
tests_unit_svg_SOURCES = tests/unit/svg.c tests/unit/unit.h
tests_unit_svg_LDADD = $(unit_libs)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/microscope
TESTS += tests/unit/microscope
tests_unit_microscope_CPPFLAGS = $(unit_cppflags)
tests_unit_microscope_SOURCES = tests/unit/microscope.c tests/unit/unit.h
tests_unit_microscope_LDADD = $(unit_libs)
endif

# One burst in microseconds, from planted epochs.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/price tests/unit/timeline
TESTS += tests/unit/price tests/unit/timeline
tests_unit_price_CPPFLAGS = $(unit_cppflags)
tests_unit_price_SOURCES = tests/unit/price.c tests/unit/unit.h
tests_unit_price_LDADD = $(unit_libs)
tests_unit_timeline_CPPFLAGS = $(unit_cppflags)
tests_unit_timeline_SOURCES = tests/unit/timeline.c tests/unit/epochs.c tests/unit/epochs.h
tests_unit_timeline_LDADD = $(unit_libs)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/sweep
TESTS += tests/unit/sweep
tests_unit_sweep_CPPFLAGS = $(unit_cppflags)
tests_unit_sweep_SOURCES = tests/unit/sweep.c $(fake_sources)
tests_unit_sweep_LDADD = $(unit_libs)
endif

# View 6, from made-up results.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/ui_scope
TESTS += tests/unit/ui_scope
tests_unit_ui_scope_CPPFLAGS = $(unit_cppflags)
tests_unit_ui_scope_SOURCES = tests/unit/ui_scope.c $(scope_sources) \
	tests/unit/ui_fixture.c tests/unit/ui_fixture.h
tests_unit_ui_scope_LDADD = libavxtop_ui.a $(unit_libs) $(NCURSES_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/dump
TESTS += tests/unit/dump
tests_unit_dump_CPPFLAGS = $(unit_cppflags)
tests_unit_dump_SOURCES = tests/unit/dump.c tests/unit/tree.c tests/unit/tree.h
tests_unit_dump_LDADD = $(unit_libs)
endif

# Formulas on planted samples.
planted_sources = tests/unit/planted.c tests/unit/planted.h $(fake_sources)
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/derive_clock tests/unit/derive_license tests/unit/derive_limits
TESTS += tests/unit/derive_clock tests/unit/derive_license tests/unit/derive_limits
tests_unit_derive_clock_CPPFLAGS = $(unit_cppflags)
tests_unit_derive_clock_SOURCES = tests/unit/derive_clock.c $(planted_sources)
tests_unit_derive_clock_LDADD = $(unit_libs)
tests_unit_derive_license_CPPFLAGS = $(unit_cppflags)
tests_unit_derive_license_SOURCES = tests/unit/derive_license.c $(planted_sources)
tests_unit_derive_license_LDADD = $(unit_libs)
tests_unit_derive_limits_CPPFLAGS = $(unit_cppflags)
tests_unit_derive_limits_SOURCES = tests/unit/derive_limits.c $(planted_sources)
tests_unit_derive_limits_LDADD = $(unit_libs)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/identify_kinds tests/unit/recorded tests/unit/registers
TESTS += tests/unit/identify_kinds tests/unit/recorded tests/unit/registers
EXTRA_DIST += tests/hosts/hosts.tsv
tests_unit_identify_kinds_CPPFLAGS = $(unit_cppflags)
tests_unit_identify_kinds_SOURCES = tests/unit/identify_kinds.c tests/unit/machine.c tests/unit/machine.h tests/unit/tree.c tests/unit/tree.h tests/unit/unit.h
tests_unit_identify_kinds_LDADD = $(unit_libs)
tests_unit_recorded_CPPFLAGS = $(unit_cppflags) $(CPUID_CFLAGS)
tests_unit_recorded_SOURCES = tests/unit/recorded.c tests/unit/tree.c tests/unit/tree.h tests/unit/unit.h
tests_unit_recorded_LDADD = $(unit_libs)
tests_unit_registers_CPPFLAGS = $(unit_cppflags)
tests_unit_registers_SOURCES = tests/unit/registers.c tests/unit/unit.h
tests_unit_registers_LDADD = $(unit_libs)
endif

# Hardware events: what data/cpu/events says of them, and counting them with the kernel made up.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/events tests/unit/perf
TESTS += tests/unit/events tests/unit/perf
tests_unit_events_CPPFLAGS = $(unit_cppflags)
tests_unit_events_SOURCES = tests/unit/events.c tests/unit/unit.h
tests_unit_events_LDADD = $(unit_libs)
tests_unit_perf_CPPFLAGS = $(unit_cppflags)
tests_unit_perf_SOURCES = tests/unit/perf.c tests/unit/tree.c tests/unit/tree.h $(fake_sources)
tests_unit_perf_LDADD = $(unit_libs)
tests_unit_perf_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=perf_call_open,--wrap=perf_call_read,--wrap=perf_call_close,--wrap=clock_mono_ns
endif
