/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads below a root: no way out of it, nothing that blocks, each failure told as it is. */
#include "config.h"
#include "base/hostfs.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

/* One tree for all tests: a file of a secret outside, and links of each kind to it. */
static int setup(void **state)
{
	char *root = tree_new();

	tree_write(root, "secret", "outside\n");
	tree_write(root, "fs/etc/inside", "inside\n");
	tree_write(root, "fs/etc/number", "64\n");
	tree_write(root, "fs/etc/two", "first\nsecond\n");
	tree_write(root, "fs/etc/empty", "%s", "");
	tree_write(root, "fs/etc/newline", "\n");
	tree_write(root, "fs/etc/minus", "-1\n");
	tree_write(root, "fs/etc/word", "64k\n");
	tree_write(root, "fs/etc/spaced", "64 \n");
	tree_write(root, "fs/etc/huge", "18446744073709551616\n");
	tree_write(root, "fs/etc/long", "%0100d\n", 1);
	tree_fifo(root, "fs/etc/fifo");
	tree_link(root, "fs/good", "etc/inside");
	tree_link(root, "fs/absolute", "/etc/inside"); /* of the root, not of this machine */
	tree_link(root, "fs/deep/up", "../../../../etc/inside"); /* stops at the root */
	tree_link(root, "fs/folder", "etc");
	tree_link(root, "fs/chain", "folder/../good");
	tree_link(root, "fs/escape", "../secret");
	tree_link(root, "fs/loop", "loop");
	tree_link(root, "fs/dangling", "etc/nothing");
	*state = root;
	return 0;
}

static int teardown(void **state)
{
	tree_free(*state);
	return 0;
}

static struct hostfs *open_fs(void **state)
{
	struct hostfs *fs = NULL;
	char *path;

	assert_true(asprintf(&path, "%s/fs", (char *)*state) > 0);
	assert_int_equal(hostfs_open(path, &fs), 0);
	free(path);
	return fs;
}

static void test_open(void **state)
{
	struct hostfs *fs = NULL;
	char *path;

	assert_int_equal(hostfs_open("/nosuch/folder", &fs), -ENOENT);
	assert_true(asprintf(&path, "%s/secret", (char *)*state) > 0);
	assert_int_equal(hostfs_open(path, &fs), -ENOTDIR);
	free(path);
	assert_null(fs);
	hostfs_close(NULL);
}

/* What each path gives, by reading it whole. NULL: fails with err. Returns the rows that differ. */
static unsigned check_paths(struct hostfs *fs)
{
	static const struct {
		const char *path, *text;
		int err;
	} rows[] = {
		{ "etc/inside", "inside\n", 0 },
		{ "./etc//inside", "inside\n", 0 },
		{ "good", "inside\n", 0 },
		{ "absolute", "inside\n", 0 },
		{ "deep/up", "inside\n", 0 },
		{ "folder/inside", "inside\n", 0 },
		{ "chain", "inside\n", 0 },
		{ "etc/empty", "", 0 },
		{ "escape", NULL, ENOENT },
		{ "loop", NULL, ELOOP },
		{ "dangling", NULL, ENOENT },
		{ "nosuch", NULL, ENOENT },
		{ "etc/inside/more", NULL, ENOTDIR },
		{ "etc", NULL, EISDIR },
		{ "etc/fifo", NULL, EINVAL },
		{ "/etc/inside", NULL, EINVAL },
		{ "/proc/stat", NULL, EINVAL },
		{ "../secret", NULL, EINVAL },
		{ "etc/../../secret", NULL, EINVAL },
		{ "etc/..", NULL, EINVAL },
		{ "..", NULL, EINVAL },
		{ "", NULL, EINVAL },
		{ "etc/..inside", NULL, ENOENT }, /* dots in a name are no way up */
	};
	unsigned wrong = 0;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char *text = NULL;
		size_t len = 99;
		const int r = hostfs_read(fs, rows[i].path, &text, &len);

		if (r != -rows[i].err || (rows[i].text == NULL) != (text == NULL) ||
		    (text && (strcmp(text, rows[i].text) != 0 || len != strlen(text)))) {
			(void)fprintf(stderr, "# %s: %d\n", rows[i].path, r);
			wrong++;
		}
		free(text);
	}
	return wrong;
}

