/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves the calling thread from CPU to CPU and gives it its own affinity back. */
#ifndef AVXTOP_SOURCE_PIN_H
#define AVXTOP_SOURCE_PIN_H

struct pin;

/* largest_id: greatest CPU number that will be asked for. NULL when out of memory. */
struct pin *pin_new(unsigned largest_id);
void pin_free(struct pin *pin); /* NULL is fine */

void pin_begin(struct pin *pin); /* keeps the affinity that the thread has now */
/* Only between begin and end. 0 once the thread runs there; -EINVAL, -EPERM: it may not. */
int pin_to(struct pin *pin, unsigned id);
void pin_end(struct pin *pin); /* back to what it was */

#endif
