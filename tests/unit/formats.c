/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formats write is read back: JSON by jansson, CSV by a small reader of RFC 4180. */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "fake.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"

/* Sources as the formats know them: by number and name. */
static const char *const source_names[] = { "none", "procfs", "ruler", "perf" };
enum { NONE, PROCFS, RULER, PERF };

struct bench {
	struct host *host;
	struct snapshot *snapshot;
	struct origin origins[METRIC_N];
	struct sink_plan plan;
	struct sink *sink;
	const struct sink_ops *ops;
	char *out;
	size_t len;
};

static void bench_open(struct bench *bench, struct host *host, enum format format)
{
	*bench = (struct bench){ .host = host, .snapshot = snapshot_new(host),
				 .ops = sink_ops(format) };
	assert_non_null(bench->snapshot);
	for (unsigned m = 0; m < METRIC_N; m++)
		bench->plan.metrics[m] = true;
	bench->origins[METRIC_BUSY_HERTZ] = (struct origin){ .source = RULER, .name = "ruler" };
	bench->origins[METRIC_OS_BUSY_RATIO] = (struct origin){ .source = PROCFS, .name = "procfs" };
	bench->origins[METRIC_IDLE_RATIO] = (struct origin){ .source = PROCFS, .name = "procfs" };
	bench->origins[METRIC_SELF_RATIO] = (struct origin){ .source = PROCFS, .name = "procfs" };
	bench->origins[METRIC_IPC] = (struct origin){ .why = "not \"allowed\"\nhere", .err = EACCES };
	bench->plan.host = host;
	bench->plan.origins = bench->origins;
	bench->plan.source_names = source_names;
	bench->plan.n_source_names = 4;
	bench->plan.out = open_memstream(&bench->out, &bench->len);
	assert_non_null(bench->plan.out);
	bench->snapshot->real_ns = 1796040000250000000; /* 2026-11-30T12:00:00.25Z */
	bench->snapshot->elapsed_s = 0.25;
}

static void begin(struct bench *bench)
{
	assert_int_equal(bench->ops->begin(&bench->plan, &bench->sink), 0);
}

static void write_one(struct bench *bench)
{
	assert_int_equal(bench->ops->write(bench->sink, bench->snapshot), 0);
}

static void bench_close(struct bench *bench)
{
	assert_int_equal(bench->ops->end(bench->sink), 0);
	assert_int_equal(fclose(bench->plan.out), 0);
	free(bench->out);
	snapshot_free(bench->snapshot);
	host_free(bench->host);
}

static void set(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
		unsigned label, double v, unsigned source)
{
	*snapshot_at(bench->snapshot, metric, scope, index, label) =
		(struct value){ .v = v, .state = STATE_OK, .source = (uint8_t)source };
}

static void set_absent(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
		       unsigned label, enum state state)
{
	*snapshot_at(bench->snapshot, metric, scope, index, label) =
		(struct value){ .v = 1e300, .state = (uint8_t)state, .source = RULER };
}

/* Line `n` of JSON Lines; every line but the last ends in a newline. */
static json_t *json_line(struct bench *bench, unsigned n)
{
	const char *line = bench->out, *end;
	json_error_t error;
	json_t *json;

	assert_int_equal(bench->out[bench->len - 1], '\n');
	for (; n > 0; n--) {
		line = strchr(line, '\n');
		assert_non_null(line);
		line++;
	}
	end = strchr(line, '\n');
	assert_non_null(end);
	json = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES, &error);
	if (!json)
		print_error("%s at %d in %s\n", error.text, error.column, line);
	assert_non_null(json);
	return json;
}

/* "cpus.1.why.busy_hertz": NULL where a key or item is missing. */
static json_t *find(json_t *json, const char *path)
{
	char buf[128], *save = NULL;

	assert_true(strlen(path) < sizeof(buf));
	strcpy(buf, path);
	for (char *p = strtok_r(buf, ".", &save); p && json; p = strtok_r(NULL, ".", &save))
		json = json_is_array(json) ? json_array_get(json, (size_t)atoi(p))
					   : json_object_get(json, p);
	return json;
}

static void assert_text(json_t *json, const char *path, const char *text)
{
	assert_true(json_is_string(find(json, path)));
	assert_string_equal(json_string_value(find(json, path)), text);
}

static void assert_null_at(json_t *json, const char *path)
{
	if (!json_is_null(find(json, path)))
		print_error("not null: %s\n", path);
	assert_true(json_is_null(find(json, path)));
}

