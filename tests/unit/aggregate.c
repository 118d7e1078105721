/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each way of the aggregate column, on planted members. */
#include "config.h"

#include <math.h>

#include "fake.h"
#include "model/aggregate.h"

static const struct value full = { .v = 1, .state = STATE_OK };

static struct value gather(enum aggregate how, enum unit unit, const struct value *values, unsigned n)
{
	struct metric_row row = { .aggregate = how, .unit = unit };
	struct gathering gathering;

	gather_start(&gathering, &row, SCOPE_PACKAGE);
	for (unsigned i = 0; i < n; i++)
		gather_add(&gathering, &values[i], &full, 0);
	return gather_end(&gathering);
}

static void each_way(void **unused)
{
	const struct value values[] = { { .v = 60, .state = STATE_OK },
					{ .v = 0, .state = STATE_OFFLINE },
					{ .v = 75, .state = STATE_OK },
					{ .v = 45, .state = STATE_SCALED } };

	(void)unused;
	assert_near(gather(AGGREGATE_SUM, UNIT_WATTS, values, 4).v, 180, 0);
	assert_near(gather(AGGREGATE_MAX, UNIT_CELSIUS, values, 4).v, 75, 0);
	assert_near(gather(AGGREGATE_MIN, UNIT_CELSIUS, values, 4).v, 45, 0);
	assert_near(gather(AGGREGATE_MEAN, UNIT_RATIO, values, 4).v, 60, 0);
	assert_near(gather(AGGREGATE_UNHALTED, UNIT_RATIO, values, 4).v, 60, 0);
	/* A number made of a scaled one is scaled. */
	assert_int_equal(gather(AGGREGATE_MAX, UNIT_CELSIUS, values, 4).state, STATE_SCALED);
	assert_int_equal(gather(AGGREGATE_MAX, UNIT_CELSIUS, values, 3).state, STATE_OK);
	assert_int_equal(gather(AGGREGATE_NONE, UNIT_COUNT, values, 4).state, STATE_UNSUPPORTED);
	assert_near(gather(AGGREGATE_UNION, UNIT_TEXT, values, 4).v, 60 | 75 | 45, 0);
	assert_near(gather(AGGREGATE_CYCLES, UNIT_RATIO, values, 4).v, 60, 0);
	assert_int_equal(gather(AGGREGATE_MAX, UNIT_CELSIUS, values, 0).state, STATE_UNSUPPORTED);
}

/* Half of the power is not the power. */
static void sum_needs_all(void **unused)
{
	const struct value values[] = { { .v = 60, .state = STATE_OK },
					{ .v = 0, .state = STATE_DENIED } };

	(void)unused;
	assert_int_equal(gather(AGGREGATE_SUM, UNIT_WATTS, values, 2).state, STATE_DENIED);
	assert_near(gather(AGGREGATE_MAX, UNIT_WATTS, values, 2).v, 60, 0);
}

static void sees_least(void **unused)
{
	struct value values[] = { { .v = 1, .state = STATE_OK, .sees = SEES_BURST },
				  { .v = 1, .state = STATE_OK, .sees = SEES_ALL } };

	(void)unused;
	assert_int_equal(gather(AGGREGATE_UNHALTED, UNIT_HERTZ, values, 2).sees, SEES_BURST);
	values[1].sees = SEES_SCALAR;
	assert_int_equal(gather(AGGREGATE_UNHALTED, UNIT_HERTZ, values, 2).sees, SEES_SCALAR);
	assert_int_equal(gather(AGGREGATE_UNHALTED, UNIT_HERTZ, values, 1).sees, SEES_BURST);
}

static void shares_may_cross_kinds(void **unused)
{
	struct metric_row row = { .aggregate = AGGREGATE_UNHALTED, .unit = UNIT_RATIO };
	const struct value share = { .v = 0.5, .state = STATE_OK };
	struct gathering gathering;

	(void)unused;
	gather_start(&gathering, &row, SCOPE_HOST);
	gather_add(&gathering, &share, &full, 0);
	gather_add(&gathering, &share, &full, 1);
	assert_near(gather_end(&gathering).v, 0.5, 0);
	row.unit = UNIT_HERTZ;
	gather_start(&gathering, &row, SCOPE_HOST);
	gather_add(&gathering, &share, &full, 0);
	gather_add(&gathering, &share, &full, 1);
	assert_int_equal(gather_end(&gathering).state, STATE_MIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way),
		cmocka_unit_test(sum_needs_all),
		cmocka_unit_test(sees_least),
		cmocka_unit_test(shares_may_cross_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
