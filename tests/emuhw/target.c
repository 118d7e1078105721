/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's memory and rights. */
#include "config.h"

#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

/* Copies what follows KEY in /proc/TID/status. */
static bool status_text(pid_t tid, const char *key, char *ret_text, size_t n)
{
	char path[64], line[256];
	size_t length = strlen(key);
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, length)) {
			snprintf(ret_text, n, "%s", line + length);
			found = true;
		}
	fclose(f);
	return found;
}

int target_status(pid_t tid, const char *key)
{
	char text[64];

	return status_text(tid, key, text, sizeof(text)) ? atoi(text) : 0;
}

bool target_capable(pid_t pid, uint64_t mask)
{
	char text[64];

	return status_text(pid, "CapEff:", text, sizeof(text)) && strtoull(text, NULL, 16) & mask;
}

bool target_memory(pid_t pid, uint64_t addr, void *b, size_t n, bool write)
{
	struct iovec here = { b, n }, there = { (void *)(uintptr_t)addr, n };
	ssize_t done = write ? process_vm_writev(pid, &here, 1, &there, 1, 0)
			     : process_vm_readv(pid, &here, 1, &there, 1, 0);

	return done == (ssize_t)n;
}
