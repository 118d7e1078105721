/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From root under sudo, or a set-user-ID program, to the user who called. */
#include "config.h"
#include "base/privilege.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
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

static int become(uid_t uid, gid_t gid)
{
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

static int refuse(int r, uid_t uid, struct problem *ret_problem)
{
	return problem_set(ret_problem, -r, _("unset SUDO_UID to stay root"),
			   _("the rights of root cannot be given back for user %u"), uid);
}

int privilege_drop(struct problem *ret_problem)
{
	const char *const sudo = getenv("SUDO_UID");
	uint32_t uid = getuid(), gid = getgid();
	int r = 0;

	/* Only root may say whom it stands for: to anybody else the variable is just a variable. */
	if (uid == 0) {
		if (!sudo)
			return 0;
		if (parse_id(sudo, &uid) < 0 || parse_id(getenv("SUDO_GID"), &gid) < 0)
			return problem_set(ret_problem, EINVAL, _("unset SUDO_UID to stay root"),
					   _("SUDO_UID or SUDO_GID is no number"));
		if (uid == 0)
			return 0;
		r = take_place_of(uid, gid);
	}
	if (r == 0)
		r = become(uid, gid);
	return r < 0 ? refuse(r, uid, ret_problem) : 0;
}
