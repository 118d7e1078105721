/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refuse CALL=ERRNO… -- COMMAND [ARG…]: runs the command where these system calls fail, as on kernels without them or
 * in containers that forbid them. Only calls that tests need are known; errno as a number. */
#include "config.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	long number;
} calls[] = {
	{ "capget", SYS_capget },
	{ "openat2", SYS_openat2 },
	{ "prlimit64", SYS_prlimit64 },
	{ "sched_getaffinity", SYS_sched_getaffinity },
	{ "sched_setaffinity", SYS_sched_setaffinity },
};

static int add_rule(struct sock_filter *at, const char *rule)
{
	const char *equals = strchr(rule, '=');

	for (size_t i = 0; equals && i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strlen(calls[i].name) != (size_t)(equals - rule) ||
		    strncmp(calls[i].name, rule, (size_t)(equals - rule)) != 0)
			continue;
		at[0] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1);
		at[1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(equals + 1));
		return 0;
	}
	fprintf(stderr, "refuse: %s is none of the calls that are known\n", rule);
	return -1;
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * 16 + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { .len = 1, .filter = filter };
	int i;

	for (i = 1; i < argc && i <= 16 && strcmp(argv[i], "--") != 0; i++, program.len += 2)
		if (add_rule(filter + program.len, argv[i]) < 0)
			return 99;
	if (i + 1 >= argc || strcmp(argv[i], "--") != 0) {
		fprintf(stderr, "usage: refuse CALL=ERRNO... -- COMMAND [ARG...]\n");
		return 99;
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("refuse");
		return 98; /* no such kernel: the test is to be skipped */
	}
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 127;
}
