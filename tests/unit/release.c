/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kept release time: found again on the same boot of the same CPU only, and never believed when
 * the file is not what was written. */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hostfs.h"
#include "engine/release.h"
#include "model/host.h"

struct fixture {
	char dir[64], path[128], boot[160];
	struct hostfs *fs;
	struct host_kind kind;
	struct host host;
};

static void write_file(const char *path, const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	close(fd);
}

static int setup(void **state)
{
	static const char *const folders[] = { "", "/root", "/root/proc", "/root/proc/sys",
					       "/root/proc/sys/kernel",
					       "/root/proc/sys/kernel/random", "/state", "/home" };
	struct fixture *f = calloc(1, sizeof(*f));
	char path[128];

	assert_non_null(f);
	strcpy(f->dir, "/tmp/avxtop-release.XXXXXX");
	if (getenv("TMPDIR") && strlen(getenv("TMPDIR")) < 32)
		snprintf(f->dir, sizeof(f->dir), "%s/avxtop-release.XXXXXX", getenv("TMPDIR"));
	assert_non_null(mkdtemp(f->dir));
	for (unsigned i = 1; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", f->dir, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(f->boot, sizeof(f->boot), "%s/root/proc/sys/kernel/random/boot_id", f->dir);
	write_file(f->boot, "11111111-2222-3333-4444-555555555555\n", 37);
	snprintf(path, sizeof(path), "%s/root", f->dir);
	assert_int_equal(hostfs_open(path, &f->fs), 0);
	snprintf(path, sizeof(path), "%s/state", f->dir);
	setenv("XDG_STATE_HOME", path, 1);
	snprintf(path, sizeof(path), "%s/home", f->dir);
	setenv("HOME", path, 1);
	snprintf(f->path, sizeof(f->path), "%s/state/avxtop/release", f->dir);
	f->kind = (struct host_kind){ .family = 6, .model = 85, .stepping = 4 };
	f->host = (struct host){ .live = true, .vendor = "GenuineIntel", .brand = "A \x1b[31mCPU",
				 .kinds = &f->kind, .n_kinds = 1 };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];

	hostfs_close(f->fs);
	snprintf(command, sizeof(command), "rm -rf %s", f->dir);
	assert_int_equal(system(command), 0);
	free(f);
	return 0;
}

static double load(struct fixture *f)
{
	return release_load(&f->host, f->fs);
}

static void found_again_on_the_same_boot_and_cpu(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	assert_true(isnan(load(f)));
	release_save(&f->host, f->fs, 0.00065);
	assert_true(load(f) == 0.00065);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(st.st_mode & 077, 0);
	release_save(&f->host, f->fs, 0); /* replaced; a release that cannot be resolved is 0 */
	assert_true(load(f) == 0);

	f->kind.stepping = 7;
	assert_true(isnan(load(f)));
	f->kind.stepping = 4;
	assert_true(load(f) == 0);
	write_file(f->boot, "99999999-2222-3333-4444-555555555555\n", 37);
	assert_true(isnan(load(f)));
}

static void nothing_for_another_machines_tree(void **state)
{
	struct fixture *f = *state;

	f->host.live = false;
	release_save(&f->host, f->fs, 0.001);
	assert_true(access(f->path, F_OK) < 0);
	f->host.live = true;
	release_save(&f->host, f->fs, 0.001);
	f->host.live = false;
	assert_true(isnan(load(f)));
}

static void only_measurements_are_kept(void **state)
{
	static const double bad[] = { NAN, -1, INFINITY, 11 };
	struct fixture *f = *state;

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		release_save(&f->host, f->fs, bad[i]);
		assert_true(access(f->path, F_OK) < 0);
	}
}

