/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop doctor --dump`: this machine as a text that its owner can read before giving it away, and that
 * others can look at with --sysroot. */
#include "config.h"

#include <errno.h>
#include <stdio.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "base/privilege.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/doctor.h"
#include "cmd/dump.h"
#include "engine/options.h"
#include "model/host.h"
#include "source/identify.h"
#include "source/source.h"

/* Registers are left alone where --source says so. */
static bool may_read_registers(const struct options *options)
{
	const int msr = source_by_name("msr");

	return msr < 0 || options->sources[msr];
}

/* With root's rights, where sudo gave them: for files that only root may read. */
static void gather(const struct options *options, const struct host *host, struct hostfs *fs,
		   struct text *into)
{
	bool raised;

	text_add(into, "# A machine as seen by avxtop " PACKAGE_VERSION ": files by which it can be told what "
		       "can be measured there.\n# No serial numbers, names of hosts, users or disks, no "
		       "addresses. tests/hosts/unpack.sh makes a\n# folder for --sysroot of it.\n");
	dump_cpuid(host, into);
	raised = host->live && privilege_raise();
	if (may_read_registers(options))
		dump_registers(host, fs, into);
	dump_files(fs, into);
	if (raised)
		privilege_unraise();
}

static int write_out(const struct options *options, const struct text *text,
		     struct problem *ret_problem)
{
	struct cmd_output output;
	int r = cmd_output_open(options, true, &output, ret_problem);

	if (r < 0)
		return r;
	(void)fputs(text->data, output.stream);
	return cmd_output_close(&output, true, ret_problem);
}

static int dump(const struct options *options, struct text *text, struct problem *ret_problem)
{
	const char *root = options->sysroot ? options->sysroot : "/";
	struct problem unused;
	struct hostfs *fs = NULL;
	struct host *host = NULL;
	int r = hostfs_open(root, &fs), dropped;

	if (r < 0)
		(void)problem_set(ret_problem, -r, "", _("the folder %s cannot be opened"), root);
	if (r == 0)
		r = identify(fs, !options->sysroot, options->cpus, NULL, &host, ret_problem);
	if (r == 0)
		gather(options, host, fs, text);
	/* Before anything is written to a file that the user names. */
	dropped = privilege_drop(r < 0 ? &unused : ret_problem);
	r = r < 0 ? r : dropped;
	host_free(host);
	hostfs_close(fs);
	if (r == 0 && text->failed)
		r = problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	return r;
}

int doctor_dump(const struct options *options)
{
	struct problem problem;
	struct text text = { 0 };
	int r;

	if (options->format_given) {
		(void)problem_set(&problem, 0, _("leave out --format"), _("a dump has one form only"));
		cmd_complain(&problem);
		return EXIT_USAGE;
	}
	r = dump(options, &text, &problem);
	if (r == 0)
		r = write_out(options, &text, &problem);
	if (r < 0)
		cmd_complain(&problem);
	text_free(&text);
	return cmd_exit_status(r);
}
