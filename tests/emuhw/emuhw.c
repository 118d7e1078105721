/* SPDX-License-Identifier: GPL-2.0-or-later */
/* emuhw: runs a program on an emulated x86 machine. README.md has how; the usage is below. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "fs.h"
#include "machine.h"
#include "scenario.h"
#include "supervise.h"
#include "trace.h"
#include "tree.h"

static const char usage[] =
	"usage: emuhw [-NPCq] [-u USER] [-l LOG] [-s] SCENARIO -- PROGRAM [ARG...]\n"
	"       emuhw -m DIR SCENARIO\n"
	"\n"
	"Runs PROGRAM on the machine that the file SCENARIO describes; its status is the "
	"program's.\n"
	"  -N  without the mount namespace: the files are at $EMUHW_ROOT only\n"
	"  -P  without answers to perf_event_open, affinity and limits\n"
	"  -C  without answers to CPUID and RDTSC, which are the host's then\n"
	"  -q  does not tell that CPUID cannot be answered here and so is the host's\n"
	"  -u  as USER\n"
	"  -l  logs each access to a register, each perf_event_open and command\n"
	"  -s  prints at the end how often what was accessed\n"
	"  -m  only mounts the files at DIR, until SIGTERM or SIGINT\n"
	"Status: the program's, 2 wrong use, 125 cannot run here.\n";

static struct options {
	bool no_namespace, no_calls, no_cpuid, quiet, stats;
	const char *user, *log, *only_mount, *scenario;
	char **program;
	struct passwd *account;
} options;

/* The files at BASE/root, the host's own /proc and /sys at BASE/real. */
static char base[64], root[4096], real_root[96];
static pid_t child;
static volatile sig_atomic_t stop;

static void die(const char *what)
{
	fprintf(stderr, "emuhw: %s: %m\n", what);
	exit(125);
}

static void on_term(int s)
{
	stop = 1;
	if (child > 0)
		kill(child, s);
}

static void wrong_use(void)
{
	fputs(usage, stderr);
	exit(2);
}

static void read_options(int argc, char **argv)
{
	int o;

	while ((o = getopt(argc, argv, "+NPCqu:l:m:s")) != -1)
		switch (o) {
		case 'N':
			options.no_namespace = true;
			break;
		case 'P':
			options.no_calls = true;
			break;
		case 'C':
			options.no_cpuid = true;
			break;
		case 'q':
			options.quiet = true;
			break;
		case 'u':
			options.user = optarg;
			break;
		case 'l':
			options.log = optarg;
			break;
		case 'm':
			options.only_mount = optarg;
			break;
		case 's':
			options.stats = true;
			break;
		default:
			wrong_use();
		}
	if (optind >= argc)
		wrong_use();
	options.scenario = argv[optind++];
	if (optind < argc && !strcmp(argv[optind], "--"))
		optind++;
	options.program = argv + optind;
	if (!options.only_mount && !options.program[0])
		wrong_use();
}

/* In the child, which shares no mounts with the host any more. */
static void bind_mount(const char *from, const char *to)
{
	if (mount(from, to, NULL, MS_BIND | MS_REC, NULL))
		die(to);
}

static void private_mounts(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		die("unshare");
}

static void bind_over(void)
{
	static const char *const kept[] = { "/proc", "/sys" };
	static const char *const replaced[] = { "/dev/cpu", "/sys", "/proc" };
	char path[8192];

	private_mounts();
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s%s", real_root, kept[i]);
		bind_mount(kept[i], path);
	}
	if (access("/dev/cpu", F_OK) && mkdir("/dev/cpu", 0755))
		die("/dev/cpu");
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", root, replaced[i]);
		bind_mount(path, replaced[i]);
	}
}

static void make_folders(void)
{
	char path[128];

	snprintf(base, sizeof(base), "/run/emuhw.XXXXXX");
	if (!mkdtemp(base) || chmod(base, 0755))
		die("mkdtemp");
	snprintf(root, sizeof(root), "%s/root", base);
	snprintf(real_root, sizeof(real_root), "%s/real", base);
	mkdir(root, 0755);
	mkdir(real_root, 0755);
	snprintf(path, sizeof(path), "%s/proc", real_root);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/sys", real_root);
	mkdir(path, 0755);
}

