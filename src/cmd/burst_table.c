/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of bursts for people: a row a CPU, what the driven ones computed, the verdict. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <libsmartcols.h>
#include <math.h>
#include <stdlib.h>

#include "base/nls.h"
#include "base/num.h"
#include "burst/burst.h"
#include "cmd/burst_write.h"
#include "cmd/cmd.h"
#include "engine/options.h"
#include "model/host.h"

/* Every kernel reaches more than this of its peak alone on its core. */
#define BUSY_SIBLING 0.8

enum { CPU, ROLE, BEFORE, DURING, AFTER, DROP, PAIRS, N_COLUMNS };

struct cell {
	char text[64];
};

static void put_hertz(struct cell *cell, double hertz, const char *absent)
{
	if (isfinite(hertz))
		(void)num_human_hertz(hertz, cell->text, sizeof(cell->text));
	else
		(void)snprintf(cell->text, sizeof(cell->text), "%s", absent);
}

static void put_drop(struct cell *cell, const struct judgment *j, const char *absent)
{
	char *const buf = cell->text;
	const size_t size = sizeof(cell->text);

	if (j->seen)
		(void)snprintf(buf, size, _("%.1f %% (%.1f to %.1f)"), j->drop_ratio * 100,
			       j->low * 100, j->high * 100);
	else if (isfinite(j->low))
		(void)snprintf(buf, size, _("none beyond %.1f %%"), j->noise * 100);
	else if (j->pairs > 0)
		(void)snprintf(buf, size, _("%.1f %%, too few"),
			       fabs(j->drop_ratio) < 0.0005 ? 0 : j->drop_ratio * 100);
	else
		(void)snprintf(buf, size, "%s", absent);
}

static int add_row(struct libscols_table *table, const struct host *host,
		   const struct burst_cpu *cpu, const char *absent)
{
	struct libscols_line *const line = scols_table_new_line(table, NULL);
	const struct judgment *const j = &cpu->judgment;
	struct cell cells[N_COLUMNS];
	int r = 0;

	if (!line)
		return -ENOMEM;
	(void)snprintf(cells[CPU].text, sizeof(cells[CPU].text), "%u", host->cpus[cpu->cpu].id);
	(void)snprintf(cells[ROLE].text, sizeof(cells[ROLE].text), "%s", relation_name(cpu->role));
	put_hertz(&cells[BEFORE], j->before_hertz, absent);
	put_hertz(&cells[DURING], j->during_hertz, absent);
	put_hertz(&cells[AFTER], j->after_hertz, absent);
	put_drop(&cells[DROP], j, absent);
	(void)snprintf(cells[PAIRS].text, sizeof(cells[PAIRS].text), "%u", j->pairs);
	for (size_t i = 0; r == 0 && i < N_COLUMNS; i++)
		r = scols_line_set_data(line, i, cells[i].text);
	return r;
}

static int print_cpus(const struct host *host, const struct burst_result *result,
		      const char *absent, FILE *out)
{
	static const struct {
		const char *title;
		int flags;
	} columns[N_COLUMNS] = {
		[CPU] = { N_("CPU"), SCOLS_FL_RIGHT },	     [ROLE] = { N_("ROLE"), 0 },
		[BEFORE] = { N_("BEFORE"), SCOLS_FL_RIGHT }, [DURING] = { N_("DURING"), SCOLS_FL_RIGHT },
		[AFTER] = { N_("AFTER"), SCOLS_FL_RIGHT },   [DROP] = { N_("DROP (95 %)"), 0 },
		[PAIRS] = { N_("PAIRS"), SCOLS_FL_RIGHT },
	};
	struct libscols_table *const table = scols_new_table();
	int r = table ? scols_table_set_stream(table, out) : -ENOMEM;

	for (size_t i = 0; r == 0 && i < N_COLUMNS; i++)
		if (!scols_table_new_column(table, _(columns[i].title), 0, columns[i].flags))
			r = -ENOMEM;
	for (unsigned i = 0; r == 0 && i < result->n_cpus; i++)
		r = add_row(table, host, &result->cpus[i], absent);
	if (r == 0)
		r = scols_print_table(table);
	scols_unref_table(table);
	return r < 0 ? r : 0;
}

