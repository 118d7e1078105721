/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a list of CPUs: what is accepted reads the same after it was written. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "base/list.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct list *list)
{
	struct list *again;
	char *text = list_format(list), *twice;
	unsigned count = 0;

	FUZZ_MUST(text && list_parse(text, &again) == 0);
	twice = list_format(again);
	FUZZ_MUST(twice && strcmp(text, twice) == 0);
	for (int id = -1; (id = list_next(list, id + 1)) >= 0; count++)
		FUZZ_MUST(id <= (int)LIST_MAX_ID && list_has(again, (unsigned)id));
	FUZZ_MUST(count == list_count(list) && count == list_count(again));
	list_free(again);
	free(text);
	free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct list *list = NULL;
	char *text = malloc(size + 1);
	int r;

	FUZZ_MUST(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	r = list_parse(text, &list);
	if (r == 0)
		check(list);
	else
		FUZZ_MUST(!list && (r == -EINVAL || r == -ERANGE));
	list_free(list);
	free(text);
	return 0;
}
