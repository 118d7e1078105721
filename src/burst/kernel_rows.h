/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A KERNEL: its function in a kernel_*.c file, NAME, beside which stands NAME_reference (both are
 * declared by this row), then what it needs and what it does. A COPY
 * has no other reference than its source; its rate is of bytes copied, each counted once.
 * reach: measured on Golden Cove, whose ports the chains of the scalar kernel meet unevenly.
 * chunk_loops: at the rate of a core with two vector units (facts of data/cores) and 3 GHz, a chunk
 * takes about 20 us: long against its fixed cost, short against the next interrupt of a guest. */
KERNEL(SCALAR, kernel_scalar, .name = "scalar", .weight = "scalar", .isa = 0, .rate = RATE_OP, .ops = 1,
	.seed = kernel_scalar_seed, .state_words = 16, .theory = offsetof(struct core_row, scalar), .reach = 0.81, .chunk_loops = 5000,
	.help = N_("integer add and xor in eight chains: the baseline, no vector unit"))
KERNEL(SSE_FMA, kernel_sse_fma, .name = "sse-fma", .weight = "light", .isa = ISA_SSE2, .rate = RATE_FLOP, .ops = 4,
	.seed = kernel_fma_seed, .state_words = 48, .theory = offsetof(struct core_row, sse), .reach = 0.88, .chunk_loops = 3500,
	.help = N_("128-bit single-precision multiply and add in 12 accumulators: light"))
KERNEL(AVX2_INT, kernel_avx2_int, .name = "avx2-int", .weight = "light", .isa = ISA_AVX2, .rate = RATE_OP, .ops = 8,
	.seed = kernel_int_seed, .state_words = 96, .theory = offsetof(struct core_row, int256), .chunk_loops = 4000,
	.help = N_("256-bit integer add and xor in 12 accumulators: light"))
KERNEL(AVX2_FMA, kernel_avx2_fma, .name = "avx2-fma", .narrower = "sse-fma", .weight = "heavy", .isa = ISA_AVX2 | ISA_FMA, .rate = RATE_FLOP, .ops = 16,
	.seed = kernel_fma_seed, .state_words = 96, .theory = offsetof(struct core_row, fma256), .chunk_loops = 2500,
	.help = N_("256-bit single-precision FMA in 12 accumulators: heavy"))
KERNEL(AVX512_INT, kernel_avx512_int, .name = "avx512-int", .narrower = "avx2-int", .weight = "light", .isa = ISA_AVX512F, .rate = RATE_OP, .ops = 16,
	.seed = kernel_int_seed, .state_words = 192, .theory = offsetof(struct core_row, int512), .theory_alt = offsetof(struct core_row, int512_alt),
	.chunk_loops = 4000,
	.help = N_("512-bit integer add and xor in 12 accumulators: light"))
KERNEL(AVX512_FMA, kernel_avx512_fma, .name = "avx512-fma", .narrower = "avx2-fma", .weight = "heavy", .isa = ISA_AVX512F, .rate = RATE_FLOP, .ops = 32,
	.seed = kernel_fma_seed, .state_words = 192, .theory = offsetof(struct core_row, fma512), .theory_alt = offsetof(struct core_row, fma512_alt),
	.chunk_loops = 2500,
	.help = N_("512-bit single-precision FMA in 12 accumulators: heavy"))
KERNEL(AVX512_VNNI, kernel_avx512_vnni, .name = "avx512-vnni", .weight = "heavy", .isa = ISA_AVX512VNNI, .rate = RATE_OP, .ops = 128,
	.seed = kernel_vnni_seed, .state_words = 192, .theory = offsetof(struct core_row, vnni512), .theory_alt = offsetof(struct core_row, vnni512_alt),
	.chunk_loops = 2500,
	.help = N_("512-bit dot products of bytes in 12 accumulators: heavy"))
KERNEL(AMX_BF16, kernel_amx_bf16, .name = "amx-bf16", .narrower = "avx512-fma", .weight = "amx", .isa = ISA_AMX_TILE | ISA_AMX_BF16, .rate = RATE_FLOP, .ops = 16384,
	.seed = kernel_amx_bf16_seed, .state_words = 1024, .theory = offsetof(struct core_row, amx_bf16), .chunk_loops = 280,
	.help = N_("tile multiply of bfloat16, 2 x 2 tiles: the heaviest class"))
KERNEL(AMX_INT8, kernel_amx_int8, .name = "amx-int8", .narrower = "avx512-vnni", .weight = "amx", .isa = ISA_AMX_TILE | ISA_AMX_INT8, .rate = RATE_OP, .ops = 32768,
	.seed = kernel_amx_int8_seed, .state_words = 1024, .theory = offsetof(struct core_row, amx_int8), .chunk_loops = 280,
	.help = N_("tile multiply of signed bytes, 2 x 2 tiles: the heaviest class"))
COPY(COPY_LIBC, kernel_copy_libc, .name = "copy-libc", .weight = "light", .isa = 0,
	.help = N_("copy by memcpy() of the C library, which chooses by the CPU how"))
COPY(COPY_MOVSB, kernel_copy_movsb, .name = "copy-movsb", .weight = "scalar", .isa = 0, .wants = ISA_ERMS | ISA_FSRM,
	.help = N_("copy by rep movsb: microcode moves as it sees fit"))
COPY(COPY_MOVSQ, kernel_copy_movsq, .name = "copy-movsq", .weight = "scalar", .isa = 0,
	.help = N_("copy by rep movsq: microcode, eight bytes at a time or more"))
COPY(COPY_UNROLLED, kernel_copy_unrolled, .name = "copy-unrolled", .weight = "scalar", .isa = 0,
	.help = N_("copy by 64-bit loads and stores, eight a round: no vector unit"))
COPY(COPY_AVX2, kernel_copy_avx2, .name = "copy-avx2", .narrower = "copy-unrolled", .weight = "light", .isa = ISA_AVX,
	.help = N_("copy by 256-bit loads and stores, four a round: light"))
COPY(COPY_AVX512, kernel_copy_avx512, .name = "copy-avx512", .narrower = "copy-avx2", .weight = "light", .isa = ISA_AVX512F,
	.help = N_("copy by 512-bit loads and stores, four a round: light"))
COPY(COPY_AVX512_NT, kernel_copy_avx512_nt, .name = "copy-avx512-nt", .weight = "light", .isa = ISA_AVX512F,
	.help = N_("the same with stores that go past the caches to memory: light"))
