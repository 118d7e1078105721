/* All that main.c may know of the dashboard. */
#ifndef AVXTOP_UI_UI_H
#define AVXTOP_UI_UI_H

struct options;

int command_top(const struct options *options);

#endif
