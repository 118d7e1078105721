/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hand-made machine. */
#include "config.h"

#include "ui_fixture.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"

static void make_cores(struct host *host, unsigned cores, unsigned threads)
{
	for (unsigned i = 0; i < host->n_cores; i++) {
		struct host_core *core = &host->cores[i];

		*core = (struct host_core){ .core_id = (int)(i % cores), .package = i / cores, .n_cpus = threads };
		core->cpus = calloc(threads, sizeof(*core->cpus));
		for (unsigned t = 0; t < threads; t++) {
			unsigned index = t * host->n_cores + i;

			core->cpus[t] = index;
			host->cpus[index] = (struct host_cpu){ .id = index, .core = i, .package = i / cores,
							       .online = true, .allowed = true, .wanted = true };
		}
	}
}

static void make_host(struct host *host, unsigned packages, unsigned cores, unsigned threads)
{
	*host = (struct host){ .live = true, .vendor = "GenuineIntel", .brand = "Xeon Example 6130",
			       .hypervisor = "KVM", .tsc_hertz = 2.1e9, .release_s = NAN,
			       .n_packages = packages, .n_cores = packages * cores,
			       .n_cpus = packages * cores * threads, .n_kinds = 1 };
	host->cpus = calloc(host->n_cpus, sizeof(*host->cpus));
	host->cores = calloc(host->n_cores, sizeof(*host->cores));
	host->packages = calloc(packages, sizeof(*host->packages));
	host->kinds = calloc(1, sizeof(*host->kinds));
	host->kinds[0] = (struct host_kind){ .name = "core", .uarch = "Skylake-SP", .isa = ISA_SSE2 | ISA_AVX2 | ISA_FMA };
	make_cores(host, cores, threads);
	for (unsigned i = 0; i < packages; i++) {
		host->packages[i] = (struct host_package){ .package_id = (int)i, .n_cores = cores };
		host->packages[i].cores = calloc(cores, sizeof(unsigned));
		for (unsigned c = 0; c < cores; c++)
			host->packages[i].cores[c] = i * cores + c;
	}
}