static void assert_number(json_t *json, const char *path, double v)
{
	assert_true(json_is_number(find(json, path)));
	assert_true(json_number_value(find(json, path)) == v);
}

static void host_record(void **unused)
{
	struct host *host = fake_host(2, 2, 2);
	struct bench bench;
	json_t *json;

	(void)unused;
	host->cpus[3].online = host->cpus[3].wanted = false;
	host->cpus[2].isolated = true;
	host->cpus[7].allowed = false;
	host->kinds[0].family = 6;
	host->kinds[0].model = 85;
	host->release_s = 0.00065;
	host->tsc_hertz = 2096030000.5;
	bench_open(&bench, host, FORMAT_JSON);
	bench.plan.metrics[METRIC_SMI_EVENTS] = false;
	begin(&bench);
	json = json_line(&bench, 0);
	assert_text(json, "schema", "avxtop.host/1");
	assert_text(json, "host.version", PACKAGE_VERSION);
	assert_text(json, "host.vendor", "GenuineIntel");
	assert_text(json, "host.brand", "Made-up CPU \"one\"");
	assert_text(json, "host.kernel", "6.1.0");
	assert_text(json, "host.cpus.online", "0,2,4,8,10,12,14");
	assert_text(json, "host.cpus.allowed", "0,2,4,6,8,10,12");
	assert_text(json, "host.cpus.isolated", "4");
	assert_null_at(json, "host.hypervisor");
	assert_number(json, "host.kinds.0.family", 6);
	assert_number(json, "host.kinds.0.model", 85);
	assert_null_at(json, "host.kinds.0.uarch");
	assert_number(json, "host.packages", 2);
	assert_number(json, "host.cores", 4);
	assert_number(json, "host.tsc_hertz", 2096030000.5);
	assert_number(json, "host.release_s", 0.00065);
	assert_text(json, "metrics.busy_hertz.source", "ruler");
	assert_text(json, "metrics.busy_hertz.unit", "hertz");
	assert_text(json, "metrics.busy_hertz.scope", "cpu");
	assert_null(find(json, "metrics.busy_hertz.why"));
	assert_null_at(json, "metrics.average_hertz.source");
	assert_text(json, "metrics.average_hertz.why", metric_row(METRIC_AVERAGE_HERTZ)->needs);
	assert_null_at(json, "metrics.average_hertz.errno");
	assert_number(json, "metrics.ipc.errno", EACCES);
	assert_text(json, "metrics.ipc.why", "not \"allowed\"?here");
	assert_null(find(json, "metrics.smi_events"));
	assert_int_equal(json_object_size(find(json, "metrics")), METRIC_N - 1);
	json_decref(json);
	bench_close(&bench);
}

