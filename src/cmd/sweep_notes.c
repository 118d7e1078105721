/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all points of a sweep together say: has the machine changed, do copies lower the clock. */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/nls.h"
#include "base/num.h"
#include "cmd/sweep.h"
#include "model/host.h"

const char *sweep_percent(double ratio, char *buf, size_t size)
{
	const double percent = ratio * 100;

	(void)snprintf(buf, size, fabs(percent) < 0.05 ? "0.0 %%" : "%+.1f %%", percent);
	return buf;
}

static void add_note(struct sweep_report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_note(struct sweep_report *report, const char *format, ...)
{
	va_list args;

	if (report->n_notes == SWEEP_NOTES)
		return;
	va_start(args, format);
	(void)vsnprintf(report->notes[report->n_notes++], sizeof(report->notes[0]), format, args);
	va_end(args);
}

static const struct sweep_entry *last_of(const struct sweep_report *report, enum sweep_role role)
{
	const struct sweep_entry *found = NULL;

	for (unsigned i = 0; i < report->n_entries; i++)
		if (report->entries[i].measured && report->entries[i].point->role == role)
			found = &report->entries[i];
	return found;
}

static void note_drift(struct sweep_report *report)
{
	const struct sweep_entry *const last = last_of(report, SWEEP_DRIFT);
	char from[32], to[32], by[32];

	report->drift_first_hertz = report->drift_last_hertz = NAN;
	if (report->n_entries == 0 || !report->entries[0].measured)
		return;
	report->drift_first_hertz = report->entries[0].figures.hertz;
	if (last == &report->entries[0])
		return;
	report->drift_last_hertz = last->figures.hertz;
	if (isnan(report->drift_first_hertz) || isnan(report->drift_last_hertz))
		return;
	add_note(report, _("the scalar clock was %s at the begin and %s at the end (%s)"),
		 num_human_hertz(report->drift_first_hertz, from, sizeof(from)),
		 num_human_hertz(report->drift_last_hertz, to, sizeof(to)),
		 sweep_percent(report->drift_last_hertz / report->drift_first_hertz - 1, by,
			       sizeof(by)));
}

/* Of points of one role: the one that fell furthest, and the smallest drop that each of them could have
 * shown. */
struct fall {
	const struct sweep_entry *furthest; /* NULL: none fell */
	double limit; /* NAN: none could show any */
	unsigned n;
};

/* Loads and stores of more than 128 bits that the kernel names; what the C library takes is not known. */
static bool is_wide(enum kernel kernel)
{
	return kernel_row(kernel)->isa & (ISA_AVX | ISA_AVX512F);
}

static struct fall fall_of(const struct sweep_report *report, enum sweep_role role)
{
	struct fall fall = { .limit = NAN };

	for (unsigned i = 0; i < report->n_entries; i++) {
		const struct sweep_entry *const entry = &report->entries[i];
		const struct figures *const f = &entry->figures;

		if (!entry->measured || entry->point->role != role || isnan(f->noise) ||
		    (role == SWEEP_POINT && !is_wide(entry->point->kernel)))
			continue;
		fall.n++;
		fall.limit = fmax(fall.limit, f->noise); /* of a NAN and a number: the number */
		/* of many points one or another passes the rule of one by chance */
		if (f->drop_low > JUDGE_FLOOR && (!fall.furthest || f->drop_ratio > fall.furthest->figures.drop_ratio))
			fall.furthest = entry;
	}
	return fall;
}

static void note_copies(struct sweep_report *report)
{
	const struct fall copies = fall_of(report, SWEEP_POINT), controls = fall_of(report, SWEEP_CONTROL);
	const struct sweep_entry *const control = last_of(report, SWEEP_CONTROL);
	char name[128];

	if (copies.n == 0)
		return;
	if (copies.furthest)
		add_note(report, _("wide loads and stores lower the clock: right after %s it is %.1f %% lower"),
			 sweep_point_name(copies.furthest->point, name, sizeof(name)),
			 copies.furthest->figures.drop_ratio * 100);
	else
		add_note(report, _("wide loads and stores: no drop beyond %.1f %% right after any copy"),
			 copies.limit * 100);
	if (!control || controls.n == 0)
		add_note(report, _("the control, an FMA burst, was not measured"));
	else if (controls.furthest)
		add_note(report, _("the control, %s, fell by %.1f %%: this harness sees a drop"),
			 kernel_row(control->point->kernel)->name, controls.furthest->figures.drop_ratio * 100);
	else
		add_note(report, _("nor after the control, %s (none beyond %.1f %%): this CPU lowers its clock "
				   "for neither, or the drop is smaller"),
			 kernel_row(control->point->kernel)->name, controls.limit * 100);
}

static void note_unsettled(struct sweep_report *report)
{
	unsigned unsettled = 0, still_low = 0;
	char name[128];

	for (unsigned i = 0; i < report->n_entries; i++) {
		unsettled += report->entries[i].unsettled;
		if (report->entries[i].measured && report->entries[i].figures.still_low) {
			still_low++;
			(void)sweep_point_name(report->entries[i].point, name, sizeof(name));
		}
	}
	if (unsettled)
		add_note(report, _("before %u of the points clock or temperature did not come back to what they "
				   "had been"), unsettled);
	if (still_low)
		add_note(report, _("the clock was still low after %s ended: compare with the scalar row"), name);
}

/* One sentence, since other programs go on from point to point. */
static void note_time(struct sweep_report *report)
{
	double least = 1;
	unsigned n = 0, cpu = 0;

	for (unsigned i = 0; i < report->n_entries; i++) {
		const struct figures *const f = &report->entries[i].figures;

		n += report->entries[i].measured && f->agreement.time_note[0];
		for (unsigned k = 0; report->entries[i].measured && k < f->n_cpus; k++)
			if (f->cpus[k].time_ratio < least) {
				least = f->cpus[k].time_ratio;
				cpu = f->cpus[k].id;
			}
	}
	if (n && least < AGREEMENT_TIME)
		add_note(report, _("other programs took time of these CPUs during %u of %u points, up to %.0f %% "
				   "of CPU %u: a quiet machine tells more"), n, report->n_entries,
			 (1 - least) * 100, cpu);
	else if (n)
		add_note(report, _("the hypervisor took time of these CPUs during %u of %u points"), n,
			 report->n_entries);
}

void sweep_conclude(struct sweep_report *report)
{
	note_drift(report);
	if (report->sweep->shapes[0].bytes)
		note_copies(report);
	note_time(report);
	note_unsettled(report);
	if (report->stopped)
		add_note(report, _("stopped before its end: some points are missing"));
}
