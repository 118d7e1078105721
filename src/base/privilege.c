/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From root under sudo, or a set-user-ID program, to the user who called. The ids of the process
 * are all the state there is. */
#include "config.h"
#include "base/privilege.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/nls.h"
#include "base/num.h"

/* An id of the environment; -1, which is none (setresuid(2)), does not pass. */
static int parse_id(const char *text, uint32_t *ret)
{
	uint64_t id;

	if (!text || num_parse_u64(text, &id) < 0 || id >= UINT32_MAX)
		return -EINVAL;
	*ret = (uint32_t)id;
	return 0;
}

/* Root's groups for the user's, and root's HOME, which sudo may have set. */
static int take_place_of(uid_t uid, gid_t gid)
{
	const struct passwd *const user = getpwuid(uid);

	if (!user)
		return setgroups(1, &gid) < 0 ? -errno : 0;
	if (initgroups(user->pw_name, gid) < 0 || setenv("HOME", user->pw_dir, 1) < 0)
		return -errno;
	return 0;
}

static int refuse(int r, uid_t uid, struct problem *ret_problem)
{
	return problem_set(ret_problem, -r, _("unset SUDO_UID to stay root"),
			   _("the rights of root cannot be given back for user %u"), uid);
}

/* The group for good, for it opens nothing; the user as a set-user-ID program would begin: the real
 * one tells who called, the saved one what may be had again. */
static int lower_for(uid_t uid, gid_t gid, uid_t saved)
{
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, saved) < 0)
		return -errno;
	return 0;
}

int privilege_lower(struct problem *ret_problem)
{
	const char *const sudo = getenv("SUDO_UID");
	uint32_t uid = getuid(), gid = getgid();
	int r;

	/* Only root may say whom it stands for: to anybody else the variable is just a variable. */
	if (uid != 0) {
		r = lower_for(uid, gid, uid);
		return r < 0 ? refuse(r, uid, ret_problem) : 0;
	}
	if (!sudo)
		return 0;
	if (parse_id(sudo, &uid) < 0 || parse_id(getenv("SUDO_GID"), &gid) < 0)
		return problem_set(ret_problem, EINVAL, _("unset SUDO_UID to stay root"),
				   _("SUDO_UID or SUDO_GID is no number"));
	if (uid == 0)
		return 0;
	r = take_place_of(uid, gid);
	if (r == 0)
		r = lower_for(uid, gid, 0);
	return r < 0 ? refuse(r, uid, ret_problem) : 0;
}

/* Is only the saved user id root's? */
static bool is_lowered(uid_t *ret_uid)
{
	uid_t real, effective, saved;

	if (getresuid(&real, &effective, &saved) < 0 || real == 0 || saved != 0)
		return false;
	*ret_uid = real;
	return true;
}

bool privilege_raise(void)
{
	uid_t uid;

	return is_lowered(&uid) && seteuid(0) == 0;
}

void privilege_unraise(void)
{
	/* Cannot fail for a real id; else privilege_drop() would be left to do it. */
	if (seteuid(getuid()) < 0)
		return;
}

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* Linux 5.8 */
#endif

/* Whether root had it: not in every container. */
static bool may_count(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct had[2] = { 0 };

	return syscall(SYS_capget, &head, had) == 0 &&
	       had[CAP_PERFMON / 32].permitted & 1u << CAP_PERFMON % 32;
}

/* Becomes the user. Of what the kernel would take away with the last id of root, the right to count
 * events stays, so that they can be opened anew for a CPU that returns; nothing else, though a
 * security bit (capabilities(7), SECBIT_NO_SETUID_FIXUP) was inherited. */
static int become(uid_t uid)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct keep[2] = { 0 };
	const bool counts = may_count() && prctl(PR_SET_KEEPCAPS, 1) == 0;
	int r;

	if (counts)
		keep[CAP_PERFMON / 32].permitted = keep[CAP_PERFMON / 32].effective =
			1u << CAP_PERFMON % 32;
	r = setresuid(uid, uid, uid) < 0 ? -errno : 0;
	if (r == 0 && syscall(SYS_capset, &head, keep) < 0)
		r = -errno;
	(void)prctl(PR_SET_KEEPCAPS, 0);
	return r;
}

int privilege_drop(struct problem *ret_problem)
{
	uid_t uid, real, effective, saved;
	int r;

	if (!is_lowered(&uid))
		return 0;
	r = become(uid);
	if (r == 0 && (getresuid(&real, &effective, &saved) < 0 || real != uid ||
		       effective != uid || saved != uid || seteuid(0) == 0))
		r = -EPERM;
	return r < 0 ? refuse(r, uid, ret_problem) : 0;
}
