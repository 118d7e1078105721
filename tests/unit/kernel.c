/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kernel against plain C, bit for bit; AMX by an emulator where the CPU has none. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst/core.h"
#include "burst/kernel.h"
#include "burst/kernel_seed.h"
#include "model/host.h"
#include "tests/unit/amx_emulator.h"
#include "tests/unit/unit.h"

static _Alignas(64) uint8_t seeds[KERNEL_SEED_BYTES];
static _Alignas(64) uint32_t got[KERNEL_STATE_WORDS], want[KERNEL_STATE_WORDS];

/* What the compiler's runtime says of this CPU and XCR0; independent of identify.c. */
static uint32_t isa_here(void)
{
	uint32_t isa = ISA_SSE2;

	isa |= __builtin_cpu_supports("avx2") ? ISA_AVX | ISA_AVX2 : 0;
	isa |= __builtin_cpu_supports("fma") ? ISA_FMA : 0;
	isa |= __builtin_cpu_supports("avx512f") ? ISA_AVX512F : 0;
	isa |= __builtin_cpu_supports("avx512vnni") ? ISA_AVX512VNNI : 0;
	return isa;
}

static const enum kernel amx[] = { KERNEL_AMX_BF16, KERNEL_AMX_INT8 };

/* AMX state in XCR0, bits 17 and 18; else #UD. Asked of the kernel when it is there. Every CPU that
 * has it has both bfloat16 and bytes. */
static bool have_amx(void)
{
	static struct host_kind kind = { .isa = ISA_AMX_TILE | ISA_AMX_BF16 | ISA_AMX_INT8 };
	const struct host host = { .live = true, .kinds = &kind, .n_kinds = 1 };
	uint32_t low, high, a, b = 0, c = 0, d = 0;

	__asm__ volatile("cpuid" : "=a"(a), "+b"(b), "+c"(c), "=d"(d) : "0"(1));
	if (!(c & 1u << 27)) /* OSXSAVE */
		return false;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (low >> 17 & 3) == 3 && kernel_usable(KERNEL_AMX_BF16, &host, 0, NULL) == 0;
}

static void test_rows(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KERNEL_N; i++) {
		const struct kernel_row *const row = kernel_row(i);

		assert_true(row->ops > 0);
		assert_true(strlen(row->help) > 10);
		assert_true(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
			    strlen(row->name));
		assert_int_equal(kernel_by_name(row->name), i);
		assert_ptr_equal(kernel_name_at(i), row->name);
		/* it copies, or it computes */
		assert_int_equal(strncmp(row->name, "copy-", 5) == 0, row->copy != NULL);
		assert_int_equal(row->rate == RATE_BYTE, row->copy != NULL);
		if (row->copy)
			continue;
		assert_non_null(row->run);
		assert_non_null(row->reference);
		assert_non_null(row->seed);
		assert_true(row->state_words > 0 && row->state_words <= KERNEL_STATE_WORDS);
		assert_true(row->theory >= offsetof(struct core_row, imul));
		assert_true(row->chunk_loops > 0);
	}
	assert_null(kernel_name_at(KERNEL_N));
	assert_int_equal(kernel_by_name("avx512"), -1);
	assert_string_equal(rate_unit(RATE_FLOP), "FLOP");
}

static void run(const struct kernel_row *row, unsigned loops)
{
	memset(got, 0xa5, sizeof(got));
	memset(want, 0x5a, sizeof(want));
	row->seed(seeds);
	assert_true(row->run(loops, seeds, got) % loops == 0);
	row->reference(loops, seeds, want);
}

static void check_against_reference(enum kernel kernel)
{
	static const unsigned few[] = { 1, 2, 7 };
	const struct kernel_row *const row = kernel_row(kernel);

	for (unsigned i = 0; i < 4; i++) {
		run(row, i < 3 ? few[i] : row->chunk_loops);
		assert_true(kernel_state_equal(got, want, row->state_words));
		/* nothing is written beyond the state */
		if (row->state_words < KERNEL_STATE_WORDS)
			assert_int_equal(got[row->state_words], 0xa5a5a5a5);
	}
	/* and the state tells how much was done */
	row->reference(row->chunk_loops - 1, seeds, want);
	assert_false(kernel_state_equal(got, want, row->state_words));
}

