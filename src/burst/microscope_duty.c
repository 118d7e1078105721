/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trains of bursts. */
#include "config.h"

#include "burst/microscope_own.h"

void microscope_duties(struct microscope_driver *d)
{
	(void)d;
}
