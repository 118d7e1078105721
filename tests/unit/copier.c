/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffers of copying loads: every byte has its turn, and a copy with any fault is found out. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "burst/copier.h"
#include "tests/unit/unit.h"

#define ROUNDS 1200u /* more chunks than the largest buffers below have windows */

static const size_t sizes[] = { 1, 7, 8, 1000, 1024, 4099, 16384, 65536, 65537, 200001 };
#define N_SIZES (sizeof(sizes) / sizeof(*sizes))

static const atomic_bool running = false, stopped = true;

static struct copier *make(copy_fn *copy, size_t bytes, unsigned from_align, unsigned to_align)
{
	const struct copy_shape shape = { .bytes = bytes, .from_align = from_align, .to_align = to_align };
	struct copier *copier = NULL;

	assert_int_equal(copier_new(copy, &shape, &running, &copier), 0);
	return copier;
}

/* What the copies below have seen and shall do wrong. */
static struct {
	const uint8_t *first_to, *first_from;
	uint8_t *poisoned; /* bytes that were wrong before a call */
	size_t fault_at;
} plan;

static void copy_right(void *to, const void *from, size_t bytes)
{
	if (!plan.first_to) {
		plan.first_to = to;
		plan.first_from = from;
	}
	/* every call is of the same place in both buffers */
	assert_int_equal((const uint8_t *)to - plan.first_to, (const uint8_t *)from - plan.first_from);
	for (size_t i = 0; i < bytes; i++)
		if (((const uint8_t *)to)[i] != ((const uint8_t *)from)[i])
			plan.poisoned[(const uint8_t *)to - plan.first_to + (ptrdiff_t)i]++;
	memcpy(to, from, bytes);
}

static void copy_nothing(void *to, const void *from, size_t bytes)
{
	(void)to;
	(void)from;
	(void)bytes;
}

static void copy_short(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes - 1);
}

static void copy_rotated(void *to, const void *from, size_t bytes)
{
	memcpy(to, (const char *)from + 1, bytes - 1);
	memcpy((char *)to + bytes - 1, from, 1);
}

static void copy_flipping(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	if (!plan.first_to)
		plan.first_to = to;
	if (plan.first_to + plan.fault_at >= (uint8_t *)to &&
	    plan.first_to + plan.fault_at < (uint8_t *)to + bytes)
		((uint8_t *)to)[plan.first_to + plan.fault_at - (uint8_t *)to] ^= 0x10;
}

static void copy_plainly(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

/* Chunks until one is found wrong; 0: none. */
static unsigned first_wrong(struct copier *copier)
{
	unsigned found = 0;

	for (unsigned i = 1; i <= ROUNDS && !found; i++) {
		copier_prepare(copier);
		(void)copier_run(copier);
		if (!copier_check(copier))
			found = i;
	}
	copier_free(copier);
	return found;
}

static void check_turns(struct copier *copier, size_t bytes)
{
	uint64_t chunk = 0;

	memset(&plan, 0, sizeof(plan));
	plan.poisoned = calloc(bytes, 1);
	assert_non_null(plan.poisoned);
	for (unsigned i = 0; i < 2 * ROUNDS; i++) {
		/* at first all is wrong; from then on what is poisoned */
		if (i == ROUNDS)
			memset(plan.poisoned, 0, bytes);
		copier_prepare(copier);
		if (chunk)
			assert_int_equal(copier_run(copier), chunk);
		else
			chunk = copier_run(copier);
		assert_true(copier_check(copier));
	}
	for (size_t i = 0; i < bytes; i++)
		if (plan.poisoned[i] == 0)
			fail_msg("byte %zu of %zu never had its turn", i, bytes);
	free(plan.poisoned);
}

static void test_every_byte_has_its_turn(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SIZES; i++) {
		struct copier *copier = make(copy_right, sizes[i], i * 13, i * 7);

		check_turns(copier, sizes[i]);
		copier_free(copier);
	}
}

static void test_faults_are_found(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SIZES; i++) {
		assert_int_equal(first_wrong(make(copy_nothing, sizes[i], 0, 3)), 1);
		assert_int_not_equal(first_wrong(make(copy_short, sizes[i], 5, 0)), 0);
		if (sizes[i] > 1)
			assert_int_equal(first_wrong(make(copy_rotated, sizes[i], 0, 0)), 1);
		assert_int_equal(first_wrong(make(copy_plainly, sizes[i], 1, 1)), 0);
		for (unsigned k = 0; k <= 8; k++) {
			memset(&plan, 0, sizeof(plan));
			plan.fault_at = (sizes[i] - 1) * k / 8;
			assert_int_not_equal(first_wrong(make(copy_flipping, sizes[i], 0, 0)), 0);
		}
	}
}

/* However long a copy takes: never less than a small one, nor none. */
static void test_tune(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SIZES; i++) {
		struct copier *copier = make(copy_right, sizes[i], 0, 0);
		uint64_t small, large;

		memset(&plan, 0, sizeof(plan));
		plan.poisoned = calloc(sizes[i], 1);
		copier_tune(copier, 1);
		small = copier_run(copier);
		assert_int_equal(small, sizes[i] < 65536 ? sizes[i] : small);
		assert_true(small >= (sizes[i] < 65536 ? sizes[i] : 65536 / 2));
		copier_tune(copier, 5000000);
		large = copier_run(copier);
		assert_true(large >= small && (large < sizes[i] || large % sizes[i] == 0));
		copier_tune(copier, 1);
		free(plan.poisoned);
		if (sizes[i] == 65537) /* cut in two */
			check_turns(copier, sizes[i]);
		copier_free(copier);
	}
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

#define LINES 512u
#define TIMES 101u

