/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any lines as the words of a command line: values within their limits, or one sentence. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "engine/options.h"
#include "tests/fuzz/fuzz.h"

#define MAX_WORDS 16

static void check(const struct options *options)
{
	FUZZ_MUST(options->command);
	FUZZ_MUST(options->interval_ns >= 10000000 && options->interval_ns <= 86400000000000);
	FUZZ_MUST(options->n_kernels <= KERNEL_N);
	FUZZ_MUST(options->scopes >> SCOPE_N == 0);
	FUZZ_MUST(options->pattern.on_ns > 0);
	FUZZ_MUST(options->pattern.on_ns <= options->pattern.period_ns);
	FUZZ_MUST(sink_ops(options->format));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *rest = text;
	char *argv[MAX_WORDS + 2] = { (char *)"avxtop" };
	struct problem problem = { 0 };
	struct options options;
	int argc = 1, r;

	FUZZ_MUST(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	while (size && rest && argc <= MAX_WORDS)
		argv[argc++] = strsep(&rest, "\n");
	argv[argc] = NULL;
	r = options_parse(argc, argv, &options, &problem);
	if (r == 0) {
		check(&options);
	} else {
		FUZZ_MUST(r == -EINVAL && problem.text[0]);
		FUZZ_MUST(memchr(problem.text, '\0', sizeof(problem.text)));
	}
	options_free(&options);
	free(text);
	return 0;
}