void fixture_open(struct fixture *fixture, unsigned packages, unsigned cores, unsigned threads)
{
	*fixture = (struct fixture){ .now_ns = 1000 * NS_PER_S };
	/* Events carry the time of day. */
	setenv("TZ", "UTC", 1);
	assert_true(setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8"));
	make_host(&fixture->host, packages, cores, threads);
	fixture->snapshot = snapshot_new(&fixture->host);
	fixture->board = board_new(fixture->host.n_cpus);
	fixture->ui.host = &fixture->host;
	fixture->ui.interval_ns = NS_PER_S;
	fixture->ui.group = rows_default_group(&fixture->host);
	assert_int_equal(history_init(&fixture->ui.history, &fixture->host), 0);
	for (unsigned i = 0; i < fixture->host.n_cpus; i++)
		fixture_state(fixture, i, STATE_FIRST);
	*snapshot_at(fixture->snapshot, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0) =
		(struct value){ .v = 0.004, .state = STATE_OK };
}

void fixture_close(struct fixture *fixture)
{
	history_free(&fixture->ui.history);
	rows_free(&fixture->ui.rows);
	canvas_free(&fixture->canvas);
	snapshot_free(fixture->snapshot);
	board_free(fixture->board);
	for (unsigned i = 0; i < fixture->host.n_cores; i++)
		free(fixture->host.cores[i].cpus);
	for (unsigned i = 0; i < fixture->host.n_packages; i++)
		free(fixture->host.packages[i].cores);
	free(fixture->host.cpus);
	free(fixture->host.cores);
	free(fixture->host.packages);
	free(fixture->host.kinds);
}

void fixture_clock(struct fixture *fixture, unsigned cpu, double ghz, double busy)
{
	struct snapshot *snapshot = fixture->snapshot;

	*snapshot_at(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, cpu, 0) =
		(struct value){ .v = ghz * 1e9, .state = STATE_OK, .sees = SEES_SCALAR };
	*snapshot_at(snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU, cpu, 0) =
		(struct value){ .v = busy, .state = STATE_OK };
	*snapshot_at(snapshot, METRIC_STEAL_RATIO, SCOPE_CPU, cpu, 0) = (struct value){ .state = STATE_OK };
	*snapshot_at(snapshot, METRIC_GAP_RATIO, SCOPE_CPU, cpu, 0) =
		(struct value){ .v = 0.012, .state = STATE_OK };
}

void fixture_state(struct fixture *fixture, unsigned cpu, enum state state)
{
	static const enum metric metrics[] = { METRIC_BUSY_HERTZ, METRIC_OS_BUSY_RATIO, METRIC_STEAL_RATIO,
					       METRIC_GAP_RATIO };

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		snapshot_at(fixture->snapshot, metrics[i], SCOPE_CPU, cpu, 0)->state = (uint8_t)state;
}

/* Plain means are enough here: derive.c has its own tests. */
static void aggregate(struct fixture *fixture, enum metric metric, enum scope scope, unsigned index)
{
	struct value sum = { .state = STATE_FIRST, .sees = SEES_SCALAR };
	unsigned n = 0;

	for (unsigned i = 0; i < fixture->host.n_cpus; i++) {
		const struct host_cpu *cpu = &fixture->host.cpus[i];
		const struct value *value = snapshot_get(fixture->snapshot, metric, SCOPE_CPU, i, 0);
		unsigned at = scope == SCOPE_CORE ? cpu->core : scope == SCOPE_PACKAGE ? cpu->package : 0;

		if (at != index || !state_usable(value->state))
			continue;
		sum.v += value->v;
		n++;
	}
	if (n) {
		sum.v /= n;
		sum.state = STATE_OK;
	}
	*snapshot_at(fixture->snapshot, metric, scope, index, 0) = sum;
}

void fixture_tick(struct fixture *fixture)
{
	static const enum metric metrics[] = { METRIC_BUSY_HERTZ, METRIC_OS_BUSY_RATIO, METRIC_STEAL_RATIO };

	for (size_t m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
		for (unsigned i = 0; i < fixture->host.n_cores; i++)
			aggregate(fixture, metrics[m], SCOPE_CORE, i);
		for (unsigned i = 0; i < fixture->host.n_packages; i++)
			aggregate(fixture, metrics[m], SCOPE_PACKAGE, i);
		aggregate(fixture, metrics[m], SCOPE_HOST, 0);
	}
	fixture->now_ns += NS_PER_S;
	fixture->snapshot->mono_ns = fixture->now_ns;
	fixture->snapshot->real_ns = fixture->now_ns;
	fixture->snapshot->elapsed_s = 1;
	fixture->ui.snapshot = fixture->snapshot;
	history_push(&fixture->ui.history, fixture->snapshot, fixture->board);
}

static char *draw(struct fixture *fixture, int width, int height)
{
	assert_int_equal(canvas_resize(&fixture->canvas, width, height), 0);
	view_update(&fixture->ui, width, height);
	view_draw(&fixture->ui, &fixture->canvas);
	char *text = canvas_to_text(&fixture->canvas);

	assert_non_null(text);
	return text;
}

bool fixture_shows(struct fixture *fixture, int width, int height, const char *text)
{
	char *screen = draw(fixture, width, height);
	bool found = strstr(screen, text) != NULL;

	if (!found)
		fprintf(stderr, "'%s' is not on this screen:\n%s\n", text, screen); /* standard output is TAP */
	free(screen);
	return found;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (file) {
		(void)!fread(text, 1, (1 << 20) - 1, file);
		fclose(file);
	}
	return text;
}

void fixture_golden(struct fixture *fixture, int width, int height, const char *name)
{
	const char *dir = getenv("SRCDIR"), *mode = getenv("AVXTOP_GOLDEN");
	char path[512], *screen = draw(fixture, width, height);

	snprintf(path, sizeof(path), "%s/tests/golden/%s.txt", dir ? dir : ".", name);
	if (mode && strcmp(mode, "write") == 0) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		fputs(screen, file);
		fclose(file);
	}
	char *expected = read_file(path);

	/* Not print_message(): it cuts after 1,024 bytes, and the result of the test must start a line. */
	if (strcmp(screen, expected) != 0)
		printf("# screen differs from %s (AVXTOP_GOLDEN=write rewrites it):\n%s", path, screen);
	assert_true(strcmp(screen, expected) == 0);
	free(expected);
	free(screen);
}
