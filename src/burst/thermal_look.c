/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The asker and the thread share the look; who leaves last frees it. */
#include "config.h"

#include "burst/thermal_look.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/hostfs.h"
#include "base/list.h"

struct thermal_look {
	struct hostfs *fs; /* its own: the asker's may be closed while a read is blocked */
	struct list *cpus;
	struct thermal_state state; /* the thread's until `answered` */
	atomic_bool answered;
	atomic_uint users;
};

static void leave(struct thermal_look *look)
{
	if (atomic_fetch_sub(&look->users, 1) > 1)
		return;
	hostfs_close(look->fs);
	list_free(look->cpus);
	free(look);
}

static void *ask(void *arg)
{
	struct thermal_look *look = arg;

	thermal_ask(look->fs, look->cpus, &look->state);
	atomic_store(&look->answered, true);
	leave(look);
	return NULL;
}

/* No signal is for this thread, and nobody waits for it. */
static int start(struct thermal_look *look)
{
	pthread_t thread;
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&thread, NULL, ask, look);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err)
		return -err;
	(void)pthread_setname_np(thread, "avxtop-thermal");
	(void)pthread_detach(thread);
	return 0;
}

int thermal_look_begin(const struct list *cpus, struct thermal_look **ret)
{
	struct thermal_look *look = calloc(1, sizeof(*look));
	int r;

	if (!look)
		return -ENOMEM;
	look->users = 1;
	look->cpus = list_copy(cpus);
	r = look->cpus ? hostfs_open("/", &look->fs) : -ENOMEM;
	if (r == 0) {
		look->users = 2;
		r = start(look);
		if (r < 0)
			look->users = 1;
	}
	if (r < 0) {
		leave(look);
		return r;
	}
	*ret = look;
	return 0;
}

bool thermal_look_answer(struct thermal_look *look, struct thermal_state *ret)
{
	if (!atomic_load(&look->answered))
		return false;
	*ret = look->state;
	return true;
}

void thermal_look_free(struct thermal_look *look)
{
	if (look)
		leave(look);
}
