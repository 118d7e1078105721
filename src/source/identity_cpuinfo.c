/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What CPUs say they are by the text of /proc/cpuinfo: also of other machines and of CPUs where this process
 * may not go. Read only when the machine is described, at the start and after hot-plug: before Linux
 * 5.19 that interrupts each busy CPU for a moment. */
#include "config.h"
#include "source/identity.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "base/num.h"
#include "base/text.h"
#include "model/host.h"

/* "key<blanks>: value" of one line. Kernels differ in blanks and capitals. */
struct line {
	char key[32];
	const char *value;
	size_t value_len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Splits the line at *at and moves on to the next. False at the end of the text; a line without a
 * colon has an empty key. */
static bool next_line(const char **at, struct line *ret)
{
	const char *line = *at;
	const size_t len = strcspn(line, "\n");
	const char *colon = memchr(line, ':', len), *end = line + len;
	size_t key_len = 0;

	if (*line == '\0')
		return false;
	*at = *end ? end + 1 : end;
	if (colon)
		key_len = (size_t)(colon - line);
	while (key_len > 0 && is_blank(line[key_len - 1]))
		key_len--;
	if (key_len >= sizeof(ret->key))
		key_len = 0;
	memcpy(ret->key, line, key_len);
	ret->key[key_len] = '\0';
	ret->value = colon ? colon + 1 : end;
	while (ret->value < end && is_blank(*ret->value))
		ret->value++;
	while (end > ret->value && is_blank(end[-1]))
		end--;
	ret->value_len = (size_t)(end - ret->value);
	return true;
}

static bool key_is(const struct line *line, const char *key)
{
	return strcasecmp(line->key, key) == 0;
}

static bool value_number(const struct line *line, unsigned *ret)
{
	char text[16];
	uint64_t value;

	if (line->value_len >= sizeof(text))
		return false;
	memcpy(text, line->value, line->value_len);
	text[line->value_len] = '\0';
	if (num_parse_u64(text, &value) < 0 || value > UINT32_MAX)
		return false;
	*ret = (unsigned)value;
	return true;
}

static void value_text(const struct line *line, char *buf, size_t size)
{
	char text[64];
	const size_t len = line->value_len < sizeof(text) ? line->value_len : sizeof(text) - 1;

	memcpy(text, line->value, len);
	text[len] = '\0';
	text_escape_terminal(text, buf, size);
}

static bool has_flag(const struct line *line, const char *flag)
{
	const size_t len = strlen(flag);
	const char *at = line->value, *end = line->value + line->value_len;

	while (at < end) {
		const char *blank = at;

		while (blank < end && !is_blank(*blank))
			blank++;
		if ((size_t)(blank - at) == len && memcmp(at, flag, len) == 0)
			return true;
		at = blank + 1;
	}
	return false;
}

/* The kernel clears flags that XCR0 does not allow, so they need no mask. */
static void take_flags(const struct line *line, struct identity *identity)
{
	static const struct {
		const char *name;
		uint32_t isa;
	} flags[] = {
		{ "sse2", ISA_SSE2 },
		{ "avx", ISA_AVX },
		{ "avx2", ISA_AVX2 },
		{ "fma", ISA_FMA },
		{ "avx512f", ISA_AVX512F },
		{ "avx512bw", ISA_AVX512BW },
		{ "avx512_vnni", ISA_AVX512VNNI },
		{ "amx_tile", ISA_AMX_TILE },
		{ "amx_bf16", ISA_AMX_BF16 },
		{ "amx_int8", ISA_AMX_INT8 },
		{ "erms", ISA_ERMS },
		{ "fsrm", ISA_FSRM },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (has_flag(line, flags[i].name))
			identity->isa |= flags[i].isa;
	}
	if (has_flag(line, "hypervisor"))
		(void)snprintf(identity->hypervisor, sizeof(identity->hypervisor), "unknown");
}

static void take_line(const struct line *line, struct identity *identity)
{
	if (key_is(line, "vendor_id"))
		value_text(line, identity->vendor, sizeof(identity->vendor));
	else if (key_is(line, "model name"))
		value_text(line, identity->brand, sizeof(identity->brand));
	else if (key_is(line, "cpu family"))
		(void)value_number(line, &identity->family);
	else if (key_is(line, "model"))
		(void)value_number(line, &identity->model);
	else if (key_is(line, "stepping"))
		(void)value_number(line, &identity->stepping);
	else if (key_is(line, "flags"))
		take_flags(line, identity);
}

int identity_from_cpuinfo(const char *text, unsigned cpu, struct identity *ret)
{
	struct identity identity = { 0 };
	struct line line;
	bool inside = false;
	unsigned id;

	while (next_line(&text, &line)) {
		if (key_is(&line, "processor")) {
			if (inside)
				break;
			inside = value_number(&line, &id) && id == cpu;
		} else if (inside) {
			take_line(&line, &identity);
		}
	}
	if (!inside)
		return -ENOENT;
	*ret = identity;
	return 0;
}

int identity_cpuinfo_cpus(const char *text, struct list *list)
{
	struct line line;
	unsigned id;

	while (next_line(&text, &line)) {
		if (!key_is(&line, "processor") || !value_number(&line, &id))
			continue;
		const int r = list_add(list, id);

		if (r < 0)
			return r;
	}
	return 0;
}
