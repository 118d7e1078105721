# SPDX-License-Identifier: GPL-2.0-or-later
# The files of a made-up machine, as text for unpack.awk: for trees of so many CPUs that nobody would write them by hand.
# awk -f host.awk -v NAME=VALUE …; what is not given is as in BEGIN below. Lists are words separated by commas.
function number(name, otherwise) { return name == "" ? otherwise : name }

# member(list "0-3,8", id)
function member(list, id,    parts, n, i, ends) {
	n = split(list, parts, ",")
	for (i = 1; i <= n; i++)
		if (split(parts[i], ends, "-") == 2 ? id >= ends[1] + 0 && id <= ends[2] + 0 : id == parts[i] + 0)
			return 1
	return 0
}

function file(path, text) { printf "Path: %s\nLines: 1\n%s\n", path, text }
function link(path, target) { printf "Path: %s\nSymlinkTo: %s\n", path, target }

# Where each CPU sits. Threads of a core are numbered one after the other ("first": hybrid parts, VMs), or after all
# cores ("last": servers). E-cores, one thread each, come behind all the others.
function place(    p, d, c, t, core, id) {
	all_cores = packages * n_dies * n_cores
	for (p = 0; p < packages; p++)
		for (d = 1; d <= n_dies; d++)
			for (c = 1; c <= n_cores; c++) {
				core = (p * n_dies + d - 1) * n_cores + c - 1
				for (t = 0; t < threads; t++) {
					id = order == "first" ? core * threads + t : t * all_cores + core
					package[id] = p * package_step
					die[id] = die_ids[d]
					core_id[id] = core_ids[c]
					siblings[id] = order == "first" && threads > 1 ? \
						core * threads "-" (core + 1) * threads - 1 : lasts(core)
				}
			}
	n = all_cores * threads
	for (c = 0; c < ecores; c++) {
		package[n] = 0; die[n] = die_ids[1]; core_id[n] = core_ids[n_cores] + 4 + c; siblings[n] = n
		n++
	}
}

function lasts(core,    t, list) {
	list = core
	for (t = 1; t < threads; t++)
		list = list "," t * all_cores + core
	return list
}

function topology(id,    at) {
	at = CPU "/cpu" id "/topology/"
	file(at "physical_package_id", package[id])
	file(at "die_id", die[id])
	file(at "core_id", core_id[id])
	if (lists != "no")
		file(at "thread_siblings_list", siblings[id])
}

# "policy": a policy for each CPU behind a link (intel_pstate, amd-pstate); "shared": one for the siblings of a core;
# "own": in a folder of the CPU, as before Linux 4.3 (for big hosts: thousands of links take long); "rhel7": so, too, and
# no scaling_cur_freq: intel_pstate of Linux 3.10 has only what root may read.
function cpufreq(id,    lead, at) {
	at = CPU "/cpu" id "/cpufreq"
	lead = id
	if (freq == "shared" || freq == "policy") {
		lead = freq == "shared" ? siblings[id] + 0 : id
		link(at, "../cpufreq/policy" lead)
		at = CPU "/cpufreq/policy" id
	}
	if (lead != id)
		return
	file(at "/scaling_max_freq", 3700000)
	file(at "/scaling_min_freq", 1000000)
	file(at "/cpuinfo_max_freq", 3900000)
	file(at (freq == "rhel7" ? "/cpuinfo_cur_freq" : "/scaling_cur_freq"), 2000000 + id)
}

function cpuidle(id,    names, k, i, at) {
	k = split(idle, names, ",")
	for (i = 1; i <= k; i++) {
		at = CPU "/cpu" id "/cpuidle/state" i - 1 "/"
		file(at "name", names[i])
		file(at "time", 1000000 * i + id)
	}
}

function cpuinfo(    id, lines, text) {
	text = "proc/cpuinfo"
	for (id = 0; id < n; id++) {
		if (member(offline, id))
			continue
		lines++
	}
	printf "Path: %s\nLines: %d\n", text, 9 * lines
	for (id = 0; id < n; id++) {
		if (member(offline, id))
			continue
		printf "processor\t: %d\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: %s\nstepping\t: %d\n" \
			"core id\t\t: %d\nflags\t\t: %s\n\n", id, vendor, family, model, brand, stepping, core_id[id], flags
	}
}

# Every CPU has run a thousand ticks and idled as many; ticks.awk goes on from there.
function stat(    id, lines) {
	for (id = 0; id < n; id++)
		lines += !member(offline, id)
	printf "Path: proc/stat\nLines: %d\ncpu  %012d 0 0 %012d 0 0 0 0 0 0\n", lines + 2, 1000 * lines, 1000 * lines
	for (id = 0; id < n; id++)
		if (!member(offline, id))
			printf "cpu%d %012d 0 0 %012d 0 0 0 0 0 0\n", id, 1000, 1000
	print "ctxt 1"
}

function online(    id, list, first) {
	for (id = 0; id <= n; id++) {
		if (id < n && !member(offline, id)) {
			if (first == "")
				first = id
		} else if (first != "") {
			list = list (list == "" ? "" : ",") (id - 1 > first ? first "-" id - 1 : first)
			first = ""
		}
	}
	return list
}

BEGIN {
	CPU = "sys/devices/system/cpu"
	packages = number(packages, 1)
	package_step = number(package_step, 1)	# package ids 0, step, …
	n_dies = split(number(dies, "0"), die_ids, ",")
	n_cores = split(number(cores, "0"), core_ids, ",")	# ids of each die, or "*N": 0 to N-1
	if (substr(cores, 1, 1) == "*")
		for (n_cores = 0; n_cores < substr(cores, 2) + 0; n_cores++)
			core_ids[n_cores + 1] = n_cores
	threads = number(threads, 1)
	ecores = number(ecores, 0)
	vendor = number(vendor, "GenuineIntel")
	family = number(family, 6)
	model = number(model, 85)
	stepping = number(stepping, 4)
	brand = number(brand, "Sample CPU @ 2.10GHz")
	flags = number(flags, "fpu tsc sse2 constant_tsc nonstop_tsc avx avx2 fma avx512f")
	place()
	file(CPU "/possible", "0-" number(possible, n) - 1)
	file(CPU "/present", "0-" n - 1)
	file(CPU "/online", online())
	if (cpuset != "")
		file("sys/fs/cgroup/cpuset.cpus.effective", cpuset)
	if (isolated != "")
		file(CPU "/isolated", isolated)
	if (ecores) {
		file("sys/devices/cpu_core/cpus", "0-" n - ecores - 1)
		file("sys/devices/cpu_atom/cpus", n - ecores "-" n - 1)
	}
	for (id = 0; id < n; id++) {
		if (member(offline, id))
			continue
		topology(id)
		if (freq != "")
			cpufreq(id)
		if (idle != "")
			cpuidle(id)
	}
	cpuinfo()
	stat()
	file("proc/version", "Linux version 6.1.0-sample")
	file("proc/sys/kernel/osrelease", "6.1.0-sample")
}