static void sample_record(void **unused)
{
	struct host *host = fake_host(2, 2, 2);
	struct bench bench;
	json_t *json;

	(void)unused;
	host->cpus[3].wanted = false;
	fake_idle_states(host, (const char *const[]){ "POLL", "C1 \"x\"\\", NULL });
	bench_open(&bench, host, FORMAT_JSON);
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 0, 3410123456.789, RULER);
	snapshot_at(bench.snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 0)->sees = SEES_SCALAR;
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, 0, 1e9, PERF);
	set_absent(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 2, 0, STATE_IDLE);
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 4, 0, NAN, RULER);
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_CORE, 3, 0, 2.5e9, RULER);
	set(&bench, METRIC_TSC_HERTZ, SCOPE_CPU, 1, 0, 2e9, RULER);
	snapshot_at(bench.snapshot, METRIC_TSC_HERTZ, SCOPE_CPU, 1, 0)->state = STATE_STALE;
	set(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, 0, 0.1, PROCFS);
	set(&bench, METRIC_OS_BUSY_RATIO, SCOPE_HOST, 0, 0, 0, PROCFS);
	set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 0, 0.01, PROCFS);
	set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 1, 1, PROCFS);
	set_absent(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 1, 0, STATE_FIRST);
	begin(&bench);
	write_one(&bench);
	bench.snapshot->elapsed_s = 0;
	write_one(&bench);
	json = json_line(&bench, 2);
	assert_null_at(json, "elapsed_s");
	json_decref(json);
	json = json_line(&bench, 1);
	assert_text(json, "schema", "avxtop.sample/1");
	assert_text(json, "time", "2026-11-30T12:00:00.250000Z");
	assert_number(json, "elapsed_s", 0.25);
	assert_int_equal(json_array_size(find(json, "cpus")), 7);
	assert_int_equal(json_array_size(find(json, "cores")), 4);
	assert_int_equal(json_array_size(find(json, "packages")), 2);
	/* Ids are the kernel's. */
	assert_number(json, "cpus.3.cpu", 8);
	assert_number(json, "cpus.3.core", 0);
	assert_number(json, "cpus.3.package", 3);
	assert_number(json, "cores.3.core", 8);
	assert_number(json, "cores.3.package", 3);
	assert_number(json, "packages.1.package", 3);
	/* Numbers come back exactly. */
	assert_number(json, "cpus.0.busy_hertz", 3410123456.789);
	assert_number(json, "cpus.0.os_busy_ratio", 0.1);
	assert_number(json, "cores.3.busy_hertz", 2.5e9);
	assert_number(json, "host.os_busy_ratio", 0);
	assert_text(json, "cpus.0.sees", "scalar");
	assert_null(find(json, "cpus.1.sees"));
	assert_text(json, "cpus.1.source.busy_hertz", "perf");
	assert_null(find(json, "cpus.0.source"));
	assert_number(json, "cpus.1.tsc_hertz", 2e9);
	assert_text(json, "cpus.1.state.tsc_hertz", "stale");
	assert_null(find(json, "cpus.0.state"));
	/* Absent is null, with the reason unless the host record told it. */
	assert_null_at(json, "cpus.2.busy_hertz");
	assert_text(json, "cpus.2.why.busy_hertz", "idle");
	assert_null_at(json, "cpus.2.average_hertz");
	assert_null(find(json, "cpus.2.why.average_hertz"));
	assert_null_at(json, "cpus.3.busy_hertz");
	assert_text(json, "cpus.3.why.busy_hertz", "failed");
	assert_text(json, "cpus.4.why.busy_hertz", "unsupported");
	/* Labelled metrics are objects with every label. */
	assert_number(json, "cpus.0.idle_ratio.POLL", 0.01);
	assert_number(json, "cpus.0.idle_ratio.C1 \"x\"\\", 1);
	assert_null_at(json, "cpus.1.idle_ratio.POLL");
	assert_text(json, "cpus.1.why.idle_ratio", "first-sample");
	assert_null_at(json, "cores.0.limit_hertz.2");
	assert_null_at(json, "packages.0.power_limit_watts.pl1");
	/* Each metric is a key in the rows of its scopes, and only there. */
	for (unsigned m = 0; m < METRIC_N; m++) {
		static const char *const rows[SCOPE_N] = { "cpus.6", "cores.0", "packages.0", "host" };
		char path[96];

		for (unsigned s = 0; s < SCOPE_N; s++) {
			(void)snprintf(path, sizeof(path), "%s.%s", rows[s],
				       metric_row((enum metric)m)->name);
			assert_int_equal(find(json, path) != NULL,
					 metric_has_scope((enum metric)m, (enum scope)s));
		}
	}
	json_decref(json);
	bench_close(&bench);
}

static void only_what_was_asked(void **unused)
{
	struct bench bench;
	json_t *json;

	(void)unused;
	/* A column of that name at least, where the host has no idle states. */
	bench_open(&bench, fake_host(1, 1, 1), FORMAT_CSV);
	memset(bench.plan.metrics, 0, sizeof(bench.plan.metrics));
	bench.plan.metrics[METRIC_IDLE_RATIO] = true;
	begin(&bench);
	write_one(&bench);
	assert_string_equal(bench.out, "time,elapsed_s,package,core,cpu,idle_ratio\n"
				       "2026-11-30T12:00:00.250000Z,0.25,0,0,0,\n");
	bench_close(&bench);
	bench_open(&bench, fake_host(1, 1, 1), FORMAT_JSON);
	memset(bench.plan.metrics, 0, sizeof(bench.plan.metrics));
	bench.plan.metrics[METRIC_IDLE_RATIO] = true;
	bench.plan.scopes = 1 << SCOPE_CPU;
	begin(&bench);
	write_one(&bench);
	json = json_line(&bench, 1);
	assert_null(find(json, "host"));
	assert_null(find(json, "cores"));
	assert_null_at(json, "cpus.0.idle_ratio"); /* no idle states here: no object */
	assert_null(find(json, "cpus.0.busy_hertz"));
	assert_int_equal(json_object_size(find(json, "cpus.0")), 5);
	json_decref(json);
	bench_close(&bench);
}

