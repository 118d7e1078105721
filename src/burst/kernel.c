/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of loads made of kernel_rows.h, and whether one may run here. */
#include "config.h"
#include "burst/kernel.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/nls.h"
#include "burst/core.h"
#include "burst/kernel_seed.h"
#include "model/host.h"

/* Linux include/uapi/asm/prctl.h, since 5.16; XFEATURE_XTILE_DATA is bit 18 of XCR0. */
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILE_DATA 18ul

static const struct kernel_row rows[KERNEL_N] = {
#define KERNEL(id, function, ...)                                                                  \
	[KERNEL_##id] = { .run = function, .reference = function##_reference, __VA_ARGS__ },
#define COPY(id, function, ...)                                                                    \
	[KERNEL_##id] = { .copy = function, .rate = RATE_BYTE, .ops = 1, __VA_ARGS__ },
#include "burst/kernel_rows.h"
#undef COPY
#undef KERNEL
};

const struct kernel_row *kernel_row(enum kernel kernel)
{
	return &rows[kernel];
}

int kernel_by_name(const char *name)
{
	for (int i = 0; i < KERNEL_N; i++)
		if (strcmp(rows[i].name, name) == 0)
			return i;
	return -1;
}

const char *kernel_name_at(unsigned index)
{
	return index < KERNEL_N ? rows[index].name : NULL;
}

const char *rate_unit(enum rate rate)
{
	switch (rate) {
	case RATE_FLOP:
		return "FLOP";
	case RATE_OP:
		return "op";
	case RATE_BYTE:
		return "B";
	}
	return "";
}

static double core_value(const struct core_row *core, size_t offset)
{
	double value;

	memcpy(&value, (const char *)core + offset, sizeof(value));
	return value;
}

double kernel_peak(enum kernel kernel, const struct core_row *core, double measured)
{
	const struct kernel_row *const row = &rows[kernel];

	if (!core || row->theory == 0)
		return NAN;
	return core_rate(core_value(core, row->theory),
			 row->theory_alt ? core_value(core, row->theory_alt) : NAN,
			 measured / row->ops) * row->ops;
}

bool kernel_state_equal(const uint32_t *a, const uint32_t *b, unsigned words)
{
	uint32_t difference = 0;

	for (unsigned i = 0; i < words; i++) {
		difference |= a[i] ^ b[i];
		/* keeps the loop scalar whatever the optimization level */
		__asm__ volatile("" : "+r"(difference));
	}
	return difference == 0;
}

struct isa_name {
	uint32_t bit;
	const char *name;
};

static const struct isa_name isa_names[] = {
	{ ISA_SSE2, "SSE2" },	      { ISA_AVX, "AVX" },
	{ ISA_AVX2, "AVX2" },	      { ISA_FMA, "FMA" },
	{ ISA_AVX512F, "AVX-512F" },  { ISA_AVX512BW, "AVX-512BW" },
	{ ISA_AVX512VNNI, "AVX-512 VNNI" }, { ISA_AMX_TILE, "AMX-TILE" },
	{ ISA_AMX_BF16, "AMX-BF16" }, { ISA_AMX_INT8, "AMX-INT8" },
	{ ISA_ERMS, "ERMS" },	      { ISA_FSRM, "FSRM" },
};

void kernel_isa_names(uint32_t isa, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(isa_names) / sizeof(*isa_names); i++) {
		if (!(isa & isa_names[i].bit) || len + 1 >= size)
			continue;
		if (len)
			strncat(buf, ", ", size - len - 1);
		strncat(buf, isa_names[i].name, size - strlen(buf) - 1);
		len = strlen(buf);
	}
}

/* The kernel hands out tile data only to processes that ask (Documentation/arch/x86/xstate.rst);
 * threads made afterwards inherit it, and asking twice is harmless. */
static int ask_for_tiles(struct problem *ret_problem)
{
	if (syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA) == 0)
		return 0;
	if (errno == EINVAL || errno == ENOSYS)
		return problem_set(ret_problem, ENOTSUP, _("use Linux 5.16 or later"),
				   _("this kernel does not hand out AMX tile data"));
	return problem_set(ret_problem, ENOTSUP, "",
			   _("the kernel refuses permission to use AMX tile data (%s)"),
			   strerror(errno));
}

int kernel_usable(enum kernel kernel, const struct host *host, unsigned kind,
		  struct problem *ret_problem)
{
	const uint32_t missing = rows[kernel].isa & ~host->kinds[kind].isa;
	char names[96];

	if (missing) {
		kernel_isa_names(missing, names, sizeof(names));
		return problem_set(ret_problem, ENOTSUP,
				   host->hypervisor[0]
					   ? _("only another kind of machine or virtual machine has it")
					   : _("a CPU that has it needs an operating system that enables it"),
				   _("%s cannot run here: CPUID or XCR0 does not offer %s"),
				   rows[kernel].name, names);
	}
	if (host->live && rows[kernel].isa & ISA_AMX_TILE)
		return ask_for_tiles(ret_problem);
	return 0;
}
