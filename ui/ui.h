/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that main.c may know of the dashboard. */
#ifndef AVXTOP_UI_UI_H
#define AVXTOP_UI_UI_H

#include <stddef.h>

/* Names ("F1, ?, h", put into buf) and help (untranslated) of the index-th key, for the manual; NULL at
 * the end. */
const char *ui_key_at(unsigned index, char *buf, size_t size, const char **ret_help);
/* "ncurses 6.4.20221231" */
const char *ui_curses_version(void);

#endif
