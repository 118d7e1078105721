/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What registers of real machines mean: each row of tests/hosts/registers.tsv, and published
 * examples. */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fake.h"
#include "model/msr_decode.h"
#include "model/turbo.h"
#include "source/energy_meter.h"

#define RANGE (1ull << 32)

/* One line of the table; several values of a field stand with a space between. */
struct row {
	char *host, *quantity, *value, *raw, *other;
};

static uint64_t hex(const char *text)
{
	return strtoull(text, NULL, 16);
}

static uint64_t second(const char *text)
{
	const char *space = strchr(text, ' ');

	assert_non_null(space);
	return hex(space + 1);
}

static double joules(const struct row *row)
{
	const bool in_joules = strstr(row->other, "e-");
	const double unit =
		in_joules ? strtod(row->other, NULL) : msr_units(hex(row->other)).joules;
	struct energy_count count = { .range = RANGE };
	uint64_t more;

	assert_int_equal(energy_count(&count, hex(row->raw) % RANGE, NS_PER_S, 1e9, &more),
			 STATE_RESET);
	assert_int_equal(
		energy_count(&count, second(row->raw) % RANGE, NS_PER_S * 6 / 5, 1e9, &more),
		STATE_OK);
	return (double)more * unit;
}

static double celsius(const struct row *row)
{
	int celsius;

	assert_true(msr_celsius(hex(row->raw), msr_tjmax(hex(row->other)), &celsius));
	return celsius;
}

static double limit(const struct row *row)
{
	const struct msr_units units = msr_units(hex(row->other));
	const struct msr_power_limit limit =
		msr_power_limit(hex(row->raw), row->quantity[2] == '2', &units);

	return strstr(row->quantity, "window") ? limit.window_s : limit.watts;
}

static double enabled(const struct row *row)
{
	const struct msr_units units = msr_units(0xa0e03);

	return msr_power_limit(hex(row->raw), row->quantity[2] == '2', &units).enabled;
}

/* Bit 30 of PLATFORM_INFO alone. */
static double programmable(const struct row *row)
{
	return msr_tcc_offset(0x7f000000, hex(row->raw), 6) > 0;
}

static double tcc_offset(const struct row *row)
{
	return msr_tcc_offset(hex(row->raw), hex(row->other), 6);
}

static double tdp(const struct row *row)
{
	const struct msr_units units = msr_units(hex(row->other));

	return msr_tdp_watts(hex(row->raw), &units);
}

static double pstate(const struct row *row)
{
	return msr_amd_pstate_hertz(hex(row->raw), (unsigned)hex(row->other)) / 1e6;
}

static double hw_pstate(const struct row *row)
{
	return msr_amd_current_hertz(hex(row->raw), (unsigned)hex(row->other)) / 1e6;
}

static double base(const struct row *row)
{
	return msr_base_ratio(hex(row->raw));
}

static double least(const struct row *row)
{
	return msr_least_ratio(hex(row->raw));
}

static double tjmax(const struct row *row)
{
	return msr_tjmax(hex(row->raw));
}

static double current(const struct row *row)
{
	return msr_current_ratio(hex(row->raw)) * 100;
}

static double volts(const struct row *row)
{
	return msr_volts(hex(row->raw));
}

static double unit_watts(const struct row *row)
{
	return msr_units(hex(row->raw)).watts;
}

static double unit_joules(const struct row *row)
{
	return msr_units(hex(row->raw)).joules;
}

static double unit_seconds(const struct row *row)
{
	return msr_units(hex(row->raw)).seconds;
}

static double locked(const struct row *row)
{
	return msr_power_limit_locked(hex(row->raw));
}

