/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of reason: which errno on which machine is which; and facts about a machine, by the rights of who
 * asks: each answer of the kernel has a sentence and a remedy of its own. */
#include "config.h"
#include "source/survey.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/text.h"
#include "model/cause.h"
#include "model/host.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CAP(name) (UINT64_C(1) << CAP_##name)

struct fixture {
	struct host host;
	struct host_cpu cpus[2];
	struct survey_env env;
	struct survey_fact fact;
	char *root;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->root = tree_new();
	tree_mkdir(f->root, "proc");
	f->cpus[0] = (struct host_cpu){ .id = 0, .online = true, .allowed = true, .wanted = true };
	f->cpus[1] = (struct host_cpu){ .id = 1, .online = true, .allowed = true, .wanted = true };
	f->host = (struct host){ .live = true, .cpus = f->cpus, .n_cpus = 2 };
	f->env.host = &f->host;
	f->env.rights.user = 1000;
	assert_int_equal(hostfs_open(f->root, &f->env.fs), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	hostfs_close(f->env.fs);
	tree_free(f->root);
	free(f);
	return 0;
}

static void look(struct fixture *f, enum survey survey)
{
	memset(&f->fact, 0, sizeof(f->fact));
	survey_row(survey)->look(&f->env, &f->fact);
	assert_true(f->fact.meaning.text[0] != '\0');
	assert_true(f->fact.meaning.text[strlen(f->fact.meaning.text) - 1] != '.');
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" lacks \"%s\"", text, part);
}

static void causes_are_told_apart(void **state)
{
	static const struct {
		int err;
		bool live, virtual_machine;
		enum cause cause;
	} rows[] = {
		{ 0, true, true, CAUSE_FOUND },
		{ EACCES, true, false, CAUSE_REFUSED },
		{ EPERM, true, true, CAUSE_REFUSED },
		{ ENOENT, true, false, CAUSE_ABSENT },
		{ ENODEV, true, false, CAUSE_ABSENT },
		{ ENXIO, false, false, CAUSE_ABSENT },
		{ ENOENT, true, true, CAUSE_VIRTUAL },
		{ ENXIO, false, true, CAUSE_VIRTUAL },
		{ ENOTSUP, true, false, CAUSE_NOT_ON_CPU },
		{ ENOTSUP, true, true, CAUSE_VIRTUAL },
		{ ENOTSUP, false, false, CAUSE_LEFT_OUT },
		{ ENOTSUP, false, true, CAUSE_LEFT_OUT },
		{ EIO, true, true, CAUSE_FAILS },
		{ EBUSY, true, false, CAUSE_FAILS },
		{ EMFILE, true, false, CAUSE_FAILS },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host host = { .live = rows[i].live };

		if (rows[i].virtual_machine)
			strcpy(host.hypervisor, "KVM");
		assert_int_equal(cause_of(rows[i].err, &host), rows[i].cause);
	}
}

static void tables_are_whole(void **state)
{
	(void)state;
	for (unsigned a = 0; a < CAUSE_N; a++) {
		const struct cause_row *row = cause_row((enum cause)a);

		assert_true(strlen(row->name) > 4 && text_width(row->title) <= 15);
		assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(row->name));
		/* Of what is there, and of what nobody can change, there is none. */
		assert_int_equal(row->remedy[0] == '\0', a == CAUSE_FOUND || a == CAUSE_NOT_READ);
		for (unsigned b = 0; b < a; b++)
			assert_string_not_equal(row->name, cause_row((enum cause)b)->name);
	}
	for (unsigned a = 0; a < SURVEY_N; a++)
		for (unsigned b = 0; b < a; b++)
			assert_string_not_equal(survey_row((enum survey)a)->name,
						survey_row((enum survey)b)->name);
}

