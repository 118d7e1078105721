/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a section of data/cpu speak of a CPU? */
#include "config.h"
#include "model/facts_fits.h"

#include <stdlib.h>
#include <string.h>

/* "17" or "16-31" or "0x10-0x1f": does it hold the number? *at ends behind it; malformed: no. */
static bool range_holds(const char **at, unsigned number)
{
	char *end;
	unsigned long first, last;

	first = strtoul(*at, &end, 0);
	if (end == *at)
		return false;
	last = first;
	*at = end;
	if (**at == '-') {
		last = strtoul(*at + 1, &end, 0);
		if (end == *at + 1)
			return false;
		*at = end;
	}
	return number >= first && number <= last;
}

bool facts_fits(const char *match, unsigned family, unsigned model, unsigned stepping)
{
	const unsigned want[] = { family, model, stepping };

	while (*match) {
		bool fits = true;
		unsigned part = 0;

		for (;;) {
			fits = range_holds(&match, want[part++]) && fits;
			if (*match != '/' || part == 3)
				break;
			match++;
		}
		if (fits && part >= 2 && (*match == ' ' || *match == '\0'))
			return true;
		match += strcspn(match, " ");
		match += strspn(match, " ");
	}
	return false;
}
