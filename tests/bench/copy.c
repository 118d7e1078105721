/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each copying load against a plain loop of the same instructions, at sizes for each level of the
 * memory. Both by turns, so that whatever else goes on meets both; what a burst adds to a chunk, the
 * poisoning before and the comparison after it, counts. Lines for run.sh. */
#include "config.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "burst/copier.h"
#include "burst/kernel.h"
#include "model/host.h"
#include "figures.h"

#define ROUNDS 61
#define ROUND_BYTES ((size_t)16 << 20) /* at least, and at least one pass: 0.1 to 1 ms */
#define CHUNK_NS 40000 /* as burst_driver.c asks for */

static void plain_libc(void *to, const void *from, size_t bytes)
{
	(void)memcpy(to, from, bytes);
	__asm__ volatile("" : : "r"(to) : "memory");
}

static void plain_movsb(void *to, const void *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static void plain_movsq(void *to, const void *from, size_t bytes)
{
	bytes /= 8;
	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/* One register, loaded and stored, a round. */
#define LOOP(width, load, store, reg, end)                                                         \
	const char *const stop = (const char *)from + bytes;                                       \
                                                                                                   \
	__asm__ volatile(".p2align 6\n"                                                            \
			 "1:\n\t" load " (%[from]), %%" reg "\n\t"                                 \
			 store " %%" reg ", (%[to])\n\t"                                           \
			 "add %[step], %[from]\n\t"                                                \
			 "add %[step], %[to]\n\t"                                                  \
			 "cmp %[stop], %[from]\n\t"                                                \
			 "jb 1b\n\t" end                                                           \
			 : [from] "+r"(from), [to] "+r"(to)                                        \
			 : [stop] "r"(stop), [step] "i"(width)                                     \
			 : "cc", "memory", "rax", "xmm0")

static void plain_unrolled(void *to, const void *from, size_t bytes)
{
	LOOP(8, "mov", "mov", "rax", "");
}

static void plain_avx2(void *to, const void *from, size_t bytes)
{
	LOOP(32, "vmovdqu", "vmovdqu", "ymm0", "vzeroupper");
}

static void plain_avx512(void *to, const void *from, size_t bytes)
{
	LOOP(64, "vmovdqu64", "vmovdqu64", "zmm0", "vzeroupper");
}

static void plain_avx512_nt(void *to, const void *from, size_t bytes)
{
	LOOP(64, "vmovdqu64", "vmovntdq", "zmm0", "vzeroupper\n\tsfence");
}

static const struct {
	enum kernel kernel;
	copy_fn *plain;
} copies[] = {
	{ KERNEL_COPY_LIBC, plain_libc },	{ KERNEL_COPY_MOVSB, plain_movsb },
	{ KERNEL_COPY_MOVSQ, plain_movsq },	{ KERNEL_COPY_UNROLLED, plain_unrolled },
	{ KERNEL_COPY_AVX2, plain_avx2 },	{ KERNEL_COPY_AVX512, plain_avx512 },
	{ KERNEL_COPY_AVX512_NT, plain_avx512_nt },
};

static const struct {
	size_t bytes;
	const char *name;
} sizes[] = { { 16384, "16 KiB" }, { 1 << 20, "1 MiB" }, { 64 << 20, "64 MiB" } };

static const atomic_bool never = false;

/* The load's own buffers, for the plain loop too: how pages lie in a cache is chance, and other pages
 * differ by a tenth and more. */
static struct {
	copy_fn *copy;
	void *to;
	const void *from; /* as first called */
} load_calls;

static void load_copy(void *to, const void *from, size_t bytes)
{
	if (!load_calls.to) {
		load_calls.to = to;
		load_calls.from = from;
	}
	load_calls.copy(to, from, bytes);
}

struct side {
	copy_fn *plain; /* NULL: by the copier */
	size_t bytes;
	struct copier *copier;
	bool wrong;
};

static uint64_t step(struct side *side)
{
	uint64_t bytes;

	if (side->plain) {
		side->plain(load_calls.to, load_calls.from, side->bytes);
		return side->bytes;
	}
	copier_prepare(side->copier);
	bytes = copier_run(side->copier);
	side->wrong |= !copier_check(side->copier);
	return bytes;
}

/* What other programs take of this CPU is not counted. */
static uint64_t thread_ns(void)
{
	struct timespec time = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

/* Bytes a nanosecond. */
static double rate(struct side *side)
{
	const uint64_t least = side->bytes > ROUND_BYTES ? side->bytes : ROUND_BYTES;
	const uint64_t begin_ns = thread_ns();
	uint64_t bytes = 0;

	while (bytes < least)
		bytes += step(side);
	return (double)bytes / (double)(thread_ns() - begin_ns);
}

static void compare(const char *name, struct side *plain, struct side *load)
{
	double plain_rates[ROUNDS], load_rates[ROUNDS], ratios[ROUNDS], p, l, ratio;

	/* in pairs: the clock and the neighbors change from one to the next */
	for (unsigned i = 0; i < ROUNDS; i++) {
		plain_rates[i] = rate(plain);
		load_rates[i] = rate(load);
		ratios[i] = load_rates[i] / plain_rates[i];
	}
	ratio = quantile(ratios, ROUNDS, 0.5);
	p = quantile(plain_rates, ROUNDS, 0.5);
	l = quantile(load_rates, ROUNDS, 0.5);
	figure(name, load->wrong ? 0 : ratio * 100, "% of a plain loop", ">= 90",
	       load->wrong ? "WRONG RESULTS" : "%.1f and %.1f GB/s, medians of %u by turns", l, p, ROUNDS);
	(void)fflush(stdout);
}

static bool can_run(enum kernel kernel)
{
	const uint32_t isa = kernel_row(kernel)->isa;

	return !(isa & ISA_AVX && !__builtin_cpu_supports("avx")) &&
	       !(isa & ISA_AVX512F && !__builtin_cpu_supports("avx512f"));
}

static bool bench(unsigned which, size_t bytes, const char *size)
{
	const struct kernel_row *const row = kernel_row(copies[which].kernel);
	const struct copy_shape shape = { .bytes = bytes };
	struct side plain = { .plain = copies[which].plain, .bytes = bytes };
	struct side load = { .bytes = bytes };
	char name[64];

	(void)snprintf(name, sizeof(name), "%s, %s", row->name, size);
	if (!can_run(copies[which].kernel)) {
		figure(name, NAN, "% of a plain loop", ">= 90", "this CPU cannot run it");
		return true;
	}
	load_calls.copy = row->copy;
	load_calls.to = NULL;
	if (copier_new(load_copy, &shape, &never, &load.copier) < 0)
		return false;
	copier_tune(load.copier, CHUNK_NS);
	compare(name, &plain, &load);
	copier_free(load.copier);
	return true;
}

int main(void)
{
	const int cpu = sched_getcpu();
	cpu_set_t set;
	bool ok = true;

	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE) {
		CPU_SET((size_t)cpu, &set);
		(void)sched_setaffinity(0, sizeof(set), &set);
	}
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		for (unsigned i = 0; ok && i < sizeof(copies) / sizeof(*copies); i++)
			ok = bench(i, sizes[s].bytes, sizes[s].name);
	return !ok;
}
