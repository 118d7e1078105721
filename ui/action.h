/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys do. Each function belongs to one row of ui/key_rows.h. */
#ifndef AVXTOP_UI_ACTION_H
#define AVXTOP_UI_ACTION_H

struct ui;

#define KEY(id, action, ...) void action(struct ui *ui);
#include "ui/key_rows.h"
#undef KEY

#endif