static void test_paths(void **state)
{
	struct hostfs *fs = open_fs(state);

	assert_int_equal(check_paths(fs), 0);
	hostfs_close(fs);
}

/* From here on openat2 fails as on Linux before 5.6 (or below an old seccomp filter). */
static void forbid_openat2(int err)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = COUNT_OF(code), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(77);
}

static void test_paths_without_openat2(void **state)
{
	static const int errs[] = { ENOSYS, EPERM };

	for (size_t i = 0; i < COUNT_OF(errs); i++) {
		int status;
		const pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			struct hostfs *fs = open_fs(state);
			unsigned wrong;

			forbid_openat2(errs[i]);
			wrong = check_paths(fs);
			hostfs_close(fs);
			_exit(wrong != 0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 77)
			skip();
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

static void test_line(void **state)
{
	static const struct {
		const char *name, *line;
		int err;
	} rows[] = {
		{ "inside", "inside", 0 },   { "two", "first", 0 },	  { "empty", "", 0 },
		{ "newline", "", 0 },	     { "long", NULL, EOVERFLOW }, { "nosuch", NULL, ENOENT },
		{ "fifo", NULL, EINVAL },
	};
	struct hostfs *fs = open_fs(state);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char line[8] = "before";

		assert_int_equal(hostfs_read_line(fs, line, sizeof(line), "etc/%s", rows[i].name),
				 -rows[i].err);
		assert_string_equal(line, rows[i].line ? rows[i].line : "before");
	}
	hostfs_close(fs);
}

static void test_u64(void **state)
{
	static const struct {
		const char *name;
		int err;
	} rows[] = {
		{ "number", 0 },      { "empty", ENODATA }, { "newline", ENODATA }, { "minus", EINVAL },
		{ "word", EINVAL },   { "spaced", EINVAL }, { "long", EINVAL },	    { "huge", ERANGE },
		{ "nosuch", ENOENT },
	};
	struct hostfs *fs = open_fs(state);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t value = 42;

		assert_int_equal(hostfs_read_u64(fs, &value, "etc/%s", rows[i].name), -rows[i].err);
		assert_int_equal(value, rows[i].err ? 42 : 64);
	}
	hostfs_close(fs);
}

static void test_fd(void **state)
{
	struct hostfs *fs = open_fs(state);
	const int fd = hostfs_fd(fs, "etc/%s", "inside");
	char buf[3], big[5000];

	assert_true(fd >= 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pread(fd, buf, sizeof(buf), 2), 3);
		assert_memory_equal(buf, "sid", 3);
	}
	(void)close(fd);
	assert_int_equal(hostfs_fd(fs, "etc"), -EISDIR);
	assert_int_equal(hostfs_fd(fs, "etc/fifo"), -EINVAL);
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(hostfs_fd(fs, "%s", big), -ENAMETOOLONG);
	hostfs_close(fs);
}

static void test_names(void **state)
{
	static const char *const expected[] = { "cpu0", "cpu1", "cpu2", "cpu10", "cpu100", "cpufreq" };
	char **names = NULL;
	struct hostfs *fs;
	size_t count = 0;

	tree_mkdir(*state, "fs/cpus/cpu10");
	tree_mkdir(*state, "fs/cpus/cpu2");
	tree_mkdir(*state, "fs/cpus/cpu0");
	tree_mkdir(*state, "fs/cpus/cpufreq");
	tree_write(*state, "fs/cpus/cpu1", "x");
	tree_link(*state, "fs/cpus/cpu100", "nowhere");
	tree_mkdir(*state, "fs/none");
	fs = open_fs(state);
	assert_int_equal(hostfs_names(fs, "cpus", &names), 0);
	for (; names[count]; count++)
		assert_string_equal(names[count], expected[count]);
	assert_int_equal(count, COUNT_OF(expected));
	hostfs_names_free(names);
	assert_int_equal(hostfs_names(fs, "none", &names), 0);
	assert_null(names[0]);
	hostfs_names_free(names);
	names = NULL;
	assert_int_equal(hostfs_names(fs, "nosuch", &names), -ENOENT);
	assert_int_equal(hostfs_names(fs, "etc/inside", &names), -ENOTDIR);
	assert_int_equal(hostfs_names(fs, "/etc", &names), -EINVAL);
	assert_null(names);
	hostfs_names_free(NULL);
	hostfs_close(fs);
}

