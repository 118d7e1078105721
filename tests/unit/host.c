/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to struct host: index by number, roles, and who may be disturbed. */
#include "config.h"
#include "model/host.h"

#include <stdlib.h>
#include <string.h>

#include "model/state.h"
#include "tests/unit/unit.h"

static void test_index(void **state)
{
	static struct host_cpu cpus[] = { { .id = 0 }, { .id = 2 }, { .id = 3 }, { .id = 64 },
					  { .id = 8191 } };
	struct host host = { .cpus = cpus };

	(void)state;
	for (unsigned n = 0; n <= COUNT_OF(cpus); n++) {
		host.n_cpus = n;
		for (unsigned i = 0; i < COUNT_OF(cpus); i++)
			assert_int_equal(host_cpu_index(&host, cpus[i].id), i < n ? (int)i : -1);
		assert_int_equal(host_cpu_index(&host, 1), -1);
		assert_int_equal(host_cpu_index(&host, 63), -1);
		assert_int_equal(host_cpu_index(&host, 4000000000u), -1);
	}
}

static void test_relation(void **state)
{
	struct host_cpu cpus[] = { { .core = 0, .package = 0 }, { .core = 0, .package = 0 },
				   { .core = 1, .package = 0 }, { .core = 2, .package = 1 } };
	const struct host host = { .cpus = cpus, .n_cpus = COUNT_OF(cpus) };

	(void)state;
	assert_string_equal(relation_name(host_relation(&host, 0, 0)), "driven");
	assert_string_equal(relation_name(host_relation(&host, 0, 1)), "sibling");
	assert_string_equal(relation_name(host_relation(&host, 0, 2)), "same-package");
	assert_string_equal(relation_name(host_relation(&host, 3, 2)), "other-package");
}

static void test_state(void **state)
{
	static const struct {
		bool online, isolated, named, allowed, wanted;
		int state;
	} rows[] = {
		{ true, false, false, true, true, STATE_OK },
		{ true, true, true, true, true, STATE_OK }, /* named: lifts isolation */
		{ true, true, false, true, true, STATE_ISOLATED },
		{ true, true, true, false, true, STATE_NOT_ALLOWED }, /* naming lifts nothing else */
		{ true, false, false, false, true, STATE_NOT_ALLOWED },
		{ true, false, false, true, false, STATE_NOT_ASKED },
		{ false, true, true, true, true, STATE_OFFLINE },
		{ false, false, false, false, false, STATE_OFFLINE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host_cpu cpu = { .online = rows[i].online, .isolated = rows[i].isolated,
					.named = rows[i].named, .allowed = rows[i].allowed,
					.wanted = rows[i].wanted };
		const struct host host = { .cpus = &cpu, .n_cpus = 1 };

		assert_int_equal(host_cpu_state(&host, 0), rows[i].state);
	}
}

/* CPU 3 is offline, and alone on a core of a package that nobody knows. */
static void test_online(void **state)
{
	struct host_cpu cpus[] = {
		{ .id = 0, .core = 0, .online = true }, { .id = 1, .core = 0 },
		{ .id = 2, .core = 1, .online = true }, { .id = 3, .core = 2, .package = 1 },
	};
	unsigned first[] = { 0, 1 }, second[] = { 2 }, third[] = { 3 }, known[] = { 0, 1 }, other[] = { 2 };
	struct host_core cores[] = {
		{ .cpus = first, .n_cpus = 2 }, { .cpus = second, .n_cpus = 1 },
		{ .cpus = third, .n_cpus = 1, .package = 1 },
	};
	struct host_package packages[] = {
		{ .cores = known, .n_cores = 2 }, { .package_id = -1, .cores = other, .n_cores = 1 },
	};
	const struct host host = { .cpus = cpus, .n_cpus = 4, .cores = cores, .n_cores = 3,
				   .packages = packages, .n_packages = 2 };
	const struct host_online online = host_online(&host, NULL);

	(void)state;
	assert_int_equal(online.cpus, 2);
	assert_int_equal(online.cores, 2);
	assert_int_equal(online.packages, 1);
}

static void test_free_half_built(void **state)
{
	struct host *host = calloc(1, sizeof(*host));

	(void)state;
	host_free(NULL);
	host->n_cores = 3; /* counted, never allocated */
	host->n_packages = host->n_idle_states = 2;
	host_free(host);
	host = calloc(1, sizeof(*host));
	host->n_cores = 2;
	host->cores = calloc(2, sizeof(*host->cores));
	host->cores[0].cpus = calloc(1, sizeof(unsigned));
	host_free(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_relation),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_online),
		cmocka_unit_test(test_free_half_built),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
