/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The copies: what loads and stores of each width do, without arithmetic. As with every kernel,
 * the only wide instructions are the ones written here; copy-libc runs what the C library has
 * chosen for this CPU. What is less than a block is left to `rep movsb`. */
#include "config.h"

#include <string.h>

#include "burst/kernel_seed.h"

/* The direction flag is clear in every function (System V ABI, x86-64, 3.2.1). */
static void copy_rest(void *to, const void *from, size_t bytes)
{
	if (bytes == 0) /* beginning and ending costs some 20 cycles, of 500 that 16 KiB take */
		return;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void kernel_copy_libc(void *to, const void *from, size_t bytes)
{
	/* volatile, or the compiler may put its own code in the place of the call */
	static void *(*const volatile copy)(void *, const void *, size_t) = memcpy;

	(void)copy(to, from, bytes);
}

void kernel_copy_movsb(void *to, const void *from, size_t bytes)
{
	copy_rest(to, from, bytes);
}

void kernel_copy_movsq(void *to, const void *from, size_t bytes)
{
	size_t words = bytes / 8;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
	copy_rest(to, from, bytes % 8);
}

/* A whole copy: `body` copies the block at from + i to to + i; `end` comes after the last one. Four
 * registers a block: with one, a core of two loads a cycle waits (Zen 5: a third less). */
#define EACH_BLOCK(block, body, end)                                                               \
	size_t left = bytes / (block), i;                                                          \
                                                                                                   \
	__asm__ volatile("xor %k[i], %k[i]\n\t"                                                    \
			 "test %[left], %[left]\n\t"                                               \
			 "jz 2f\n\t"                                                               \
			 ".p2align 6\n"                                                            \
			 "1:\n\t" body                                                             \
			 "add %[size], %[i]\n\t"                                                   \
			 "dec %[left]\n\t"                                                         \
			 "jnz 1b\n"                                                                \
			 "2:\n\t" end                                                              \
			 : [i] "=&r"(i), [left] "+r"(left)                                         \
			 : [to] "r"(to), [from] "r"(from), [size] "i"(block)                       \
			 : "cc", "memory", "rax", "rdx", "r8", "r9", "xmm0", "xmm1", "xmm2", "xmm3"); \
	copy_rest((char *)to + i, (const char *)from + i, bytes % (block))

#define LOAD(op, at, reg) op " " #at "(%[from], %[i]), %%" reg "\n\t"
#define STORE(op, at, reg) op " %%" reg ", " #at "(%[to], %[i])\n\t"

void kernel_copy_unrolled(void *to, const void *from, size_t bytes)
{
	EACH_BLOCK(64,
		   LOAD("mov", 0, "rax") LOAD("mov", 8, "rdx") LOAD("mov", 16, "r8") LOAD("mov", 24, "r9")
		   STORE("mov", 0, "rax") STORE("mov", 8, "rdx")
		   STORE("mov", 16, "r8") STORE("mov", 24, "r9")
		   LOAD("mov", 32, "rax") LOAD("mov", 40, "rdx") LOAD("mov", 48, "r8") LOAD("mov", 56, "r9")
		   STORE("mov", 32, "rax") STORE("mov", 40, "rdx")
		   STORE("mov", 48, "r8") STORE("mov", 56, "r9"), "");
}

void kernel_copy_avx2(void *to, const void *from, size_t bytes)
{
	EACH_BLOCK(128,
		   LOAD("vmovdqu", 0, "ymm0") LOAD("vmovdqu", 32, "ymm1")
		   LOAD("vmovdqu", 64, "ymm2") LOAD("vmovdqu", 96, "ymm3")
		   STORE("vmovdqu", 0, "ymm0") STORE("vmovdqu", 32, "ymm1")
		   STORE("vmovdqu", 64, "ymm2") STORE("vmovdqu", 96, "ymm3"), "vzeroupper");
}

#define ZMM_BLOCK(store)                                                                           \
	LOAD("vmovdqu64", 0, "zmm0") LOAD("vmovdqu64", 64, "zmm1")                                 \
	LOAD("vmovdqu64", 128, "zmm2") LOAD("vmovdqu64", 192, "zmm3")                              \
	STORE(store, 0, "zmm0") STORE(store, 64, "zmm1")                                           \
	STORE(store, 128, "zmm2") STORE(store, 192, "zmm3")

void kernel_copy_avx512(void *to, const void *from, size_t bytes)
{
	EACH_BLOCK(256, ZMM_BLOCK("vmovdqu64"), "vzeroupper");
}

/* Non-temporal stores go past the caches, in whole lines: up to the first one it is `rep movsb`.
 * They are weakly ordered, and sfence waits for the last of them (Intel SDM vol. 1, 10.4.6.2). */
void kernel_copy_avx512_nt(void *to, const void *from, size_t bytes)
{
	size_t head = (size_t)(-(uintptr_t)to % 64);

	if (head > bytes)
		head = bytes;
	copy_rest(to, from, head);
	to = (char *)to + head;
	from = (const char *)from + head;
	bytes -= head;
	EACH_BLOCK(256, ZMM_BLOCK("vmovntdq"), "vzeroupper\n\tsfence");
}
