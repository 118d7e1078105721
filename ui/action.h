/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys do. Each function belongs to one row of ui/key_rows.h. */
#ifndef AVXTOP_UI_ACTION_H
#define AVXTOP_UI_ACTION_H

struct ui;

void action_help(struct ui *ui);
void action_burst(struct ui *ui);
void action_kernel(struct ui *ui);
void action_panel(struct ui *ui);
void action_why(struct ui *ui);
void action_group(struct ui *ui);
void action_sort(struct ui *ui);
void action_filter(struct ui *ui);
void action_pause(struct ui *ui);
void action_slower(struct ui *ui);
void action_faster(struct ui *ui);
void action_redraw(struct ui *ui);
void action_back(struct ui *ui);
void action_up(struct ui *ui);
void action_down(struct ui *ui);
void action_page_up(struct ui *ui);
void action_page_down(struct ui *ui);
void action_home(struct ui *ui);
void action_end(struct ui *ui);
void action_click(struct ui *ui);
void action_quit(struct ui *ui);

#endif
