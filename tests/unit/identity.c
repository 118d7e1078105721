/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What CPUID and /proc/cpuinfo say: values of real CPUs, and masks of the operating system. */
#include "config.h"
#include "source/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <libcpuid.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "model/host.h"
#include "source/affinity.h"
#include "tests/unit/unit.h"

#define AVX (ISA_SSE2 | ISA_AVX)
#define AVX2 (AVX | ISA_AVX2 | ISA_FMA | ISA_ERMS)
#define AVX512 (AVX2 | ISA_AVX512F | ISA_AVX512BW | ISA_AVX512VNNI)
#define AMX (ISA_AMX_TILE | ISA_AMX_BF16 | ISA_AMX_INT8)
#define XCR0_ALL 0x600e7

static void fill(struct cpu_raw_data_t *raw, const char *vendor, const uint32_t leaf1[3],
		 const uint32_t leaf7[3])
{
	memset(raw, 0, sizeof(*raw));
	raw->basic_cpuid[0][EAX] = 0x20;
	memcpy(&raw->basic_cpuid[0][EBX], vendor, 4);
	memcpy(&raw->basic_cpuid[0][EDX], vendor + 4, 4);
	memcpy(&raw->basic_cpuid[0][ECX], vendor + 8, 4);
	raw->basic_cpuid[1][EAX] = leaf1[0];
	raw->basic_cpuid[1][ECX] = leaf1[1];
	raw->basic_cpuid[1][EDX] = leaf1[2];
	memcpy(&raw->basic_cpuid[7][EBX], leaf7, 12);
}

