/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of a dump: what is allowed stays as it is, and nothing else does. */
#include "config.h"
#include "cmd/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/text.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static void assert_scrubbed(void (*scrub)(char *text), const char *text, const char *want)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	scrub(copy);
	assert_string_equal(copy, want);
	free(copy);
}

static void lines(void **state)
{
	(void)state;
	assert_scrubbed(scrub_cpuinfo, "processor\t: 0\nSerial\t\t: 12\nmodel name\t: X: Y\n\nHardware: me\n",
			"processor\t: 0\nmodel name\t: X: Y\n\n");
	/* As some kernels write it; no newline at the end; keys that only begin so. */
	assert_scrubbed(scrub_cpuinfo, "CPU Family : 6\nmodel serial : 1\nflags: a b", "CPU Family : 6\nflags: a b");
	assert_scrubbed(scrub_cpuinfo, "", "");
	assert_scrubbed(scrub_cpuinfo, "no colon\n:\n \n", "");
	assert_scrubbed(scrub_stat, "cpu  1 2\ncpu0 1 2\nintr 5 4\nctxt 1\nbtime 17\n", "cpu  1 2\ncpu0 1 2\n");
}

static void release(void **state)
{
	static const char *const cases[][2] = {
		{ "6.1.0-13-amd64\n", "6.1.0-13\n" },
		{ "6.12.5+deb13-cloud\n", "6.12.5\n" },
		{ "5.14.0-70.13.1-x\n", "5.14.0-70.13.1\n" },
		{ "5.14.0-70.13.1.el9_0.x86_64\n", "5.14.0\n" },
		{ "6.18.0\n", "6.18.0\n" },
		{ "6.18.0", "6.18.0" },
		{ "5.15.0-2nd-laptop-of-mary\n", "5.15.0\n" },
		{ "mary\n", "\n" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_scrubbed(scrub_release, cases[i][0], cases[i][1]);
}

#define CPU "sys/devices/system/cpu"
#define PMU "sys/bus/event_source/devices"

static char *dump_of(const char *root)
{
	struct text text = { 0 };
	struct hostfs *fs;

	assert_int_equal(hostfs_open(root, &fs), 0);
	dump_files(fs, &text);
	hostfs_close(fs);
	assert_false(text.failed);
	return text.data ? text.data : strdup("");
}

/* The whole text, in the order of the rows and of the numbers in the names. */
static void allowed(void **state)
{
	char *root = tree_new(), *text;

	(void)state;
	tree_write(root, CPU "/online", "0-1\n");
	tree_write(root, CPU "/cpu10/topology/core_id", "1");
	tree_write(root, CPU "/cpu2/topology/core_id", "0\n");
	tree_write(root, CPU "/cpu2/topology/core_serial", "no\n");
	tree_write(root, CPU "/cpufreq/policy2/scaling_driver", "x\033\n");
	tree_link(root, CPU "/cpu2/cpufreq", "../cpufreq/policy2");
	tree_write(root, PMU "/power/events/energy-pkg.unit", "Joules\n");
	tree_write(root, PMU "/power/events/.hidden", "no\n");
	tree_write(root, PMU "/uncore_imc_0/type", "9\n");
	tree_write(root, "sys/class/powercap/intel-rapl:0/name", "%s", "");
	tree_write(root, "sys/class/hwmon/hwmon0/name", "coretemp\n");
	tree_write(root, "sys/class/hwmon/hwmon0/temp1_input", "40000\n");
	tree_write(root, "sys/class/hwmon/hwmon0/device/serial", "no\n");
	tree_write(root, "sys/class/hwmon/hwmon1/name", "nvme\n");
	tree_write(root, "sys/class/hwmon/hwmon1/temp1_input", "40000\n");
	tree_write(root, "proc/version", "no\n");
	text = dump_of(root);
	assert_string_equal(text, "Path: " CPU "/online\nLines: 1\n0-1\n"
				  "Path: " CPU "/cpu2/topology/core_id\nLines: 1\n0\n"
				  "Path: " CPU "/cpu10/topology/core_id\nLines: 1\n1\n"
				  "Path: " CPU "/cpu2/cpufreq/scaling_driver\nLines: 1\nx?\n"
				  "Path: sys/class/hwmon/hwmon0/name\nLines: 1\ncoretemp\n"
				  "Path: sys/class/hwmon/hwmon0/temp1_input\nLines: 1\n40000\n"
				  "Path: sys/class/powercap/intel-rapl:0/name\nLines: 0\n"
				  "Path: " PMU "/power/events/energy-pkg.unit\nLines: 1\nJoules\n");
	free(text);
	tree_free(root);
}

/* What cannot be read is said, as it tells something of the machine. */
static void unreadable(void **state)
{
	char *root = tree_new(), *text;

	(void)state;
	tree_fifo(root, CPU "/online");
	tree_mkdir(root, CPU "/possible");
	text = dump_of(root);
	assert_string_equal(text, "# " CPU "/online: Invalid argument\n");
	free(text);
	tree_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(release),
		cmocka_unit_test(allowed),
		cmocka_unit_test(unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
