/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of `doctor --dump`: a machine as readable text, which tests/hosts/unpack.awk makes
 * a tree for --sysroot of again. */
#ifndef AVXTOP_CMD_DUMP_H
#define AVXTOP_CMD_DUMP_H

struct host;
struct hostfs;
struct text;

/* Adds an entry for each file that a row of dump_rows.h allows, and a comment for each that cannot be
 * read: "Path: NAME", "Lines: N" and the lines. */
void dump_files(struct hostfs *fs, struct text *into);

/* Add comments: what CPUID says on a CPU of each kind, and registers of a CPU of each kind and package.
 * A CPU that may not be disturbed is not. Only of a live host. */
void dump_cpuid(const struct host *host, struct text *into);
void dump_registers(const struct host *host, struct hostfs *fs, struct text *into);

/* What may be told of the text of a file, in its place: of each line its known keys, of the kernel's
 * release the numbers. Pure. */
void scrub_cpuinfo(char *text);
void scrub_stat(char *text);
void scrub_release(char *text);

#endif
