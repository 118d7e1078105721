/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree as a file system. */
#include "config.h"

#include "fs.h"

#define FUSE_USE_VERSION 35

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"
#include "leaf.h"
#include "machine.h"
#include "msr.h"
#include "perf.h"
#include "target.h"
#include "tree.h"

static struct fuse *fu;

static char mountpoint[PATH_MAX];

static void fill_stat(const struct node *n, struct stat *st)
{
	memset(st, 0, sizeof *st);
	st->st_nlink = 1;
	st->st_ino = (ino_t)((uintptr_t)n >> 4);
	switch (n->kind) {
	case NODE_DIR:
		st->st_mode = S_IFDIR | (mode_t)n->mode;
		st->st_nlink = 2;
		break;
	case NODE_LINK:
		st->st_mode = S_IFLNK | 0777;
		st->st_size = (off_t)strlen(n->text);
		break;
	default:
		st->st_mode = S_IFREG | (mode_t)n->mode;
		st->st_size = n->kind == NODE_TEXT ? 4096 : 0;
	}
}

static int o_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	(void)fi;
	emu_lock();
	emu_now();
	struct node *n = tree_walk(path);
	if (n)
		fill_stat(n, st);
	emu_unlock();
	return n ? 0 : -ENOENT;
}

static int o_readlink(const char *path, char *b, size_t z)
{
	emu_lock();
	struct node *n = tree_walk(path);
	int rc = !n ? -ENOENT : n->kind == NODE_LINK ? 0 : -EINVAL;
	if (!rc)
		snprintf(b, z, "%s", n->text);
	emu_unlock();
	return rc;
}

static int o_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t off,
		     struct fuse_file_info *fi, enum fuse_readdir_flags fl)
{
	(void)off;
	(void)fi;
	(void)fl;
	emu_lock();
	emu_now();
	struct node *d = tree_walk(path);
	if (!d || d->kind != NODE_DIR) {
		emu_unlock();
		return -ENOENT;
	}
	fill(buf, ".", NULL, 0, 0);
	fill(buf, "..", NULL, 0, 0);
	struct stat st;
	for (struct node *k = d->kids; k; k = k->next)
		if (node_visible(k)) {
			fill_stat(k, &st);
			fill(buf, k->name, &st, 0, 0);
		}
	if (d->pass) {
		char h[PATH_MAX];
		snprintf(h, sizeof h, "/%s", d->pass);
		DIR *D = opendir(h);
		struct dirent *e;
		memset(&st, 0, sizeof st);
		st.st_mode = S_IFLNK | 0777;
		st.st_ino = 2; /* readdir() drops inode 0 */
		while (D && (e = readdir(D)))
			if (e->d_name[0] != '.' && !node_child(d, e->d_name) &&
			    !(!strcmp(d->pass, "proc") && e->d_name[0] >= '0' &&
			      e->d_name[0] <= '9'))
				fill(buf, e->d_name, &st, 0, 0);
		if (D)
			closedir(D);
	}
	emu_unlock();
	return 0;
}

struct open_file {
	struct node *n;
	int perf, flushes;
	char *buf;
	size_t len;
	pthread_mutex_t mu;
	struct open_file *next, *prev;
};

/* Under the emulation's lock. What the program left open when it ended is known to nobody but the kernel; a checker for
 * leaks shall find it here. */
static struct open_file *open_files;

static int o_open(const char *path, struct fuse_file_info *fi)
{
	int rc = 0;
	emu_lock();
	emu_now();
	struct node *n = tree_walk(path);
	struct open_file *o = NULL;
	if (!n)
		rc = -ENOENT;
	else if (n->kind == NODE_PERF) {
		char p[64];
		snprintf(p, sizeof p, "/proc/%d/task/%d", (int)getpid(), fuse_get_context()->pid);
		if (access(p, F_OK))
			rc = -EACCES; /* only our own threads */
	} else if ((rc = -file_fault("open", path)))
		;
	else if (n->kind == NODE_MSR) {
		counts.msr_open++;
		cpus[n->cpu].n_msr_open++;
		if (!cpus[n->cpu].online)
			rc = -ENXIO;
		else if (!target_capable(fuse_get_context()->pid, 1ULL << 17))
			rc = -EPERM;
	} else {
		counts.file_open++;
		if (n->vis >= 0)
			cpus[n->vis].n_file_open++;
	}
	if (!rc && (fi->flags & O_ACCMODE) != O_RDONLY && n->kind != NODE_MSR &&
	    n->kind != NODE_PERF && !n->put)
		rc = -EACCES;
	if (!rc) {
		o = calloc(1, sizeof *o);
		o->n = n;
		pthread_mutex_init(&o->mu, NULL);
		if (n->kind == NODE_PERF) {
			o->perf = atoi(path + 7);
			fi->nonseekable = 1;
		}
		fi->noflush = !o->perf; /* what only perf needs, see below */
		o->next = open_files;
		if (o->next)
			o->next->prev = o;
		open_files = o;
		fi->fh = (uint64_t)(uintptr_t)o;
		fi->direct_io = 1;
	}
	if (n && n->kind == NODE_MSR)
		emu_log("msr_open cpu=%d flags=%#x -> %d", n->cpu, fi->flags, rc);
	emu_unlock();
	return rc;
}

