/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults: what fails, how, or how late. */
#include "config.h"

#include "fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

struct fault {
	char kind[8];
	char path[160];
	int64_t msr, type, config; /* -1: any */
	int cpu;		   /* -1: any */
	int err;
	double delay_ms;
	struct fault *next;
};
static struct fault *faults;

static int errno_of(const char *s)
{
	static const struct {
		const char *n;
		int e;
	} errors[] = { { "EIO", EIO },	     { "EACCES", EACCES },	   { "EPERM", EPERM },
		       { "ENXIO", ENXIO },   { "ENODEV", ENODEV },	   { "ENOENT", ENOENT },
		       { "EBUSY", EBUSY },   { "EINVAL", EINVAL },	   { "EMFILE", EMFILE },
		       { "ENOSPC", ENOSPC }, { "EOPNOTSUPP", EOPNOTSUPP }, { "EAGAIN", EAGAIN },
		       { "EINTR", EINTR },   { "ENOMEM", ENOMEM },	   { "ENOSYS", ENOSYS },
		       { "none", 0 } };
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (!strcmp(s, errors[i].n))
			return errors[i].e;
	return -1;
}

int fault_add(char *args, char *err, size_t n)
{
	struct fault *f = calloc(1, sizeof *f);
	f->cpu = -1;
	f->msr = -1;
	f->type = f->config = -1;
	for (char *sv, *tok = strtok_r(args, " \t", &sv); tok; tok = strtok_r(NULL, " \t", &sv)) {
		char *v = strchr(tok, '=');
		if (!v)
			goto bad;
		*v++ = 0;
		if (!strcmp(tok, "msr")) {
			strcpy(f->kind, "msr");
			f->msr = !strcmp(v, "*") ? -1 : (int64_t)strtoull(v, NULL, 0);
		} else if (!strcmp(tok, "open")) {
			strcpy(f->kind, "open");
			snprintf(f->path, sizeof f->path, "%s", v);
		} else if (!strcmp(tok, "read")) {
			strcpy(f->kind, "read");
			snprintf(f->path, sizeof f->path, "%s", v);
		} else if (!strcmp(tok, "perf")) {
			strcpy(f->kind, "perf");
			char *c;
			f->type = !strncmp(v, "*", 1) ? -1 : (int64_t)strtoull(v, NULL, 0);
			if ((c = strchr(v, ':')))
				f->config = c[1] == '*' ? -1 : (int64_t)strtoull(c + 1, NULL, 0);
		} else if (!strcmp(tok, "cpu"))
			f->cpu = !strcmp(v, "*") ? -1 : atoi(v);
		else if (!strcmp(tok, "errno")) {
			if ((f->err = errno_of(v)) < 0)
				goto bad;
		} else if (!strcmp(tok, "delay_ms"))
			f->delay_ms = atof(v);
		else
			goto bad;
	}
	f->next = faults;
	faults = f;
	return 0;
bad:
	snprintf(err, n, "bad fault specification");
	free(f);
	return -1;
}

void fault_clear(void)
{
	while (faults) {
		struct fault *f = faults;

		faults = f->next;
		free(f);
	}
}

static int fire(const struct fault *f)
{
	int err = f->err; /* "clear" may free it meanwhile */

	if (f->delay_ms > 0) {
		emu_unlock();
		usleep((useconds_t)(f->delay_ms * 1000));
		emu_lock();
	}
	return err;
}

int file_fault(const char *kind, const char *path)
{
	for (struct fault *f = faults; f; f = f->next)
		if (!strcmp(f->kind, kind) && !strcmp(f->path, path))
			return fire(f);
	return 0;
}

int msr_fault(int64_t msr, int cpu)
{
	for (struct fault *f = faults; f; f = f->next)
		if (!strcmp(f->kind, "msr") && (f->cpu < 0 || f->cpu == cpu) &&
		    (f->msr < 0 || f->msr == msr))
			return fire(f);
	return 0;
}

int perf_fault(int64_t type, int64_t config, int cpu)
{
	for (struct fault *f = faults; f; f = f->next)
		if (!strcmp(f->kind, "perf") && (f->type < 0 || f->type == type) &&
		    (f->config < 0 || f->config == config) && (f->cpu < 0 || f->cpu == cpu))
			return fire(f);
	return 0;
}
