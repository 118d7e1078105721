/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights of root: lowered, raised, and gone; each in a child of its own, for they do not come back.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/list.h"
#include "base/privilege.h"
#include "engine/options.h"
#include "engine/session.h"
#include "unit.h"

#define USER 65534 /* nobody */

static bool ids_are(uid_t real, uid_t effective, uid_t saved)
{
	uid_t r, e, s;

	return getresuid(&r, &e, &s) == 0 && r == real && e == effective && s == saved;
}

/* Runs `step` in a child; fails where it returns another number than 0: the step that went wrong.
 */
static void in_child(int (*step)(void))
{
	int status = -1;
	const pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(step());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int lower(void)
{
	struct problem problem;

	return setenv("SUDO_UID", "65534", 1) == 0 && setenv("SUDO_GID", "65534", 1) == 0 &&
	       privilege_lower(&problem) == 0 && ids_are(USER, USER, 0);
}

/* The effective ones; all bits when they are not told. */
static unsigned long long capabilities(void)
{
	unsigned long long set = ~0ull;
	char line[128];
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "CapEff: %llx", &set) == 1)
			break;
	if (file)
		fclose(file);
	return set;
}

static int raise_and_drop(void)
{
	struct problem problem;

	if (!lower() || access("/proc/1/mem", R_OK) == 0)
		return 1;
	if (!privilege_raise() || !ids_are(USER, 0, 0))
		return 2;
	privilege_unraise();
	if (!ids_are(USER, USER, 0) || getegid() != USER || getgid() != USER)
		return 3;
	if (privilege_drop(&problem) < 0 || !ids_are(USER, USER, USER))
		return 4;
	if (privilege_raise() || seteuid(0) == 0)
		return 5;
	if (capabilities() & ~(1ull << 38 /* CAP_PERFMON */))
		return 7;
	return privilege_drop(&problem) == 0 ? 0 : 6; /* nothing is left to drop */
}

/* A security bit that keeps capabilities across a change of ids does not keep them here. */
static int drop_despite_bits(void)
{
	struct problem problem;

	if (prctl(PR_SET_SECUREBITS, 1 << 2 /* SECBIT_NO_SETUID_FIXUP */) < 0)
		return 0; /* not allowed here */
	if (!lower() || privilege_drop(&problem) < 0)
		return 1;
	if (capabilities() & ~(1ull << 38 /* CAP_PERFMON */))
		return 3;
	return seteuid(0) < 0 && prctl(PR_CAPBSET_DROP, 0) < 0 ? 0 : 2;
}

static int root_stays(void)
{
	struct problem problem;

	if (unsetenv("SUDO_UID") < 0 || privilege_lower(&problem) < 0 || privilege_raise())
		return 1;
	return privilege_drop(&problem) == 0 && ids_are(0, 0, 0) ? 0 : 2;
}

/* A session that cannot be opened leaves no more rights than one that can. */
static int failed_session(void)
{
	static struct options options; /* all zero: --cpus names none that is there */
	struct session *session;
	struct problem problem;

	if (!lower() || list_parse("8191", &options.cpus) < 0)
		return 1;
	if (session_open(&options, NULL, &session, &problem) == 0)
		return 2;
	return ids_are(USER, USER, USER) && !privilege_raise() ? 0 : 3;
}

static void test_raise_and_drop(void **state)
{
	(void)state;
	in_child(raise_and_drop);
}

static void test_bits(void **state)
{
	(void)state;
	in_child(drop_despite_bits);
}

static void test_root_stays(void **state)
{
	(void)state;
	in_child(root_stays);
}

static void test_failed_session(void **state)
{
	(void)state;
	in_child(failed_session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raise_and_drop),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_root_stays),
		cmocka_unit_test(test_failed_session),
	};

	if (getuid() != 0)
		return 77; /* only root has something to give back */
	return cmocka_run_group_tests_name("privilege", tests, NULL, NULL);
}
