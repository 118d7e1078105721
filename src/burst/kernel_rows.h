/* ONE ROW A KERNEL: what it needs, what it does, its function in a kernel_*.c file. */
KERNEL(SCALAR, .name = "scalar", .isa = 0, .run = kernel_scalar, .rate = RATE_OP, .theory = offsetof(struct core_row, scalar),
	.ops = 1, .help = N_("integer add and xor in five chains: the baseline, no vector unit"))
KERNEL(AVX2_FMA, .name = "avx2-fma", .isa = ISA_AVX2 | ISA_FMA, .run = kernel_avx2_fma, .rate = RATE_FLOP, .theory = offsetof(struct core_row, fma256),
	.ops = 16, .help = N_("256-bit single-precision FMA in 12 accumulators: heavy"))
KERNEL(AVX512_INT, .name = "avx512-int", .isa = ISA_AVX512F, .run = kernel_avx512_int, .rate = RATE_OP, .theory = offsetof(struct core_row, int512),
	.ops = 16, .help = N_("512-bit integer add and xor in 12 accumulators: light"))
KERNEL(AVX512_FMA, .name = "avx512-fma", .isa = ISA_AVX512F, .run = kernel_avx512_fma, .rate = RATE_FLOP, .theory = offsetof(struct core_row, fma512),
	.ops = 32, .help = N_("512-bit single-precision FMA in 12 accumulators: heavy"))
KERNEL(AMX_BF16, .name = "amx-bf16", .isa = ISA_AMX_TILE | ISA_AMX_BF16, .run = kernel_amx_bf16, .rate = RATE_FLOP, .theory = offsetof(struct core_row, amx_bf16),
	.ops = 16384, .help = N_("tile multiply of bfloat16, 2 x 2 tiles: the heaviest class"))
