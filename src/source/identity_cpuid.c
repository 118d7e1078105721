/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a CPU says by the CPUID instruction. Raw data by libcpuid, meaning by ourselves: libcpuid 0.6
 * names too many models wrongly and misses AVX-512 of AMD. Leaves and bits: Intel SDM vol. 2A,
 * CPUID; XCR0 masks: vol. 1, chapters 13 to 18. */
#include "config.h"
#include "source/identity.h"

#include <cpuid.h>
#include <errno.h>
#include <libcpuid.h> /* also EAX, EBX, ECX, EDX as indices */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/errand.h"
#include "base/list.h"
#include "base/text.h"
#include "model/host.h"
#include "source/affinity.h"

#define XCR0_AVX 0x6ull	      /* SSE, AVX */
#define XCR0_AVX512 0xe6ull   /* and opmask, ZMM_Hi256, Hi16_ZMM */
#define XCR0_AMX 0x60000ull   /* XTILECFG, XTILEDATA */
#define HYPERVISOR_LEAF 0x40000000u

static bool bit(uint32_t word, unsigned number)
{
	return (word >> number & 1) != 0;
}

static void decode_vendor(const uint32_t leaf0[4], struct identity *ret)
{
	char vendor[13] = "";

	memcpy(vendor, &leaf0[EBX], 4);
	memcpy(vendor + 4, &leaf0[EDX], 4);
	memcpy(vendor + 8, &leaf0[ECX], 4);
	text_escape_terminal(vendor, ret->vendor, sizeof(ret->vendor));
}

/* Leaves 0x80000002 to 4, without the spaces that pad it. */
static void decode_brand(const struct cpu_raw_data_t *raw, struct identity *ret)
{
	char brand[49] = "", folded[49];
	size_t used = 0;

	if (raw->ext_cpuid[0][EAX] < 0x80000004)
		return;
	memcpy(brand, raw->ext_cpuid[2], 48);
	for (const char *at = brand; *at; at++) {
		if (*at == ' ' && (used == 0 || at[1] == ' ' || at[1] == '\0'))
			continue;
		folded[used++] = *at;
	}
	folded[used] = '\0';
	text_escape_terminal(folded, ret->brand, sizeof(ret->brand));
}

static void decode_model(uint32_t eax, struct identity *ret)
{
	const unsigned family = eax >> 8 & 0xf, model = eax >> 4 & 0xf;

	ret->family = family == 0xf ? family + (eax >> 20 & 0xff) : family;
	ret->model = family == 0xf || family == 6 ? (eax >> 12 & 0xf0) | model : model;
	ret->stepping = eax & 0xf;
}

double identity_base_hertz(uint64_t khz)
{
	return khz >= 100000 && khz <= 10000000 ? (double)khz * 1e3 : 0;
}

/* Leaf 16h: base and highest clock in MHz. Hypervisors return zeros, or half of it. */
static double decode_base(const uint32_t leaf16[4])
{
	const uint32_t base = leaf16[EAX] & 0xffff, highest = leaf16[EBX] & 0xffff;

	return base <= highest ? identity_base_hertz(base * 1000ull) : 0;
}

static uint32_t decode_isa(const uint32_t leaf1[4], const uint32_t leaf7[4], uint64_t xcr0)
{
	uint32_t isa = bit(leaf1[EDX], 26) ? ISA_SSE2 : 0;

	if (bit(leaf7[EBX], 9))
		isa |= ISA_ERMS;
	if (bit(leaf7[EDX], 4))
		isa |= ISA_FSRM;
	if ((xcr0 & XCR0_AVX) != XCR0_AVX || !bit(leaf1[ECX], 28))
		return isa;
	isa |= ISA_AVX;
	if (bit(leaf1[ECX], 12))
		isa |= ISA_FMA;
	if (bit(leaf7[EBX], 5))
		isa |= ISA_AVX2;
	if ((xcr0 & XCR0_AVX512) == XCR0_AVX512 && bit(leaf7[EBX], 16)) {
		isa |= ISA_AVX512F;
		if (bit(leaf7[EBX], 30))
			isa |= ISA_AVX512BW;
		if (bit(leaf7[ECX], 11))
			isa |= ISA_AVX512VNNI;
	}
	if ((xcr0 & XCR0_AMX) == XCR0_AMX && bit(leaf7[EDX], 24)) {
		isa |= ISA_AMX_TILE;
		if (bit(leaf7[EDX], 22))
			isa |= ISA_AMX_BF16;
		if (bit(leaf7[EDX], 25))
			isa |= ISA_AMX_INT8;
	}
	return isa;
}

