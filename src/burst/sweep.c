/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of a sweep, from what was asked for and what the machine is. */
#include "config.h"
#include "burst/sweep.h"

#include <errno.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/nls.h"
#include "burst/judge.h"
#include "model/host.h"

static const uint64_t default_sizes[] = { 16 << 10, 1 << 20, 64 << 20 };
static const struct sweep_align default_align;

static int no_memory(struct problem *ret_problem)
{
	return problem_set(ret_problem, ENOMEM, "", _("the sweep cannot be planned"));
}

/* Room for `n` was made. */
static void refuse(struct sweep *sweep, const struct problem *problem, bool named)
{
	sweep->refused[sweep->n_refused++] = *problem;
	sweep->named_refused |= named;
}

static bool may_drive(const struct host_cpu *cpu, const struct list *named)
{
	if (!cpu->online || !cpu->allowed)
		return false;
	return named ? list_has(named, cpu->id) : !cpu->isolated;
}

/* The first thread of the core that may be driven; -1: none. */
static int thread_of(const struct host *host, const struct host_core *core, const struct list *named)
{
	for (unsigned i = 0; i < core->n_cpus; i++)
		if (may_drive(&host->cpus[core->cpus[i]], named))
			return (int)core->cpus[i];
	return -1;
}

/* A CPU that was named but cannot be driven is a mistake, not one fewer. */
static int check_named(const struct host *host, const struct list *named, struct problem *ret_problem)
{
	for (int id = -1; (id = list_next(named, id + 1)) >= 0;) {
		const int index = host_cpu_index(host, (unsigned)id);

		if (index < 0)
			return problem_set(ret_problem, 0, "", _("there is no CPU %d"), id);
		if (!host->cpus[index].online)
			return problem_set(ret_problem, ENOTSUP, "", _("CPU %d is offline"), id);
		if (!host->cpus[index].allowed)
			return problem_set(ret_problem, ENOTSUP,
					   _("name a CPU that taskset and the cpuset allow"),
					   _("this process may not run on CPU %d (cpuset or affinity)"),
					   id);
	}
	return 0;
}

/* first: only the core of CPU 0, else all others. kind: -1 any; is set to that of the first one. */
static void add_cores(struct sweep *sweep, const struct host *host, unsigned package, bool first,
		      const struct list *named, int *kind)
{
	for (unsigned i = 0; i < host->packages[package].n_cores; i++) {
		const unsigned core = host->packages[package].cores[i];
		const int cpu = thread_of(host, &host->cores[core], named);

		if (cpu < 0 || (core == host->cpus[0].core) != first)
			continue;
		if (!named && *kind >= 0 && host->cpus[cpu].kind != (unsigned)*kind)
			continue;
		*kind = (int)host->cpus[cpu].kind;
		sweep->cpus[sweep->n_cpus++] = host->cpus[cpu].id;
	}
}

/* Cores of the kind that CPU 0 is, where one of that kind may be driven. */
static int kind_to_sweep(const struct host *host, const struct list *named)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].kind == host->cpus[0].kind && may_drive(&host->cpus[i], named))
			return (int)host->cpus[0].kind;
	return -1;
}

static int choose_cpus(struct sweep *sweep, const struct host *host, const struct list *named,
		       struct problem *ret_problem)
{
	int kind = host->n_cpus ? kind_to_sweep(host, named) : -1;

	for (unsigned package = 0; package < host->n_packages; package++) {
		add_cores(sweep, host, package, false, named, &kind);
		add_cores(sweep, host, package, true, named, &kind);
	}
	if (sweep->n_cpus == 0)
		return problem_set(ret_problem, ENOTSUP, _("name CPUs with --cpus"),
				   _("no CPU may be driven: all are offline, isolated or not allowed"));
	return 0;
}

static bool has_kind(const struct sweep *sweep, const struct host *host, unsigned kind)
{
	for (unsigned i = 0; i < sweep->n_cpus; i++)
		if (host->cpus[host_cpu_index(host, sweep->cpus[i])].kind == kind)
			return true;
	return false;
}

/* On each kind of core that is swept. */
static int usable(const struct sweep *sweep, const struct host *host, enum kernel kernel,
		  struct problem *ret_problem)
{
	int r = 0;

	for (unsigned kind = 0; r == 0 && kind < host->n_kinds; kind++)
		if (has_kind(sweep, host, kind))
			r = kernel_usable(kernel, host, kind, ret_problem);
	return r;
}

