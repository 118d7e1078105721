/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words at the end of a row: what happens to its clock, and why. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/nls.h"
#include "burst/kernel.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/shown.h"

#define TAKEN 0.05 /* time that somebody else took: worth a second look */

/* "−7.9 % against before", or that it did not fall. */
static void describe_drop(const struct mark *mark, const char *against, char *buf, size_t size)
{
	if (isnan(mark->drop_ratio))
		buf[0] = '\0';
	else if (mark->dropped)
		/* TRANSLATORS: %s is "against before" or its like */
		snprintf(buf, size, _("▼ −%.1f %% %s"), mark->drop_ratio * 100, against);
	else if (mark->judged)
		snprintf(buf, size, "%s", _("no drop seen"));
	else
		snprintf(buf, size, "%s%.1f %%", mark->drop_ratio > 0 ? "−" : "+",
			 fabs(mark->drop_ratio) * 100);
}

/* brief: without the words that the row itself says. */
static void describe_mark(const struct shown *shown, bool brief, char *buf, size_t size)
{
	const struct mark *mark = shown->mark;
	char drop[64];

	buf[0] = '\0';
	switch (mark->kind) {
	case MARK_NONE:
		break;
	case MARK_BURST:
		describe_drop(mark, _("against before"), drop, sizeof(drop));
		snprintf(buf, size, brief ? "%s: %s" : _("burst %s: %s"),
			 kernel_row((enum kernel)mark->kernel)->name, drop);
		break;
	case MARK_AFTER:
		if (mark->still_low)
			snprintf(drop, sizeof(drop), "%s", _("▼ still low"));
		else
			describe_drop(mark, _("while it ran"), drop, sizeof(drop));
		snprintf(buf, size, _("after %s: %s"), kernel_row((enum kernel)mark->kernel)->name,
			 drop);
		break;
	case MARK_FELL:
		describe_drop(mark, _("against the last minute"), buf, size);
		break;
	case MARK_BEHIND:
		describe_drop(mark, _("against the other CPUs"), buf, size);
		break;
	}
}

static const char *state_note(const struct shown *shown)
{
	switch (shown->clock->state) {
	case STATE_OFFLINE:
		return shown->busy->state == STATE_FIRST ? _("came online") : _("offline");
	case STATE_ISOLATED:
		return _("isolated: not disturbed");
	case STATE_NOT_ALLOWED:
		return _("not allowed for this process");
	case STATE_SUSPENDED:
		return _("was suspended");
	case STATE_IDLE:
		return _("idle: not woken");
	case STATE_DISTURBED:
		return _("disturbed: rejected");
	case STATE_UNCALIBRATED:
		return _("no ruler for this core");
	default:
		return shown->idle_probed || shown->idle ? _("idle") : "";
	}
}

/* What costs the clock most, of what the ledger knows. brief: where there is little room. */
static void describe_loss(const struct shown *shown, bool brief, char *buf, size_t size)
{
	const double percent = 100 * shown->lost.ratio;
	const int level = license_level(&shown->license);

	switch (lost_most(&shown->lost)) {
	case METRIC_LOST_LICENSE_HERTZ:
		if (level > 0)
			/* TRANSLATORS: here and below, by how much the clock is below its turbo
			 * limit, and what to */
			snprintf(buf, size,
				 brief ? _("▼ −%.0f %% license %s")
				       : _("▼ −%.0f %% to wide code (license %s)"),
				 percent,
				 metric_row(metric_of_joint(JOINT_LICENSE, (unsigned)level))->part);
		else
			snprintf(buf, size,
				 brief ? _("▼ −%.0f %% license") : _("▼ −%.0f %% to its license"),
				 percent);
		break;
	case METRIC_LOST_POWER_HERTZ:
		snprintf(buf, size,
			 brief ? _("▼ −%.0f %% power limit") : _("▼ −%.0f %% to the power limit"),
			 percent);
		break;
	case METRIC_LOST_THERMAL_HERTZ:
		snprintf(buf, size, _("▼ −%.0f %% to heat"), percent);
		break;
	case METRIC_LOST_CAP_HERTZ:
		snprintf(buf, size,
			 brief ? _("▼ −%.0f %% cap") : _("▼ −%.0f %% to the cap of the kernel"),
			 percent);
		break;
	default:
		/* The turbo limits of the higher licenses are seldom known: then it is not said what they cost. */
		if (level > 0)
			snprintf(buf, size,
				 brief ? _("▼ −%.0f %% at license %s") : _("▼ −%.0f %% below its turbo limit, at license %s"),
				 percent, metric_row(metric_of_joint(JOINT_LICENSE, (unsigned)level))->part);
		else
			snprintf(buf, size, brief ? _("▼ −%.0f %% of its limit") : _("▼ −%.0f %% below its turbo limit"),
				 percent);
		break;
	}
}