void identity_decode(const struct cpu_raw_data_t *raw, uint64_t xcr0, struct identity *ret)
{
	static const uint32_t nothing[4];
	const uint32_t *leaf1 = raw->basic_cpuid[1];
	const bool has_leaf7 = raw->basic_cpuid[0][EAX] >= 7;

	*ret = (struct identity){ 0 };
	decode_vendor(raw->basic_cpuid[0], ret);
	decode_brand(raw, ret);
	decode_model(leaf1[EAX], ret);
	ret->isa = decode_isa(leaf1, has_leaf7 ? raw->basic_cpuid[7] : nothing,
			      bit(leaf1[ECX], 27) ? xcr0 : 0);
	if (raw->basic_cpuid[0][EAX] >= 0x16)
		ret->base_hertz = decode_base(raw->basic_cpuid[0x16]);
	if (bit(leaf1[ECX], 31))
		(void)snprintf(ret->hypervisor, sizeof(ret->hypervisor), "unknown");
}

void identity_hypervisor(const char signature[static 12], char *buf, unsigned long size)
{
	/* Signatures as the guests of Linux look for them (arch/x86/kernel/cpu/, jailhouse.c, acrn.c)
	 * or as the makers document them. */
	static const struct {
		char signature[13];
		const char *name;
	} known[] = {
		{ "KVMKVMKVM\0\0\0", "KVM" },	 { "Linux KVM Hv", "KVM" },
		{ "VMwareVMware", "VMware" },	 { "Microsoft Hv", "Microsoft Hyper-V" },
		{ "XenVMMXenVMM", "Xen" },	 { "TCGTCGTCGTCG", "QEMU (emulated)" },
		{ "bhyve bhyve ", "bhyve" },	 { "VBoxVBoxVBox", "VirtualBox" },
		{ " lrpepyh  vr", "Parallels" }, { "prl hyperv  ", "Parallels" },
		{ "ACRNACRNACRN", "ACRN" },	 { "Jailhouse\0\0\0", "Jailhouse" },
	};
	char own[13] = "";
	size_t len;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(signature, known[i].signature, 12) == 0) {
			(void)snprintf(buf, size, "%s", known[i].name);
			return;
		}
	}
	memcpy(own, signature, 12);
	len = strlen(own);
	while (len > 0 && own[len - 1] == ' ')
		own[--len] = '\0';
	text_escape_terminal(len ? own : "unknown", buf, size);
}

static void leaf_signature(uint32_t leaf, char signature[12])
{
	uint32_t regs[4];

	__cpuid(leaf, regs[EAX], regs[EBX], regs[ECX], regs[EDX]);
	memcpy(signature, &regs[EBX], 12);
}

/* KVM and Xen may pose as Hyper-V in the first leaf and then name themselves in the second (Linux
 * Documentation/virt/kvm/x86/cpuid.rst). */
static void read_hypervisor(struct identity *ret)
{
	char first[12], second[12];

	leaf_signature(HYPERVISOR_LEAF, first);
	leaf_signature(HYPERVISOR_LEAF + 0x100, second);
	if (memcmp(first, "Microsoft Hv", 12) == 0 &&
	    (memcmp(second, "KVMKVMKVM", 9) == 0 || memcmp(second, "XenVMMXenVMM", 12) == 0))
		memcpy(first, second, 12);
	identity_hypervisor(first, ret->hypervisor, sizeof(ret->hypervisor));
}

static uint64_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static void say_nothing(const char *message)
{
	(void)message;
}

static int read_here(struct identity *ret)
{
	struct cpu_raw_data_t raw;
	struct identity identity;

	(void)cpuid_set_warn_function(say_nothing); /* it would write to standard error */
	if (cpuid_get_raw_data(&raw) != 0)
		return -ENOTSUP;
	identity_decode(&raw, bit(raw.basic_cpuid[1][ECX], 27) ? read_xcr0() : 0, &identity);
	if (identity.hypervisor[0])
		read_hypervisor(&identity);
	*ret = identity;
	return 0;
}

struct visit {
	unsigned cpu;
	struct identity identity;
};

/* The thread ends here, so its affinity needs no way back. */
static int visit(void *of)
{
	struct visit *const visit = of;
	struct list *const only = list_new();
	int r = only ? list_add(only, visit->cpu) : -ENOMEM;

	if (r == 0)
		r = affinity_set(only);
	if (r == 0)
		r = read_here(&visit->identity);
	list_free(only);
	return r;
}

int identity_read(int cpu, struct identity *ret)
{
	struct visit to = { .cpu = (unsigned)cpu };
	int r;

	if (cpu < 0)
		return read_here(ret);
	r = errand_run(visit, &to);
	if (r == 0)
		*ret = to.identity;
	return r;
}
