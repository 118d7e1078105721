/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the tables are whole: a shifted, doubled or half-filled row must not pass. */
#include "config.h"

#include <string.h>

#include "base/text.h"
#include "fake.h"
#include "model/counter.h"
#include "model/host.h"
#include "model/metric.h"
#include "model/state.h"
#include "source/source.h"

static void check_name(const char *name)
{
	assert_non_null(name);
	assert_true(strlen(name) > 0 && strlen(name) < 40);
	assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name));
}

static void metrics_are_whole(void **unused)
{
	(void)unused;
	for (unsigned m = 0; m < METRIC_N; m++) {
		const struct metric_row *row = metric_row((enum metric)m);

		check_name(row->name);
		assert_int_equal(metric_by_name(row->name), m); /* so unique */
		assert_string_equal(metric_name_at(m), row->name);
		assert_true(row->title[0] != '\0');
		assert_true(text_width(row->title) <= row->width);
		assert_true(!row->column || text_width(row->column) <= METRIC_COLUMN);
		assert_true(strlen(row->help) > 5);
		assert_true(strlen(row->needs) > 5);
		assert_null(strchr(row->help, '\n'));
		assert_true(row->needs[strlen(row->needs) - 1] != '.');
		assert_true(row->unit < UNIT_N && row->scope < SCOPE_N && row->label < LABEL_N);
		assert_non_null(unit_name(row->unit));
		assert_true(metric_has_scope((enum metric)m, row->scope));
		/* Larger scopes come from the own one, smaller do not exist. */
		for (unsigned s = 0; s < row->scope; s++)
			assert_false(metric_has_scope((enum metric)m, (enum scope)s));
		if (row->scopes && row->unit != UNIT_COUNT)
			assert_int_not_equal(row->aggregate, AGGREGATE_NONE);
		if (row->sensible)
			assert_non_null(row->inputs);
	}
	assert_null(metric_name_at(METRIC_N));
	assert_int_equal(metric_by_name("busy_hert"), -1);
	assert_int_equal(metric_by_name(""), -1);
}

/* The names that scripts rely on; each must exist at exactly this smallest scope and unit. */
static void contract_names(void **unused)
{
	static const struct {
		const char *name, *scope, *unit;
	} contract[] = {
		{ "busy_hertz", "cpu", "hertz" }, { "average_hertz", "cpu", "hertz" },
		{ "busy_ratio", "cpu", "ratio" }, { "os_busy_ratio", "cpu", "ratio" },
		{ "tsc_hertz", "cpu", "hertz" }, { "os_hertz", "cpu", "hertz" },
		{ "cap_hertz", "cpu", "hertz" }, { "floor_hertz", "cpu", "hertz" },
		{ "limit_hertz", "core", "hertz" }, { "license0_ratio", "core", "ratio" },
		{ "license1_ratio", "core", "ratio" }, { "license2_ratio", "core", "ratio" },
		{ "license_unknown_ratio", "core", "ratio" },
		{ "license_throttle_ratio", "core", "ratio" },
		{ "fp512_ops_rate", "cpu", "per_second" }, { "fp256_ops_rate", "cpu", "per_second" },
		{ "amx_busy_ratio", "cpu", "ratio" }, { "foreign_drop_ratio", "cpu", "ratio" },
		{ "wide_class", "core", "text" }, { "ipc", "cpu", "number" },
		{ "halt_ratio", "cpu", "ratio" }, { "core_c1_ratio", "core", "ratio" },
		{ "core_c3_ratio", "core", "ratio" }, { "core_c6_ratio", "core", "ratio" },
		{ "core_c7_ratio", "core", "ratio" }, { "thread_c1_ratio", "cpu", "ratio" },
		{ "idle_ratio", "cpu", "ratio" }, { "package_c2_ratio", "package", "ratio" },
		{ "package_c10_ratio", "package", "ratio" },
		{ "temperature_celsius", "core", "celsius" },
		{ "thermal_margin_celsius", "core", "celsius" }, { "core_volts", "core", "volts" },
		{ "package_watts", "package", "watts" }, { "dram_watts", "package", "watts" },
		{ "core_watts", "package", "watts" }, { "power_limit_watts", "package", "watts" },
		{ "power_throttle_ratio", "package", "ratio" }, { "uncore_hertz", "package", "hertz" },
		{ "throttle_events", "core", "count" }, { "limit_reasons", "package", "text" },
		{ "lost_license_hertz", "core", "hertz" }, { "lost_power_hertz", "core", "hertz" },
		{ "lost_thermal_hertz", "core", "hertz" }, { "lost_cap_hertz", "core", "hertz" },
		{ "lost_other_hertz", "core", "hertz" }, { "steal_ratio", "cpu", "ratio" },
		{ "gap_ratio", "cpu", "ratio" }, { "smi_events", "host", "count" },
		{ "self_ratio", "host", "ratio" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(contract) / sizeof(*contract); i++) {
		int metric = metric_by_name(contract[i].name);
		const struct metric_row *row;

		if (metric < 0)
			print_error("no metric %s\n", contract[i].name);
		assert_true(metric >= 0);
		row = metric_row((enum metric)metric);
		assert_string_equal(scope_name(row->scope), contract[i].scope);
		assert_string_equal(unit_name(row->unit), contract[i].unit);
	}
	for (unsigned s = 0; s < SCOPE_N; s++)
		assert_true(metric_has_scope(METRIC_BUSY_HERTZ, (enum scope)s) &&
			    metric_has_scope(METRIC_AVERAGE_HERTZ, (enum scope)s));
	assert_true(metric_has_scope(METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE));
}

static void counters_are_whole(void **unused)
{
	(void)unused;
	for (unsigned c = 0; c < COUNTER_N; c++) {
		const struct counter_row *row = counter_row((enum counter)c);

		check_name(row->name);
		for (unsigned d = 0; d < c; d++)
			assert_string_not_equal(row->name, counter_row((enum counter)d)->name);
		assert_true(strlen(row->unit) > 0 && strlen(row->help) > 5);
		assert_true(row->bits >= 1 && row->bits <= 64);
	}
}

static void deltas_wrap(void **unused)
{
	(void)unused;
	/* A 32-bit energy counter: 16 before the wrap to 16384. */
	assert_int_equal(counter_delta(0xfffffff0, 0x4000, 32), 0x4010);
	/* Bits above the width, which some CPUs show, do not count. */
	assert_int_equal(counter_delta(0xbcc196c6cull, 0xbcc296c6cull, 32), 1048576);
	assert_int_equal(counter_delta((1ull << 48) - 1, 1, 48), 2);
	assert_int_equal(counter_delta((1ull << 40) - 1, 0, 40), 1);
	assert_true(counter_delta(UINT64_MAX, 0, 64) == 1);
	assert_true(counter_delta(1, 0, 64) == UINT64_MAX);
	assert_int_equal(counter_delta(7, 7, 64), 0);
	assert_int_equal(counter_delta(1, 0, 1), 1);
}

static void states_are_whole(void **unused)
{
	(void)unused;
	assert_int_equal(STATE_UNSUPPORTED, 0); /* zero-filled memory is no measurement */
	for (unsigned s = 0; s < STATE_N; s++) {
		const struct state_row *row = state_row((enum state)s);

		assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(row->name));
		for (unsigned t = 0; t < s; t++)
			assert_string_not_equal(row->name, state_row((enum state)t)->name);
		assert_true(strlen(row->text) > 5);
		assert_true(text_width(row->mark) <= 4);
		assert_int_equal(state_usable((enum state)s),
				 s == STATE_OK || s == STATE_STALE || s == STATE_SCALED);
		/* A value without number must show something, and outranks every usable one. */
		assert_int_equal(row->mark[0] == '\0', state_usable((enum state)s));
		assert_int_equal(row->rank > state_row(STATE_STALE)->rank &&
					 row->rank > state_row(STATE_SCALED)->rank,
				 !state_usable((enum state)s));
	}
	assert_ptr_equal(state_row((enum state)200), state_row(STATE_UNSUPPORTED));
}

