/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts without what is nobody's business: what is known to be harmless stays, and nothing else. */
#include "config.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cmd/dump.h"

/* Keeps the lines that are allowed. */
static void keep_lines(char *text, bool (*allowed)(const char *line, size_t len))
{
	char *to = text;

	for (const char *line = text, *end; *line; line = end) {
		const size_t len = strcspn(line, "\n");

		end = line + len + (line[len] == '\n');
		if (!allowed(line, len))
			continue;
		memmove(to, line, (size_t)(end - line));
		to += end - line;
	}
	*to = '\0';
}

/* arch/x86/kernel/cpu/proc.c. */
static bool is_of_cpuinfo(const char *line, size_t len)
{
	static const char *const keys[] = {
		"processor",	 "vendor_id",	    "cpu family",      "model",	      "model name",
		"stepping",	 "microcode",	    "cpu MHz",	       "cache size",  "physical id",
		"siblings",	 "core id",	    "cpu cores",       "apicid",      "initial apicid",
		"fpu",		 "fpu_exception",   "cpuid level",     "wp",	      "flags",
		"vmx flags",	 "bugs",	    "bogomips",	       "TLB size",    "clflush size",
		"cache_alignment", "address sizes", "power management",
	};
	const char *colon = memchr(line, ':', len);
	size_t key = colon ? (size_t)(colon - line) : 0;

	while (key > 0 && (line[key - 1] == ' ' || line[key - 1] == '\t'))
		key--;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (key == strlen(keys[i]) && strncasecmp(line, keys[i], key) == 0)
			return true;
	return len == 0;
}

void scrub_cpuinfo(char *text)
{
	keep_lines(text, is_of_cpuinfo);
}

/* Not when it was started, nor how many processes it has. */
static bool is_of_stat(const char *line, size_t len)
{
	return len > strlen("cpu") && strncmp(line, "cpu", strlen("cpu")) == 0;
}

void scrub_stat(char *text)
{
	keep_lines(text, is_of_stat);
}

/* "6.1.0-13-cloud-of-somebody" is 6.1.0-13: what follows the numbers is whatever its builder chose. */
void scrub_release(char *text)
{
	char *at = text + strspn(text, "0123456789.");

	while (*at == '-' && isdigit((unsigned char)at[1])) {
		const size_t digits = strspn(at + 1, "0123456789.");

		if (at[1 + digits] != '-' && at[1 + digits] != '\n' && at[1 + digits] != '\0')
			break;
		at += 1 + digits;
	}
	if (*at)
		strcpy(at, "\n");
}
