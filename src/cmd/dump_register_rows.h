/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID LEAVES AND REGISTERS that `doctor --dump` may tell, as comments. Not among them: leaf 3 and
 * MSR 0x4E, 0x4F, 0xC00102F0, 0xC00102F1 (serial numbers). A register that a model has not answers
 * with an error, which is told instead. Addresses: Linux 6.12, arch/x86/include/asm/msr-index.h and
 * tools/power/x86/turbostat. */
LEAVES(0x0, 0x2, 1)
LEAVES(0x4, 0x4, 8)
LEAVES(0x5, 0x6, 1)
LEAVES(0x7, 0x7, 3)
LEAVES(0xa, 0xa, 1)
LEAVES(0xb, 0xb, 3)
LEAVES(0xd, 0xd, 2)
LEAVES(0x14, 0x14, 2)
LEAVES(0x15, 0x16, 1)
LEAVES(0x1a, 0x1a, 1)
LEAVES(0x1c, 0x1c, 1)
LEAVES(0x1d, 0x1d, 2)
LEAVES(0x1e, 0x1e, 2)
LEAVES(0x1f, 0x1f, 6)
LEAVES(0x23, 0x23, 4)
LEAVES(0x24, 0x24, 1)
LEAVES(0x40000000, 0x40000001, 1)
LEAVES(0x40000010, 0x40000010, 1)
LEAVES(0x80000000, 0x80000008, 1)
LEAVES(0x8000001a, 0x8000001a, 1)
LEAVES(0x8000001d, 0x8000001d, 5)
LEAVES(0x8000001e, 0x8000001e, 1)
LEAVES(0x80000022, 0x80000022, 1)
LEAVES(0x80000026, 0x80000026, 4)

REGISTER(INTEL, 0x34)  /* SMI count */
REGISTER(INTEL, 0x35)  /* cores and threads of the package */
REGISTER(INTEL, 0xcd)  /* bus clock of Silvermont */
REGISTER(INTEL, 0xce)  /* platform info */
REGISTER(BOTH, 0xe7)   /* MPERF */
REGISTER(BOTH, 0xe8)   /* APERF */
REGISTER(INTEL, 0xe2)  /* limit of C-states */
REGISTER(INTEL, 0x198) /* ratio and voltage */
REGISTER(INTEL, 0x199) /* ratio asked for */
REGISTER(INTEL, 0x19a) /* clock modulation */
REGISTER(INTEL, 0x19c) /* thermal status of the core */
REGISTER(INTEL, 0x1a0) /* features switched on: turbo */
REGISTER(INTEL, 0x1a2) /* thermal limit */
REGISTER(INTEL, 0x1aa) /* hardware coordination */
REGISTER(INTEL, 0x1ad) /* turbo limits */
REGISTER(INTEL, 0x1ae)
REGISTER(INTEL, 0x1af)
REGISTER(INTEL, 0x1b0) /* energy policy */
REGISTER(INTEL, 0x1b1) /* thermal status of the package */
REGISTER(INTEL, 0x1fc) /* power control */
REGISTER(INTEL, 0x3f8) /* residencies */
REGISTER(INTEL, 0x3f9)
REGISTER(INTEL, 0x3fa)
REGISTER(INTEL, 0x3fc)
REGISTER(INTEL, 0x3fd)
REGISTER(INTEL, 0x3fe)
REGISTER(INTEL, 0x3ff)
REGISTER(INTEL, 0x606) /* units of power and energy */
REGISTER(INTEL, 0x60d)
REGISTER(INTEL, 0x610) /* power limits, energies, throttle times */
REGISTER(INTEL, 0x611)
REGISTER(INTEL, 0x613)
REGISTER(INTEL, 0x614)
REGISTER(INTEL, 0x618)
REGISTER(INTEL, 0x619)
REGISTER(INTEL, 0x61b)
REGISTER(INTEL, 0x61c)
REGISTER(INTEL, 0x620) /* uncore clock: limits, now */
REGISTER(INTEL, 0x621)
REGISTER(INTEL, 0x630)
REGISTER(INTEL, 0x631)
REGISTER(INTEL, 0x632)
REGISTER(INTEL, 0x639)
REGISTER(INTEL, 0x641)
REGISTER(INTEL, 0x648) /* configurable TDP */
REGISTER(INTEL, 0x649)
REGISTER(INTEL, 0x64a)
REGISTER(INTEL, 0x64b)
REGISTER(INTEL, 0x64c)
REGISTER(INTEL, 0x64d)
REGISTER(INTEL, 0x64e) /* PPERF */
REGISTER(INTEL, 0x64f) /* what limits the clock */
REGISTER(INTEL, 0x650)
REGISTER(INTEL, 0x660)
REGISTER(INTEL, 0x664)
REGISTER(INTEL, 0x66a)
REGISTER(INTEL, 0x66b)
REGISTER(INTEL, 0x66c)
REGISTER(INTEL, 0x66d)
REGISTER(INTEL, 0x690)
REGISTER(INTEL, 0x6b0)
REGISTER(INTEL, 0x6b1)
REGISTER(INTEL, 0x770) /* hardware-managed clocks */
REGISTER(INTEL, 0x771)
REGISTER(INTEL, 0x774)
REGISTER(INTEL, 0x777)
REGISTER(AMD, 0xc0010015) /* boost disabled */
REGISTER(AMD, 0xc0010061) /* P-states */
REGISTER(AMD, 0xc0010062)
REGISTER(AMD, 0xc0010063)
REGISTER(AMD, 0xc0010064)
REGISTER(AMD, 0xc0010065)
REGISTER(AMD, 0xc0010066)
REGISTER(AMD, 0xc0010293)
REGISTER(AMD, 0xc0010299) /* units and energies */
REGISTER(AMD, 0xc001029a)
REGISTER(AMD, 0xc001029b)
REGISTER(AMD, 0xc00102b0) /* CPPC */
REGISTER(AMD, 0xc00102b3)
REGISTER(AMD, 0xc00102b4)
