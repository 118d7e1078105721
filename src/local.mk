# libavxtop.a: everything that knows no terminal. libkernels.a: the only wide vector code.
# Library sources get -I src and so cannot spell ui/ headers.
noinst_LIBRARIES += libavxtop.a libkernels.a

libavxtop_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src $(CPUID_CFLAGS) $(JANSSON_CFLAGS) \
	$(INIH_CFLAGS) $(SMARTCOLS_CFLAGS)
libavxtop_a_SOURCES = \
	src/base/clock.c src/base/clock.h \
	src/base/data.c src/base/data.h \
	src/base/errand.c src/base/errand.h \
	src/base/hostfs.c src/base/hostfs.h \
	src/base/list.c src/base/list.h \
	src/base/nls.h \
	src/base/num.c src/base/num.h \
	src/base/privilege.c src/base/privilege.h \
	src/base/problem.c src/base/problem.h \
	src/base/text.c src/base/text.h \
	src/base/walk.c src/base/walk.h \
	src/burst/agreement.c src/burst/agreement.h \
	src/burst/board.c src/burst/board.h \
	src/burst/burst.c src/burst/burst.h src/burst/burst_own.h \
	src/burst/burst_check.c \
	src/burst/burst_driver.c src/burst/driver.h \
	src/burst/burst_member.c \
	src/burst/burst_notes.c \
	src/burst/burst_record.c \
	src/burst/burst_result.c \
	src/burst/burst_watch.c \
	src/burst/calibrate.c \
	src/burst/copier.c src/burst/copier.h \
	src/burst/core.c src/burst/core.h \
	src/burst/figures.c src/burst/figures.h \
	src/burst/gauge.c src/burst/gauge.h \
	src/burst/gauge_analyze.c \
	src/burst/judge.c src/burst/judge.h \
	src/burst/kernel.c src/burst/kernel.h src/burst/kernel_rows.h src/burst/kernel_seed.h \
	src/burst/microscope.c src/burst/microscope.h src/burst/microscope_own.h \
	src/burst/microscope_driver.c \
	src/burst/microscope_duty.c \
	src/burst/microscope_epoch.c \
	src/burst/microscope_hold.c \
	src/burst/microscope_layout.c \
	src/burst/microscope_load.c \
	src/burst/microscope_rate.c \
	src/burst/microscope_result.c \
	src/burst/microscope_verdict.c \
	src/burst/microscope_victim.c \
	src/burst/pattern.c src/burst/pattern.h \
	src/burst/price.c src/burst/price.h \
	src/burst/schedule.c src/burst/schedule.h \
	src/burst/span.c src/burst/span.h \
	src/burst/sweep.c src/burst/sweep.h \
	src/burst/thermal.c src/burst/thermal.h \
	src/burst/thermal_look.c src/burst/thermal_look.h \
	src/burst/timeline.c src/burst/timeline.h src/burst/timeline_own.h src/burst/timeline_rows.h \
	src/burst/timeline_buckets.c \
	src/burst/timeline_clock.c \
	src/burst/timeline_epochs.c \
	src/burst/timeline_gaps.c \
	src/burst/timeline_halts.c \
	src/burst/timeline_low.c \
	src/burst/timeline_phases.c \
	src/burst/timeline_split.c \
	src/burst/timeline_stat.c \
	src/burst/timeline_throttle.c \
	src/burst/verdict.c src/burst/verdict.h \
	src/burst/worker.c src/burst/worker.h \
	src/cmd/burst.c \
	src/cmd/burst_table.c \
	src/cmd/burst_write.c src/cmd/burst_write.h \
	src/cmd/cmd.c src/cmd/cmd.h \
	src/cmd/docs.c src/cmd/docs.h \
	src/cmd/docs_completion.c \
	src/cmd/docs_man.c \
	src/cmd/docs_markdown.c \
	src/cmd/doctor.c \
	src/cmd/doctor_dump.c \
	src/cmd/doctor_find.c src/cmd/doctor.h \
	src/cmd/doctor_json.c \
	src/cmd/dump.h src/cmd/dump_register_rows.h src/cmd/dump_rows.h \
	src/cmd/dump_files.c \
	src/cmd/dump_registers.c \
	src/cmd/dump_scrub.c \
	src/cmd/help.c \
	src/cmd/kernels.c \
	src/cmd/list.c src/cmd/list.h \
	src/cmd/load.c src/cmd/load.h \
	src/cmd/log.c \
	src/cmd/metrics.c \
	src/cmd/parent.c src/cmd/parent.h \
	src/cmd/progress.c src/cmd/progress.h \
	src/cmd/scope.c \
	src/cmd/scope_json.c \
	src/cmd/scope_show.c src/cmd/scope_show.h \
	src/cmd/scope_svg.c \
	src/cmd/scope_table.c \
	src/cmd/scope_words.c \
	src/cmd/scope_write.c src/cmd/scope_write.h \
	src/cmd/signals.c src/cmd/signals.h \
	src/cmd/sweep.c src/cmd/sweep.h \
	src/cmd/sweep_notes.c \
	src/cmd/sweep_point.c \
	src/cmd/sweep_svg.c \
	src/cmd/sweep_table.c \
	src/cmd/sweep_write.c \
	src/cmd/wrap.c src/cmd/wrap.h \
	src/engine/choose.c src/engine/choose.h \
	src/engine/command.c src/engine/command.h src/engine/command_rows.h \
	src/engine/option_rows.h \
	src/engine/option_scope.c src/engine/option_scope.h \
	src/engine/option_sweep.c src/engine/option_sweep.h \
	src/engine/option_values.c \
	src/engine/options.c src/engine/options.h \
	src/engine/own_burst.c src/engine/own_burst.h \
	src/engine/own_microscope.c src/engine/own_microscope.h \
	src/engine/pace.c src/engine/pace.h \
	src/engine/reader.c src/engine/reader.h \
	src/engine/release.c src/engine/release.h \
	src/engine/renewal.c src/engine/renewal.h \
	src/engine/session.c src/engine/session.h src/engine/session_own.h \
	src/engine/session_load.c \
	src/format/braille.c src/format/braille.h \
	src/format/csv.c \
	src/format/identity.c src/format/identity.h \
	src/format/json.c \
	src/format/row.c src/format/row.h \
	src/format/sink.c src/format/sink.h \
	src/format/svg.h \
	src/format/svg_draw.c src/format/svg_draw.h \
	src/format/svg_frame.c src/format/svg_frame.h \
	src/format/svg_heat.c \
	src/format/svg_plot.c \
	src/format/table.c \
	src/model/aggregate.c src/model/aggregate.h \
	src/model/cause.c src/model/cause.h src/model/cause_rows.h \
	src/model/counter.c src/model/counter.h src/model/counter_rows.h \
	src/model/derive.c src/model/derive.h src/model/derive_own.h \
	src/model/derive_clock.c \
	src/model/derive_core.c \
	src/model/derive_ledger.c \
	src/model/derive_license.c \
	src/model/derive_limits.c src/model/derive_limits.h \
	src/model/derive_os.c \
	src/model/derive_power.c \
	src/model/derive_states.c \
	src/model/derive_work.c \
	src/model/events.c src/model/events.h \
	src/model/facts.c src/model/facts.h \
	src/model/facts_fits.c src/model/facts_fits.h \
	src/model/facts_registers.c \
	src/model/host.c src/model/host.h \
	src/model/interval.c src/model/interval.h \
	src/model/ledger.c src/model/ledger.h \
	src/model/metric.c src/model/metric.h src/model/metric_rows.h \
	src/model/msr_decode.c src/model/msr_decode.h \
	src/model/registers.h \
	src/model/ring.c src/model/ring.h \
	src/model/sample.c src/model/sample.h \
	src/model/scope.h \
	src/model/snapshot.c src/model/snapshot.h \
	src/model/state.c src/model/state.h src/model/state_rows.h \
	src/model/turbo.c src/model/turbo.h \
	src/model/wide.c src/model/wide.h \
	src/source/affinity.c src/source/affinity.h \
	src/source/cpufreq.c \
	src/source/cpuidle.c \
	src/source/energy_meter.c src/source/energy_meter.h \
	src/source/hwmon.c src/source/hwmon.h \
	src/source/identify.c src/source/identify.h \
	src/source/identify_kinds.c src/source/identify_kinds.h \
	src/source/identity.h src/source/identity_cpuid.c src/source/identity_cpuinfo.c \
	src/source/idle_states.c src/source/idle_states.h \
	src/source/idle_told.c src/source/idle_told.h \
	src/source/instant.c src/source/instant.h \
    src/source/kept.c src/source/kept.h \
	src/source/msr.c src/source/msr_own.h \
	src/source/msr_device.c src/source/msr_device.h \
	src/source/msr_energy.c \
	src/source/msr_items.c \
	src/source/msr_layout.c src/source/msr_layout.h \
	src/source/msr_probe.c \
	src/source/perf.c \
	src/source/perf_call.c src/source/perf_call.h \
	src/source/perf_encode.c src/source/perf_encode.h \
	src/source/perf_group.c src/source/perf_group.h \
	src/source/perf_plan.c src/source/perf_plan.h \
	src/source/perf_pmu.c src/source/perf_pmu.h \
	src/source/perf_unit.c src/source/perf_unit.h src/source/perf_unit_own.h \
	src/source/perf_unit_find.c \
	src/source/perf_why.c src/source/perf_why.h \
	src/source/pin.c src/source/pin.h \
	src/source/place.c src/source/place.h \
	src/source/powercap.c \
	src/source/procfs.c \
	src/source/ruler.c \
	src/source/ruler_cores.c src/source/ruler_cores.h \
	src/source/ruler_rule.c src/source/ruler_rule.h \
	src/source/source.c src/source/source.h src/source/source_rows.h \
	src/source/stimulus.c \
	src/source/survey.c src/source/survey.h src/source/survey_rows.h \
	src/source/survey_counters.c \
	src/source/survey_kernel.c \
	src/source/thermal.c \
	src/source/topology.c src/source/topology.h \
	src/source/topology_group.c src/source/topology_group.h \
	src/source/watch.c src/source/watch.h \
	src/source/zone.c src/source/zone.h
nodist_libavxtop_a_SOURCES = data/embedded.c

# No compiler flag turns wide vectors loose: the kernels are inline assembly.
libkernels_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src
libkernels_a_CFLAGS = $(AM_CFLAGS) -fno-sanitize=all -ffp-contract=off
libkernels_a_SOURCES = \
	src/burst/chain.c src/burst/chain.h \
	src/burst/fingerprint.c src/burst/fingerprint.h \
	src/burst/kernel_amx.c \
	src/burst/kernel_avx2.c \
	src/burst/kernel_avx512.c \
	src/burst/kernel_copy.c \
	src/burst/kernel_scalar.c \
	src/burst/kernel_sse.c \
	src/burst/steps.c src/burst/steps.h \
	src/burst/straight.c src/burst/straight.h

bin_PROGRAMS += avxtop
avxtop_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir)
avxtop_SOURCES = src/main.c
avxtop_LDADD = libavxtop_ui.a libavxtop.a libkernels.a $(NCURSES_LIBS) $(CPUID_LIBS) \
	$(PFM_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)