static int check_kind_of_work(const struct sweep_ask *ask, struct problem *ret_problem)
{
	for (unsigned i = 0; i < ask->n_kernels; i++) {
		const struct kernel_row *const row = kernel_row(ask->kernels[i]);

		if (!row->copy && ask->copy)
			return problem_set(ret_problem, 0, _("leave it out of --kernel, or leave out --copy"),
					   _("%s is no copy"), row->name);
		if (row->copy && !ask->copy)
			return problem_set(ret_problem, 0, _("add --copy"), _("%s is a copy"), row->name);
	}
	return 0;
}

static int choose_kernels(struct sweep *sweep, const struct sweep_ask *ask, const struct host *host,
			  struct problem *ret_problem)
{
	int r = check_kind_of_work(ask, ret_problem);

	if (r < 0)
		return r;
	for (unsigned i = 0; i < (ask->n_kernels ? ask->n_kernels : KERNEL_N); i++) {
		const enum kernel kernel = ask->n_kernels ? ask->kernels[i] : (enum kernel)i;
		struct problem problem;

		if (!kernel_row(kernel)->copy == ask->copy)
			continue;
		if (usable(sweep, host, kernel, &problem) < 0)
			refuse(sweep, &problem, ask->n_kernels > 0);
		else
			sweep->kernels[sweep->n_kernels++] = kernel;
	}
	if (sweep->n_kernels == 0) {
		*ret_problem = sweep->refused[sweep->n_refused - 1];
		ret_problem->err = ENOTSUP;
		return -ENOTSUP;
	}
	return 0;
}

/* Those of the first package that has any. */
static unsigned first_package(const struct sweep *sweep, const struct host *host)
{
	const unsigned package = host->cpus[host_cpu_index(host, sweep->cpus[0])].package;
	unsigned n = 0;

	while (n < sweep->n_cpus && host->cpus[host_cpu_index(host, sweep->cpus[n])].package == package)
		n++;
	return n;
}

/* Of the copies, which have sizes to go through: one and all. */
static int default_counts(const struct sweep *sweep, const struct host *host, bool copy,
			  struct list *counts)
{
	int r = list_add(counts, sweep->n_cpus);

	if (r == 0)
		r = list_add(counts, copy ? 1 : first_package(sweep, host));
	for (unsigned n = 1; r == 0 && !copy && n < sweep->n_cpus; n *= 2)
		r = list_add(counts, n);
	return r;
}

static int take_counts(struct sweep *sweep, const struct list *asked, struct problem *ret_problem)
{
	struct problem problem = { 0 };

	for (int n = -1; (n = list_next(asked, n + 1)) >= 0;) {
		if (n == 0)
			return problem_set(ret_problem, 0, _("write 1,2,4-8"),
					   _("0 active cores sweep nothing"));
		if ((unsigned)n <= sweep->n_cpus) {
			sweep->counts[sweep->n_counts++] = (unsigned)n;
			continue;
		}
		if (problem.text[0])
			continue;
		(void)problem_set(&problem, 0, _("name up to that many with --cores"),
				  _("%d active cores cannot be had: %u may be driven here"), n,
				  sweep->n_cpus);
		refuse(sweep, &problem, true);
	}
	if (sweep->n_counts == 0) {
		*ret_problem = problem;
		ret_problem->err = ENOTSUP;
		return -ENOTSUP;
	}
	return 0;
}

static int choose_counts(struct sweep *sweep, const struct sweep_ask *ask, const struct host *host,
			 struct problem *ret_problem)
{
	struct list *const counts = ask->counts ? list_copy(ask->counts) : list_new();
	int r = 0;

	if (!counts)
		return no_memory(ret_problem);
	if (!ask->counts && default_counts(sweep, host, ask->copy, counts) < 0)
		r = no_memory(ret_problem);
	sweep->counts = calloc(list_count(counts) + 1, sizeof(*sweep->counts));
	if (r == 0 && !sweep->counts)
		r = no_memory(ret_problem);
	if (r == 0)
		r = take_counts(sweep, counts, ret_problem);
	list_free(counts);
	return r;
}

static int choose_shapes(struct sweep *sweep, const struct sweep_ask *ask, struct problem *ret_problem)
{
	const uint64_t *const sizes = ask->n_sizes ? ask->sizes : default_sizes;
	const struct sweep_align *const aligns = ask->n_aligns ? ask->aligns : &default_align;
	const unsigned n_sizes = ask->n_sizes ? ask->n_sizes : sizeof(default_sizes) / sizeof(*sizes);
	const unsigned n_aligns = ask->n_aligns ? ask->n_aligns : 1;

	sweep->shapes = calloc((size_t)n_sizes * n_aligns, sizeof(*sweep->shapes));
	if (!sweep->shapes)
		return no_memory(ret_problem);
	if (!ask->copy) {
		sweep->n_shapes = 1;
		return 0;
	}
	for (unsigned i = 0; i < n_sizes; i++)
		for (unsigned k = 0; k < n_aligns; k++)
			sweep->shapes[sweep->n_shapes++] =
				(struct copy_shape){ .bytes = sizes[i], .from_align = aligns[k].from,
						     .to_align = aligns[k].to, .cold = ask->cold };
	return 0;
}