/* Words are put one behind the other until there is no room. */
struct note {
	struct canvas *canvas;
	int x, y, right;
};

static void put(struct note *note, enum role role, const char *text)
{
	if (note->x < note->right && text[0])
		note->x += canvas_elide(note->canvas, note->x, note->y, note->right - note->x, role,
					text) +
			   2;
}

static void put_cpu(const struct ui *ui, struct note *note, const struct shown *shown)
{
	char text[32];

	if (shown->single || note->x >= note->right)
		return;
	snprintf(text, sizeof(text), _("CPU %u: "), ui->host->cpus[shown->cpu].id);
	note->x +=
		canvas_text(note->canvas, note->x, note->y, note->right - note->x, ROLE_DIM, text);
}

static enum role mark_role(const struct mark *mark)
{
	if (mark->kind == MARK_AFTER)
		return mark->still_low ? ROLE_DROPPED : ROLE_DIM;
	return mark->dropped ? ROLE_DROPPED : ROLE_BURST;
}

/* The causes before what they do; and what the ledger knows is not guessed at by comparing. */
void shown_draw_note(const struct ui *ui, struct canvas *canvas, const struct column *column, int y,
		     const struct row *row, const struct shown *shown)
{
	struct note note = { canvas, column->x, y, column->x + column->width };
	const enum mark_kind kind = shown->mark->kind;
	char text[160];

	if (!column->width)
		return;
	if (view_heat_note(ui, row, shown->role == ROLE_DROPPED && !shown->behind, text,
			   sizeof(text)))
		put(&note, ROLE_DROPPED, text);
	if (shown->behind && kind != MARK_BURST) {
		if (row->kind == ROW_PACKAGE)
			put_cpu(ui, &note, shown);
		describe_loss(shown, false, text, sizeof(text));
		if (canvas_measure(text) > note.right - note.x)
			describe_loss(shown, true, text, sizeof(text));
		put(&note, ROLE_DROPPED, text);
	}
	if (shown->role == ROLE_DROPPED && !shown->behind && license_level(&shown->license) > 0) {
		/* TRANSLATORS: turbo license, L1 or L2 */
		snprintf(text, sizeof(text), _("license %s"),
			 metric_row(metric_of_joint(JOINT_LICENSE,
						    (unsigned)license_level(&shown->license)))->part);
		put(&note, ROLE_DROPPED, text);
	}
	if (state_usable(shown->steal->state) && shown->steal->v >= TAKEN) {
		snprintf(text, sizeof(text), _("%.0f %% stolen by the host"),
			 shown->steal->v * 100);
		put(&note, ROLE_DISTURBED, text);
	}
	if (shown->behind && (kind == MARK_FELL || kind == MARK_BEHIND))
		return;
	describe_mark(shown, false, text, sizeof(text));
	if (canvas_measure(text) > note.right - note.x)
		describe_mark(shown, true, text, sizeof(text));
	if (text[0]) {
		put_cpu(ui, &note, shown);
		put(&note, mark_role(shown->mark), text);
	} else if (note.x == column->x) {
		put(&note, ROLE_DIM, state_note(shown));
	}
}
