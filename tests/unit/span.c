/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks of a stretch: which of them count, in which window, and the pairs of a burst's edges. */
#include "config.h"

#include <math.h>

#include "burst/gauge.h"
#include "burst/span.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define TSC 2e9
#define US 1000
#define MS 1000000

static struct span span, other;

static void add(struct span *to, int64_t t_ns, double hertz, unsigned flags)
{
	struct gauge_look look = { .ticks = 8000, .flags = flags };
	const double cycles = to->n_looks % 2 ? 3000 : 1200;

	look.cycles = look.ticks * hertz / TSC;
	if (!to->stretch.on)
		span_look(to, t_ns, &look);
	else
		span_sample(to, t_ns, cycles, (uint64_t)llround(70 + cycles / hertz * TSC));
}

static void begin(struct span *to, int64_t from_ns, int64_t until_ns, bool on)
{
	const struct stretch stretch = { .from_ns = from_ns, .until_ns = until_ns, .on = on };

	span_open(to, &stretch);
}

static void test_windows(void **state)
{
	const struct stretch gap = { .from_ns = 4 * MS, .until_ns = 5 * MS };
	const struct stretch on = { .from_ns = 5 * MS, .until_ns = 9 * MS, .on = true };
	const struct stretch brief = { .from_ns = 0, .until_ns = 100 * US };
	const struct stretch endless = { .from_ns = 0, .until_ns = 10000ll * MS };
	const struct window before = span_before_window(&gap), during = span_during_window(&on);

	(void)state;
	assert_true(before.from_ns == 4700 * US && before.until_ns == 5 * MS);
	assert_true(during.from_ns == 7 * MS && during.until_ns == 9 * MS);
	/* before and during are never more than 5 ms apart */
	assert_true(during.until_ns - before.from_ns <= 5 * MS);
	assert_true(span_during_window(&endless).until_ns + SPAN_TAIL_NS <= 5 * MS);
	assert_true(span_before_window(&brief).from_ns == 50 * US);
	assert_true(span_during_window(&brief).from_ns == 50 * US);
}

static void test_disturbed_looks(void **state)
{
	struct span_clock clock;

	(void)state;
	begin(&span, 0, MS, false);
	for (int i = 0; i < 20; i++)
		add(&span, i * 10 * US, i % 5 == 2 ? 2e9 : 3e9, 0);
	add(&span, 500 * US, 1e9, GAUGE_FEW_KEPT);
	add(&span, 510 * US, 1e9, GAUGE_IMPOSSIBLE);
	/* the halves of so short a segment are a step of the TSC apart: no reason to leave it out */
	add(&span, 520 * US, 3e9, GAUGE_MOVED);
	assert_true(span_clock(&span, -1, MS, &clock));
	assert_int_equal(clock.n, 17);
	assert_near(clock.cycles / clock.ticks * TSC, 3e9, 1);
	/* too few, and too many of them disturbed */
	assert_false(span_clock(&span, -1, 10 * US, &clock));
	for (int i = 0; i < 20; i++)
		add(&span, 600 * US + i, i % 2 ? 2e9 : 3e9, 0);
	assert_false(span_clock(&span, 599 * US, MS, &clock));
	assert_true(isnan(span_hertz(&span, (struct window){ 599 * US, MS }, TSC)));
	assert_near(span_hertz(&span, (struct window){ 0, 500 * US }, TSC), 3e9, 1);
}

/* Long stretches keep their first and last looks; windows see each look once. */
static void test_long_stretch(void **state)
{
	struct span_clock clock;

	(void)state;
	begin(&span, 0, 10000ll * MS, false);
	for (int i = 1; i <= 700; i++)
		add(&span, i, 3e9, 0);
	assert_true(span_clock(&span, 0, 1000, &clock));
	assert_int_equal(clock.n, 700);
	for (int i = 701; i <= 100000; i++)
		add(&span, i, i > 99500 ? 2e9 : 3e9, 0);
	assert_true(span_clock(&span, 0, 200, &clock));
	assert_int_equal(clock.n, 200);
	assert_true(span_clock(&span, 99500, 100000, &clock));
	assert_int_equal(clock.n, 500);
	assert_near(clock.cycles / clock.ticks * TSC, 2e9, 1);
	assert_false(span_clock(&span, 50000, 60000, &clock));
}

