/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What there is to say of a package, in pieces: power, temperature, what limits it, how it sleeps.
 */
#include "config.h"

#include "ui/package.h"

#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"

#define NEAR_CELSIUS 5 /* to the limit: worth a warning */
#define LIMITED 0.97   /* of the power limit: at it */

const struct value *package_value(const struct ui *ui, enum metric metric, unsigned package)
{
	static const struct value none = { .state = STATE_FIRST };

	return ui->snapshot ? snapshot_get(ui->snapshot, metric, SCOPE_PACKAGE, package, 0) : &none;
}

/* A package all of whose CPUs have left has no files; what was never online has no number either.
 */
bool package_online(const struct ui *ui, unsigned package)
{
	const struct host_package *row = &ui->host->packages[package];

	for (unsigned i = 0; i < row->n_cores; i++) {
		const struct host_core *core = &ui->host->cores[row->cores[i]];

		for (unsigned k = 0; k < core->n_cpus; k++)
			if (!ui->history.offline[core->cpus[k]])
				return true;
	}
	return false;
}

bool package_alone(const struct ui *ui)
{
	return host_online(ui->host, ui->history.offline).packages <= 1;
}

bool package_throttled(const struct value *events)
{
	return state_usable(events->state) && events->v > 0;
}

static enum role role_of(const struct value *value, enum role fresh)
{
	return value->state == STATE_STALE ? ROLE_DIM : fresh;
}

/* A controller stays a little below. */
bool package_limited(const struct ui *ui, unsigned package)
{
	const struct value *watts = package_value(ui, METRIC_PACKAGE_WATTS, package);
	const struct value *limit = package_value(ui, METRIC_POWER_LIMIT_WATTS, package);

	return state_usable(watts->state) && state_usable(limit->state) &&
	       watts->v >= LIMITED * limit->v;
}

static void add_watts(const struct ui *ui, unsigned package, struct piece *piece)
{
	const struct value *watts = package_value(ui, METRIC_PACKAGE_WATTS, package);
	const struct value *limit = package_value(ui, METRIC_POWER_LIMIT_WATTS, package);

	*piece = (struct piece) { .role = role_of(watts, ROLE_VALUE) };
	if (!state_usable(watts->state)) {
		piece->role = ROLE_ABSENT;
		snprintf(piece->text, sizeof(piece->text), _("– W"));
	} else if (package_limited(ui, package)) {
		piece->role = ROLE_WARN;
		/* TRANSLATORS: power now is as much as the power limit of the package allows */
		snprintf(piece->text, sizeof(piece->text), _("%.0f W at its limit of %.0f W"),
			 watts->v, limit->v);
	} else if (state_usable(limit->state)) {
		/* TRANSLATORS: power now, and the power limit of the package */
		snprintf(piece->text, sizeof(piece->text), _("%.0f W of %.0f W"), watts->v,
			 limit->v);
	} else {
		snprintf(piece->text, sizeof(piece->text), _("%.0f W"), watts->v);
	}
}

void package_celsius(const struct ui *ui, unsigned package, struct piece *piece)
{
	const struct value *celsius = package_value(ui, METRIC_TEMPERATURE_CELSIUS, package);
	const struct value *margin = package_value(ui, METRIC_THERMAL_MARGIN_CELSIUS, package);
	bool hot = state_usable(margin->state) && margin->v < NEAR_CELSIUS;
	bool throttled = package_throttled(package_value(ui, METRIC_THROTTLE_EVENTS, package));

	*piece = (struct piece) { .role = hot || throttled ? ROLE_WARN
							   : role_of(celsius, ROLE_VALUE) };
	if (state_usable(celsius->state) && throttled) {
		snprintf(piece->text, sizeof(piece->text), _("%.0f °C throttled by heat"),
			 celsius->v);
	} else if (throttled) {
		snprintf(piece->text, sizeof(piece->text), "%s", _("throttled by heat"));
	} else if (!state_usable(celsius->state)) {
		piece->role = ROLE_ABSENT;
		snprintf(piece->text, sizeof(piece->text), _("– °C"));
	} else if (hot) {
		/* TRANSLATORS: temperature, and that it is close to where the clock is throttled */
		snprintf(piece->text, sizeof(piece->text), _("%.0f °C near its limit"), celsius->v);
	} else {
		snprintf(piece->text, sizeof(piece->text), _("%.0f °C"), celsius->v);
	}
}

/* Keys of words as people read them: "power_pl1+thermal" is "power pl1, thermal". */
static void read_words(const char *words, char *buf, size_t size)
{
	size_t used = 0;

	for (; *words && used + 3 < size; words++) {
		if (*words == '+')
			buf[used++] = ',';
		buf[used++] = *words == '+' || *words == '_' ? ' ' : *words;
	}
	buf[used] = '\0';
}