static void remove_folders(void)
{
	static const char *const folders[] = { "/root", "/real/proc", "/real/sys", "/real", "" };
	char path[128];

	for (int i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s%s", base, folders[i]);
		rmdir(path);
	}
}

/* Does not return. TO tells that the parent is ready, FROM tells it where to listen. */
static void run_program(int to, int from)
{
	struct passwd *account = options.account;
	int listener = -2;
	char go;

	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (!options.no_namespace)
		bind_over();
	if (!options.no_calls) {
		listener = supervise_filter();
		if (listener < 0)
			die("seccomp");
	}
	if (write(from, &listener, sizeof(listener)) != sizeof(listener) || read(to, &go, 1) != 1)
		_exit(125);
	if (listener >= 0)
		close(listener);
	if (account && (initgroups(account->pw_name, account->pw_gid) || setgid(account->pw_gid) ||
			setuid(account->pw_uid)))
		die(options.user);
	execvp(options.program[0], options.program);
	fprintf(stderr, "emuhw: %s: %m\n", options.program[0]);
	_exit(errno == ENOENT ? 127 : 126);
}

static int status_of(int st)
{
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

static int wait_for_child(void)
{
	int st;

	while (waitpid(child, &st, 0) < 0 && errno == EINTR)
		;
	return status_of(st);
}

static int supervise_program(int to, int from)
{
	int there, listener;

	if (read(from, &there, sizeof(there)) != sizeof(there)) {
		wait_for_child();
		return 125;
	}
	if (there >= 0) {
		int pidfd = (int)syscall(SYS_pidfd_open, child, 0);

		listener = (int)syscall(SYS_pidfd_getfd, pidfd, there, 0);
		if (listener < 0)
			die("pidfd_getfd");
		close(pidfd);
		supervise_start(listener, root);
	}
	if (!options.no_cpuid && trace_attach(child, options.quiet))
		die("ptrace");
	if (write(to, "", 1) != 1)
		die("pipe");
	return options.no_cpuid ? wait_for_child() : trace_run(child);
}

static int run(void)
{
	int to[2], from[2];

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		die("pipe");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(to[1]);
		close(from[0]);
		run_program(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	return supervise_program(to[1], from[0]);
}

static void wait_for_signal(void)
{
	struct sigaction sa = { .sa_handler = on_term };

	sigaction(SIGINT, &sa, NULL);
	puts(root);
	fflush(stdout);
	while (!stop)
		pause();
}

static void print_counts(void)
{
	fprintf(stderr,
		"emuhw: msr_open=%" PRIu64 " msr_read=%" PRIu64 " msr_write=%" PRIu64
		" msr_err=%" PRIu64 " perf_open=%" PRIu64 " perf_err=%" PRIu64 " perf_read=%" PRIu64
		" perf_ioctl=%" PRIu64 " file_open=%" PRIu64 " file_read=%" PRIu64 " cpuid=%" PRIu64
		" tsc=%" PRIu64 " affinity=%" PRIu64 "\n",
		counts.msr_open, counts.msr_read, counts.msr_write, counts.msr_err,
		counts.perf_open, counts.perf_err, counts.perf_read, counts.perf_ioctl,
		counts.file_open, counts.file_read, counts.cpuid_trap, counts.tsc_trap,
		counts.affinity);
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_term };
	int rc = 0;

	read_options(argc, argv);
	if (options.log && !(emu_logf = fopen(options.log, "we")))
		die(options.log);
	if (options.user && !(options.account = getpwnam(options.user))) {
		fprintf(stderr, "emuhw: no user %s\n", options.user);
		return 125;
	}
	if (scenario_load(options.scenario))
		return 125;
	make_folders();
	if (options.only_mount)
		snprintf(root, sizeof(root), "%s", options.only_mount);
	else
		private_mounts();
	tree_build(options.only_mount || options.no_namespace ? "" : real_root);
	if (fs_start(root)) {
		remove_folders();
		die("fuse");
	}
	setenv("EMUHW_ROOT", root, 1);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	if (options.only_mount)
		wait_for_signal();
	else
		rc = run();
	if (options.stats)
		print_counts();
	fs_stop();
	remove_folders();
	return rc;
}
