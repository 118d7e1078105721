/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thousands of CPUs, or a file that is late, take their time before there is a machine to draw;
 * nobody shall sit before an empty screen meanwhile. */
#include "config.h"

#include "ui/opening.h"

#include <stdlib.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "base/nls.h"
#include "engine/options.h"
#include "ui/canvas.h"
#include "ui/term.h"

/* 0: not known. It is a word for people: the session finds out by itself. */
static unsigned count_cpus(const struct options *options)
{
	struct hostfs *fs = NULL;
	struct list *online = NULL;
	char *text = NULL;

	if (hostfs_open(options->sysroot ? options->sysroot : "/", &fs) == 0 &&
	    hostfs_read(fs, "sys/devices/system/cpu/online", &text, NULL) == 0)
		(void)list_parse(text, &online);
	const unsigned count = online ? list_count(online) : 0;

	list_free(online);
	free(text);
	hostfs_close(fs);
	return count;
}

void opening_draw(const struct options *options)
{
	const unsigned cpus = count_cpus(options);
	struct canvas canvas = { 0 };
	int width, height, x = 1;

	term_size(&width, &height);
	canvas.ascii = term_ascii();
	if (canvas_resize(&canvas, width, height) < 0)
		return;
	x += canvas_text(&canvas, x, 0, width, ROLE_TITLE, "avxtop") + 3;
	if (cpus > 0)
		canvas_textf(&canvas, x, 0, width - x, ROLE_DIM,
			     P_("reading %u CPU …", "reading %u CPUs …", cpus), cpus);
	else
		canvas_text(&canvas, x, 0, width - x, ROLE_DIM, _("reading the machine …"));
	term_blit(&canvas);
	canvas_free(&canvas);
}