/* ENOENT, ENXIO, EACCES, EPERM each have their own sentence; "run it as root" is for who is not. */
static void msr_device(void **state)
{
	static const struct {
		int err;
		unsigned user;
		enum cause cause;
		const char *meaning, *remedy;
	} rows[] = {
		{ ENOENT, 0, CAUSE_ABSENT, "there is no register device", "modprobe msr" },
		{ ENXIO, 0, CAUSE_ABSENT, "nothing behind it", "modprobe msr" },
		{ EACCES, 1000, CAUSE_REFUSED, "closed to ordinary users", "as root" },
		{ EPERM, 1000, CAUSE_REFUSED, "closed to ordinary users", "as root" },
		{ EACCES, 0, CAUSE_REFUSED, "even root", "container" },
		{ EPERM, 0, CAUSE_REFUSED, "CAP_SYS_RAWIO", "container" },
		{ EIO, 0, CAUSE_FAILS, "cannot be opened", "" },
	};
	struct fixture *f = *state;

	/* The hypervisor is not to blame for a module that is not loaded. */
	strcpy(f->host.hypervisor, "KVM");
	tree_write(f->root, "dev/cpu/0/msr", "%s", "");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		f->env.rights.user = rows[i].user;
		hostfs_fail_after(f->env.fs, 1, rows[i].err);
		look(f, SURVEY_MSR_DEVICE);
		assert_int_equal(f->fact.cause, rows[i].cause);
		assert_int_equal(f->fact.meaning.err, rows[i].err);
		has(f->fact.meaning.text, rows[i].meaning);
		has(f->fact.meaning.remedy, rows[i].remedy);
		assert_int_equal(rows[i].user == 0 && strstr(f->fact.meaning.remedy, "as root"), 0);
	}
	look(f, SURVEY_MSR_DEVICE);
	assert_int_equal(f->fact.cause, CAUSE_FOUND);
	assert_string_equal(f->fact.value, "dev/cpu/0/msr");
	/* An isolated CPU is left alone where there is another. */
	f->cpus[0].isolated = true;
	look(f, SURVEY_MSR_DEVICE);
	assert_int_equal(f->fact.cause, CAUSE_ABSENT);
}