/* Sub-samples of two lengths: what beginning costs cancels, jumps are left out, one length alone tells
 * nothing. */
static void test_samples(void **state)
{
	struct span_clock clock;

	(void)state;
	begin(&span, 0, MS, true);
	for (int i = 0; i < 40; i++)
		add(&span, i * 10 * US, i % 10 == 3 ? 1.5e9 : 2.4e9, 0);
	assert_true(span_clock(&span, -1, MS, &clock));
	assert_int_equal(clock.n, 36);
	assert_near(clock.cycles / clock.ticks * TSC, 2.4e9, 2e6);
	begin(&span, 0, MS, true);
	for (int i = 0; i < 40; i++)
		span_sample(&span, i * 10 * US, 3000, 2500);
	assert_false(span_clock(&span, -1, MS, &clock));
	span_sample(&span, 500 * US, 1200, 1000);
	assert_false(span_clock(&span, -1, MS, &clock)); /* nor a single one */
	begin(&span, 0, MS, true);
	assert_false(span_clock(&span, -1, MS, &clock));
}

static void test_chunks(void **state)
{
	(void)state;
	begin(&span, 0, 4 * MS, true);
	span_chunk(&span, MS, 1); /* before the window */
	for (int i = 0; i < 10; i++)
		span_chunk(&span, 2 * MS + i, 100);
	assert_int_equal(span.n_chunks, 10);
	for (int i = 0; i < 2000; i++)
		span_chunk(&span, 3 * MS, 100);
	assert_int_equal(span.n_chunks, SPAN_CHUNKS);
}

/* Lead-in, then on without gaps: pairs 5 ms apart, whatever the base does meanwhile. */
static void test_edge_pairs(void **state)
{
	struct pair pairs[SPAN_EDGE_PAIRS];

	(void)state;
	begin(&span, -5 * MS, 0, false);
	begin(&other, 0, 5 * MS, true);
	for (int64_t t = -5 * MS; t < 5 * MS; t += 20 * US)
		add(t < 0 ? &span : &other, t, t < 0 ? 3e9 : 2.4e9, 0);
	assert_int_equal(span_edge_pairs(&span, &other, TSC, pairs), SPAN_EDGE_PAIRS);
	for (unsigned i = 0; i < SPAN_EDGE_PAIRS; i++) {
		assert_near(pairs[i].before_hertz, 3e9, 1);
		assert_near(pairs[i].during_hertz, 2.4e9, 2e6); /* ticks are whole */
		assert_true(isnan(pairs[i].after_hertz));
	}
	/* the other edge: on first, lead-out later */
	begin(&other, 95 * MS, 100 * MS, true);
	begin(&span, 100 * MS, 105 * MS, false);
	for (int64_t t = 95 * MS; t < 105 * MS; t += 20 * US)
		add(t < 100 * MS ? &other : &span, t, t < 100 * MS ? 2.4e9 : 3e9, 0);
	assert_int_equal(span_edge_pairs(&span, &other, TSC, pairs), SPAN_EDGE_PAIRS);
	assert_near(pairs[0].before_hertz, 3e9, 1);
	assert_near(pairs[3].during_hertz, 2.4e9, 2e6);
	/* nothing was looked at */
	begin(&span, 100 * MS, 105 * MS, false);
	assert_int_equal(span_edge_pairs(&span, &other, TSC, pairs), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_disturbed_looks),
		cmocka_unit_test(test_long_stretch),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_chunks),
		cmocka_unit_test(test_edge_pairs),
	};

	return cmocka_run_group_tests_name("span", tests, NULL, NULL);
}
