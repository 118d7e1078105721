/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples, snapshots and rings: each item has its own place, and nothing is a number by itself. */
#include "config.h"

#include "base/clock.h"
#include "fake.h"
#include "model/host.h"
#include "model/ring.h"
#include "model/sample.h"
#include "model/snapshot.h"

/* More CPUs than any constant would allow for. */
static struct host *big_host(void)
{
	struct host *host = fake_host(2, 288, 2);

	fake_idle_states(host, (const char *const[]){ "POLL", "C1", "C1E", "C6", NULL });
	assert_int_equal(host->n_cpus, 1152);
	return host;
}

static void readings_have_places(void **unused)
{
	struct host *host = big_host();
	struct sample *sample = sample_new(host), *copy = sample_new(host);
	uint64_t n = 0;

	(void)unused;
	for (unsigned pass = 0; pass < 2; pass++, n = 0)
		for (unsigned c = 0; c < COUNTER_N; c++) {
			const struct counter_row *row = counter_row((enum counter)c);

			for (unsigned i = 0; i < scope_items(host, row->scope); i++)
				for (unsigned l = 0; l < label_count(host, row->label); l++, n++) {
					const struct reading *reading =
						sample_get(sample, (enum counter)c, i, l);

					if (pass == 0) {
						assert_int_equal(reading->state, STATE_UNSUPPORTED);
						sample_set(sample, (enum counter)c, i, l, n, 3);
						continue;
					}
					/* Written once, by itself, and by nobody else. */
					assert_true(reading->raw == n);
					assert_int_equal(reading->state, STATE_OK);
					assert_int_equal(reading->source, 3);
				}
		}
	sample->mono_ns = 5;
	sample->real_ns = 6;
	sample_copy(copy, sample);
	assert_true(copy->mono_ns == 5 && copy->real_ns == 6);
	assert_true(sample_get(copy, COUNTER_IDLE_TIME, 1151, 3)->raw ==
		    sample_get(sample, COUNTER_IDLE_TIME, 1151, 3)->raw);
	sample_fail(sample, COUNTER_TSC, 1151, 0, STATE_DENIED, 2);
	assert_int_equal(sample_get(sample, COUNTER_TSC, 1151, 0)->state, STATE_DENIED);
	assert_int_equal(sample_get(sample, COUNTER_TSC, 1151, 0)->raw, 0);
	assert_int_equal(sample_get(copy, COUNTER_TSC, 1151, 0)->state, STATE_OK);
	sample_clear(sample);
	assert_int_equal(sample_get(sample, COUNTER_OS_BUSY, 7, 0)->state, STATE_UNSUPPORTED);
	sample_free(sample);
	sample_free(copy);
	sample_free(NULL);
	host_free(host);
}

static void values_have_places(void **unused)
{
	struct host *host = big_host();
	struct snapshot *snapshot = snapshot_new(host);
	unsigned n = 0;

	(void)unused;
	for (unsigned pass = 0; pass < 2; pass++) {
		n = 0;
		for (unsigned m = 0; m < METRIC_N; m++)
			for (unsigned s = 0; s < SCOPE_N; s++) {
				unsigned labels = label_count(host, metric_row((enum metric)m)->label);
				unsigned items = metric_items(host, (enum metric)m, (enum scope)s);

				for (unsigned i = 0; i < items; i++, n++) {
					struct value *value =
						snapshot_at(snapshot, (enum metric)m, (enum scope)s,
							    i / labels, i % labels);

					if (pass == 0)
						assert_int_equal(value->state, STATE_UNSUPPORTED);
					else
						assert_true(value->v == n);
					value->v = n;
				}
			}
	}
	assert_int_equal(n, snapshot->n_values);
	/* A scope that the metric is not given at has no place but an answer. */
	assert_int_equal(snapshot_get(snapshot, METRIC_SELF_RATIO, SCOPE_CPU, 1151, 0)->state,
			 STATE_UNSUPPORTED);
	assert_int_equal(snapshot_get(snapshot, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 4)->state,
			 STATE_UNSUPPORTED);
	snapshot_free(snapshot);
	snapshot_free(NULL);
	host_free(host);
}

/* A source without a turn: its moments hold for half a minute, or for five samples where those are rare; what
 * rises is kept for ever, to count from. */
static void moments_grow_old(void **unused)
{
	static const uint64_t steps_s[] = { 1, 60 }, holds_s[] = { 30, 300 };
	struct host *host = fake_host(1, 1, 1);

	(void)unused;
	for (unsigned k = 0; k < COUNT_OF(steps_s); k++) {
		struct sample *samples[] = { sample_new(host), sample_new(host) };

		assert_true(samples[0] && samples[1]);
		samples[0]->mono_ns = NS_PER_S;
		sample_set(samples[0], COUNTER_OS_HERTZ, 0, 0, 1000, 3);
		sample_set(samples[0], COUNTER_OS_BUSY, 0, 0, 500, 3);
		for (uint64_t i = 1; i < 40; i++) {
			struct sample *from = samples[(i - 1) % 2], *to = samples[i % 2];
			const struct reading *clock = sample_get(to, COUNTER_OS_HERTZ, 0, 0);

			sample_clear(to);
			to->mono_ns = from->mono_ns + steps_s[k] * NS_PER_S;
			sample_carry_over(to, from, 3);
			assert_int_equal(clock->state, i * steps_s[k] <= holds_s[k] ? STATE_STALE : STATE_SKIPPED);
			assert_int_equal(sample_get(to, COUNTER_OS_BUSY, 0, 0)->state, STATE_STALE);
			assert_true(sample_get(to, COUNTER_OS_BUSY, 0, 0)->raw == 500);
		}
		sample_free(samples[0]);
		sample_free(samples[1]);
	}
	host_free(host);
}

static void ring_keeps_the_last(void **unused)
{
	struct ring ring;

	(void)unused;
	assert_int_equal(ring_init(&ring, 3), 0);
	assert_null(ring_get(&ring, 0));
	for (unsigned i = 1; i <= 5; i++) {
		ring_push(&ring, &(struct value){ .v = i, .state = STATE_OK });
		assert_true(ring_get(&ring, 0)->v == i);
		assert_true(i == 1 ? !ring_get(&ring, 1) : ring_get(&ring, 1)->v == i - 1);
	}
	assert_true(ring_get(&ring, 2)->v == 3);
	assert_null(ring_get(&ring, 3));
	ring_free(&ring);
	assert_null(ring_get(&ring, 0));
	ring_free(&ring);
	ring_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_have_places),
		cmocka_unit_test(values_have_places),
		cmocka_unit_test(moments_grow_old),
		cmocka_unit_test(ring_keeps_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