/* Leaves 1 (eax, ecx, edx) and 7 (ebx, ecx, edx) of CPUs, from the dumps of InstLatx64 (087af2c). */
static const struct {
	const char *name, *vendor;
	uint32_t leaf1[3], leaf7[3];
	uint64_t xcr0;
	unsigned family, model, stepping;
	uint32_t isa;
	const char *hypervisor;
} cpus[] = {
	{ "Xeon 658X", "GenuineIntel", { 0x000a06d1, 0x7ffefbff, 0xbfebfbff },
	  { 0xf3bfbffb, 0xbb417fee, 0xffdd4430 }, XCR0_ALL, 6, 0xad, 1, AVX512 | AMX | ISA_FSRM, "" },
	{ "no AMX in XCR0", "GenuineIntel", { 0x000a06d1, 0x7ffefbff, 0xbfebfbff },
	  { 0xf3bfbffb, 0xbb417fee, 0xffdd4430 }, 0xe7, 6, 0xad, 1, AVX512 | ISA_FSRM, "" },
	{ "half of AMX in XCR0", "GenuineIntel", { 0x000a06d1, 0x7ffefbff, 0xbfebfbff },
	  { 0xf3bfbffb, 0xbb417fee, 0xffdd4430 }, 0x200e7, 6, 0xad, 1, AVX512 | ISA_FSRM, "" },
	{ "no ZMM in XCR0", "GenuineIntel", { 0x000a06d1, 0x7ffefbff, 0xbfebfbff },
	  { 0xf3bfbffb, 0xbb417fee, 0xffdd4430 }, 0x60007, 6, 0xad, 1, AVX2 | AMX | ISA_FSRM, "" },
	{ "no AVX in XCR0", "GenuineIntel", { 0x000a06d1, 0x7ffefbff, 0xbfebfbff },
	  { 0xf3bfbffb, 0xbb417fee, 0xffdd4430 }, 0x3, 6, 0xad, 1, ISA_SSE2 | ISA_ERMS | ISA_FSRM, "" },
	{ "no OSXSAVE", "GenuineIntel", { 0x000a06d1, 0x77fefbff, 0xbfebfbff },
	  { 0xf3bfbffb, 0xbb417fee, 0xffdd4430 }, XCR0_ALL, 6, 0xad, 1, ISA_SSE2 | ISA_ERMS | ISA_FSRM, "" },
	{ "EPYC 9654", "AuthenticAMD", { 0x00a10f11, 0x7efa320b, 0x178bfbff },
	  { 0xf1bf97a9, 0x00415fce, 0x10000010 }, 0x2e7, 25, 0x11, 1, AVX512 | ISA_FSRM, "" },
	{ "Ryzen 9950X3D", "AuthenticAMD", { 0x00b40f40, 0x7ed8320b, 0x178bfbff },
	  { 0xf1bf97ab, 0x19405fce, 0x10000110 }, 0x2e7, 26, 0x44, 0, AVX512 | ISA_FSRM, "" },
	{ "Core i9-12900K", "GenuineIntel", { 0x00090672, 0x7ffafbff, 0xbfebfbff },
	  { 0x239ca7eb, 0x98c027ac, 0xfc1cc410 }, 0x7, 6, 0x97, 2, AVX2 | ISA_FSRM, "" },
	{ "Xeon Phi 7210", "GenuineIntel", { 0x00050671, 0x7ff8f39f, 0xbfebfbff },
	  { 0x1c0d23ab, 0x00000001, 0x04000000 }, 0xe7, 6, 0x57, 1, AVX2 | ISA_AVX512F, "" },
	{ "Atom C3958", "GenuineIntel", { 0x000506f1, 0x4ff8ebbf, 0xbfebfbff },
	  { 0x2294e283, 0x00000000, 0x2c000000 }, 0x3, 6, 0x5f, 1, ISA_SSE2 | ISA_ERMS, "" },
	{ "Xeon E5-2699 v3", "GenuineIntel", { 0x000306f2, 0x7ffefbff, 0xbfebfbff },
	  { 0x000037ab, 0x00000000, 0x9c000400 }, 0x7, 6, 0x3f, 2, AVX2, "" },
	{ "Xeon 8160", "GenuineIntel", { 0x00050654, 0x7ffefbff, 0xbfebfbff },
	  { 0xd39ffffb, 0x00000008, 0x9c002400 }, 0xe7, 6, 0x55, 4,
	  AVX2 | ISA_AVX512F | ISA_AVX512BW, "" },
	{ "a KVM guest with AMX", "GenuineIntel", { 0x000a0671, 0xfffa3203, 0x1f8bfbff },
	  { 0xf1bf2ffb, 0x1a415f46, 0x23c14010 }, 0x602e7, 6, 0xa7, 1, AVX512 | AMX | ISA_FSRM, "unknown" },
};

static void test_decode(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cpus); i++) {
		struct cpu_raw_data_t raw;
		struct identity identity;

		fill(&raw, cpus[i].vendor, cpus[i].leaf1, cpus[i].leaf7);
		identity_decode(&raw, cpus[i].xcr0, &identity);
		if (identity.isa != cpus[i].isa)
			print_message("%s: %x, not %x\n", cpus[i].name, identity.isa, cpus[i].isa);
		assert_string_equal(identity.vendor, cpus[i].vendor);
		assert_int_equal(identity.family, cpus[i].family);
		assert_int_equal(identity.model, cpus[i].model);
		assert_int_equal(identity.stepping, cpus[i].stepping);
		assert_int_equal(identity.isa, cpus[i].isa);
		assert_string_equal(identity.hypervisor, cpus[i].hypervisor);
		assert_string_equal(identity.brand, "");
	}
}

/* Where leaf 7 is beyond the last one, Intel answers with the data of the last: no features. */
static void test_no_leaf7(void **state)
{
	struct cpu_raw_data_t raw;
	struct identity identity;

	(void)state;
	fill(&raw, cpus[0].vendor, cpus[0].leaf1, cpus[0].leaf7);
	raw.basic_cpuid[0][EAX] = 6;
	identity_decode(&raw, XCR0_ALL, &identity);
	assert_int_equal(identity.isa, AVX | ISA_FMA);
}

