/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The truth as JSON: what holds now, and the exact counts since the start. */
#include "config.h"

#include "truth.h"

#include "machine.h"
#include "msr.h"

void truth_json(FILE *f, double t)
{
	fprintf(f,
		"{\"t\":%.6f,\"name\":\"%s\",\"tsc_mhz\":%.3f,\"base_mhz\":%.0f,\"lic_scope\":\"%"
		"s\",\"cpus\":[",
		t, machine.name, machine.tsc_mhz, machine.base_mhz, lic_scopes[machine.lic_scope]);
	for (int i = 0; i < machine.ncpu; i++) {
		const struct cpustate *s = cpu_s(i, t);
		double q[NQ], k[NK];
		cpu_q(i, t, q);
		core_q(i, t, k);
		fprintf(f,
			"%s\n{\"cpu\":%d,\"online\":%d,\"pkg\":%d,\"core\":%d,\"busy\":%g,\"mhz\":%"
			"g,\"ipc\":%g,\"l0\":%g,"
			"\"l1\":%g,\"l2\":%g,\"thr\":%g,\"c1\":%g,\"c1e\":%g,\"c3\":%g,\"c6\":%g,"
			"\"c7\":%g,\"temp\":%g,"
			"\"volt\":%g,\"watts\":%g,\"acct\":%g,\"amx\":%g,\"freeze\":%d,\"cap_mhz\":"
			"%d,\"floor_mhz\":%g,\"thr_count\":%llu,\"cum\":{"
			"\"c0\":%.6f,\"aperf\":%.0f,"
			"\"mperf\":%.0f,\"inst\":%.0f,\"l0\":%.0f,\"l1\":%.0f,\"l2\":%.0f,\"thr\":%"
			".0f,\"c6\":%.6f,\"joule\":%.6f,"
			"\"amx\":%.0f,\"t\":%.6f,\"c1\":%.6f,\"c3\":%.6f,\"c7\":%.6f,\"fp256\":%.0f,"
			"\"fp512\":%.0f,\"smi\":%.0f,\"aperf_reg\":%llu,"
			"\"mperf_reg\":%llu,\"dist\":%.0f,\"core_l0\":%.0f,\"core_l1\":%.0f,\"core_"
			"l2\":%.0f,\"core_thr\":%.0f}}",
			i ? "," : "", i, cpus[i].online, cpus[i].pkg, cpus[i].core_id, s->busy,
			s->mhz, s->ipc, s->l0, s->l1, s->l2, s->thr, s->c1, s->c1e, s->c3, s->c6,
			s->c7, s->temp, s->volt, s->watts, s->acct, s->amx, s->freeze,
			machine_cap_mhz(i), machine.min_mhz, (unsigned long long)cpus[i].thr_count,
			q[Q_C0], q[Q_APERF], q[Q_C0] * machine.base_mhz * 1e6, q[Q_INST], q[Q_L0],
			q[Q_L1], q[Q_L2], q[Q_LTHR], q[Q_C6], q[Q_JOULE], q[Q_AMX],
			q[Q_T], q[Q_C1] + q[Q_C1E], q[Q_C3], q[Q_C7], q[Q_FP256], q[Q_FP512], q[Q_SMI],
			(unsigned long long)aperf_reg(i, t), (unsigned long long)mperf_reg(i, t),
			k[K_DIST], k[K_H0], k[K_H1], k[K_H2], k[K_HTHR]);
	}
	fprintf(f, "],\n\"cores\":[");
	for (int i = 0, n = 0; i < machine.ncpu; i++) {
		if (cpus[i].lead != i)
			continue;
		double k[NK], r[NK];
		core_q(i, t, k);
		core_rates(i, t, r); /* what it does now */
		double cyc = r[K_CYC] > 0 ? r[K_CYC] / 100 : 1;
		fprintf(f, "%s\n{\"pkg\":%d,\"core\":%d,\"cpus\":[", n++ ? "," : "", cpus[i].pkg,
			cpus[i].core_id);
		for (int j = i; j >= 0; j = cpus[j].sib)
			fprintf(f, j == i ? "%d" : ",%d", j);
		fprintf(f,
			"],\"busy\":%g,\"mhz\":%g,\"l0\":%g,\"l1\":%g,\"l2\":%g,\"thr\":%g,\"cum\":"
			"{\"c0\":%.6f,\"cycles\":%.0f,"
			"\"l0\":%.0f,\"l1\":%.0f,\"l2\":%.0f,\"thr\":%.0f}}",
			r[K_C0] * 100, r[K_C0] > 0 ? r[K_CYC] / r[K_C0] / 1e6 : 0, r[K_L0] / cyc,
			r[K_L1] / cyc, r[K_L2] / cyc, r[K_LTHR] / cyc, k[K_C0], k[K_CYC], k[K_L0],
			k[K_L1], k[K_L2], k[K_LTHR]);
	}
	fprintf(f, "],\n\"packages\":[");
	for (int i = 0; i < machine.sockets; i++) {
		const struct pkgstate *p = pkg_s(i, t);
		double q[NP];
		pkg_q(i, t, q);
		fprintf(f,
			"%s\n{\"pkg\":%d,\"pkg_w\":%g,\"dram_w\":%g,\"pp0_w\":%g,\"temp\":%g,"
			"\"pc2\":%g,\"pc6\":"
			"%g,\"pc3\":%g,\"pc7\":%g,\"pc8\":%g,\"pc9\":%g,\"pc10\":%g,\"pthr\":%g,"
			"\"unc_mhz\":%g,\"cum\":{"
			"\"pkg_j\":%.6f,\"dram_j\":%.6f,\"pp0_j\":%.6f,\"pthr\":%.6f,\"pc2\":%.6f,"
			"\"pc3\":%.6f,\"pc6\":%.6f,\"pc7\":%.6f,\"pc8\":%.6f,\"pc9\":%.6f,\"pc10\":%.6f}}",
			i ? "," : "", i, p->pkg_w, p->dram_w, p->pp0_w, p->temp, p->pc2, p->pc6,
			p->pc3, p->pc7, p->pc8, p->pc9, p->pc10, p->pthr, p->unc_mhz, q[P_PKGJ], q[P_DRAMJ], q[P_PP0J], q[P_PTHR], q[P_PC2],
			q[P_PC3], q[P_PC6], q[P_PC7], q[P_PC8], q[P_PC9], q[P_PC10]);
	}
	fprintf(f, "]}\n");
}
