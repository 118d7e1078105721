/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks for words that people read. Machine formats never pass through these. */
#ifndef AVXTOP_BASE_NLS_H
#define AVXTOP_BASE_NLS_H

#include <libintl.h>

#define _(text) gettext(text)
#define N_(text) (text)
#define P_(one, many, n) ngettext(one, many, n)

#endif