static int o_read(const char *path, char *b, size_t z, off_t off, struct fuse_file_info *fi)
{
	struct open_file *o = (void *)(uintptr_t)fi->fh;
	struct node *n = o->n;
	int rc;
	if (o->perf)
		perf_wait_closes();
	emu_lock();
	double t = emu_now();
	if (o->perf)
		rc = pev_read(o->perf, b, z, t);
	else if (n->kind == NODE_MSR) {
		uint64_t v;
		counts.msr_read++;
		cpus[n->cpu].n_msr_read++;
		rc = z % 8 ? EINVAL : z == 0 ? 0 : msr_read(n->cpu, (uint32_t)off, t, &v);
		if (emu_logf)
			emu_log("msr_read cpu=%d %#x -> %s", n->cpu, (unsigned)off,
				rc ? strerrorname_np(rc) : "ok");
		if (rc) {
			counts.msr_err++;
			rc = -rc;
		} else {
			for (size_t i = 0; i < z; i += 8)
				memcpy(b + i, &v, 8);
			rc = (int)z;
		}
	} else if (n->kind == NODE_CPUID) {
		if (z % 16)
			rc = -EINVAL;
		else {
			for (size_t i = 0; i < z; i += 16) {
				uint32_t r[4];
				emu_cpuid((uint32_t)off + (uint32_t)(i / 16),
					  (uint32_t)((uint64_t)off >> 32), n->cpu, r);
				memcpy(b + i, r, 16);
			}
			rc = (int)z;
		}
	} else {
		counts.file_read++;
		if ((rc = -file_fault("read", path)) == 0 && n->vis >= 0 && !cpus[n->vis].online)
			rc = -ENODEV;
		if (!rc && (off == 0 || !o->buf)) {
			free(o->buf);
			o->buf = NULL;
			FILE *f = open_memstream(&o->buf, &o->len);
			if (n->gen)
				n->gen(f, n, t);
			else if (n->text)
				fputs(n->text, f);
			fclose(f);
		}
		if (!rc) {
			size_t k = (size_t)off >= o->len ? 0 : o->len - (size_t)off;
			if (k > z)
				k = z;
			memcpy(b, o->buf + off, k);
			rc = (int)k;
		}
	}
	emu_unlock();
	return rc;
}

static int o_write(const char *path, const char *b, size_t z, off_t off, struct fuse_file_info *fi)
{
	(void)path;
	struct open_file *o = (void *)(uintptr_t)fi->fh;
	struct node *n = o->n;
	int rc = -EINVAL;
	emu_lock();
	double t = emu_now();
	if (o->perf)
		rc = -EINVAL;
	else if (n->kind == NODE_MSR) {
		uint64_t v;
		counts.msr_write++;
		cpus[n->cpu].n_msr_write++;
		if (z == 8) {
			memcpy(&v, b, 8);
			rc = msr_write(n->cpu, (uint32_t)off, v, t);
			emu_log("msr_write cpu=%d %#x = %#llx -> %d", n->cpu, (unsigned)off,
				(unsigned long long)v, rc);
			rc = rc ? -rc : 8;
		}
	} else if (n->put) {
		char *s = strndup(b, z);
		rc = n->put(n, s, t);
		free(s);
		if (!rc)
			rc = (int)z;
	}
	emu_unlock();
	return rc;
}

static int o_truncate(const char *p, off_t s, struct fuse_file_info *fi)
{
	(void)p;
	(void)s;
	(void)fi;
	return 0;
}

