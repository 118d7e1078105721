/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the layout of a CPU model's registers in the text of data/cpu/registers.ini. */
#include "config.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "model/facts.h"
#include "model/facts_fits.h"

struct search {
	const char *vendor, *kind;
	unsigned family, model, stepping;
	char section[64]; /* being read */
	bool vendor_fits, model_fits, wrong, turbo_of_kind;
	struct registers registers;
	int r; /* -ENOENT until found */
	struct registers result;
};

/* Takes the next word off *at; false: there is none. */
static bool next_word(const char **at, char *buf, size_t size)
{
	const size_t len = strcspn(*at + strspn(*at, " "), " ");

	*at += strspn(*at, " ");
	if (len == 0 || len >= size)
		return false;
	memcpy(buf, *at, len);
	buf[len] = '\0';
	*at += len;
	return true;
}

static bool parse_hertz(const char *value, double *ret)
{
	return num_parse_double(value, ret) == 0 && *ret > 1e6 && *ret < 1e9;
}

static bool parse_yes(const char *value, bool *ret)
{
	*ret = strcmp(value, "yes") == 0;
	return *ret;
}

/* "1 6 7": bits of those from 1 to most. */
static bool parse_states(const char *value, unsigned most, uint16_t *ret)
{
	char word[8];
	uint64_t state;

	*ret = 0;
	while (next_word(&value, word, sizeof(word))) {
		if (num_parse_u64(word, &state) < 0 || state < 1 || state > most)
			return false;
		*ret = (uint16_t)(*ret | 1u << state);
	}
	return *ret != 0 && *value == '\0';
}

/* The place of the word in the list; n: it is not there. */
static unsigned find_word(const char *word, const char *const *words, unsigned n)
{
	unsigned i = 0;

	while (i < n && strcmp(word, words[i]) != 0)
		i++;
	return i;
}

static bool parse_turbo(const char *value, enum turbo_form *ret)
{
	static const char *const forms[] = {
		[TURBO_FORM_NONE] = "none",
		[TURBO_FORM_ACTIVE] = "active",
		[TURBO_FORM_GROUPS] = "groups",
		[TURBO_FORM_DELTAS] = "deltas",
	};
	const unsigned n = sizeof(forms) / sizeof(forms[0]), form = find_word(value, forms, n);

	*ret = form < n ? (enum turbo_form)form : TURBO_FORM_NONE;
	return form < n;
}

static bool parse_energies(const char *value, uint32_t *ret)
{
	static const char *const names[] = { "package", "cores", "dram" }; /* bits of enum energy */
	const unsigned n = sizeof(names) / sizeof(names[0]);
	char word[16];

	*ret = 0;
	while (next_word(&value, word, sizeof(word))) {
		const unsigned bit = find_word(word, names, n);

		if (bit == n)
			return false;
		*ret |= 1u << bit;
	}
	return *ret != 0 && *value == '\0';
}

static bool parse_address(const char *value, uint32_t *ret)
{
	char end;

	return sscanf(value, "0x%x%c", ret, &end) == 1 && *ret != 0;
}

static bool parse_bits(const char *value, unsigned *ret)
{
	uint64_t bits;

	if (num_parse_u64(value, &bits) < 0 || bits < 1 || bits > 7)
		return false;
	*ret = (unsigned)bits;
	return true;
}

/* "turbo E-core" goes before "turbo", in whatever order they come. False: not known, or not so. */
static bool take_turbo(struct search *search, const char *of, const char *value)
{
	const bool mine = of[0] == ' ' && strcmp(of + 1, search->kind) == 0;
	enum turbo_form form;

	if ((of[0] != '\0' && of[0] != ' ') || !parse_turbo(value, &form))
		return false;
	if (mine || (of[0] == '\0' && !search->turbo_of_kind))
		search->registers.turbo = form;
	search->turbo_of_kind |= mine;
	return true;
}

static bool take_key(struct search *search, const char *key, const char *value)
{
	struct registers *registers = &search->registers;

	if (strcmp(key, "source") == 0)
		return value[0] != '\0';
	if (strcmp(key, "bclk_hertz") == 0)
		return parse_hertz(value, &registers->bclk_hertz);
	if (strcmp(key, "crystal_hertz") == 0)
		return parse_hertz(value, &registers->crystal_hertz);
	if (strcmp(key, "core_states") == 0)
		return parse_states(value, 7, &registers->core_states);
	if (strcmp(key, "package_states") == 0)
		return parse_states(value, 10, &registers->package_states);
	if (strncmp(key, "turbo", 5) == 0)
		return take_turbo(search, key + 5, value);
	if (strcmp(key, "limit_reasons") == 0)
		return parse_address(value, &registers->limit_reasons);
	if (strcmp(key, "limit_reasons_doubtful") == 0)
		return parse_yes(value, &registers->limit_reasons_doubtful);
	if (strcmp(key, "energies") == 0)
		return parse_energies(value, &registers->energies);
	if (strcmp(key, "dram_joules") == 0)
		return num_parse_double(value, &registers->dram_joules) == 0 &&
		       registers->dram_joules > 0 && registers->dram_joules < 1;
	if (strcmp(key, "tcc_bits") == 0)
		return parse_bits(value, &registers->tcc_bits);
	if (strcmp(key, "tweak") == 0)
		return parse_yes(value, &registers->tweak);
	if (strcmp(key, "times_1024") == 0)
		return parse_yes(value, &registers->times_1024);
	if (strcmp(key, "uncore_ratio") == 0)
		return parse_yes(value, &registers->uncore_ratio);
	return false;
}

/* A section has ended: was it the one? The first that fits wins, so narrow ones come first. */
static void end_section(struct search *search)
{
	if (search->r == -ENOENT && search->vendor_fits && search->model_fits) {
		search->r = search->wrong ? -EINVAL : 0;
		search->result = search->registers;
	}
	search->vendor_fits = search->model_fits = search->wrong = search->turbo_of_kind = false;
	search->registers = (struct registers) { 0 };
}

static int on_key(void *user, const char *section, const char *key, const char *value)
{
	struct search *search = user;

	if (strcmp(section, search->section) != 0) {
		end_section(search);
		(void)snprintf(search->section, sizeof(search->section), "%s", section);
	}
	if (strcmp(key, "vendor") == 0)
		search->vendor_fits = strcmp(value, search->vendor) == 0;
	else if (strcmp(key, "match") == 0)
		search->model_fits |=
			facts_fits(value, search->family, search->model, search->stepping);
	else
		search->wrong |= !take_key(search, key, value);
	return 1;
}

int facts_registers(const char *ini_text, const char *vendor, unsigned family, unsigned model,
		    unsigned stepping, const char *kind, struct registers *ret)
{
	struct search search = {
		.vendor = vendor,
		.kind = kind,
		.family = family,
		.model = model,
		.stepping = stepping,
		.r = -ENOENT,
	};

	/* A malformed line (r > 0) spoils only itself; the data's own test finds it. */
	if (ini_parse_string(ini_text, on_key, &search) < 0)
		return -ENOMEM;
	end_section(&search);
	if (search.r == 0)
		*ret = search.result;
	return search.r;
}
