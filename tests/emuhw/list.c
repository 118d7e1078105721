/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as the kernel writes them: 0-3,8. */
#include "config.h"

#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool list_has(const char *list, int n)
{
	if (!strcmp(list, "*"))
		return true;
	for (const char *p = list; *p;) {
		char *e;
		long a = strtol(p, &e, 10), b = a;
		if (e == p)
			return false;
		if (*e == '-')
			b = strtol(e + 1, &e, 10);
		if (n >= a && n <= b)
			return true;
		p = *e == ',' ? e + 1 : e;
		if (*e && *e != ',')
			return false;
	}
	return false;
}

void list_write(char *b, size_t n, bool (*f)(int cpu, int arg), int arg, int limit)
{
	size_t o = 0;

	b[0] = 0;
	for (int i = 0; i < limit && o + 24 < n; i++) {
		int j = i;

		if (!f(i, arg))
			continue;
		while (j + 1 < limit && f(j + 1, arg))
			j++;
		o += (size_t)snprintf(b + o, n - o, i == j ? "%s%d" : "%s%d-%d", o ? "," : "", i,
				      j);
		i = j;
	}
}
