/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The board: what is read is what was published, whole, while the writer goes on. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>

#include "burst/board.h"
#include "tests/unit/unit.h"

static void test_slots(void **state)
{
	struct board *const board = board_new(3);
	struct board_entry entry = { .mono_ns = 7, .cpu_time_ns = 40, .driven = true }, got;

	(void)state;
	assert_non_null(board);
	assert_false(board_read(board, 0, &got));
	assert_int_equal(board_cpu_time_ns(board), 0);
	board_publish(board, 2, &entry);
	entry.cpu_time_ns = 2;
	board_publish(board, 0, &entry);
	assert_true(board_read(board, 2, &got));
	assert_true(got.mono_ns == 7 && got.cpu_time_ns == 40 && got.driven);
	assert_false(board_read(board, 1, &got));
	assert_int_equal(board_cpu_time_ns(board), 42);
	/* out of range: no harm */
	board_publish(board, 3, &entry);
	assert_false(board_read(board, 3, &got));
	board_free(board);
	board_free(NULL);
	board_free(board_new(0));
}

struct race {
	struct board *board;
	atomic_bool stop;
};

/* All fields tell the same number. */
static void fill(struct board_entry *entry, uint64_t n)
{
	*entry = (struct board_entry){ .mono_ns = n, .cycles = (double)n, .ticks = (double)n,
				       .before_hertz = (double)n, .cpu_time_ns = n,
				       .phase = (uint8_t)(n % 3) };
}

static void *publish(void *argument)
{
	struct race *const race = argument;
	struct board_entry entry;

	for (uint64_t n = 1; !atomic_load(&race->stop); n++) {
		fill(&entry, n);
		board_publish(race->board, 0, &entry);
	}
	return NULL;
}

static void test_no_torn_reads(void **state)
{
	struct race race = { .board = board_new(1) };
	struct board_entry got;
	uint64_t last = 0, reads = 0;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, publish, &race), 0);
	while (reads < 200000) {
		if (!board_read(race.board, 0, &got))
			continue;
		assert_true(got.mono_ns >= last);
		last = got.mono_ns;
		assert_true((uint64_t)got.cycles == last && (uint64_t)got.ticks == last);
		assert_true((uint64_t)got.before_hertz == last && got.cpu_time_ns == last);
		assert_int_equal(got.phase, last % 3);
		reads++;
	}
	atomic_store(&race.stop, true);
	(void)pthread_join(thread, NULL);
	board_free(race.board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_no_torn_reads),
	};

	return cmocka_run_group_tests_name("board", tests, NULL, NULL);
}