static void paranoid_by_capability(void **state)
{
	static const struct {
		int level;
		uint64_t capabilities;
		enum cause cause;
		const char *remedy;
	} rows[] = {
		{ -1, 0, CAUSE_FOUND, "" },
		{ 0, 0, CAUSE_FOUND, "" },
		{ 1, 0, CAUSE_REFUSED, "CAP_PERFMON" },
		{ 2, 0, CAUSE_REFUSED, "CAP_PERFMON" },
		{ 2, CAP(PERFMON), CAUSE_FOUND, "" },
		{ 2, CAP(SYS_ADMIN), CAUSE_FOUND, "" },
		{ 2, CAP(SYS_RAWIO), CAUSE_REFUSED, "CAP_PERFMON" },
		{ 3, CAP(PERFMON), CAUSE_REFUSED, "as root" },
		{ 3, CAP(SYS_ADMIN), CAUSE_FOUND, "" },
		{ 4, 0, CAUSE_REFUSED, "as root" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		tree_write(f->root, "proc/sys/kernel/perf_event_paranoid", "%d\n", rows[i].level);
		f->env.rights.capabilities = rows[i].capabilities;
		look(f, SURVEY_PERF_PARANOID);
		assert_int_equal(f->fact.cause, rows[i].cause);
		assert_int_equal(f->fact.meaning.err, rows[i].cause == CAUSE_FOUND ? 0 : EACCES);
		has(f->fact.meaning.remedy, rows[i].remedy);
	}
	tree_write(f->root, "proc/sys/kernel/perf_event_paranoid", "two\n");
	look(f, SURVEY_PERF_PARANOID);
	assert_int_equal(f->fact.cause, CAUSE_ABSENT);
	assert_string_equal(f->fact.value, "");
	tree_remove(f->root, "proc/sys/kernel/perf_event_paranoid");
	look(f, SURVEY_PERF_PARANOID);
	assert_int_equal(f->fact.cause, CAUSE_ABSENT);
	hostfs_fail_after(f->env.fs, 1, EACCES);
	look(f, SURVEY_PERF_PARANOID);
	assert_int_equal(f->fact.cause, CAUSE_REFUSED);
}

static void rights(void **state)
{
	struct fixture *f = *state;

	look(f, SURVEY_RIGHTS);
	assert_string_equal(f->fact.value, "user");
	f->env.rights.sudo = true;
	look(f, SURVEY_RIGHTS);
	assert_string_equal(f->fact.value, "sudo");
	assert_int_equal(f->fact.cause, CAUSE_FOUND);
	has(f->fact.meaning.text, "user 1000");
	f->env.rights = (struct survey_rights){ .user = 0 };
	look(f, SURVEY_RIGHTS);
	assert_string_equal(f->fact.value, "root");
	/* Of another machine's files nobody is root. */
	f->host.live = false;
	survey_rights_read(&f->host, true, &f->env.rights);
	assert_true(f->env.rights.user != 0 && f->env.rights.capabilities == 0);
	look(f, SURVEY_RIGHTS);
	assert_string_equal(f->fact.value, "");
}

static void cpus(void **state)
{
	struct fixture *f = *state;

	look(f, SURVEY_CPUS);
	assert_int_equal(f->fact.cause, CAUSE_FOUND);
	assert_string_equal(f->fact.value, "0-1");
	look(f, SURVEY_ISOLATED_CPUS);
	assert_string_equal(f->fact.value, "none");
	f->cpus[1].allowed = false;
	f->cpus[0].isolated = true;
	look(f, SURVEY_CPUS);
	assert_int_equal(f->fact.cause, CAUSE_REFUSED);
	has(f->fact.meaning.text, "1 of 2 CPUs only (0)");
	has(f->fact.meaning.remedy, "cpuset");
	look(f, SURVEY_ISOLATED_CPUS);
	assert_string_equal(f->fact.value, "0");
	has(f->fact.meaning.remedy, "-c");
}

static void clock_source(void **state)
{
	struct fixture *f = *state;

	look(f, SURVEY_TSC);
	assert_int_equal(f->fact.cause, CAUSE_NOT_ON_CPU);
	strcpy(f->host.hypervisor, "KVM");
	look(f, SURVEY_TSC);
	assert_int_equal(f->fact.cause, CAUSE_VIRTUAL);
	has(f->fact.meaning.remedy, "hypervisor");
	f->host.tsc_hertz = 2.5e9;
	look(f, SURVEY_TSC);
	assert_int_equal(f->fact.cause, CAUSE_FOUND);
	assert_string_equal(f->fact.value, "2500000000");
	has(f->fact.meaning.text, "2500.00 MHz");
}

/* A folder of PMUs that is refused is not the same as one that is not there. */
static void pmus(void **state)
{
	struct fixture *f = *state;

	for (enum survey survey = SURVEY_PMU_CORE; survey <= SURVEY_PMU_POWER; survey++) {
		look(f, survey);
		assert_int_equal(f->fact.cause, CAUSE_ABSENT);
		hostfs_fail_after(f->env.fs, 1, EACCES);
		look(f, survey);
		assert_int_equal(f->fact.cause, CAUSE_REFUSED);
	}
	strcpy(f->host.vendor, "AuthenticAMD");
	look(f, SURVEY_PMU_CSTATE);
	assert_int_equal(f->fact.cause, CAUSE_NOT_ON_CPU);
	tree_mkdir(f->root, "sys/bus/event_source/devices/cpu");
	tree_mkdir(f->root, "sys/bus/event_source/devices/msr");
	look(f, SURVEY_PMU_CORE);
	assert_int_equal(f->fact.cause, CAUSE_FOUND);
	assert_string_equal(f->fact.value, "cpu");
	look(f, SURVEY_PMU_MSR); /* of a virtual machine: only smi and tsc */
	assert_int_equal(f->fact.cause, CAUSE_ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes_are_told_apart),
		cmocka_unit_test(tables_are_whole),
		cmocka_unit_test_setup_teardown(msr_device, setup, teardown),
		cmocka_unit_test_setup_teardown(paranoid_by_capability, setup, teardown),
		cmocka_unit_test_setup_teardown(rights, setup, teardown),
		cmocka_unit_test_setup_teardown(cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(clock_source, setup, teardown),
		cmocka_unit_test_setup_teardown(pmus, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
