/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzzer without libFuzzer, for make check: the files of its corpus as they are, then changed at
 * random by a fixed seed. The input of a failure is left in FUZZ_NAME.failed in the build folder. */
#include "config.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#define MAX_SIZE 4096u
#define MAX_FILES 64u

struct input {
	uint8_t data[MAX_SIZE];
	size_t size;
};

static struct input corpus[MAX_FILES];
static unsigned n_corpus;

/* xorshift64 (Marsaglia, 2003): quick, and the same everywhere. */
static unsigned draw(uint64_t *seed, size_t below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)((*seed >> 33) % below);
}

static bool load(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && n_corpus < MAX_FILES && (entry = readdir(dir))) {
		struct input *input = &corpus[n_corpus];
		char path[PATH_MAX];
		FILE *file;

		if (entry->d_name[0] == '.' ||
		    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >= (int)sizeof(path))
			continue;
		file = fopen(path, "r");
		if (!file)
			return false;
		input->size = fread(input->data, 1, MAX_SIZE, file);
		(void)fclose(file);
		n_corpus++;
	}
	if (dir)
		(void)closedir(dir);
	return n_corpus > 0;
}

/* One change: a byte, a cut, a part doubled, a part of another input put in. */
static void change(struct input *input, uint64_t *seed)
{
	static const char useful[] = "0123456789-,@\n \t:x=%\0\xff\x7f";
	const struct input *other = &corpus[draw(seed, n_corpus)];
	const size_t at = draw(seed, input->size + 1);
	size_t n;

	switch (draw(seed, 5)) {
	case 0:
		if (at < input->size)
			input->data[at] = (uint8_t)draw(seed, 256);
		break;
	case 1:
		if (at < input->size)
			input->data[at] = (uint8_t)useful[draw(seed, sizeof(useful))];
		break;
	case 2:
		input->size = at;
		break;
	case 3: /* takes out */
		n = draw(seed, input->size - at + 1);
		memmove(input->data + at, input->data + at + n, input->size - at - n);
		input->size -= n;
		break;
	default: /* puts in */
		n = draw(seed, other->size + 1);
		if (n > MAX_SIZE - input->size)
			break;
		memmove(input->data + at + n, input->data + at, input->size - at);
		memcpy(input->data + at, other->data + draw(seed, other->size - n + 1), n);
		input->size += n;
	}
}

/* Kept before it is run: an abort leaves no time for it. Not a new file each time, for speed. */
static void run(const struct input *input, FILE *keep)
{
	/* Its own allocation, so that a sanitizer sees a read beyond the end. */
	uint8_t *data = malloc(input->size ? input->size : 1);

	FUZZ_MUST(data);
	memcpy(data, input->data, input->size);
	rewind(keep);
	(void)fwrite(data, 1, input->size, keep);
	(void)fflush(keep);
	FUZZ_MUST(ftruncate(fileno(keep), (off_t)input->size) == 0);
	(void)LLVMFuzzerTestOneInput(data, input->size);
	free(data);
}

int main(void)
{
	const char *source = getenv("SRCDIR");
	uint64_t seed = 20261130;
	char folder[PATH_MAX];
	FILE *keep = fopen("fuzz-" FUZZ_NAME ".failed", "w");

	(void)snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/" FUZZ_NAME,
		       source ? source : ".");
	FUZZ_MUST(keep && load(folder));
	for (unsigned i = 0; i < n_corpus; i++)
		run(&corpus[i], keep);
	for (unsigned round = 0; round < FUZZ_ROUNDS; round++) {
		struct input input = corpus[draw(&seed, n_corpus)];

		for (unsigned n = 1 + draw(&seed, 4); n > 0; n--)
			change(&input, &seed);
		run(&input, keep);
	}
	(void)fclose(keep);
	(void)remove("fuzz-" FUZZ_NAME ".failed");
	printf("1..1\nok 1 - %u inputs and %u changes of them\n", n_corpus, FUZZ_ROUNDS);
	return 0;
}
