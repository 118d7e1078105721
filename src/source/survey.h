/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine lets be seen, looked at and not used: the facts that decide about sources, those
 * of later versions included. Only names, modes and settings are read; no counter is opened or
 * read. */
#ifndef AVXTOP_SOURCE_SURVEY_H
#define AVXTOP_SOURCE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "model/cause.h"

struct host;
struct hostfs;

enum survey {
#define SURVEY(id, ...) SURVEY_##id,
#include "source/survey_rows.h"
#undef SURVEY
	SURVEY_N
};

/* Whose rights count; of a machine that is not this one those of an ordinary user. */
struct survey_rights {
	unsigned user;	       /* effective user id */
	uint64_t capabilities; /* bits 1 << CAP_x, effective */
	bool sudo; /* the sources were opened with root's, which were given back since */
};

struct survey_env {
	const struct host *host;
	struct hostfs *fs;
	struct survey_rights rights;
};

struct survey_fact {
	enum cause cause;
	char value[160]; /* for machines; "" none */
	struct problem
		meaning; /* .text: what it means, translated; .err, .remedy where it is not found */
};

struct survey_row {
	const char *name;
	void (*look)(const struct survey_env *env, struct survey_fact *ret);
};

const struct survey_row *survey_row(enum survey survey);
/* Asks the kernel for this process; all zero but .user 65534 where the host is not live. */
void survey_rights_read(const struct host *host, bool sudo, struct survey_rights *ret);

#define SURVEY(id, function, ...) \
	void function(const struct survey_env *env, struct survey_fact *ret);
#include "source/survey_rows.h"
#undef SURVEY

/* For the functions of the rows: sets cause, errno (positive; 0: found) and meaning at once. */
void survey_tell(struct survey_fact *fact, enum cause cause, int err, const char *remedy,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