static const struct {
	const char *quantity;
	double (*decode)(const struct row *row);
	double epsilon; /* half of the last digit that the table gives */
} quantities[] = {
	{ "base_ratio", base, 0 },
	{ "max_efficiency_ratio", least, 0 },
	{ "programmable_tj_offset", programmable, 0 },
	{ "tjmax", tjmax, 0 },
	{ "tcc_offset_6bit", tcc_offset, 0 },
	{ "celsius", celsius, 0 },
	{ "perf_status_mhz", current, 0 },
	{ "vid_voltage", volts, 5.1e-5 },
	{ "rapl_power_unit", unit_watts, 0 },
	{ "rapl_energy_unit", unit_joules, 1e-13 },
	{ "rapl_time_unit", unit_seconds, 0 },
	{ "tdp", tdp, 0.051 },
	{ "pl1", limit, 0.051 },
	{ "pl2", limit, 0.051 },
	{ "pl1_window", limit, 5.1e-5 },
	{ "pl2_window", limit, 5.1e-5 },
	{ "pl1_enabled", enabled, 0 },
	{ "pl2_enabled", enabled, 0 },
	{ "pl_locked", locked, 0 },
	{ "energy", joules, 5.1e-5 },
	{ "pstate_mhz", pstate, 1e-6 },
	{ "hw_pstate_mhz", hw_pstate, 1e-6 },
};

static void check_value(const struct row *row)
{
	double value, expected = strtod(row->value, NULL);

	for (size_t i = 0; i < COUNT_OF(quantities); i++) {
		if (strcmp(row->quantity, quantities[i].quantity) != 0)
			continue;
		value = quantities[i].decode(row);
		if (fabs(value - expected) > quantities[i].epsilon)
			fail_msg("%s %s of %s: %.9g, not %.9g", row->host, row->quantity, row->raw,
				 value, expected);
		return;
	}
	fail_msg("nobody decodes %s", row->quantity);
}

static enum turbo_form form_of(const char *name)
{
	return strcmp(name, "turbo_groups") == 0   ? TURBO_FORM_GROUPS
	       : strcmp(name, "turbo_deltas") == 0 ? TURBO_FORM_DELTAS
						   : TURBO_FORM_ACTIVE;
}

/* The value is "cores:ratio" of each bucket; a limit holds up to its count, and from that of the
 * last one on. */
static void check_turbo(const struct row *row)
{
	uint64_t raw[3] = { hex(row->raw), hex(row->other), second(row->other) };
	unsigned n = 0, before = 0, cores, ratio;
	struct turbo turbo;
	int used;

	turbo_decode(form_of(row->quantity), 100e6, raw, &turbo);
	for (const char *p = row->value; sscanf(p, " %u:%u%n", &cores, &ratio, &used) == 2;
	     p += used, n++) {
		assert_true(n < turbo.n);
		assert_int_equal(turbo.buckets[n].max_active_cores, cores);
		assert_near(turbo.buckets[n].hertz, ratio * 1e8, 1);
		for (unsigned k = before + 1; k <= cores; k++)
			assert_near(turbo_limit(&turbo, k), ratio * 1e8, 1);
		before = cores;
	}
	assert_int_equal(n, turbo.n);
	assert_true(n > 0);
	assert_near(turbo_limit(&turbo, 1000), before ? 0 : 2e9,
		    1); /* all of the Atom's are the same */
}

static void test_table(void **unused)
{
	const char *srcdir = getenv("SRCDIR");
	char path[512], line[512];
	unsigned values = 0, turbos = 0;
	FILE *file;

	(void)unused;
	snprintf(path, sizeof(path), "%s/tests/hosts/registers.tsv", srcdir ? srcdir : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *save, *field = strtok_r(line, "\t\n", &save);
		struct row row = { .host = field };

		if (!field || field[0] == '#')
			continue;
		row.quantity = strtok_r(NULL, "\t\n", &save);
		row.value = strtok_r(NULL, "\t\n", &save);
		row.raw = strtok_r(NULL, "\t\n", &save);
		row.other = strtok_r(NULL, "\t\n", &save);
		assert_non_null(row.other);
		if (strncmp(row.quantity, "turbo_", 6) == 0) {
			check_turbo(&row);
			turbos++;
		} else {
			check_value(&row);
			values++;
		}
	}
	fclose(file);
	assert_int_equal(values, 448);
	assert_int_equal(turbos, 19);
}