/* What the driven CPU computed. */
static void print_work(const struct host *host, const struct burst_result *result,
		       const struct burst_cpu *cpu, FILE *out)
{
	const char *const unit = rate_unit(kernel_row(result->kernel)->rate);
	const unsigned id = host->cpus[cpu->cpu].id;
	char rate[48], name[32];

	(void)snprintf(name, sizeof(name), "%s/s", unit);
	if (cpu->problem.text[0])
		(void)fprintf(out, _("CPU %u: %s\n"), id, cpu->problem.text);
	if (!isfinite(cpu->ops_per_second))
		return;
	(void)num_human_rate(cpu->ops_per_second, name, rate, sizeof(rate));
	(void)fprintf(out, _("CPU %u: %s"), id, rate);
	if (isfinite(cpu->ops_per_cycle))
		(void)fprintf(out, _(", %.1f %s a cycle"), cpu->ops_per_cycle, unit);
	if (isfinite(cpu->peak_ratio))
		(void)fprintf(out, _(" (%.1f %% of what %s can do)"), cpu->peak_ratio * 100,
			      cpu->core_name);
	else if (cpu->peak_why)
		(void)fprintf(out, " (%s)", _(cpu->peak_why));
	if (cpu->peak_ratio < BUSY_SIBLING)
		(void)fputs(_(", as with a busy SMT sibling or throttled dispatch"), out);
	(void)fprintf(out, cpu->verified ? _("; all %" PRIu64 " chunks verified\n") :
					   _("; WRONG RESULTS in some of %" PRIu64 " chunks\n"),
		      cpu->chunks);
}

static void print_base(const struct burst_result *result, FILE *out)
{
	const struct judgment *const j = &result->cpus[0].judgment;
	char low[32], high[32];

	if (j->n_groups < 2)
		return;
	(void)fprintf(out, _("The scalar clock moved by itself between %s and %s\n"),
		      num_human_hertz(j->groups[0].base_hertz, low, sizeof(low)),
		      num_human_hertz(j->groups[j->n_groups - 1].base_hertz, high, sizeof(high)));
}

static void print_release(const struct burst_result *result, FILE *out)
{
	char time[32], resolution[32];

	if (!isfinite(result->release_s) || !isfinite(result->release_resolution_s))
		return;
	(void)num_human_time(result->release_s, time, sizeof(time));
	(void)num_human_time(result->release_resolution_s, resolution, sizeof(resolution));
	(void)fprintf(out, _("The low clock ends %s after the last wide instruction (looked at from %s "
			     "on)\n"), time, resolution);
}

static void print_still_low(const struct host *host, const struct burst_cpu *cpu, FILE *out)
{
	char before[32], after[32];

	if (cpu->recovery != RECOVERY_STILL_LOW)
		return;
	(void)fprintf(out, _("CPU %u: still low after the load ended: %s; before it, %s\n"),
		      host->cpus[cpu->cpu].id,
		      num_human_hertz(cpu->ends.after_hertz, after, sizeof(after)),
		      num_human_hertz(cpu->ends.before_hertz, before, sizeof(before)));
}

int burst_write_table(const struct options *options, const struct host *host,
		      const struct burst_result *result, bool first, FILE *out)
{
	const double on_s = (double)options->pattern.on_ns / 1e9;
	const double period_s = (double)options->pattern.period_ns / 1e9;
	char seconds[32], on[32], period[32];
	int r;

	if (!first)
		(void)fputc('\n', out);
	(void)fprintf(out, _("%s: %s, on %s of every %s%s\n"), kernel_row(result->kernel)->name,
		      num_human_time(result->seconds, seconds, sizeof(seconds)),
		      num_human_time(on_s, on, sizeof(on)),
		      num_human_time(period_s, period, sizeof(period)),
		      result->stopped_early ? _(" (stopped early)") : "");
	r = print_cpus(host, result, cmd_absent(options), out);
	if (r < 0)
		return r;
	for (unsigned i = 0; i < result->n_driven; i++)
		print_work(host, result, &result->cpus[i], out);
	for (unsigned i = 0; i < result->n_cpus; i++)
		print_still_low(host, &result->cpus[i], out);
	print_base(result, out);
	print_release(result, out);
	(void)fprintf(out, _("Verdict: %s\n"), result->verdict);
	if (result->cpus[0].judgment.seen)
		(void)fprintf(out, _("Who pays: %s\n"), _(result->who_pays));
	return 0;
}