static void hostile_content_is_ignored(void **state)
{
	static const char *const tails[] = { "nan", "inf", "-0.1", "1e9", "", "0.1 x", "0x1p-3",
					     "0.1\nmore", "0,1" };
	struct fixture *f = *state;
	char buf[4096], bad[sizeof(buf)];
	ssize_t len;
	char *value;
	int fd;

	release_save(&f->host, f->fs, 0.125);
	fd = open(f->path, O_RDONLY);
	len = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	assert_true(len > 0);
	buf[len] = '\0';
	value = strstr(buf, "release_s ");
	assert_non_null(value);

	for (unsigned i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		int n = snprintf(bad, sizeof(bad), "%.*srelease_s %s\n", (int)(value - buf), buf,
				 tails[i]);

		write_file(f->path, bad, (size_t)n);
		assert_true(isnan(load(f)));
	}
	for (size_t cut = 0; cut < (size_t)len; cut++) {
		write_file(f->path, buf, cut);
		assert_true(isnan(load(f)));
	}
	memcpy(bad, buf, (size_t)len);
	bad[len - 3] = '\0';
	write_file(f->path, bad, (size_t)len);
	assert_true(isnan(load(f)));
	memset(bad, ' ', sizeof(bad));
	memcpy(bad, buf, (size_t)len);
	write_file(f->path, bad, sizeof(bad));
	assert_true(isnan(load(f)));
	/* The same again, whole: it was the content that was refused. */
	write_file(f->path, buf, (size_t)len);
	assert_true(load(f) == 0.125);
}

static void links_and_fifos_are_not_followed(void **state)
{
	struct fixture *f = *state;
	char other[192];

	release_save(&f->host, f->fs, 0.125);
	snprintf(other, sizeof(other), "%s.real", f->path);
	assert_int_equal(rename(f->path, other), 0);
	assert_int_equal(symlink(other, f->path), 0);
	assert_true(isnan(load(f)));
	assert_int_equal(unlink(f->path), 0);
	assert_int_equal(mkfifo(f->path, 0600), 0);
	alarm(10); /* a blocking open would hang here for good */
	assert_true(isnan(load(f)));
	alarm(0);
}

static void home_serves_without_xdg(void **state)
{
	struct fixture *f = *state;
	char path[192];

	snprintf(path, sizeof(path), "%s/home/.local/state/avxtop/release", f->dir);
	setenv("XDG_STATE_HOME", "relative", 1);
	release_save(&f->host, f->fs, 0.25);
	assert_int_equal(access(path, F_OK), 0);
	assert_true(load(f) == 0.25);
	unsetenv("XDG_STATE_HOME");
	assert_true(load(f) == 0.25);
	unsetenv("HOME");
	assert_true(isnan(load(f)));
	release_save(&f->host, f->fs, 0.25); /* nowhere: silent */
}

static void nothing_is_left_in_the_folder_of_somebody_else(void **state)
{
	struct fixture *f = *state;
	char path[128];

	if (geteuid() != 0)
		skip();
	snprintf(path, sizeof(path), "%s/state", f->dir);
	assert_int_equal(chown(path, 65534, 65534), 0);
	release_save(&f->host, f->fs, 0.25);
	assert_true(access(f->path, F_OK) < 0);
}

static void an_unwritable_folder_is_silent(void **state)
{
	struct fixture *f = *state;
	char path[128];

	snprintf(path, sizeof(path), "%s/state", f->dir);
	assert_int_equal(rmdir(path), 0);
	write_file(path, "", 0); /* a file where the folder should be */
	release_save(&f->host, f->fs, 0.25);
	assert_true(isnan(load(f)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(found_again_on_the_same_boot_and_cpu),
		TEST(nothing_for_another_machines_tree),
		TEST(only_measurements_are_kept),
		TEST(hostile_content_is_ignored),
		TEST(links_and_fifos_are_not_followed),
		TEST(home_serves_without_xdg),
		TEST(nothing_is_left_in_the_folder_of_somebody_else),
		TEST(an_unwritable_folder_is_silent),
	};

	return cmocka_run_group_tests_name("release", tests, NULL, NULL);
}