/* Field `column` of line `line`, unquoted into buf; false where there is none. */
static bool csv_field(const char *text, unsigned line, unsigned column, char *buf, size_t size)
{
	bool quoted = false;
	size_t len = 0;

	for (; *text; text++) {
		bool here = line == 0 && column == 0;

		if (*text == '"' && quoted && text[1] == '"') {
			text++;
		} else if (*text == '"') {
			quoted = !quoted;
			continue;
		} else if (!quoted && (*text == ',' || *text == '\n')) {
			if (here)
				break;
			if (line == 0 && *text == '\n')
				return false;
			if (line == 0)
				column--;
			else if (*text == '\n')
				line--;
			continue;
		}
		if (here && len + 1 < size)
			buf[len++] = *text;
	}
	buf[len] = '\0';
	return *text != '\0';
}

static void assert_field(struct bench *bench, unsigned line, const char *column, const char *text)
{
	char buf[128];
	unsigned i = 0;

	while (csv_field(bench->out, 0, i, buf, sizeof(buf)) && strcmp(buf, column) != 0)
		i++;
	assert_string_equal(buf, column);
	assert_true(csv_field(bench->out, line, i, buf, sizeof(buf)));
	assert_string_equal(buf, text);
}

static void csv_rows(void **unused)
{
	struct host *host = fake_host(2, 2, 1);
	struct bench bench;
	char buf[64];
	unsigned columns = 0, more = 0;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "POLL", "C1,\"x\"", NULL });
	bench_open(&bench, host, FORMAT_CSV);
	bench.plan.scopes = 1 << SCOPE_CPU | 1 << SCOPE_HOST;
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 2, 0, 3410123456.75, RULER);
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 0, 3e9, RULER);
	set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 2, 1, 0.125, PROCFS);
	set(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 2, 0, NAN, PROCFS);
	set_absent(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 3, 0, STATE_IDLE);
	begin(&bench);
	write_one(&bench);
	assert_int_equal(strncmp(bench.out, "time,elapsed_s,package,core,cpu,busy_hertz,", 43), 0);
	/* The host's row first, then each CPU. */
	assert_field(&bench, 1, "cpu", "");
	assert_field(&bench, 1, "package", "");
	assert_field(&bench, 1, "busy_hertz", "3000000000");
	assert_field(&bench, 4, "time", "2026-11-30T12:00:00.250000Z");
	assert_field(&bench, 4, "elapsed_s", "0.25");
	assert_field(&bench, 4, "package", "3");
	assert_field(&bench, 4, "core", "0");
	assert_field(&bench, 4, "cpu", "4");
	assert_field(&bench, 4, "busy_hertz", "3410123456.75");
	assert_field(&bench, 4, "idle_ratio.POLL", "");
	assert_field(&bench, 4, "idle_ratio.C1,\"x\"", "0.125");
	assert_field(&bench, 4, "os_busy_ratio", "");
	assert_field(&bench, 5, "busy_hertz", "");
	assert_field(&bench, 5, "limit_hertz.2", "");
	while (csv_field(bench.out, 0, columns, buf, sizeof(buf)))
		columns++;
	for (unsigned line = 1; line <= 5; line++, more = 0) {
		while (csv_field(bench.out, line, more, buf, sizeof(buf)))
			more++;
		assert_int_equal(more, columns);
	}
	assert_false(csv_field(bench.out, 6, 0, buf, sizeof(buf)));
	bench_close(&bench);
}

/* The text after the description: heading and rows. */
static const char *table_line(struct bench *bench, unsigned n, char *buf, size_t size)
{
	const char *p = strstr(bench->out, "\nTime ");

	assert_non_null(p);
	p++;
	for (; n > 0; n--) {
		p = strchr(p, '\n');
		assert_non_null(p);
		p++;
	}
	(void)snprintf(buf, size, "%.*s", (int)strcspn(p, "\n"), p);
	return buf;
}