static void test_many_names(void **state)
{
	char **names = NULL;
	struct hostfs *fs;
	unsigned count = 0;

	for (unsigned i = 0; i < 1000; i++) {
		char path[40];

		(void)snprintf(path, sizeof(path), "fs/many/cpu%u", i);
		tree_write(*state, path, "x");
	}
	fs = open_fs(state);
	assert_int_equal(hostfs_names(fs, "many", &names), 0);
	for (; names[count]; count++)
		assert_int_equal(strtoul(names[count] + 3, NULL, 10), count);
	assert_int_equal(count, 1000);
	hostfs_names_free(names);
	hostfs_close(fs);
}

/* Sizes around those at which the buffer grows, and the limit of 16 MiB. */
static void test_sizes(void **state)
{
	static const unsigned sizes[] = { 4094, 4095, 4096, 8191, 8192, 100000, 32 << 20 };
	struct hostfs *fs = open_fs(state);
	char *text = NULL;
	size_t len;

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		tree_write(*state, "fs/sized", "%0*d", (int)sizes[i], 7);
		assert_int_equal(hostfs_read(fs, "sized", &text, &len), 0);
		assert_int_equal(len, sizes[i]);
		assert_int_equal(strlen(text), len);
		assert_int_equal(text[len - 1], '7');
		free(text);
	}
	text = NULL;
	tree_write(*state, "fs/sized", "%0*d", (32 << 20) + 1, 7);
	assert_int_equal(hostfs_read(fs, "sized", &text, &len), -EFBIG);
	assert_null(text);
	hostfs_close(fs);
}

/* A file that opens and then fails to be read: /proc/self/mem at address 0. */
static void test_read_fails(void **state)
{
	struct hostfs *fs = NULL;
	char *text = NULL;

	(void)state;
	assert_int_equal(hostfs_open("/", &fs), 0);
	assert_int_equal(hostfs_read(fs, "proc/self/mem", &text, NULL), -EIO);
	assert_null(text);
	assert_int_equal(hostfs_read(fs, "proc/self/stat", &text, NULL), 0);
	assert_true(strlen(text) > 10);
	free(text);
	hostfs_close(fs);
}

static void test_fail_after(void **state)
{
	struct hostfs *fs = open_fs(state);

	for (unsigned n = 1; n <= 5; n++) {
		hostfs_fail_after(fs, n, EBUSY);
		for (unsigned i = 1; i <= 6; i++) {
			char *text = NULL, **names = NULL, line[8];
			uint64_t value;
			int r;

			/* One access each, whatever is called. */
			if (i % 4 == 0)
				r = hostfs_names(fs, "etc", &names);
			else if (i % 4 == 1)
				r = hostfs_read_u64(fs, &value, "etc/number");
			else if (i % 4 == 2)
				r = hostfs_read_line(fs, line, sizeof(line), "etc/inside");
			else
				r = hostfs_read(fs, "etc/inside", &text, NULL);
			assert_int_equal(r, i == n ? -EBUSY : 0);
			free(text);
			hostfs_names_free(names);
		}
	}
	hostfs_fail_after(fs, 1, EBUSY);
	hostfs_fail_after(fs, 0, 0);
	assert_int_equal(close(hostfs_fd(fs, "etc/inside")), 0);
	hostfs_fail_after(fs, 1, EACCES);
	assert_int_equal(hostfs_fd(fs, "etc/inside"), -EACCES);
	hostfs_close(fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),	   cmocka_unit_test(test_paths),
		cmocka_unit_test(test_paths_without_openat2),
		cmocka_unit_test(test_line),	   cmocka_unit_test(test_u64),
		cmocka_unit_test(test_fd),	   cmocka_unit_test(test_names),
		cmocka_unit_test(test_many_names), cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_read_fails), cmocka_unit_test(test_fail_after),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
