/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command costs: cost COMMAND [ARG...] prints its wall time and CPU time in ms and its peak of
 * resident memory in KiB, divided by tabs; those of its children that it waited for are in it. What the
 * command itself prints is thrown away. Its status, 1 where it could not be run. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double ms_of(const struct timeval *time)
{
	return (double)time->tv_sec * 1e3 + (double)time->tv_usec / 1e3;
}

static double now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	const double began = now_ms();
	struct rusage usage;
	pid_t child;
	int status;

	if (argc < 2)
		return 2;
	child = fork();
	if (child == 0) {
		const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
			(void)execvp(argv[1], argv + 1);
		_exit(1);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 1;
	printf("%.2f\t%.2f\t%ld\n", now_ms() - began, ms_of(&usage.ru_utime) + ms_of(&usage.ru_stime),
	       usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