static void only(struct bench *bench, unsigned n, const enum metric *metrics)
{
	memset(bench->plan.metrics, 0, sizeof(bench->plan.metrics));
	for (unsigned i = 0; i < n; i++)
		bench->plan.metrics[metrics[i]] = true;
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void table_rows(void **unused)
{
	static const enum metric metrics[] = { METRIC_BUSY_HERTZ, METRIC_OS_BUSY_RATIO,
					       METRIC_IDLE_RATIO, METRIC_SELF_RATIO, METRIC_IPC };
	struct host *host = fake_host(1, 2, 1);
	struct bench bench;
	char line[256];

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "POLL", "C1_ACPI", NULL });
	bench_open(&bench, host, FORMAT_TABLE);
	only(&bench, 5, metrics);
	bench.plan.ascii = true;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 0, 3412600000, RULER);
	snapshot_at(bench.snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 0)->sees = SEES_SCALAR;
	set_absent(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, 0, STATE_IDLE);
	set(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, 0, 1, PROCFS);
	set_absent(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 1, 0, STATE_FIRST);
	set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 1, 0.123456, PROCFS);
	set(&bench, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0, 0.0012, PROCFS);
	begin(&bench);
	write_one(&bench);
	assert_non_null(strstr(bench.out, "Made-up CPU \"one\", 2 CPUs online, TSC 2.00 GHz\n"));
	assert_non_null(strstr(bench.out, "Bzy_MHz by ruler\n"));
	assert_non_null(strstr(bench.out, "ipc: not \"allowed\""));
	assert_int_equal(count(bench.out, "scalar code"), 1);
	assert_string_equal(table_line(&bench, 0, line, sizeof(line)),
			    "Time     Core CPU Bzy_MHz OS_Bsy%   IPC  POLL% C1_ACPI%  Self%");
	assert_string_equal(table_line(&bench, 1, line, sizeof(line)),
			    "12:00:00    -   -       -       -                         0.12");
	assert_string_equal(table_line(&bench, 2, line, sizeof(line)),
			    "12:00:00    0   0    3413  100.00     -      -    12.35       ");
	assert_string_equal(table_line(&bench, 3, line, sizeof(line)),
			    "12:00:00    8   2    idle       -     -      -        -       ");
	write_one(&bench);
	assert_int_equal(count(bench.out, "scalar code"), 1); /* said once */
	bench_close(&bench);
}

/* For a terminal: the heading is bold, what is absent is dim, and its mark is not ASCII. */
static void table_in_color(void **unused)
{
	static const enum metric metrics[] = { METRIC_OS_BUSY_RATIO };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1), FORMAT_TABLE);
	only(&bench, 1, metrics);
	bench.plan.color = true;
	begin(&bench);
	write_one(&bench);
	assert_non_null(strstr(bench.out, "\033[1mTime     Core CPU OS_Bsy%\033[0m\n"));
	assert_non_null(strstr(bench.out, "\033[2m "));
	assert_non_null(strstr(bench.out, "–\033[0m\n"));
	bench_close(&bench);
}

/* All columns keep their place whatever the numbers, and the heading comes back. */
static void table_of_a_big_machine(void **unused)
{
	static const enum metric metrics[] = { METRIC_BUSY_HERTZ };
	struct bench bench;
	char head[256], line[256];

	(void)unused;
	bench_open(&bench, fake_host(4, 288, 1), FORMAT_TABLE);
	only(&bench, 1, metrics);
	begin(&bench);
	for (unsigned i = 0; i < 1152; i++)
		set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, i, 0, 1e6 * i * 8, RULER);
	write_one(&bench);
	write_one(&bench);
	assert_int_equal(count(bench.out, "Time "), 2);
	table_line(&bench, 0, head, sizeof(head));
	assert_non_null(strstr(head, "Package"));
	for (unsigned i = 1; i <= 1153; i++)
		assert_int_equal(text_width(table_line(&bench, i, line, sizeof(line))),
				 text_width(head));
	assert_non_null(strstr(line, " 2302    9208"));
	bench_close(&bench);
	/* A small machine repeats it once a screen. */
	bench_open(&bench, fake_host(1, 1, 1), FORMAT_TABLE);
	only(&bench, 1, metrics);
	bench.plan.scopes = 1 << SCOPE_CPU;
	begin(&bench);
	for (unsigned i = 0; i < 48; i++)
		write_one(&bench);
	assert_int_equal(count(bench.out, "Time "), 2);
	assert_int_equal(count(bench.out, "12:00:00"), 48);
	bench_close(&bench);
}

/* A closed reader is an error of this write, not of some later one. */
/* The bench goes on with snapshots of another machine. */
static void become(struct bench *bench, struct host *host)
{
	assert_int_equal(bench->ops->machine(bench->sink, host, bench->origins), 0);
	host_free(bench->host);
	snapshot_free(bench->snapshot);
	bench->host = host;
	bench->snapshot = snapshot_new(host);
	assert_non_null(bench->snapshot);
	bench->snapshot->real_ns = 1796040000250000000;
	bench->snapshot->elapsed_s = 0.25;
}