static void add_point(struct sweep *sweep, enum sweep_role role, enum kernel kernel, unsigned cores,
		      const struct copy_shape *shape)
{
	sweep->points[sweep->n_points++] = (struct sweep_point){
		.role = role, .kernel = kernel, .cores = cores,
		.copy = shape ? *shape : (struct copy_shape){ .bytes = 0 } };
}

static void add_kernels(struct sweep *sweep, unsigned cores, bool back)
{
	for (unsigned i = 0; i < sweep->n_kernels; i++) {
		const unsigned at = back ? sweep->n_kernels - 1 - i : i;

		for (unsigned k = 0; k < sweep->n_shapes; k++)
			add_point(sweep, SWEEP_POINT, sweep->kernels[at], cores, &sweep->shapes[k]);
	}
}

static enum kernel control_kernel(const struct sweep *sweep, const struct host *host)
{
	static const enum kernel kernels[] = { KERNEL_AVX512_FMA, KERNEL_AVX2_FMA };

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		if (usable(sweep, host, kernels[i], NULL) == 0)
			return kernels[i];
	return KERNEL_SSE_FMA;
}

static int put_in_order(struct sweep *sweep, const struct host *host, bool copy,
			struct problem *ret_problem)
{
	const enum kernel control = control_kernel(sweep, host);
	const size_t most = (size_t)sweep->n_counts * (sweep->n_kernels * sweep->n_shapes + 2) + 2;

	sweep->points = calloc(most, sizeof(*sweep->points));
	if (!sweep->points)
		return no_memory(ret_problem);
	add_point(sweep, SWEEP_DRIFT, KERNEL_SCALAR, sweep->counts[0], NULL);
	for (unsigned i = 0; i < sweep->n_counts; i++) {
		if (copy)
			add_point(sweep, SWEEP_CONTROL, control, sweep->counts[i], NULL);
		add_kernels(sweep, sweep->counts[i], i % 2);
		if (copy)
			add_point(sweep, SWEEP_CONTROL, control, sweep->counts[i], NULL);
	}
	add_point(sweep, SWEEP_DRIFT, KERNEL_SCALAR, sweep->counts[0], NULL);
	return 0;
}

int sweep_new(const struct sweep_ask *ask, const struct host *host, struct sweep **ret,
	      struct problem *ret_problem)
{
	struct sweep *const sweep = calloc(1, sizeof(*sweep));
	int r = 0;

	if (!sweep)
		return no_memory(ret_problem);
	sweep->cpus = calloc(host->n_cores + 1, sizeof(*sweep->cpus));
	sweep->refused = calloc(KERNEL_N + 1, sizeof(*sweep->refused));
	if (!sweep->cpus || !sweep->refused)
		r = no_memory(ret_problem);
	if (r == 0 && ask->cpus)
		r = check_named(host, ask->cpus, ret_problem);
	if (r == 0)
		r = choose_cpus(sweep, host, ask->cpus, ret_problem);
	if (r == 0)
		r = choose_kernels(sweep, ask, host, ret_problem);
	if (r == 0)
		r = choose_counts(sweep, ask, host, ret_problem);
	if (r == 0)
		r = choose_shapes(sweep, ask, ret_problem);
	if (r == 0)
		r = put_in_order(sweep, host, ask->copy, ret_problem);
	if (r < 0)
		sweep_free(sweep);
	else
		*ret = sweep;
	return r;
}

void sweep_free(struct sweep *sweep)
{
	if (!sweep)
		return;
	free(sweep->cpus);
	free(sweep->counts);
	free(sweep->shapes);
	free(sweep->points);
	free(sweep->refused);
	free(sweep);
}

struct list *sweep_cpus(const struct sweep *sweep, unsigned cores)
{
	struct list *const list = list_new();

	for (unsigned i = 0; list && i < cores && i < sweep->n_cpus; i++)
		if (list_add(list, sweep->cpus[i]) < 0) {
			list_free(list);
			return NULL;
		}
	return list;
}

bool sweep_settled(double before_hertz, double hertz, double before_celsius, double celsius)
{
	return !(hertz < before_hertz * (1 - JUDGE_STILL)) && !(celsius > before_celsius + SWEEP_WARMER);
}
