/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The TSC where it cannot be trusted, and the core that runs this test. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "burst/gauge.h"

#include "unit.h"

static const struct gauge_tsc_facts good = {
	.invariant = true, .pair_cost_ns = 450, .hertz = 2.1e9, .early_hertz = 2.1e9,
	.late_hertz = 2.1e9 * 1.00002,
};

static void assert_judged(struct gauge_tsc_facts facts, const char *word)
{
	struct problem problem = { 0 };

	if (!word) {
		assert_int_equal(gauge_tsc_judge(&facts, &problem), 0);
		return;
	}
	assert_int_equal(gauge_tsc_judge(&facts, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, word));
}

static void bad_tscs_are_refused(void **state)
{
	struct gauge_tsc_facts facts;

	(void)state;
	assert_judged(good, NULL);
	facts = good, facts.invariant = false;
	assert_judged(facts, "changes its rate");
	facts.guest = true; /* the flag may be masked: the rates decide */
	assert_judged(facts, NULL);
	facts.late_hertz *= 1.001;
	assert_judged(facts, "not steady");
	facts = good, facts.pair_cost_ns = 801;
	assert_judged(facts, "intercepted");
	facts = good, facts.hertz = 99e6;
	assert_judged(facts, "absurd");
	facts = good, facts.hertz = 11e9;
	assert_judged(facts, "absurd");
	facts = good, facts.hertz = NAN;
	assert_judged(facts, "absurd");
	facts = good, facts.early_hertz = NAN;
	assert_judged(facts, "not steady");
}

static volatile sig_atomic_t trapped;

/* Does what a hypervisor that intercepts the TSC does: a made-up value, much later. */
static void emulate_tsc(int number, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)(uintptr_t)regs[REG_RIP];
	struct timespec now;
	uint64_t tsc;

	(void)number, (void)info;
	trapped = 1;
	if (code[0] != 0x0f || (code[1] != 0x31 && (code[1] != 0x01 || code[2] != 0xf9)))
		_exit(99); /* no TSC instruction: a real fault */
	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	tsc = 2 * ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	regs[REG_RAX] = (greg_t)(tsc & UINT32_MAX);
	regs[REG_RDX] = (greg_t)(tsc >> 32);
	regs[REG_RIP] += code[1] == 0x31 ? 2 : 3;
}

static void trapped_tsc_is_recognized(void **state)
{
	pid_t child;
	int status;

	(void)state;
	child = fork();
	if (child == 0) {
		struct sigaction action = { .sa_sigaction = emulate_tsc, .sa_flags = SA_SIGINFO };
		struct problem problem = { 0 };
		double hertz = 0;

		if (sigaction(SIGSEGV, &action, NULL) < 0 ||
		    prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) < 0)
			_exit(77);
		(void)gauge_tsc();
		if (!trapped) /* a hypervisor that does not care for CR4.TSD */
			_exit(77);
		if (gauge_tsc_calibrate(&hertz, &problem) != -ENOTSUP || hertz != 0)
			_exit(1);
		_exit(strstr(problem.text, "intercepted") ? 0 : 2);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void the_tsc_keeps_its_rate(void **state)
{
	double first, second;

	(void)state;
	if (gauge_tsc_calibrate(&first, NULL) < 0)
		skip();
	assert_int_equal(gauge_tsc_calibrate(&second, NULL), 0);
	assert_true(fabs(first / second - 1) < 0.001);
}

static void this_core_is_calibrated(void **state)
{
	struct core_table *table;
	struct gauge_core core = { 0 };
	struct problem problem = { 0 };
	double hertz;

	(void)state;
	if (gauge_tsc_calibrate(&hertz, NULL) < 0)
		skip();
	assert_int_equal(core_table_load(&table, NULL), 0);
	if (gauge_core_calibrate(table, "", &core, &problem) < 0) {
		print_message("%s\n", problem.text);
		core_table_free(table);
		skip(); /* a neighbor, or a core that nobody has tabulated */
	}
	assert_true(core.imul_cycles == 3 || core.imul_cycles == 4 || core.imul_cycles == 5 ||
		    core.imul_cycles == 10);
	if (core.row)
		assert_true(core.row->imul == core.imul_cycles);
	core_table_free(table);
}

/* No core of such a table is this one: there is no clock then, and none is made up. */
static void unknown_cores_are_not_calibrated(void **state)
{
	static const char *const text = "[Odd]\nimul = 7\n";
	struct core_table *table;
	struct gauge_core core = { 0 };
	struct problem problem = { 0 };

	(void)state;
	assert_int_equal(core_table_parse(&text, 1, &table, NULL), 0);
	assert_int_equal(gauge_core_calibrate(table, "Odd", &core, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "not calibrated"));
	assert_true(core.imul_cycles == 0);
	core_table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_tscs_are_refused),
		cmocka_unit_test(trapped_tsc_is_recognized),
		cmocka_unit_test(the_tsc_keeps_its_rate),
		cmocka_unit_test(this_core_is_calibrated),
		cmocka_unit_test(unknown_cores_are_not_calibrated),
	};

	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
