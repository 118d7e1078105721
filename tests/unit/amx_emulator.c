/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes and carries out AMX instructions from a SIGILL handler. Encodings and meaning: Intel SDM
 * vol. 2, LDTILECFG, TILERELEASE, TILEZERO, TILELOADD, TILESTORED, TDPBF16PS, TDPBSSD. Anything
 * else, and any use that real hardware would fault on, ends the test by the ordinary SIGILL. */
#include "config.h"

#include "tests/unit/amx_emulator.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

#define TILES 8
#define MAX_ROWS 16
#define MAX_COLSB 64

struct tile {
	uint8_t rows, data[MAX_ROWS][MAX_COLSB];
	uint16_t colsb;
};

/* One emulator a process: a signal handler has no other way to state. */
static struct {
	bool configured;
	struct tile tiles[TILES];
	struct amx_counts counts;
	uint64_t fault;
	struct sigaction before;
} emulator;

struct insn {
	unsigned length, prefix, opcode, mod, reg, rm, vvvv;
	uint64_t address; /* of the memory operand; a SIB one without index × scale for tiles */
	uint64_t stride;
};

static uint64_t gpr(const ucontext_t *context, unsigned number)
{
	static const int registers[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
					   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
					   REG_R12, REG_R13, REG_R14, REG_R15 };

	return (uint64_t)context->uc_mcontext.gregs[registers[number]];
}

/* Three-byte VEX in the map 0F38, W0, L0; with or without SIB and displacement, no RIP-relative. */
static bool decode(const ucontext_t *context, struct insn *ret)
{
	const uint8_t *const code = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
	const unsigned index_high = code[1] & 0x40 ? 0 : 8, base_high = code[1] & 0x20 ? 0 : 8;
	struct insn insn = { .length = 5 };
	unsigned base;

	if (code[0] != 0xc4 || (code[1] & 0x1f) != 2 || code[2] & 0x84)
		return false;
	insn.prefix = code[2] & 3;
	insn.vvvv = ~(unsigned)code[2] >> 3 & 15;
	insn.opcode = code[3];
	insn.mod = code[4] >> 6;
	insn.reg = code[4] >> 3 & 7;
	insn.rm = code[4] & 7;
	base = insn.rm | base_high;
	if (insn.mod != 3 && insn.rm == 4) {
		const uint8_t sib = code[insn.length++];
		const unsigned index = (sib >> 3 & 7) | index_high;

		base = (sib & 7) | base_high;
		if (index != 4)
			insn.stride = gpr(context, index) << (sib >> 6);
	}
	if (insn.mod == 0 && (base & 7) == 5)
		return false;
	if (insn.mod != 3)
		insn.address = gpr(context, base);
	if (insn.mod == 1) {
		insn.address += (uint64_t)(int64_t)(int8_t)code[insn.length];
		insn.length += 1;
	} else if (insn.mod == 2) {
		int32_t displacement;

		memcpy(&displacement, code + insn.length, sizeof(displacement));
		insn.address += (uint64_t)(int64_t)displacement;
		insn.length += 4;
	}
	*ret = insn;
	return true;
}

static bool configure(const uint8_t *config)
{
	memset(emulator.tiles, 0, sizeof(emulator.tiles));
	if (config[0] != 1 || config[1] != 0)
		return false;
	for (unsigned i = 2; i < 64; i++)
		if ((i < 16 || (i >= 32 && i < 48) || i >= 56) && config[i] != 0)
			return false;
	for (unsigned i = 0; i < TILES; i++) {
		struct tile *const tile = &emulator.tiles[i];

		memcpy(&tile->colsb, config + 16 + 2 * i, sizeof(tile->colsb));
		tile->rows = config[48 + i];
		if (tile->rows > MAX_ROWS || tile->colsb > MAX_COLSB)
			return false;
	}
	emulator.configured = true;
	emulator.counts.configs++;
	return true;
}

