/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A piece of work in a short-lived thread of its own. */
#include "config.h"

#include "base/errand.h"

#include <pthread.h>
#include <signal.h>

struct errand {
	int (*run)(void *argument);
	void *argument;
	int ret;
};

static void *run(void *of)
{
	struct errand *const errand = of;

	errand->ret = errand->run(errand->argument);
	return NULL;
}

int errand_run(int (*function)(void *argument), void *argument)
{
	struct errand errand = { .run = function, .argument = argument };
	sigset_t all, before;
	pthread_t thread;
	int err;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, run, &errand);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return -err;
	(void)pthread_join(thread, NULL);
	return errand.ret;
}