/* A CPU has come, and with it idle states: the columns of csv stay and hold what their names say, json
 * describes the host again, and so does the table. */
static void another_machine(void **unused)
{
	static const enum format formats[] = { FORMAT_CSV, FORMAT_JSON, FORMAT_TABLE };

	(void)unused;
	for (unsigned i = 0; i < COUNT_OF(formats); i++) {
		struct host *host = fake_host(1, 1, 1), *more = fake_host(1, 2, 1);
		struct bench bench;
		json_t *json;
		char line[256];

		fake_idle_states(host, (const char *const[]){ "C1", "C6", NULL });
		fake_idle_states(more, (const char *const[]){ "POLL", "C6", NULL });
		bench_open(&bench, host, formats[i]);
		only(&bench, 1, (const enum metric[]){ METRIC_IDLE_RATIO });
		bench.plan.scopes = 1 << SCOPE_CPU;
		begin(&bench);
		set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 0, 0.5, PROCFS);
		write_one(&bench);
		become(&bench, more);
		set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 1, 0, 0.25, PROCFS);
		set(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 1, 1, 0.125, PROCFS);
		write_one(&bench);
		if (formats[i] == FORMAT_CSV) {
			assert_field(&bench, 1, "idle_ratio.C1", "0.5");
			assert_field(&bench, 3, "cpu", "2");
			assert_field(&bench, 3, "idle_ratio.C1", "");
			assert_field(&bench, 3, "idle_ratio.C6", "0.125");
			assert_false(csv_field(bench.out, 3, 7, line, sizeof(line)));
		} else if (formats[i] == FORMAT_JSON) {
			json = json_line(&bench, 2);
			assert_text(json, "schema", "avxtop.host/1");
			json_decref(json);
			json = json_line(&bench, 3);
			assert_number(json, "cpus.1.idle_ratio.POLL", 0.25);
			json_decref(json);
		} else {
			assert_non_null(strstr(bench.out, "1 CPU online"));
			assert_non_null(strstr(bench.out, "\n\nMade-up CPU \"one\", 2 CPUs online"));
			assert_non_null(strstr(bench.out, "POLL%"));
		}
		bench_close(&bench);
	}
}

static void closed_pipe(void **unused)
{
	static const enum format formats[] = { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

	(void)unused;
	for (unsigned i = 0; i < 3; i++) {
		struct bench bench;
		FILE *memory;
		int fds[2];

		bench_open(&bench, fake_host(1, 2, 1), formats[i]);
		assert_int_equal(pipe(fds), 0);
		memory = bench.plan.out;
		bench.plan.out = fdopen(fds[1], "w");
		assert_non_null(bench.plan.out);
		begin(&bench);
		assert_int_equal(bench.ops->write(bench.sink, bench.snapshot), 0);
		close(fds[0]);
		assert_int_equal(bench.ops->write(bench.sink, bench.snapshot), -EPIPE);
		(void)bench.ops->end(bench.sink);
		(void)fclose(bench.plan.out);
		(void)fclose(memory);
		free(bench.out);
		snapshot_free(bench.snapshot);
		host_free(bench.host);
	}
	assert_null(sink_ops(FORMAT_OPENMETRICS));
}

/* 1,152 CPUs, every metric: a small part of an interval. The bound is wide for a busy machine. */
static void json_is_quick(void **unused)
{
	struct bench bench;
	uint64_t start;
	double ms;

	(void)unused;
	bench_open(&bench, fake_host(4, 144, 2), FORMAT_JSON);
	for (unsigned i = 0; i < 1152; i++) {
		set(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, i, 0, 3.4e9 + i / 7.0, RULER);
		set(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, i, 0, i / 1153.0, PROCFS);
	}
	begin(&bench);
	start = clock_process_ns();
	write_one(&bench);
	ms = (double)(clock_process_ns() - start) / 1e6;
	print_message("# 1,152 CPUs: %.1f ms, %zu bytes\n", ms, bench.len);
	assert_true(ms < 500);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_record),
		cmocka_unit_test(sample_record),
		cmocka_unit_test(only_what_was_asked),
		cmocka_unit_test(csv_rows),
		cmocka_unit_test(table_rows),
		cmocka_unit_test(table_in_color),
		cmocka_unit_test(table_of_a_big_machine),
		cmocka_unit_test(another_machine),
		cmocka_unit_test(closed_pipe),
		cmocka_unit_test(json_is_quick),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
