/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Energy in powercap, temperatures in hwmon and thermal. */
#include "config.h"

#include <math.h>

#include "machine.h"
#include "tree.h"

static void g_temp(FILE *f, const struct node *n, double t)
{
	fprintf(f, "%.0f\n", (n->arg ? pkg_s(n->cpu, t)->temp : cpu_s(n->cpu, t)->temp) * 1000);
}

/* powercap counters wrap at what the MSR can hold */
static double energy_range(int domain)
{
	double unit = domain == 1 && machine.dram_esu > 0 ? machine.dram_esu : machine.esu;
	return floor(4294967295.0 / exp2(unit) * 1e6);
}

/* What the register began with, which Linux goes on from. */
static double energy_start(int domain)
{
	double unit = domain == 1 && machine.dram_esu > 0 ? machine.dram_esu : machine.esu;
	return (double)machine.energy_base / exp2(unit) * 1e6;
}

static void g_uj(FILE *f, const struct node *n, double t)
{
	double p[NP];
	pkg_q(n->cpu, t, p);
	static const int Q[] = { P_PKGJ, P_DRAMJ, P_PP0J, P_PP1J };
	fprintf(f, "%.0f\n", fmod(p[Q[n->arg]] * 1e6 + energy_start(n->arg), energy_range(n->arg)));
}

void build_sensors(struct node *sys)
{
	bool in = machine.vendor == INTEL;
	/* powercap, hwmon, thermal */
	if (machine.have_powercap && machine.have_rapl) {
		struct node *v = dir(sys, "devices/virtual/powercap/intel-rapl"),
			    *cl = dir(sys, "class/powercap");
		link_to(cl, "intel-rapl", "../../devices/virtual/powercap/intel-rapl");
		text(v, "enabled", "1\n");
		for (int i = 0; i < machine.sockets; i++) {
			struct node *z = dir(v, "intel-rapl:%d", i);
			link_to(cl, z->name, "../../devices/virtual/powercap/intel-rapl/%s",
				z->name);
			text(z, "name", "package-%d\n", i);
			text(z, "enabled", "1\n");
			gen(z, "energy_uj", g_uj, i, 0)->mode = 0400;
			text(z, "max_energy_range_uj", "%.0f\n", energy_range(0));
			text(z, "constraint_0_name", "long_term\n");
			rw(text(z, "constraint_0_power_limit_uw", "%.0f\n", machine.tdp * 1e6));
			text(z, "constraint_0_time_window_us", "999424\n");
			text(z, "constraint_0_max_power_uw", "%.0f\n", machine.tdp * 1e6);
			text(z, "constraint_1_name", "short_term\n");
			rw(text(z, "constraint_1_power_limit_uw", "%.0f\n", machine.tdp * 1.2e6));
			text(z, "constraint_1_time_window_us", "7808\n");
			int s = 0;
			static const char *sub[] = { "", "dram", "core", "uncore" };
			bool have[] = { false, machine.have_dram, machine.have_pp0,
					machine.have_pp1 };
			for (int d = 1; d < 4; d++)
				if (have[d]) {
					struct node *y = dir(z, "intel-rapl:%d:%d", i, s++);
					link_to(cl, y->name,
						"../../devices/virtual/powercap/intel-rapl/%s/%s",
						z->name, y->name);
					text(y, "name", "%s\n", sub[d]);
					text(y, "enabled", "0\n");
					gen(y, "energy_uj", g_uj, i, d)->mode = 0400;
					text(y, "max_energy_range_uj", "%.0f\n", energy_range(d));
				}
		}
	}
	if (machine.have_hwmon) {
		struct node *cl = dir(sys, "class/hwmon");
		for (int i = 0; i < machine.sockets; i++) {
			struct node *h = in ? dir(sys, "devices/platform/coretemp.%d/hwmon/hwmon%d",
						  i, i + 1)
					    : dir(sys, "devices/platform/k10temp.%d/hwmon/hwmon%d",
						  i, i + 1);
			link_to(cl, h->name, "../../devices/platform/%s.%d/hwmon/%s",
				in ? "coretemp" : "k10temp", i, h->name);
			text(h, "name", in ? "coretemp\n" : "k10temp\n");
			text(h, "temp1_label", in ? "Package id %d\n" : "Tctl\n", i);
			gen(h, "temp1_input", g_temp, i, 1);
			if (in) {
				text(h, "temp1_max", "%.0f\n", (machine.tjmax - 10) * 1000);
				text(h, "temp1_crit", "%.0f\n", machine.tjmax * 1000);
				text(h, "temp1_crit_alarm", "0\n");
			}
			if (in)
				for (int c = 0; c < machine.ncpu; c++)
					if (cpus[c].pkg == i && cpus[c].thread == 0) {
						char b[40];
						int k = cpus[c].core_id + 2;
						snprintf(b, sizeof b, "temp%d_label", k);
						text(h, b, "Core %d\n", cpus[c].core_id)->vis = c;
						snprintf(b, sizeof b, "temp%d_input", k);
						gen(h, b, g_temp, c, 0)->vis = c;
						snprintf(b, sizeof b, "temp%d_crit", k);
						text(h, b, "%.0f\n", machine.tjmax * 1000)->vis = c;
						snprintf(b, sizeof b, "temp%d_max", k);
						text(h, b, "%.0f\n", (machine.tjmax - 10) * 1000)
							->vis = c;
					}
		}
	}
	if (machine.have_thermal && in) {
		struct node *cl = dir(sys, "class/thermal");
		for (int i = 0; i < machine.sockets; i++) {
			struct node *z = dir(sys, "devices/virtual/thermal/thermal_zone%d", i);
			link_to(cl, z->name, "../../devices/virtual/thermal/%s", z->name);
			text(z, "type", "x86_pkg_temp\n");
			gen(z, "temp", g_temp, i, 1);
		}
	}
}
