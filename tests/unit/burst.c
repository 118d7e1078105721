/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A real burst on this machine, with the scalar kernel: where it runs, when it ends, what it tells. */
#include "config.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "burst/board.h"
#include "burst/burst.h"
#include "burst/gauge.h"
#include "model/host.h"
#include "source/identify.h"
#include "tests/unit/unit.h"

struct setup {
	struct hostfs *fs;
	struct host *host;
	struct board *board;
	struct list *cpus;
	unsigned index;
	struct burst *burst;
};

static void pause_ms(unsigned ms)
{
	const struct timespec time = { .tv_nsec = (long)(ms * NS_PER_MS) };

	(void)nanosleep(&time, NULL);
}

static int begin(void **state)
{
	struct setup *const s = calloc(1, sizeof(*s));
	struct problem problem;

	assert_non_null(s);
	assert_int_equal(hostfs_open("/", &s->fs), 0);
	assert_int_equal(identify(s->fs, true, NULL, NULL, &s->host, &problem), 0);
	(void)gauge_tsc_calibrate(&s->host->tsc_hertz, NULL);
	s->board = board_new(s->host->n_cpus);
	s->cpus = burst_default_cpus(s->host);
	assert_non_null(s->cpus);
	s->index = (unsigned)host_cpu_index(s->host, (unsigned)list_next(s->cpus, 0));
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct setup *const s = *state;

	burst_free(s->burst);
	list_free(s->cpus);
	board_free(s->board);
	host_free(s->host);
	hostfs_close(s->fs);
	free(s);
	return 0;
}

static void start_plan(struct setup *s, struct burst_plan plan, unsigned ms)
{
	struct problem problem = { 0 };

	plan.cpus = s->cpus;
	plan.duration_ns = ms * NS_PER_MS;
	plan.pattern = PATTERN_DEFAULT;
	if (burst_start(&plan, s->host, s->board, &s->burst, &problem) != 0)
		fail_msg("%s", problem.text);
}

static void start(struct setup *s, unsigned ms)
{
	start_plan(s, (struct burst_plan){ .kernel = KERNEL_SCALAR, .watch_others = true }, ms);
}

/* Milliseconds from now until the last driver has ended. */
static double wait_for_end(struct setup *s)
{
	const uint64_t since_ns = clock_mono_ns();

	while (burst_running(s->burst))
		pause_ms(1);
	return (double)(clock_mono_ns() - since_ns) / (double)NS_PER_MS;
}

static void test_whole(void **state)
{
	struct setup *const s = *state;
	struct burst_result *result;
	struct board_entry entry;
	uint64_t began_ns = clock_mono_ns(), took_ns;
	bool seen_driven = false;

	start(s, 300);
	assert_true(burst_running(s->burst));
	while (burst_running(s->burst)) {
		pause_ms(2);
		if (board_read(s->board, s->index, &entry) && entry.driven) {
			seen_driven = true;
			assert_int_equal(entry.kernel, KERNEL_SCALAR);
			assert_true(entry.phase == PHASE_GAP || entry.phase == PHASE_ON);
		}
	}
	took_ns = clock_mono_ns() - began_ns;
	assert_true(seen_driven);
	assert_true(took_ns >= 300 * NS_PER_MS);
	assert_true(board_read(s->board, s->index, &entry));
	assert_false(entry.driven);
	assert_int_equal(entry.phase, PHASE_NONE);
	/* its CPU time is on the board: all of it, less what others took */
	assert_true(entry.cpu_time_ns > 10 * NS_PER_MS && entry.cpu_time_ns <= took_ns);
	assert_int_equal(board_cpu_time_ns(s->board), entry.cpu_time_ns);

	assert_int_equal(burst_result(s->burst, &result), 0);
	assert_int_equal(result->n_driven, 1);
	assert_int_equal(result->cpus[0].cpu, s->index);
	assert_int_equal(result->cpus[0].role, RELATION_SELF);
	assert_true(result->cpus[0].verified && result->cpus[0].chunks > 0);
	assert_false(result->stopped_early);
	assert_true(result->seconds <= 0.3 && result->seconds > 0.25);
	assert_true(result->cpus[0].ops_per_second > 1e6);
	for (unsigned i = 1; i < result->n_cpus; i++) {
		assert_true(result->cpus[i].role != RELATION_SELF);
		assert_true(isnan(result->cpus[i].ops_per_second));
	}
	assert_true(result->verdict[0] != '\0' && result->who_pays);
	burst_result_free(result);
	burst_result_free(NULL);
}

static void test_stop(void **state)
{
	struct setup *const s = *state;
	struct burst_result *result;
	double took_ms;

	start(s, 60000);
	pause_ms(100);
	assert_int_equal(burst_result(s->burst, &result), 0); /* while it runs */
	assert_false(result->stopped_early);
	burst_result_free(result);
	burst_stop(s->burst);
	took_ms = wait_for_end(s);
	print_message("# the load was gone %.1f ms after the stop\n", took_ms);
	assert_true(took_ms < 100);
	burst_join(s->burst);
	assert_int_equal(burst_result(s->burst, &result), 0);
	assert_true(result->stopped_early);
	burst_result_free(result);
}

