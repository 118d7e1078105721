/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a source takes a twentieth of the time, whatever it takes. */
#include "config.h"

#include "base/clock.h"
#include "engine/pace.h"
#include "unit.h"

/* Ticks of which the source is read, of n, where a read takes that long. */
static unsigned reads(uint64_t interval_ns, uint64_t takes_ns, unsigned n)
{
	struct pace pace = { 0 };
	unsigned count = 0;

	for (unsigned i = 1; i <= n; i++) {
		uint64_t now_ns = NS_PER_S + i * interval_ns;

		if (!pace_due(&pace, now_ns, interval_ns))
			continue;
		pace_note(&pace, now_ns, now_ns + takes_ns);
		count++;
	}
	return count;
}

static void a_twentieth_at_most(void **unused)
{
	(void)unused;
	assert_int_equal(reads(NS_PER_S, 0, 100), 100);
	assert_int_equal(reads(NS_PER_S, 50 * NS_PER_MS, 100), 100);
	assert_int_equal(reads(NS_PER_S, 60 * NS_PER_MS, 101), 1 + 50); /* the first two come in a row */
	assert_int_equal(reads(NS_PER_S, NS_PER_S, 101), 1 + 5);
	assert_int_equal(reads(NS_PER_S, 10 * NS_PER_S, 1000), 1 + 5);
	/* A millisecond is always there. */
	assert_int_equal(reads(10 * NS_PER_MS, NS_PER_MS, 100), 100);
	assert_int_equal(reads(10 * NS_PER_MS, 2 * NS_PER_MS, 101), 1 + 25);
}

static void one_long_read_is_chance(void **unused)
{
	struct pace pace = { 0 };

	(void)unused;
	pace_note(&pace, 1 * NS_PER_S, 1 * NS_PER_S + 1);
	pace_note(&pace, 2 * NS_PER_S, 2 * NS_PER_S + 300 * NS_PER_MS);
	assert_true(pace_due(&pace, 3 * NS_PER_S, NS_PER_S));
	pace_note(&pace, 3 * NS_PER_S, 3 * NS_PER_S + 200 * NS_PER_MS);
	assert_false(pace_due(&pace, 4 * NS_PER_S, NS_PER_S));
	assert_true(pace_due(&pace, 7 * NS_PER_S, NS_PER_S));
	/* A longer interval has room for it. */
	assert_true(pace_due(&pace, 4 * NS_PER_S, 4 * NS_PER_S));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_twentieth_at_most),
		cmocka_unit_test(one_long_read_is_chance),
	};

	return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
