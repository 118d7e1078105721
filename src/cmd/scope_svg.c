/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scope saw as a picture: both ends of the burst from near, and all of it. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/nls.h"
#include "base/num.h"
#include "burst/microscope.h"
#include "cmd/scope_show.h"
#include "cmd/scope_write.h"
#include "format/svg.h"
#include "model/host.h"

enum { CLOCK, RATE, CURVES };
enum { VERDICT, EPOCHS, PRICE, EVEN, NOTES };

struct picture {
	struct svg_curve curves[CURVES];
	struct svg_step *steps[CURVES];
	struct svg_mark marks[TIMELINE_PHASES];
	char words[TIMELINE_PHASES][96];
	char note_words[NOTES][512];
	const char *notes[NOTES];
	char title[192], subtitle[256], rate[96], burst[64];
};

/* The band is of the clock, and of the rate only where there is no clock. */
static int fill_curves(const struct timeline *t, struct picture *picture)
{
	for (int c = 0; c < CURVES; c++) {
		picture->steps[c] = calloc(t->n_buckets + 1, sizeof(**picture->steps));
		if (!picture->steps[c])
			return -ENOMEM;
		for (size_t i = 0; i < t->n_buckets; i++) {
			const struct timeline_bucket *const b = &t->buckets[i];
			const bool banded = (c == CLOCK) == isfinite(b->clock_ratio);

			picture->steps[c][i] = (struct svg_step) {
				.x = b->t_s,
				.width = b->width_s,
				.y = c == CLOCK ? b->clock_ratio : b->rate_ratio,
				.low = banded ? b->low : NAN,
				.high = banded ? b->high : NAN,
			};
		}
		picture->curves[c] =
			(struct svg_curve) { .steps = picture->steps[c], .n = t->n_buckets };
	}
	picture->curves[RATE].second = true;
	return 0;
}

/* That it is back is to be seen without a mark. */
static unsigned fill_marks(const struct timeline *t, struct picture *picture)
{
	unsigned n = 0;

	for (int id = 0; id < TIMELINE_RECOVERED; id++) {
		struct scope_window span;
		char label[64];

		if (!scope_phase_span(t, (enum timeline_phase_id)id, &span))
			continue;
		scope_phase_label(t, (enum timeline_phase_id)id, label, sizeof(label));
		(void)snprintf(picture->words[n], sizeof(picture->words[n]), "%s %s",
			       _(timeline_phase_row((enum timeline_phase_id)id)->title), label);
		picture->marks[n] = (struct svg_mark) {
			.from = span.from_s,
			.to = span.to_s,
			.text = picture->words[n],
			.deep = id != TIMELINE_LOW_CLOCK && id != TIMELINE_HOLD,
		};
		n++;
	}
	return n;
}

/* Only what there is to say. */
static unsigned fill_notes(const struct microscope_result *result, struct picture *picture)
{
	unsigned n = 0;

	(void)snprintf(picture->note_words[VERDICT], sizeof(picture->note_words[VERDICT]), "%s",
		       result->verdict);
	scope_epochs_words(&result->own, picture->note_words[EPOCHS],
			   sizeof(picture->note_words[EPOCHS]));
	scope_price_words(result, picture->note_words[PRICE], sizeof(picture->note_words[PRICE]));
	scope_even_words(result, picture->note_words[EVEN], sizeof(picture->note_words[EVEN]));
	for (int i = 0; i < NOTES; i++)
		if (picture->note_words[i][0])
			picture->notes[n++] = picture->note_words[i];
	return n;
}

static void fill_words(const struct host *host, const struct microscope_result *result,
		       struct picture *picture)
{
	const char *const kernel = kernel_row(result->kernel)->name;
	const struct timeline *const t = &result->own;
	char hertz[32], time[32];

	(void)scope_time(t->burst_s, time, sizeof(time));
	(void)snprintf(picture->title, sizeof(picture->title),
		       _("One burst of %s: what the clock does"), kernel);
	(void)snprintf(picture->subtitle, sizeof(picture->subtitle),
		       _("%s · CPU %u · median of %u bursts · clock before %s · source: ruler"),
		       host->brand[0] ? host->brand : _("unknown CPU"), host->cpus[result->cpu].id,
		       t->epochs, num_human_hertz(t->before_hertz, hertz, sizeof(hertz)));
	(void)snprintf(picture->rate, sizeof(picture->rate), _("rate of %s"), kernel);
	(void)snprintf(picture->burst, sizeof(picture->burst), _("the burst, %s"), time);
	picture->curves[CLOCK].name = _("clock: median, and the middle half of the bursts");
	picture->curves[RATE].name = picture->rate;
}

int scope_write_svg(const struct host *host, const struct microscope_result *result, FILE *out)
{
	const struct timeline *const t = &result->own;
	const struct scope_window entry = scope_entry(t), exit = scope_exit(t),
				  whole = scope_whole(t);
	struct picture picture = { 0 };
	struct svg_plot plot = {
		.title = picture.title,
		.subtitle = picture.subtitle,
		.x_title = _("time from the first wide instruction"),
		.unity_hertz = t->before_hertz,
		.curves = picture.curves,
		.n_curves = CURVES,
		.marks = picture.marks,
		.shade_from = 0,
		.shade_to = t->burst_s,
		.shade_text = picture.burst,
		.panels = { { _("Beginning of the burst"), entry.from_s, entry.to_s },
			    { _("End of the burst"), exit.from_s, exit.to_s },
			    { _("The whole time line"), whole.from_s, whole.to_s } },
		.notes = picture.notes,
	};
	int r = fill_curves(t, &picture);

	if (r == 0) {
		fill_words(host, result, &picture);
		scope_range(t, &plot.low, &plot.high);
		plot.n_marks = fill_marks(t, &picture);
		plot.n_notes = fill_notes(result, &picture);
		r = svg_plot_write(out, &plot);
	}
	for (int c = 0; c < CURVES; c++)
		free(picture.steps[c]);
	return r;
}