static void test_against_reference(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KERNEL_N; i++)
		if (!kernel_row(i)->copy && !(kernel_row(i)->isa & ~isa_here()))
			check_against_reference(i);
}

#define AREA 2048u /* at each side of a copy: enough for several rounds of the widest */
#define MOST 1100u

/* Every byte arrives, and none around them changes, nor any of the source. */
static void check_copy(enum kernel kernel, size_t bytes, unsigned from_align, unsigned to_align)
{
	static _Alignas(64) uint8_t from[AREA], to[AREA], before[AREA];
	uint32_t random = 0x5eed0007 + (uint32_t)bytes;

	for (unsigned i = 0; i < AREA; i++) {
		from[i] = before[i] = (uint8_t)kernel_random(&random);
		to[i] = (uint8_t)~from[i];
	}
	kernel_row(kernel)->copy(to + 128 + to_align, from + 128 + from_align, bytes);
	assert_memory_equal(from, before, AREA);
	for (unsigned i = 0; i < AREA; i++) {
		const unsigned first = 128 + to_align;
		const bool inside = i >= first && i < first + bytes;
		const uint8_t right = inside ? from[i - to_align + from_align] : (uint8_t)~from[i];

		if (to[i] != right)
			fail_msg("%s of %zu bytes from %u to %u: byte %d is wrong",
				 kernel_row(kernel)->name, bytes, from_align, to_align,
				 (int)i - (int)first);
	}
}

static void test_copies(void **state)
{
	static const unsigned aligns[] = { 0, 1, 7, 8, 31, 32, 63 };
	unsigned checked = 0;

	(void)state;
	for (unsigned i = 0; i < KERNEL_N; i++) {
		if (!kernel_row(i)->copy || kernel_row(i)->isa & ~isa_here())
			continue;
		checked++;
		for (size_t bytes = 0; bytes < MOST; bytes += bytes < 70 ? 1 : 61)
			for (unsigned k = 0; k < 49; k++)
				check_copy(i, bytes, aligns[k % 7], aligns[k / 7]);
		for (size_t bytes = 64; bytes <= 1024; bytes *= 2) {
			check_copy(i, bytes - 1, 0, 0);
			check_copy(i, bytes, 0, 0);
			check_copy(i, bytes + 1, 0, 0);
		}
	}
	assert_true(checked >= 4);
}

static void check_amx(enum kernel kernel)
{
	const struct kernel_row *const row = kernel_row(kernel);
	struct amx_counts counts;

	if (have_amx()) {
		check_against_reference(kernel);
		return;
	}
	amx_emulator_start();
	check_against_reference(kernel);
	counts = amx_emulator_counts();
	assert_true(amx_emulator_clean());
	assert_int_equal(counts.configs, 4);
	assert_int_equal(counts.releases, 4);
	assert_int_equal(counts.loads, 4 * 8);
	assert_int_equal(counts.stores, 4 * 4);
	/* the instructions that the kernel says it counted are those that were run */
	assert_int_equal(counts.products, 16 * (1 + 2 + 7 + row->chunk_loops));
	amx_emulator_stop();
}

static void test_amx(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++)
		check_amx(amx[i]);
}

/* One wrong bit in one product, first or last, must be seen at the end of the chunk. */
static void test_amx_fault(void **state)
{
	static const uint64_t faults[] = { 1, 77, 16 * 20 };

	(void)state;
	if (have_amx())
		skip();
	for (unsigned i = 0; i < 6; i++) {
		const struct kernel_row *const row = kernel_row(amx[i % 2]);

		amx_emulator_start();
		amx_emulator_fault(faults[i / 2]);
		run(row, 20);
		amx_emulator_stop();
		assert_false(kernel_state_equal(got, want, row->state_words));
	}
}