static void add_limits(const struct ui *ui, unsigned package, struct piece *piece)
{
	const struct value *limits = package_value(ui, METRIC_LIMIT_REASONS, package);
	const struct value *power = package_value(ui, METRIC_POWER_THROTTLE_RATIO, package);
	char words[96], text[64];

	*piece = (struct piece) { .role = ROLE_DIM };
	if (!state_usable(limits->state)) {
		piece->role = ROLE_ABSENT;
		/* TRANSLATORS: what limits the clock is not known */
		snprintf(piece->text, sizeof(piece->text), "%s", _("limited by –"));
	} else if (!(limits->v > 0)) {
		/* TRANSLATORS: no register names anything that limits the clock of the package */
		snprintf(piece->text, sizeof(piece->text), "%s", _("not limited"));
	} else {
		piece->role = ROLE_WARN;
		read_words(metric_format(METRIC_LIMIT_REASONS, limits->v, words, sizeof(words)),
			   text, sizeof(text));
		/* TRANSLATORS: power, heat and their like, as English words */
		snprintf(piece->text, sizeof(piece->text), _("limited by %s"), text);
	}
	if (state_usable(power->state) && power->v >= 0.0005) {
		piece->role = ROLE_WARN;
		/* TRANSLATORS: share of the time that the power limit throttled the package */
		snprintf(text, sizeof(text), _(" %.1f %% of the time"), power->v * 100);
		strncat(piece->text, text,
			sizeof(piece->text) - strlen(piece->text) - 1); /* bytes */
	}
}

static bool states_served(const struct ui *ui)
{
	enum metric metric;

	for (unsigned i = 0; (metric = metric_of_joint(JOINT_PACKAGE_STATES, i)) != METRIC_N; i++)
		if (view_served(ui, metric))
			return true;
	return false;
}

/* "C2 30 C6 45 %": those that it was in, or that it was in none. */
static void add_states(const struct ui *ui, unsigned package, struct piece *piece)
{
	const char *why = NULL;
	enum metric metric;
	bool known = false;
	size_t used = 0;

	*piece = (struct piece) { .role = ROLE_NORMAL };
	for (unsigned i = 0; (metric = metric_of_joint(JOINT_PACKAGE_STATES, i)) != METRIC_N; i++) {
		const struct value *value = package_value(ui, metric, package);

		if (!view_served(ui, metric))
			continue;
		if (!state_usable(value->state))
			why = state_row(value->state)->mark;
		known |= state_usable(value->state);
		if (!state_usable(value->state) || value->v < 0.005 ||
		    used + 16 > sizeof(piece->text))
			continue;
		used += (size_t)snprintf(piece->text + used, sizeof(piece->text) - used,
					 "%s%s %.0f", used ? " " : "", metric_row(metric)->part,
					 value->v * 100);
	}
	if (used) {
		snprintf(piece->text + used, sizeof(piece->text) - used, " %%");
		return;
	}
	piece->role = known ? ROLE_DIM : ROLE_ABSENT;
	/* TRANSLATORS: C-states of the package: share of time in them */
	snprintf(piece->text, sizeof(piece->text), _("C-states %s"),
		 known ? "0 %"
		 : why ? why
		       : "–");
}

static void add_uncore(const struct ui *ui, unsigned package, struct piece *piece)
{
	const struct value *uncore = package_value(ui, METRIC_UNCORE_HERTZ, package);

	*piece = (struct piece) { .role = ROLE_DIM };
	if (state_usable(uncore->state))
		snprintf(piece->text, sizeof(piece->text), _("uncore %.2f GHz"), uncore->v / 1e9);
	else
		snprintf(piece->text, sizeof(piece->text), "%s", _("uncore –"));
}

int package_describe(const struct ui *ui, unsigned package, struct piece *pieces)
{
	int n = 0;

	pieces[n] = (struct piece) { .role = ROLE_LABEL };
	if (!package_alone(ui))
		snprintf(pieces[n].text, sizeof(pieces[n].text), _("Package %d"),
			 ui->host->packages[package].package_id);
	else
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", _("Package"));
	n++;
	if (view_served(ui, METRIC_PACKAGE_WATTS))
		add_watts(ui, package, &pieces[n++]);
	if (view_served(ui, METRIC_TEMPERATURE_CELSIUS))
		package_celsius(ui, package, &pieces[n++]);
	if (view_served(ui, METRIC_LIMIT_REASONS))
		add_limits(ui, package, &pieces[n++]);
	if (states_served(ui))
		add_states(ui, package, &pieces[n++]);
	if (view_served(ui, METRIC_UNCORE_HERTZ))
		add_uncore(ui, package, &pieces[n++]);
	return n;
}