static float bf16(const uint8_t *bytes)
{
	uint32_t bits = (uint32_t)bytes[1] << 24 | (uint32_t)bytes[0] << 16;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

typedef void multiply_fn(uint8_t *sum, const struct tile *a, unsigned m, const struct tile *b,
			 unsigned n);

/* sum[m][n] += Σ_k a[m][2k]·b[k][2n] + a[m][2k+1]·b[k][2n+1]; the pair's halves in sums of their own */
static void multiply_bf16(uint8_t *sum, const struct tile *a, unsigned m, const struct tile *b,
			  unsigned n)
{
	float even = 0, odd = 0, total;

	for (unsigned k = 0; k < b->rows; k++) {
		even += bf16(&a->data[m][4 * k]) * bf16(&b->data[k][4 * n]);
		odd += bf16(&a->data[m][4 * k + 2]) * bf16(&b->data[k][4 * n + 2]);
	}
	memcpy(&total, sum, sizeof(total));
	total += even + odd;
	memcpy(sum, &total, sizeof(total));
}

/* sum[m][n] += Σ_k Σ_i a[m][4k+i]·b[k][4n+i], signed bytes, modulo 2^32 */
static void multiply_int8(uint8_t *sum, const struct tile *a, unsigned m, const struct tile *b,
			  unsigned n)
{
	uint32_t total;

	memcpy(&total, sum, sizeof(total));
	for (unsigned k = 0; k < b->rows; k++)
		for (unsigned i = 0; i < 4; i++)
			total += (uint32_t)((int8_t)a->data[m][4 * k + i] *
					    (int8_t)b->data[k][4 * n + i]);
	memcpy(sum, &total, sizeof(total));
}

static bool multiply(struct tile *sum, const struct tile *a, const struct tile *b,
		     multiply_fn *element)
{
	if (!emulator.configured || sum == a || sum == b || a == b || sum->rows != a->rows ||
	    sum->colsb != b->colsb || a->colsb / 4 != b->rows || sum->rows == 0)
		return false;
	for (unsigned m = 0; m < a->rows; m++)
		for (unsigned n = 0; n < sum->colsb / 4u; n++)
			element(&sum->data[m][4 * n], a, m, b, n);
	if (++emulator.counts.products == emulator.fault)
		sum->data[3][8] ^= 1;
	return true;
}

static bool move(const struct insn *insn, struct tile *tile, bool load)
{
	if (!emulator.configured || tile->rows == 0)
		return false;
	for (unsigned row = 0; row < tile->rows; row++) {
		uint8_t *const memory = (uint8_t *)(insn->address + row * insn->stride);

		if (load)
			memcpy(tile->data[row], memory, tile->colsb);
		else
			memcpy(memory, tile->data[row], tile->colsb);
	}
	*(load ? &emulator.counts.loads : &emulator.counts.stores) += 1;
	return true;
}

static bool carry_out(const struct insn *insn)
{
	struct tile *const tile = &emulator.tiles[insn->reg];

	if (insn->opcode == 0x49 && insn->prefix == 0 && insn->mod != 3 && insn->reg == 0)
		return configure((const uint8_t *)insn->address);
	if (insn->opcode == 0x49 && insn->prefix == 0 && insn->mod == 3) {
		memset(emulator.tiles, 0, sizeof(emulator.tiles));
		emulator.configured = false;
		emulator.counts.releases++;
		return true;
	}
	if (insn->opcode == 0x49 && insn->prefix == 3 && insn->mod == 3) {
		memset(tile->data, 0, sizeof(tile->data));
		emulator.counts.zeros++;
		return emulator.configured;
	}
	if (insn->opcode == 0x4b && (insn->prefix == 3 || insn->prefix == 2) && insn->rm == 4)
		return move(insn, tile, insn->prefix == 3);
	if (insn->mod != 3 || insn->vvvv >= TILES)
		return false;
	if (insn->opcode == 0x5c && insn->prefix == 2) /* F3: TDPBF16PS */
		return multiply(tile, &emulator.tiles[insn->rm], &emulator.tiles[insn->vvvv],
				multiply_bf16);
	if (insn->opcode == 0x5e && insn->prefix == 3) /* F2: TDPBSSD */
		return multiply(tile, &emulator.tiles[insn->rm], &emulator.tiles[insn->vvvv],
				multiply_int8);
	return false;
}

static void on_sigill(int signal, siginfo_t *info, void *data)
{
	ucontext_t *const context = data;
	struct insn insn;

	(void)signal, (void)info;
	if (decode(context, &insn) && carry_out(&insn))
		context->uc_mcontext.gregs[REG_RIP] += insn.length;
	else
		(void)sigaction(SIGILL, &emulator.before, NULL); /* the retry ends the test */
}

void amx_emulator_start(void)
{
	struct sigaction action = { .sa_sigaction = on_sigill, .sa_flags = SA_SIGINFO };

	memset(&emulator, 0, sizeof(emulator));
	(void)sigaction(SIGILL, &action, &emulator.before);
}

void amx_emulator_stop(void)
{
	(void)sigaction(SIGILL, &emulator.before, NULL);
}

struct amx_counts amx_emulator_counts(void)
{
	return emulator.counts;
}

bool amx_emulator_clean(void)
{
	return !emulator.configured;
}

void amx_emulator_fault(uint64_t product)
{
	emulator.fault = product;
}