static void test_brand(void **state)
{
	static const struct {
		const char brand[49], *folded;
	} rows[] = {
		{ "Intel(R) Xeon Phi(TM) CPU 7210 @ 1.30GHz", "Intel(R) Xeon Phi(TM) CPU 7210 @ 1.30GHz" },
		{ "   Intel(R) Xeon(R) CPU   E5-2699 v3 @ 2.30GHz",
		  "Intel(R) Xeon(R) CPU E5-2699 v3 @ 2.30GHz" },
		{ "AMD EPYC 9654 96-Core Processor                ", "AMD EPYC 9654 96-Core Processor" },
		{ "123456789012345678901234567890123456789012345678",
		  "123456789012345678901234567890123456789012345678" },
		{ "\033[2Jevil\n", "?[2Jevil?" },
		{ "                                                ", "" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct cpu_raw_data_t raw;
		struct identity identity;

		fill(&raw, cpus[0].vendor, cpus[0].leaf1, cpus[0].leaf7);
		memcpy(raw.ext_cpuid[2], rows[i].brand, 48);
		raw.ext_cpuid[0][EAX] = 0x80000003; /* too few leaves for a name */
		identity_decode(&raw, XCR0_ALL, &identity);
		assert_string_equal(identity.brand, "");
		raw.ext_cpuid[0][EAX] = 0x80000008;
		identity_decode(&raw, XCR0_ALL, &identity);
		assert_string_equal(identity.brand, rows[i].folded);
	}
}

static void test_hypervisor(void **state)
{
	static const struct {
		const char signature[13], *name;
	} rows[] = {
		{ "KVMKVMKVM\0\0\0", "KVM" },	 { "VMwareVMware", "VMware" },
		{ "Microsoft Hv", "Microsoft Hyper-V" }, { "XenVMMXenVMM", "Xen" },
		{ "bhyve bhyve ", "bhyve" },	 { "TCGTCGTCGTCG", "QEMU (emulated)" },
		{ "NewNewNewNew", "NewNewNewNew" }, { "Short   ", "Short" },
		{ "\033]0;x\a", "?]0;x?" },	 { "", "unknown" },
		{ "            ", "unknown" },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		identity_hypervisor(rows[i].signature, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].name);
	}
}

/* Blanks, capitals and order as different kernels write them; values that are no numbers. */
static void test_cpuinfo(void **state)
{
	static const char text[] =
		"processor\t: 0\n"
		"vendor_id\t: GenuineIntel\n"
		"cpu family\t: 6\n"
		"model\t\t: 173\n"
		"model name\t: Intel(R) Xeon(R) 658X\n"
		"stepping\t: 1\n"
		"cpu MHz\t\t: 800.000\n"
		"flags\t\t: fpu sse2 avx avx2 fma erms fsrm avx512f avx512bw avx512_vnni amx_tile amx_bf16 amx_int8\n"
		"vmx flags\t: vnmi hypervisor\n"
		"\n"
		"Processor  :  17\n"
		"Model Name: A\tB\n"
		"CPU Family : 25\n"
		"MODEL : 1x\n"
		"Vendor_ID:AuthenticAMD\n"
		"a line without colon\n"
		"Flags : sse2 hypervisor xavx avxx";
	struct identity identity;

	(void)state;
	assert_int_equal(identity_from_cpuinfo(text, 0, &identity), 0);
	assert_string_equal(identity.vendor, "GenuineIntel");
	assert_string_equal(identity.brand, "Intel(R) Xeon(R) 658X");
	assert_int_equal(identity.family, 6);
	assert_int_equal(identity.model, 0xad);
	assert_int_equal(identity.stepping, 1);
	assert_int_equal(identity.isa, AVX512 | AMX | ISA_FSRM);
	assert_string_equal(identity.hypervisor, ""); /* "vmx flags" are another key */
	assert_int_equal(identity_from_cpuinfo(text, 17, &identity), 0);
	assert_string_equal(identity.vendor, "AuthenticAMD");
	assert_string_equal(identity.brand, "A?B");
	assert_int_equal(identity.family, 25);
	assert_int_equal(identity.model, 0);
	assert_int_equal(identity.isa, ISA_SSE2);
	assert_string_equal(identity.hypervisor, "unknown");
	assert_int_equal(identity_from_cpuinfo(text, 1, &identity), -ENOENT);
	assert_int_equal(identity_from_cpuinfo("", 0, &identity), -ENOENT);
}