/* close() of a perf descriptor is synchronous on a real kernel, but FUSE sends RELEASE only after
 * close() has returned. FLUSH does arrive within close(), for the last reference or any other; so
 * the next perf operation waits up to 2 ms for the release of whatever was flushed just before. */
static struct {
	int id;
	double at;
} closing[64];

void perf_wait_closes(void)
{
	for (;;) {
		bool any = false;
		double now = wall();
		emu_lock();
		for (int i = 0; i < 64; i++)
			if (closing[i].id && now - closing[i].at < .002)
				any = true;
		emu_unlock();
		if (!any)
			return;
		usleep(20);
	}
}

static int o_flush(const char *p, struct fuse_file_info *fi)
{
	(void)p;
	struct open_file *o = (void *)(uintptr_t)fi->fh;
	if (o->perf && o->flushes++) { /* the first one is the supervisor's own close */
		emu_lock();
		int k = 0;
		for (int i = 1; i < 64; i++)
			if (closing[i].at < closing[k].at)
				k = i;
		closing[k].id = o->perf;
		closing[k].at = wall();
		emu_unlock();
	}
	return 0;
}

static int o_release(const char *p, struct fuse_file_info *fi)
{
	(void)p;
	struct open_file *o = (void *)(uintptr_t)fi->fh;
	emu_lock();
	if (o->perf)
		pev_close(o->perf, emu_now());
	for (int i = 0; o->perf && i < 64; i++)
		if (closing[i].id == o->perf)
			closing[i].id = 0;
	if (o->next)
		o->next->prev = o->prev;
	*(o->prev ? &o->prev->next : &open_files) = o->next;
	emu_unlock();
	free(o->buf);
	free(o);
	return 0;
}

static int o_ioctl(const char *p, unsigned cmd, void *arg, struct fuse_file_info *fi, unsigned fl,
		   void *data)
{
	(void)p;
	(void)fl;
	struct open_file *o = (void *)(uintptr_t)fi->fh;
	if (!o->perf)
		return -ENOTTY;
	perf_wait_closes();
	emu_lock();
	int rc = pev_ioctl(o->perf, cmd, (uintptr_t)arg, data, emu_now());
	emu_unlock();
	return rc;
}

static void *o_init(struct fuse_conn_info *ci, struct fuse_config *cf)
{
	(void)ci;
	/* What is there stays there but for the files of a CPU: fs_forget_cpu(). Otherwise each part of a path is
	 * two requests at each open, and a machine of 2,048 CPUs takes half a minute to look at. */
	cf->entry_timeout = cf->attr_timeout = 3600;
	cf->negative_timeout = 0;
	cf->use_ino = 1;
	cf->nullpath_ok = 0;
	cf->direct_io = 1;
	return NULL;
}

static const struct fuse_operations OPS = { .init = o_init,
					    .getattr = o_getattr,
					    .readlink = o_readlink,
					    .readdir = o_readdir,
					    .open = o_open,
					    .read = o_read,
					    .write = o_write,
					    .truncate = o_truncate,
					    .flush = o_flush,
					    .release = o_release,
					    .ioctl = o_ioctl };

static void *serve(void *a)
{
	(void)a;
	struct fuse_loop_config lc = { .clone_fd = 0, .max_idle_threads = 4 };
	fuse_loop_mt(fu, &lc);
	return NULL;
}

static pthread_t th;

int fs_start(const char *mnt)
{
	struct fuse_args a = FUSE_ARGS_INIT(0, NULL);
	fuse_opt_add_arg(&a, "emuhw");
	fuse_opt_add_arg(&a, "-oallow_other,default_permissions,fsname=emuhw");
	if (!(fu = fuse_new(&a, &OPS, sizeof OPS, NULL)))
		return -1;
	if (fuse_mount(fu, mnt))
		return -1;
	snprintf(mountpoint, sizeof mountpoint, "%s", mnt);
	fuse_opt_free_args(&a);
	return pthread_create(&th, NULL, serve, NULL) ? -1 : 0;
}

static void forget(const char *path)
{
	(void)fuse_invalidate_path(fu, path); /* not looked at yet: nothing to forget */
}

void fs_forget_cpu(int cpu)
{
	if (fu)
		tree_each_hidden(cpu, forget);
}

/* lazy unmount; the connection ends with this process, so a forgotten grandchild cannot hold us up
 */
void fs_stop(void)
{
	fuse_exit(fu);
	umount2(mountpoint, MNT_DETACH);
}