/* At once, before the threads are ready: nothing hangs. */
static void test_stop_at_once(void **state)
{
	struct setup *const s = *state;

	start(s, 60000);
	burst_stop(s->burst);
	assert_true(wait_for_end(s) < 500);
}

static void each_thread(void (*look)(pid_t tid, void *data), void *data)
{
	DIR *const folder = opendir("/proc/self/task");
	struct dirent *entry;

	assert_non_null(folder);
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != getpid())
			look((pid_t)atoi(entry->d_name), data);
	(void)closedir(folder);
}

struct seen_threads {
	unsigned cpu, pinned, nice;
	bool unblocked;
};

static void look_at_thread(pid_t tid, void *data)
{
	struct seen_threads *const seen = data;
	char path[64], line[256];
	FILE *file;

	if (getpriority(PRIO_PROCESS, (id_t)tid) == 5)
		seen->nice++;
	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/status", (int)tid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		unsigned long long blocked;
		unsigned cpu;

		if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
			seen->unblocked |= !(blocked >> (SIGINT - 1) & 1) ||
					   !(blocked >> (SIGTERM - 1) & 1);
		if (sscanf(line, "Cpus_allowed_list: %u\n", &cpu) == 1 && cpu == seen->cpu &&
		    !strpbrk(line, "-,"))
			seen->pinned++;
	}
	if (file)
		(void)fclose(file);
}

/* Drivers are nice and pinned; no thread takes the signals of the command. */
static void test_threads(void **state)
{
	struct setup *const s = *state;
	struct seen_threads seen = { 0 };

	start(s, 60000);
	for (unsigned tries = 0; tries < 50 && seen.nice + seen.pinned < 2; tries++) {
		pause_ms(100);
		seen = (struct seen_threads){ .cpu = s->host->cpus[s->index].id };
		each_thread(look_at_thread, &seen);
	}
	assert_int_equal(seen.nice, 1);
	assert_int_equal(seen.pinned, 1);
	assert_false(seen.unblocked);
	burst_stop(s->burst);
	(void)wait_for_end(s);
	burst_join(s->burst);
	/* and none is left */
	seen = (struct seen_threads){ 0 };
	each_thread(look_at_thread, &seen);
	assert_int_equal(seen.nice, 0);
}

/* A second burst goes on counting the CPU time of the first. */
static void test_again(void **state)
{
	struct setup *const s = *state;
	uint64_t first_ns;

	start(s, 60);
	(void)wait_for_end(s);
	burst_free(s->burst);
	first_ns = board_cpu_time_ns(s->board);
	start(s, 60);
	(void)wait_for_end(s);
	assert_true(board_cpu_time_ns(s->board) > first_ns);
}

#define LARGE ((size_t)64 << 20)

/* Chunks of a large copy are pieces of it, so that it keeps to the pattern and can be stopped. */
static void test_copy(void **state)
{
	struct setup *const s = *state;
	const struct burst_plan plan = { .kernel = KERNEL_COPY_UNROLLED, .copy = { .bytes = LARGE } };
	struct burst_result *result;
	const struct burst_cpu *cpu;
	double took_ms;

	start_plan(s, plan, 300);
	(void)wait_for_end(s);
	burst_join(s->burst);
	assert_int_equal(burst_result(s->burst, &result), 0);
	cpu = &result->cpus[0];
	assert_true(cpu->verified && cpu->chunks > 4);
	assert_true(cpu->ops_per_second > 1e6);
	print_message("# a chunk is of %.0f KiB\n",
		      cpu->ops_per_second * result->seconds / (double)cpu->chunks / 1024);
	assert_true(cpu->ops_per_second * result->seconds / (double)cpu->chunks < (double)LARGE / 8);
	assert_true(isnan(cpu->peak_ratio));
	assert_true(isnan(cpu->ops_per_cycle) || strstr(cpu->peak_why, "peak of a copy is not known"));
	burst_result_free(result);
	burst_free(s->burst);

	start_plan(s, plan, 60000);
	pause_ms(300);
	burst_stop(s->burst);
	took_ms = wait_for_end(s);
	print_message("# the load was gone %.1f ms after the stop\n", took_ms);
	assert_true(took_ms < 100);
}

/* Without its buffers a driver says so, and the burst ends. */
static void test_copy_without_buffers(void **state)
{
	struct setup *const s = *state;
	const struct burst_plan plan = { .kernel = KERNEL_COPY_UNROLLED, .copy = { .bytes = 1, .from_align = 4096 } };
	struct burst_result *result;

	start_plan(s, plan, 60000);
	assert_true(wait_for_end(s) < 5000);
	burst_join(s->burst);
	assert_int_equal(burst_result(s->burst, &result), 0);
	assert_false(result->cpus[0].verified);
	assert_non_null(strstr(result->cpus[0].problem.text, "buffers for copying"));
	burst_result_free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_whole, begin, end),
		cmocka_unit_test_setup_teardown(test_stop, begin, end),
		cmocka_unit_test_setup_teardown(test_stop_at_once, begin, end),
		cmocka_unit_test_setup_teardown(test_threads, begin, end),
		cmocka_unit_test_setup_teardown(test_again, begin, end),
		cmocka_unit_test_setup_teardown(test_copy, begin, end),
		cmocka_unit_test_setup_teardown(test_copy_without_buffers, begin, end),
	};

	return cmocka_run_group_tests_name("burst", tests, NULL, NULL);
}