static void test_cpuinfo_cpus(void **state)
{
	struct list *list = list_new();

	(void)state;
	assert_int_equal(identity_cpuinfo_cpus("processor : 3\n\nx\nPROCESSOR\t: 64\nprocessor : x\n"
					       "processors : 9\n", list), 0);
	assert_int_equal(list_count(list), 2);
	assert_true(list_has(list, 3) && list_has(list, 64));
	assert_int_equal(identity_cpuinfo_cpus("processor : 70000\n", list), -ERANGE);
	list_free(list);
}

/* The compiler's run-time library asks CPUID and XCR0 by itself: a second witness. */
static void test_this_cpu(void **state)
{
	struct identity identity = { 0 };

	(void)state;
	assert_int_equal(identity_read(-1, &identity), 0);
	assert_int_equal(identity.isa & ISA_SSE2, ISA_SSE2);
	assert_int_equal(!(identity.isa & ISA_AVX), !__builtin_cpu_supports("avx"));
	assert_int_equal(!(identity.isa & ISA_AVX2), !__builtin_cpu_supports("avx2"));
	assert_int_equal(!(identity.isa & ISA_FMA), !__builtin_cpu_supports("fma"));
	assert_int_equal(!(identity.isa & ISA_AVX512F), !__builtin_cpu_supports("avx512f"));
	assert_int_equal(!(identity.isa & ISA_AVX512BW), !__builtin_cpu_supports("avx512bw"));
	assert_int_equal(!(identity.isa & ISA_AVX512VNNI), !__builtin_cpu_supports("avx512vnni"));
	assert_int_equal(strcmp(identity.vendor, "GenuineIntel") == 0, !!__builtin_cpu_is("intel"));
	assert_int_equal(strcmp(identity.vendor, "AuthenticAMD") == 0, !!__builtin_cpu_is("amd"));
}

static void test_pin_and_back(void **state)
{
	struct list *before = NULL, *after = NULL;
	struct identity identity = { 0 };
	int last = -1;

	(void)state;
	assert_int_equal(affinity_get(&before), 0);
	for (int id = -1; (id = list_next(before, id + 1)) >= 0; last = id)
		assert_int_equal(identity_read(id, &identity), 0);
	assert_int_equal(identity_read(last + 1 < 60000 ? 60000 : 0, &identity), -EINVAL);
	assert_int_equal(affinity_get(&after), 0);
	assert_int_equal(list_count(before), list_count(after));
	for (int id = -1; (id = list_next(before, id + 1)) >= 0;)
		assert_true(list_has(after, (unsigned)id));
	list_free(before);
	list_free(after);
}

/* libcpuid warns on standard error of CPUs that it does not know; the screen is no place for that. */
static void test_silent(void **state)
{
	const int saved = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	struct identity identity;

	(void)state;
	assert_non_null(file);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	assert_int_equal(identity_read(-1, &identity), 0);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	(void)close(saved);
	assert_int_equal(lseek(fileno(file), 0, SEEK_END), 0);
	(void)fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decode),	      cmocka_unit_test(test_no_leaf7),
		cmocka_unit_test(test_brand),	      cmocka_unit_test(test_hypervisor),
		cmocka_unit_test(test_cpuinfo),	      cmocka_unit_test(test_cpuinfo_cpus),
		cmocka_unit_test(test_this_cpu),      cmocka_unit_test(test_pin_and_back),
		cmocka_unit_test(test_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
