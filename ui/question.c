/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing of questions, and the ways of their cursor. */
#include "config.h"

#include "ui/question.h"

#include <stdio.h>

#include "base/nls.h"
#include "base/problem.h"
#include "burst/kernel.h"
#include "model/host.h"
#include "ui/canvas.h"

#define LABEL_X QUESTION_LABEL_X
#define VALUE_X QUESTION_VALUE_X

const char *question_unusable(const struct host *host, unsigned kernel, int cpu, char *buf,
			      unsigned long size)
{
	struct problem problem = { 0 };
	unsigned kind = cpu < 0 ? 0 : host->cpus[cpu].kind;

	if (kernel_usable((enum kernel)kernel, host, kind, &problem) == 0)
		return NULL;
	snprintf(buf, size, "%s", problem.text[0] ? problem.text : _("it cannot run here"));
	return buf;
}

static void draw_kernel(const struct host *host, struct canvas *canvas, int y, unsigned kernel,
			bool chosen, bool here, int cpu)
{
	const struct kernel_row *row = kernel_row((enum kernel)kernel);
	char why[256];
	const char *unusable = question_unusable(host, kernel, cpu, why, sizeof(why));
	enum role role = unusable ? ROLE_ABSENT : chosen ? ROLE_VALUE : ROLE_PANEL;
	int x = VALUE_X + 15;

	if (chosen)
		canvas_text(canvas, VALUE_X - 2, y, 1, here ? ROLE_BURST : ROLE_KEY, "▸");
	canvas_elide(canvas, VALUE_X, y, 14, chosen && here ? ROLE_CURSOR : role, row->name);
	if (unusable)
		x += canvas_text(canvas, x, y, 2, ROLE_ABSENT, "– ");
	canvas_elide(canvas, x, y, canvas->width - 2 - x, unusable ? ROLE_ABSENT : ROLE_DIM,
		     unusable ? unusable : _(row->help));
}

void question_kernels(const struct host *host, struct canvas *canvas, int y, int lines,
		      unsigned kernel, bool here, int cpu)
{
	int first = (int)kernel - lines / 2;

	if (first > KERNEL_N - lines)
		first = KERNEL_N - lines;
	if (first < 0)
		first = 0;
	canvas_text(canvas, LABEL_X, y, VALUE_X - LABEL_X - 2, ROLE_LABEL, _("Kernel"));
	if (lines > 1 && lines < KERNEL_N)
		canvas_textf(canvas, LABEL_X, y + 1, VALUE_X - LABEL_X - 2, ROLE_DIM, _("%u of %u"),
			     kernel + 1, (unsigned)KERNEL_N);
	for (int i = 0; i < lines && first + i < KERNEL_N; i++)
		draw_kernel(host, canvas, y + i, (unsigned)(first + i), first + i == (int)kernel,
			    here, cpu);
}

void question_field(struct canvas *canvas, int y, bool here, const char *label, const char *value,
		    const char *hint)
{
	int x = VALUE_X;

	canvas_text(canvas, LABEL_X, y, VALUE_X - LABEL_X - 2, ROLE_LABEL, label);
	if (here)
		canvas_text(canvas, x - 2, y, 1, ROLE_BURST, "▸");
	x += canvas_elide(canvas, x, y, canvas->width - x - 2, here ? ROLE_CURSOR : ROLE_VALUE,
			  *value ? value : " ") +
	     2;
	if (x < VALUE_X + 15)
		x = VALUE_X + 15;
	canvas_elide(canvas, x, y, canvas->width - x - 2, ROLE_DIM, hint);
}

void question_hints(struct canvas *canvas, int y, const char *const *hints)
{
	int x = LABEL_X;

	for (; hints[0]; hints += 2) {
		if (x + canvas_measure(hints[0]) + canvas_measure(hints[1]) + 3 > canvas->width)
			break;
		x += canvas_text(canvas, x, y, 20, ROLE_KEY, hints[0]) + 1;
		x += canvas_text(canvas, x, y, 30, ROLE_DIM, hints[1]) + 3;
	}
}

void question_move(unsigned *cursor, unsigned *kernel, unsigned fields, int step)
{
	if (step < 0 ? *cursor == 0 : *cursor + 1 == KERNEL_N + fields)
		return;
	*cursor += (unsigned)step;
	if (*cursor < KERNEL_N)
		*kernel = *cursor;
}

void question_next_field(unsigned *cursor, unsigned kernel, unsigned fields, int step)
{
	const int n = (int)fields + 1;
	int field = *cursor < KERNEL_N ? 0 : (int)(*cursor - KERNEL_N) + 1;

	field = (field + step + n) % n;
	*cursor = field == 0 ? kernel : KERNEL_N + (unsigned)field - 1;
}