/* The second read of a counter of 32 bits, a second after the first: its joules; NAN: none. */
static double count(uint64_t prev, uint64_t cur, double unit)
{
	struct energy_count count = { .range = RANGE };
	uint64_t more = 0;

	(void)energy_count(&count, prev % RANGE, NS_PER_S, 1000 / unit, &more);
	if (energy_count(&count, cur % RANGE, 2 * NS_PER_S, 1000 / unit, &more) != STATE_OK)
		return NAN;
	return (double)more * unit;
}

static void test_energy(void **unused)
{
	(void)unused;
	assert_near(count(0xfffffff0, 0x4000, msr_units(0xa0e03).joules), 1.000976562, 1e-9);
	assert_near(count(0, 1310720, exp2(-16)), 20, 1e-9);
	assert_near(count(4294967290, 644, 1), 650, 1e-9); /* psys of Sapphire Rapids */
	assert_near(msr_units(0xa1000).joules, 1.52587890625e-05, 1e-16);
	assert_near(count(0, 6553600, msr_units(0xa1000).joules), 100, 1e-9);
	/* AMD: bits above 31 are set. */
	assert_near(count(0xbcc196c6c, 0xbcc296c6c, msr_units(0xa1000).joules), 16, 1e-9);
	/* 200 kW for a second: the counter began anew. */
	assert_true(isnan(count(0xf0000000, 0x100, msr_units(0xa0e03).joules)));
}

static void test_examples(void **unused)
{
	const struct msr_units units = msr_units(0xa0e03);
	const uint64_t aws[3] = { 0x2020212123242526, 0x302e2c2a26221e18 }, none[3] = { 0 };
	struct turbo turbo;
	int celsius = -1;

	(void)unused;
	assert_true(msr_celsius(0x88320002, msr_tjmax(0x00640000), &celsius));
	assert_int_equal(celsius, 50);
	assert_false(msr_celsius(0x08320002, 100, &celsius)); /* not valid */
	assert_int_equal(msr_tjmax(0), 100);
	assert_int_equal(msr_tcc_offset(0x7640000, 1 << 30, 6), 7);
	assert_int_equal(msr_tcc_offset(0x7640000, 0, 6), 0);
	assert_int_equal(msr_tcc_offset(0x7640000, 1 << 30, 0), 0);
	assert_near(msr_volts(0x25fb00002200), 1.1869, 1e-4);
	assert_near(msr_power_limit(0x42819800dd80c8, 0, &units).watts, 25, 1e-9);
	assert_near(msr_power_limit(0x42819800dd80c8, 0, &units).window_s, 28, 1e-9);
	assert_near(msr_power_limit(0x42819800dd80c8, 1, &units).watts, 51, 1e-9);
	assert_false(msr_power_limit_locked(0x42819800dd80c8));
	assert_near(msr_units(0).seconds, exp2(-10), 1e-12);
	assert_near(msr_amd_pstate_hertz(0x800000004ab2435c, 0x1a), 4.3e9, 1);
	assert_near(msr_amd_pstate_hertz(0x4ab2435c, 0x1a), 0, 0);	  /* not in use */
	assert_near(msr_amd_pstate_hertz(1ull << 63 | 0x60, 0x19), 0, 0); /* no divisor */
	/* Platinum 8488C, of a virtual machine. */
	turbo_decode(TURBO_FORM_GROUPS, 100e6, aws, &turbo);
	assert_near(turbo_limit(&turbo, 1), 3.8e9, 1);
	assert_near(turbo_limit(&turbo, 25), 3.7e9, 1);
	assert_near(turbo_limit(&turbo, 44), 3.3e9, 1);
	assert_near(turbo_limit(&turbo, 48), 3.2e9, 1);
	assert_near(turbo_limit(&turbo, 49), 0, 0);
	/* Nothing is made of nothing. */
	turbo_decode(TURBO_FORM_GROUPS, 100e6, none, &turbo);
	assert_int_equal(turbo.n, 0);
	assert_near(turbo_limit(&turbo, 1), 0, 0);
	turbo_decode(TURBO_FORM_GROUPS, 0, aws, &turbo);
	assert_int_equal(turbo.n, 0);
	turbo_decode(TURBO_FORM_NONE, 100e6, aws, &turbo);
	assert_int_equal(turbo.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