static void labels_and_items(void **unused)
{
	struct host *host = fake_host(2, 3, 2);

	(void)unused;
	assert_int_equal(label_count(host, LABEL_NONE), 1);
	assert_int_equal(label_count(host, LABEL_IDLE_STATE), 0);
	assert_int_equal(metric_items(host, METRIC_IDLE_RATIO, SCOPE_CPU), 0);
	fake_idle_states(host, (const char *const[]){ "POLL", "C1", "C6", NULL });
	assert_int_equal(label_count(host, LABEL_IDLE_STATE), 3);
	assert_string_equal(label_name(host, LABEL_IDLE_STATE, 2), "C6");
	assert_string_equal(label_name(host, LABEL_IDLE_STATE, 3), "");
	assert_string_equal(label_name(host, LABEL_NONE, 0), "");
	assert_int_equal(label_count(host, LABEL_LICENSE), 3);
	assert_string_equal(label_name(host, LABEL_LICENSE, 2), "2");
	assert_int_equal(label_count(host, LABEL_POWER_LIMIT), 2);
	assert_string_equal(label_name(host, LABEL_POWER_LIMIT, 1), "pl2");
	assert_int_equal(metric_items(host, METRIC_BUSY_HERTZ, SCOPE_CPU), 12);
	assert_int_equal(metric_items(host, METRIC_BUSY_HERTZ, SCOPE_CORE), 6);
	assert_int_equal(metric_items(host, METRIC_BUSY_HERTZ, SCOPE_PACKAGE), 2);
	assert_int_equal(metric_items(host, METRIC_BUSY_HERTZ, SCOPE_HOST), 1);
	assert_int_equal(metric_items(host, METRIC_IDLE_RATIO, SCOPE_CPU), 36);
	assert_int_equal(metric_items(host, METRIC_SELF_RATIO, SCOPE_CPU), 0);
	assert_int_equal(metric_items(host, METRIC_LIMIT_HERTZ, SCOPE_CORE), 18);
	assert_int_equal(counter_items(host, COUNTER_IDLE_TIME), 36);
	assert_int_equal(counter_items(host, COUNTER_SELF_TIME), 1);
	host_free(host);
}

static void sources_are_whole(void **unused)
{
	(void)unused;
	assert_string_equal(source_row(SOURCE_NONE)->name, "none");
	assert_int_equal(source_by_name("none"), -1); /* nobody may ask for it */
	assert_int_equal(source_by_name("nosuch"), -1);
	for (unsigned s = 1; s < SOURCE_N; s++) {
		const struct source_row *row = source_row((enum source_id)s);

		check_name(row->name);
		assert_true(strlen(row->help) > 5);
		assert_int_equal(source_by_name(row->name), s);
		assert_string_equal(source_name_at(s - 1), row->name);
		assert_true(row->ops->probe && row->ops->open && row->ops->read && row->ops->close);
		row->ops->close(NULL);
	}
	assert_null(source_name_at(SOURCE_N - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_are_whole), cmocka_unit_test(contract_names),
		cmocka_unit_test(counters_are_whole), cmocka_unit_test(deltas_wrap),
		cmocka_unit_test(states_are_whole), cmocka_unit_test(labels_and_items),
		cmocka_unit_test(sources_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
