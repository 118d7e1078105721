# SPDX-License-Identifier: GPL-2.0-or-later
# What avxtop log says beside what an emulated machine does: jq -rn -f counters.jq --slurpfile log LOG --slurpfile truth TRUTH
# --arg must METRIC… --arg none METRIC…
# Prints how many values were compared, then a line for each that is not what it must be. The machine does the same all the
# time, so each sample shows the same shares and clocks. Relative: clocks, shares of the time and watts; absolute: shares of 1.

$truth[0] as $t
| ($t.cpus | map({ (.cpu | tostring): . }) | add) as $cpus

# The truth of each metric by its row: [value, tolerance, "relative" or "absolute"], or null where it is not known of that row.
| def of_cpu($c): {
	busy_hertz: [$c.mhz * 1e6, 0.001, "relative"],
	busy_ratio: [$c.busy / 100, 0.001, "relative"],
	average_hertz: [$c.busy / 100 * $c.mhz * 1e6, 0.001, "relative"],
	ipc: [$c.ipc, 0.001, "relative"],
	amx_busy_ratio: [$c.amx / 100, 0.001, "absolute"]
};
def of_core($core): $cpus[$core.cpus[0] | tostring] as $c | {
	license0_ratio: [$core.l0 / 100, 0.001, "absolute"],
	license1_ratio: [$core.l1 / 100, 0.001, "absolute"],
	license2_ratio: [$core.l2 / 100, 0.001, "absolute"],
	license_unknown_ratio: [(100 - $core.l0 - $core.l1 - $core.l2) / 100, 0.001, "absolute"],
	license_throttle_ratio: [$core.thr / 100, 0.001, "absolute"],
	core_c1_ratio: [($c.c1 + $c.c1e) / 100, 0.001, "absolute"],
	core_c3_ratio: [$c.c3 / 100, 0.001, "absolute"],
	core_c6_ratio: [$c.c6 / 100, 0.001, "absolute"],
	core_c7_ratio: [$c.c7 / 100, 0.001, "absolute"],
	core_volts: [$c.volt, 0.0002, "absolute"],
	temperature_celsius: [$c.temp, 0, "absolute"]
};
def of_package($p): {
	package_watts: [$p.pkg_w, 0.005, "relative"],
	dram_watts: [$p.dram_w, 0.005, "relative"],
	core_watts: [$p.pp0_w, 0.005, "relative"],
	package_c2_ratio: [$p.pc2 / 100, 0.001, "absolute"],
	package_c3_ratio: [$p.pc3 / 100, 0.001, "absolute"],
	package_c6_ratio: [$p.pc6 / 100, 0.001, "absolute"],
	package_c8_ratio: [$p.pc8 / 100, 0.001, "absolute"],
	package_c10_ratio: [$p.pc10 / 100, 0.001, "absolute"],
	power_throttle_ratio: [$p.pthr / 100, 0.006, "absolute"], # counts 1/1024 s
	uncore_hertz: [$p.unc_mhz * 1e6, 0, "relative"]
};

# Each row of a sample with the truth of its own.
def rows:
	(.cpus[]? | { name: "cpu \(.cpu)", row: ., want: of_cpu($cpus[.cpu | tostring]) }),
	(.cores[]? | . as $r | $t.cores[] | select(.pkg == $r.package and .core == $r.core)
		| { name: "package \(.pkg) core \(.core)", row: $r, want: of_core(.) }),
	(.packages[]? | . as $r | $t.packages[] | select(.pkg == $r.package)
		| { name: "package \(.pkg)", row: $r, want: of_package(.) });

def off($got; $want):
	($got - $want[0] | fabs) as $by
	| $by > $want[1] * (if $want[2] == "relative" then ($want[0] | fabs) else 1 end) + 1e-9;

# A sample may be late or skipped, or none of the time that is moved by hand may lie in it; not each.
[$log[] | select(.schema == "avxtop.sample/1") | select(any(.cpus[]; .busy_ratio != null))] as $samples
| ($must | split(" ") | map(select(. != ""))) as $must
| ($none | split(" ") | map(select(. != ""))) as $none
| [range(0; $samples | length) as $n | $samples[$n] | rows | . as $row
	| ($must[] | . as $metric | select($row.row | has($metric)) | select($row.want[$metric])
		| { sample: $n, name: $row.name, metric: $metric, got: $row.row[$metric], want: $row.want[$metric],
			why: $row.row.why[$metric]? }),
	  ($none[] | . as $metric | select($row.row | has($metric))
		| { sample: $n, name: $row.name, metric: $metric, got: $row.row[$metric], want: null })] as $values
| "\($values | length) values of \([$values[].metric] | unique | length) metrics",
  ($values[] | select(.got != null)
	| if .want == null then "\(.name), sample \(.sample): \(.metric) is \(.got), and must be null"
	  else select(off(.got; .want)) | "\(.name), sample \(.sample): \(.metric) is \(.got), not \(.want[0])" end),
  ($values | map(select(.want != null)) | group_by([.name, .metric])[] | select(all(.got == null))
	| "\(.[0].name): \(.[0].metric) is null in each sample, not \(.[0].want[0]) (\([.[].why] | unique | join(", ")))")