static uint64_t read_ns(const volatile uint8_t *from)
{
	const uint64_t begin_ns = clock_mono_ns();
	size_t zero = 0, at = 0;

	__asm__ volatile("" : "+r"(zero));
	for (unsigned i = 0; i < LINES; i++)
		at = (at + 37 + (from[at * 64] & zero)) % LINES;
	return clock_mono_ns() - begin_ns;
}

/* What it takes to read where a copy begins and where it goes. */
static struct {
	uint64_t from_ns[TIMES], to_ns[TIMES];
	unsigned n;
} seen;

static void copy_looking(void *to, const void *from, size_t bytes)
{
	if (bytes == (size_t)LINES * 64 && seen.n < TIMES) {
		seen.from_ns[seen.n] = read_ns(from);
		seen.to_ns[seen.n++] = read_ns(to);
	}
	memcpy(to, from, bytes);
}

/* Lower quartiles, since other work can only make them longer. */
static void look(bool cold, uint64_t *ret_from_ns, uint64_t *ret_to_ns)
{
	const struct copy_shape shape = { .bytes = (size_t)LINES * 64, .cold = cold };
	struct copier *copier;

	assert_int_equal(copier_new(copy_looking, &shape, &running, &copier), 0);
	copier_tune(copier, 1);
	for (seen.n = 0; seen.n < TIMES;) {
		copier_prepare(copier);
		assert_int_equal(copier_run(copier), shape.bytes);
		assert_true(copier_check(copier));
	}
	qsort(seen.from_ns, TIMES, sizeof(*seen.from_ns), compare_times);
	qsort(seen.to_ns, TIMES, sizeof(*seen.to_ns), compare_times);
	*ret_from_ns = seen.from_ns[TIMES / 4];
	*ret_to_ns = seen.to_ns[TIMES / 4];
	copier_free(copier);
}

/* Does the machine flush at all? Looked at here too, so that a copier that says no is found out. */
static bool flushes(void)
{
	static uint8_t bytes[64 * 1024];
	uint64_t best[2] = { UINT64_MAX, UINT64_MAX };

	for (unsigned i = 0; i < 20; i++) {
		uint64_t begin_ns;

		memset(bytes, (int)i, sizeof(bytes));
		for (size_t at = 0; i % 2 && at < sizeof(bytes); at += 64)
			__asm__ volatile("clflush (%0)" : : "r"(bytes + at) : "memory");
		__asm__ volatile("mfence" : : : "memory");
		begin_ns = clock_mono_ns();
		for (size_t at = 0; at < sizeof(bytes); at += 64)
			(void)*(volatile uint8_t *)(bytes + at);
		begin_ns = clock_mono_ns() - begin_ns;
		best[i % 2] = begin_ns < best[i % 2] ? begin_ns : best[i % 2];
	}
	return best[1] > 4 * best[0];
}

/* A cold copy comes from memory and goes there, each time anew, in pieces that are flushed first. */
static void test_cold(void **state)
{
	const struct copy_shape large = { .bytes = 1 << 20, .cold = true };
	struct copier *copier = NULL;
	uint64_t from_ns, to_ns, warm_from_ns, warm_to_ns;
	int r;

	(void)state;
	r = copier_new(copy_plainly, &large, &running, &copier);
	if (r == -ENOTSUP && !flushes())
		skip();
	assert_int_equal(r, 0);
	copier_tune(copier, 1000000);
	assert_true(copier_run(copier) <= COPIER_COLD);
	assert_int_equal(first_wrong(copier), 0);
	look(true, &from_ns, &to_ns);
	look(false, &warm_from_ns, &warm_to_ns);
	if (from_ns < 3 * warm_from_ns || to_ns < 3 * warm_to_ns)
		fail_msg("from: %u ns, warm %u ns; to: %u ns, warm %u ns", (unsigned)from_ns,
			 (unsigned)warm_from_ns, (unsigned)to_ns, (unsigned)warm_to_ns);
}

static unsigned long pages_mapped(void)
{
	FILE *const file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (file) {
		if (fscanf(file, "%lu", &pages) != 1)
			pages = 0;
		(void)fclose(file);
	}
	return pages;
}

static void test_memory(void **state)
{
	const struct copy_shape impossible[] = { { .bytes = 0 }, { .bytes = SIZE_MAX },
						 { .bytes = 1, .from_align = 4096 },
						 { .bytes = 1, .to_align = 4096 } };
	const struct copy_shape large = { .bytes = 8 << 20 }, huge = { .bytes = SIZE_MAX / 4 };
	struct copier *copier = NULL;
	unsigned long before;

	(void)state;
	assert_int_equal(copier_memory(&COPY_SHAPE_DEFAULT), 32768);
	assert_int_equal(copier_memory(&(struct copy_shape){ .bytes = 4096, .from_align = 1 }), 3 * 4096);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(copier_memory(&impossible[i]), UINT64_MAX);
		assert_int_equal(copier_new(copy_plainly, &impossible[i], &running, &copier), -EINVAL);
	}
	assert_int_equal(copier_new(copy_plainly, &huge, &running, &copier), -ENOMEM);
	assert_int_equal(copier_new(copy_plainly, &large, &stopped, &copier), -EINTR);
	assert_null(copier);
	before = pages_mapped();
	copier = make(copy_plainly, large.bytes, 0, 0);
	assert_true(pages_mapped() >= before + 4096);
	copier_free(copier);
	assert_true(pages_mapped() < before + 4096);
	copier_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_byte_has_its_turn),
		cmocka_unit_test(test_faults_are_found),
		cmocka_unit_test(test_tune),
		cmocka_unit_test(test_cold),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests_name("copier", tests, NULL, NULL);
}