/* Sums are exact only while every one of them is a whole number below 2^24. */
static void test_amx_sums_exact(void **state)
{
	const struct kernel_row *const row = kernel_row(KERNEL_AMX_BF16);

	(void)state;
	row->seed(seeds);
	row->reference(row->chunk_loops, seeds, want);
	for (unsigned i = 0; i < row->state_words; i++) {
		float sum;

		memcpy(&sum, &want[i], sizeof(sum));
		/* within a loop a sum holds at most two products more: 2 × 32 × 127² */
		assert_true(fabsf(sum) + 2 * 32 * 127 * 127 < 1 << 24);
		assert_true(sum == rintf(sum));
	}
}

/* Values of the FMA kernels stay normal and bounded at each step, whatever the lane, with one
 * rounding a step or with two. */
static void check_normal(bool fused)
{
	const struct fma_seeds *const s = (const struct fma_seeds *)(const void *)seeds;
	const unsigned steps = kernel_row(KERNEL_AVX512_FMA)->chunk_loops * 2;
	float smallest = INFINITY, largest = 0;

	kernel_fma_seed(seeds);
	for (unsigned lane = 0; lane < KERNEL_LANES; lane++) {
		assert_true(fabsf(s->a0[lane] * s->a1[lane] + 1) < 1e-6f);
		for (unsigned i = 0; i < KERNEL_ACCUMULATORS; i++) {
			float acc = s->acc[i][lane];

			for (unsigned step = 0; step < steps * 2; step++) {
				const float a = step % 2 ? s->a1[lane] : s->a0[lane];

				acc = fused ? fmaf(acc, a, s->b[lane]) : acc * a + s->b[lane];
				smallest = fminf(smallest, fabsf(acc));
				largest = fmaxf(largest, fabsf(acc));
				if (!isnormal(acc))
					fail_msg("step %u of lane %u is not normal", step, lane);
			}
		}
	}
	assert_true(smallest > 1e-6f);
	assert_true(largest < 16);
}

static void test_fma_normal(void **state)
{
	(void)state;
	check_normal(true);
	check_normal(false);
}

/* Of how many single wrong bits, planted at the start of a chunk, does its end still tell? */
static void plant(enum kernel kernel, unsigned bit, unsigned *planted, unsigned *kept)
{
	const struct kernel_row *const row = kernel_row(kernel);
	const unsigned lanes = row->state_words / KERNEL_ACCUMULATORS;

	row->seed(seeds);
	row->reference(row->chunk_loops, seeds, want);
	for (unsigned word = 0; word < row->state_words; word += 11) {
		const unsigned at = kernel == KERNEL_SCALAR ?
			word : word / lanes * KERNEL_LANES + word % lanes;
		uint32_t *const seed = (uint32_t *)(void *)seeds + at;

		*seed ^= 1u << bit;
		row->reference(row->chunk_loops, seeds, got);
		*seed ^= 1u << bit;
		++*planted;
		*kept += !kernel_state_equal(got, want, row->state_words);
	}
}

/* Whole numbers keep every bit. Of a float, roundings may swallow the lowest few in the course of
 * thousands of steps, but no fault of 2^-15 of the value. */
static void test_faults_are_kept(void **state)
{
	unsigned planted = 0, kept = 0;

	(void)state;
	plant(KERNEL_SCALAR, 0, &planted, &kept);
	plant(KERNEL_AVX2_INT, 0, &planted, &kept);
	plant(KERNEL_AVX512_INT, 0, &planted, &kept);
	plant(KERNEL_AVX512_VNNI, 0, &planted, &kept);
	plant(KERNEL_AVX512_FMA, 8, &planted, &kept);
	plant(KERNEL_AVX2_FMA, 8, &planted, &kept);
	plant(KERNEL_SSE_FMA, 8, &planted, &kept);
	assert_true(planted > 40);
	assert_int_equal(kept, planted);
	planted = kept = 0;
	plant(KERNEL_AVX512_FMA, 3, &planted, &kept);
	assert_true(kept >= planted * 0.9);
}

static uint32_t registers_in_use(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
	return low;
}

/* XINUSE (XGETBV with ECX = 1): no kernel leaves wide or tile registers dirty. zmm16 and up may have
 * been touched by the C library before. */
static void test_clean_registers(void **state)
{
	uint32_t a = 13, b, c = 1, d;

	(void)state;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (!__builtin_cpu_supports("avx2") || !(a & 4))
		skip();
	for (unsigned i = 0; i < KERNEL_N; i++) {
		const struct kernel_row *const row = kernel_row(i);
		uint32_t before, after;

		if (row->isa & ~isa_here())
			continue;
		if (row->seed)
			row->seed(seeds);
		before = registers_in_use();
		if (row->copy)
			row->copy(got, want, sizeof(got));
		else
			row->run(10, seeds, got);
		after = registers_in_use();
		/* upper halves of ymm and of zmm0-15, tile data; zmm16-31 */
		assert_int_equal(after & (1u << 2 | 1u << 6 | 1u << 18), 0);
		if (i != KERNEL_COPY_LIBC)
			assert_int_equal(after & ~before & 1u << 7, 0);
	}
}

static void test_state_equal(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KERNEL_STATE_WORDS; i++)
		got[i] = want[i] = i * 2654435761u;
	assert_true(kernel_state_equal(got, want, KERNEL_STATE_WORDS));
	for (unsigned i = 0; i < KERNEL_STATE_WORDS; i++) {
		got[i] ^= 1u << i % 32;
		assert_false(kernel_state_equal(got, want, KERNEL_STATE_WORDS));
		assert_true(kernel_state_equal(got, want, i));
		got[i] ^= 1u << i % 32;
	}
}

static void test_usable(void **state)
{
	struct host_kind kind = { .isa = ISA_SSE2 | ISA_AVX | ISA_AVX2 };
	struct host host = { .live = false, .kinds = &kind, .n_kinds = 1 };
	struct problem problem;

	(void)state;
	assert_int_equal(kernel_usable(KERNEL_SCALAR, &host, 0, &problem), 0);
	assert_int_equal(kernel_usable(KERNEL_AVX2_FMA, &host, 0, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "FMA"));
	assert_null(strstr(problem.text, "AVX2,"));
	assert_int_equal(kernel_usable(KERNEL_AMX_BF16, &host, 0, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "AMX-TILE, AMX-BF16"));
	assert_true(problem.remedy[0] != '\0');
	kind.isa = UINT32_MAX;
	for (unsigned i = 0; i < KERNEL_N; i++)
		assert_int_equal(kernel_usable(i, &host, 0, &problem), 0);
}

static void test_peak(void **state)
{
	const struct core_row core = { .fma256 = 2, .fma512 = 2, .fma512_alt = 1, .scalar = 5 };

	(void)state;
	assert_true(isnan(kernel_peak(KERNEL_SCALAR, NULL, 4)));
	assert_true(isnan(kernel_peak(KERNEL_COPY_AVX512, &core, 60)));
	assert_float_equal(kernel_peak(KERNEL_SCALAR, &core, 4), 5, 0);
	assert_float_equal(kernel_peak(KERNEL_AVX2_FMA, &core, 31), 32, 0);
	assert_float_equal(kernel_peak(KERNEL_AVX512_FMA, &core, 63), 64, 0);
	assert_float_equal(kernel_peak(KERNEL_AVX512_FMA, &core, 31.9), 32, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_against_reference),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_amx),
		cmocka_unit_test(test_amx_fault),
		cmocka_unit_test(test_amx_sums_exact),
		cmocka_unit_test(test_fma_normal),
		cmocka_unit_test(test_faults_are_kept),
		cmocka_unit_test(test_clean_registers),
		cmocka_unit_test(test_state_equal),
		cmocka_unit_test(test_usable),
		cmocka_unit_test(test_peak),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
