#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Acceptance of the testbed itself: unmodified tools on an emulated machine must report the scenario's truth.
"""usage: accept.py [NAME...]

Runs all checks, or those whose name contains a NAME, and prints "N passed, N failed, N skipped". Needs root; the programs
of tests/emuhw/accept and emuhw in $BUILDDIR; and i7z, linux-cpupower, linux-perf, msr-tools, tmux and util-linux for the
checks that use them.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
BUILD = os.path.abspath(os.environ.get('BUILDDIR', '.'))
EMU = os.path.join(BUILD, 'emuhw')
HERE = os.path.join(BUILD, 'tests', 'emuhw', 'accept')  # its own programs
SC = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'scenarios')
TEMPORARY = tempfile.TemporaryDirectory(prefix='emuhw-accept.')
VARIANT = os.path.join(TEMPORARY.name, 'variant')  # a scenario made from another one
CHECKS = []

def check(f):
    CHECKS.append(f)
    return f

class Skip(Exception):
    pass

def need(*progs):
    for p in progs:
        if not shutil.which(p, path=os.environ['PATH'] + ':/usr/sbin:/sbin'):
            raise Skip(p + ' is not installed')

def need_cpuid():
    if 'cpuid_fault' not in open('/proc/cpuinfo').read().split():
        raise Skip('CPUID faulting is not available here')

def emu(scen, cmd, *opts, timeout=60, ok=True):
    """Run a command (list, or a shell script as str) on the emulated machine; returns stdout+stderr."""
    argv = cmd if isinstance(cmd, list) else ['bash', '-c', cmd]
    r = subprocess.run([EMU, '-q', *opts, os.path.join(SC, scen + '.emu'), '--', *argv], capture_output=True, text=True, timeout=timeout)
    if ok and r.returncode:
        raise AssertionError('exit %d: %s' % (r.returncode, (r.stdout + r.stderr)[-600:]))
    return r.stdout + r.stderr

def near(got, want, rel=0.01, absl=0.0, what=''):
    if abs(got - want) > max(abs(want) * rel, absl):
        raise AssertionError('%s: got %g, truth %g' % (what, got, want))

def variant(scen, *subst):
    """A copy of a scenario with some text replaced ("" appends); its name for emu()."""
    text = open(os.path.join(SC, scen + '.emu')).read()
    for old, new in subst:
        assert old in text, old
        text = text.replace(old, new) if old else text + new
    open(VARIANT + '.emu', 'w').write(text)
    return VARIANT

def counts(scen, cpus, events, script='step 1'):
    """perf stat around a control command: {(cpu, event): count}"""
    need('perf')
    out = emu(scen, ['perf', 'stat', '-x,', '-A', '-C', cpus, '-e', events, 'sh', '-c', "echo '%s' >$EMUHW_ROOT/.emu/ctl" % script])
    v = {(int(f[0][3:]), f[3]): int(f[1]) for f in (l.split(',') for l in out.splitlines()) if len(f) > 4 and re.match('CPU\\d', f[0]) and f[1].isdigit()}
    assert v, out
    return v

def truth(scen):
    return json.loads(emu(scen, 'cat $EMUHW_ROOT/.emu/truth'))


@check
def msr_device_semantics():
    out = emu('skylake-2s', [os.path.join(HERE, 'msr')])
    assert '0 failed' in out, out


@check
def perf_semantics_equal_the_real_kernels():
    r = subprocess.run([os.path.join(HERE, 'perf'), 'sw'], capture_output=True, text=True)
    assert r.returncode == 0, 'native: ' + r.stdout
    out = emu('skylake-2s', [os.path.join(HERE, 'perf'), 'hw'])
    assert ', 0 failed' in out, out


@check
def lscpu_topology():
    out = emu('skylake-2s', ['lscpu'])
    for k, v in (('CPU\\(s\\)', '16'), ('Socket\\(s\\)', '2'), ('Core\\(s\\) per socket', '4'), ('Thread\\(s\\) per core', '2'), ('Model', '85'), ('NUMA node1 CPU\\(s\\)', '4-7,12-15')):
        assert re.search('^%s:\\s+%s$' % (k, v), out, re.M), k


@check
def turbostat_reports_truth_intel():
    need_cpuid()
    need('turbostat')
    t = {c['cpu']: c for c in truth('skylake-2s')['cpus']}
    out = emu('skylake-2s', ['turbostat', '-q', '--show', 'CPU,Busy%,Bzy_MHz,IPC,CoreTmp,PkgWatt,RAMWatt,CPU%c6', '--num_iterations', '1', '--interval', '1'])
    rows = [l.split('\t') for l in out.splitlines() if '\t' in l]
    head = rows[0]
    n = 0
    for r in rows[1:]:
        d = dict(zip(head, r))
        if d['CPU'] == '-':
            continue
        c = t[int(d['CPU'])]
        n += 1
        near(float(d['Busy%']), c['busy'], 0.02, 0.2, 'busy cpu%d' % c['cpu'])
        near(float(d['Bzy_MHz']), c['mhz'], 0.01, 10, 'MHz cpu%d' % c['cpu'])
        near(float(d['IPC']), c['ipc'], 0.01, 0.02, 'ipc')
        if d.get('CoreTmp'):
            near(float(d['CoreTmp']), c['temp'], 0, 0.5, 'temp')
            near(float(d['CPU%c6']), c['c6'], 0.05, 1, 'c6')
        if d.get('PkgWatt'):
            near(float(d['PkgWatt']), 112.5 if c['pkg'] == 0 else 31.25, 0.08, 0, 'watts')
    assert n == 16, n


@check
def turbostat_reports_truth_amd():
    need('turbostat')
    t = {c['cpu']: c for c in truth('epyc')['cpus']}
    out = emu('epyc', ['turbostat', '-q', '--show', 'CPU,Busy%,Bzy_MHz,CorWatt,PkgWatt', '--num_iterations', '1', '--interval', '1'])
    rows = [l.split('\t') for l in out.splitlines() if '\t' in l]
    for r in rows[1:]:
        d = dict(zip(rows[0], r))
        if d['CPU'] != '-':
            c = t[int(d['CPU'])]
            near(float(d['Busy%']), c['busy'], 0.02, 0.2, 'busy')
            near(float(d['Bzy_MHz']), c['mhz'], 0.01, 10, 'MHz')


@check
def i7z_reports_truth():
    need_cpuid()
    need('i7z', 'tmux')
    L = ['tmux', '-L', 'emuhw%d' % os.getpid()]
    sc = os.path.join(TEMPORARY.name, 'i7z.emu')
    open(sc, 'w').write(open(SC + '/sandybridge.emu').read().replace('tsc_mhz = 3400', 'tsc_mhz = host'))
    subprocess.run(L + ['-f', '/dev/null', 'new-session', '-d', '-x', '110', '-y', '40', '%s %s -- i7z' % (EMU, sc)], check=True)
    t = {c['cpu']: c for c in truth('sandybridge')['cpus']}
    seen = []
    try:
        for _ in range(60):
            time.sleep(0.5)
            out = subprocess.run(L + ['capture-pane', '-p'], capture_output=True, text=True).stdout
            rows = re.findall('Core \\d+ \\[(\\d)\\]:\\s+([\\d.]+) \\([\\d.]+x\\)\\s+([\\d.]+)\\s+([\\d.]+)\\s+([\\d.]+)\\s+([\\d.]+)\\s+(\\d+)\\s+([\\d.]+)', out)
            if len(rows) == 4 and float(rows[0][1]) > 3000 and (not seen or rows != seen[-1]):
                seen.append(rows)
            if len(seen) == 3:
                break
        assert len(seen) == 3, out
        for k, r in enumerate(seen[-1]):
            c = t[int(r[0])]
            near(sorted((float(s[k][1]) for s in seen))[1], c['mhz'], 0.01, 0, 'MHz')
            near(float(r[2]), c['busy'], 0.03, 1, 'C0')
            near(float(r[5]), c['c6'], 0.05, 1, 'C6')
            near(float(r[6]), c['temp'], 0, 1, 'temp')
            near(float(r[7]), c['volt'], 0.01, 0, 'volt')
    finally:
        subprocess.run(L + ['kill-server'])
        os.unlink(sc)


@check
def cpupower_monitor_reports_truth():
    need_cpuid()
    need('cpupower')
    out = emu('sandybridge', ['cpupower', 'monitor', '-m', 'Mperf,Idle_Stats'])
    t = {c['cpu']: c for c in truth('sandybridge')['cpus']}
    n = 0
    for l in out.splitlines():
        f = [x.strip() for x in re.split('\\|+', l)]
        if f and f[0].isdigit():
            c = t[int(f[0])]
            near(float(f[3]), c['mhz'], 0.01, 5, 'MHz')
            near(float(f[1]), c['busy'], 0.02, 0.5, 'C0')
            n += 1
    assert n == 8, out


@check
def perf_stat_license_ratio_and_power():
    need('perf')
    out = emu('skylake-2s', ['perf', 'stat', '-x,', '-a', '-A', '-e', 'cycles,cpu/event=0x28,umask=0x20,name=LVL2/,msr/mperf/,msr/tsc/', 'sleep', '0.5'])
    v = {(f[0], f[3]): float(f[1]) for f in (l.split(',') for l in out.splitlines()) if len(f) > 4 and f[0].startswith('CPU') and f[1][0].isdigit()}
    near(v['CPU1', 'LVL2'] / v['CPU1', 'cycles'], 0.9, 0.01, 0, 'LVL2')
    assert v['CPU0', 'LVL2'] == 0
    near(v['CPU4', 'msr/mperf/'] / v['CPU4', 'msr/tsc/'], 0.5, 0.01, 0, 'mperf/tsc')
    out = emu('skylake-2s', ['perf', 'stat', '-x,', '-a', '--per-socket', '-e', 'power/energy-pkg/,power/energy-ram/,cstate_pkg/c6-residency/', 'sleep', '1'])
    j = [float(l.split(',')[2]) for l in out.splitlines() if 'energy-pkg' in l]
    near(j[0] / j[1], 112.5 / 31.25, 0.01, 0, 'joules')


@check
def permissions_of_an_ordinary_user():
    out = emu('skylake-2s', 'cat /dev/cpu/0/msr; perf stat -a -e cycles true; cat /sys/class/powercap/intel-rapl:0/energy_uj', '-u', 'nobody', ok=False)
    assert out.count('Permission denied') == 2 and 'perf_event_paranoid' in out, out
    out = emu('skylake-2s', 'setpriv --bounding-set -sys_rawio cat /dev/cpu/0/msr', ok=False)
    assert 'not permitted' in out, out


@check
def hotplug():
    out = emu('skylake-2s', 'exec 7</dev/cpu/3/msr; cd /sys/devices/system/cpu; echo 0 >cpu3/online; cat online offline\n        ls -d /dev/cpu/3/msr cpu3/topology cpu3/cpufreq 2>&1; python3 -c "import os\ntry: os.pread(7,8,0x10)\nexcept OSError as e: print(e.errno)"; perf stat -C 3 -e cycles true 2>&1 | tail -3; nproc; echo 0 >cpu0/online; echo 1 >cpu3/online; cat online', ok=False)
    assert '0-2,4-15\n3\n' in out and out.count('No such file') >= 3 and ('\n6\n' in out) and ('\n15\n' in out) and ('0-15' in out.splitlines()), out
    out = emu('hotplug', 'cat /sys/devices/system/cpu/offline; sleep 2.5; cat /sys/devices/system/cpu/offline; sleep 2; cat /sys/devices/system/cpu/offline')
    assert out.split() == ['6', '3,6,11', '6'], out


@check
def faults_and_control_file():
    out = emu('faults', 'for c in 1 2; do rdmsr -p $c 0x19c; done; rdmsr -p 0 0x611; rdmsr -p 4 0x10; cat /sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq\n        perf stat -a -e power/energy-pkg/ true 2>&1 | grep -c \'No such device\'; echo clear >$EMUHW_ROOT/.emu/ctl; rdmsr -p 2 0x19c; echo "fault msr=* errno=EIO" >$EMUHW_ROOT/.emu/ctl; rdmsr -p 2 0x19c; echo nonsense >$EMUHW_ROOT/.emu/ctl', ok=False)
    assert out.count('cannot read MSR') == 3 and 't support MSRs' in out and ('\n1\n' in out) and ('busy' in out.lower()) and ('Invalid argument' in out), out


@check
def manual_clock_is_exact():
    out = emu('manual', 'rd() { rdmsr -p 1 -u $1; }; a=$(rd 0xe8); m=$(rd 0xe7); t=$(rd 0x10); e=$(rd 0x611); sleep 0.1; [ $(rd 0xe8) = $a ]; echo step 2.5 >$EMUHW_ROOT/.emu/ctl\n        echo $(($(rd 0xe8)-a)) $(($(rd 0xe7)-m)) $(($(rd 0x10)-t)) $(( ($(rd 0x611)-e) ))')
    assert out.split() == ['1250000000', '1250000000', '5000000000', str(int(250 * 16384))], out


@check
def energy_counter_wraps_at_32_bits():
    out = emu('manual', 'echo step 2621 >$EMUHW_ROOT/.emu/ctl; rdmsr -u -p 0 0x611; echo step 1 >$EMUHW_ROOT/.emu/ctl; rdmsr -u -p 0 0x611').split()
    assert int(out[0]) == int(262100 * 16384) and int(out[1]) == int(262200 * 16384) - 2 ** 32, out


@check
def state_changes_from_outside():
    out = emu('manual', 'echo "cpu 2 busy=100 mhz=3100 l2=100" >$EMUHW_ROOT/.emu/ctl; a=$(rdmsr -p2 -u 0xe8); echo step 1 >$EMUHW_ROOT/.emu/ctl; echo $(($(rdmsr -p2 -u 0xe8)-a)); cat /sys/devices/system/cpu/cpu2/cpufreq/scaling_cur_freq')
    assert out.split() == ['3100000000', '3100000'], out


@check
def two_thousand_cpus():
    need('perf')
    out = emu('big', 'nproc; taskset -c 1500 bash -c "taskset -pc \\$\\$"; perf stat -x, -C 1500 -e cycles,r2028 sleep 0.3')
    v = [float(l.split(',')[0]) for l in out.splitlines() if re.match('\\d+,,(cycles|r2028)', l)]
    assert out.startswith('2048\n') and 'affinity list: 1500' in out and (v[0] > 0), out
    near(v[1], v[0], 0.01, 0, 'r2028 against cycles')


@check
def avx512_process_attribution():
    out = emu('skylake-2s', 'cat /proc/4242/task/4243/arch_status /proc/4300/arch_status /proc/4400/arch_status; cat /proc/4242/comm; cat /proc/self/comm')
    ms = [int(x) for x in re.findall('AVX512_elapsed_ms:\\s+(-?\\d+)', out)]
    assert ms[0] == 4 and ms[2] == -1 and (out.split()[-2:] == ['avxburn', 'cat']), out


@check
def cpus_follow_the_burst_generator():
    """The closed loop: real vector instructions of a thread pinned to emulated CPU 5 set that CPU's license and frequency."""
    need('perf')
    b = os.path.join(HERE, 'burst')
    for mode, mhz, col in ((0, 3700, 1), (1, 3000, 2), (2, 2500, 3)):
        if mode == 2 and 'avx512f' not in open('/proc/cpuinfo').read():
            continue
        f = '/sys/devices/system/cpu/cpu5/cpufreq/scaling_cur_freq'
        out = emu('react', b + ' %d 5 20 & for i in $(seq 50); do [ $(cat %s) = %d ] && break; sleep .1; done; perf stat -x, -C 5 -e cycles,r0728,r1828,r2028 sleep 0.2; cat %s; kill $!' % (mode, f, mhz * 1000, f), ok=False)
        v = [float(l.split(',')[0]) for l in out.splitlines() if re.match('\\d+,,', l)]
        assert str(mhz * 1000) in out.splitlines(), out
        near(v[col], v[0], 0.08, 0, 'license cycles')
        assert sum(v[1:]) == v[col], out


@check
def hybrid_machine_has_two_pmus():
    need('perf')
    out = emu('alderlake', ['perf', 'stat', '-x,', '-a', '-e', 'cycles', 'sleep', '0.3'])
    v = {l.split(',')[2]: float(l.split(',')[0]) for l in out.splitlines() if re.match('\\d+,,cpu_', l)}
    near(v['cpu_core/cycles/'] / v['cpu_atom/cycles/'], (14 * 0.1 * 2400 + 2 * 5100) / (8 * 0.3 * 3700), 0.02, 0, 'cycles')
    assert '16-23' in emu('alderlake', 'cat /sys/devices/cpu_atom/cpus')


@check
def many_threads_under_emulation():
    src = "import os,threading\ndef w(n):\n  os.sched_setaffinity(0,{n}); [os.sched_getaffinity(0) for _ in range(50)]; r.append((n,os.sched_getaffinity(0)))\nr=[]\nt=[threading.Thread(target=w,args=(i%16,)) for i in range(64)]\n[x.start() for x in t];[x.join() for x in t]\nassert len(r)==64 and all(s=={n} for n,s in r); print('fine')"
    assert 'fine' in emu('skylake-2s', ['python3', '-c', src])
LIC = 'r0728,r1828,r2028,r4028'


@check
def license_events_count_the_core():
    """lic_scope: 60 % and 20 % busy siblings; a busy one and an idle one; the AnyThread bit."""
    own = {0: (0.12, 0.24, 0.84, 0.06), 3: (0.4, 0, 0, 0), 1: (0.75, 0.5, 0.625, 0), 4: (0, 0, 0, 0)}
    halted = {**own, 3: (0.04, 0.08, 0.28, 0.02)}
    core = {**own, 3: own[0], 4: own[1]}
    for scope, want in (('core', core), ('halted-stops', halted), ('thread', own)):
        sc = variant('smt', ('lic_scope = core', 'lic_scope = ' + scope))
        v = counts(sc, '0,1,3,4', LIC)
        for c in want:
            for e, x in zip(LIC.split(','), want[c]):
                near(v[c, e], x * 1000000000.0, 1e-12, 1, '%s cpu%d %s' % (scope, c, e))
    v = counts('smt', '0,1,3,4', 'cycles,r20003c,r02ec')
    assert all((v[c, 'r20003c'] == (1200000000, 2500000000)[c % 3] and v[c, 'r02ec'] == 0 for c in (0, 1, 3, 4))), v
    assert [v[c, 'cycles'] for c in (0, 3, 1, 4)] == [1200000000, 400000000, 2500000000, 0], v
    out = emu(variant('smt', ('lic_scope = core', 'paranoid = 1')), 'perf stat -x, -e r3c:u true && echo fine; perf stat -x, -e r20003c:u true || echo refused', '-u', 'nobody')
    assert 'fine' in out.split() and 'refused' in out.split(), out
    assert 'unknown machine key' in emu(variant('smt', ('lic_scope = core', 'lic_scope = socket')), 'true', ok=False)


@check
def license_truth_per_core_over_time():
    """The busier thread changes, one sibling's lines repeat, then a change from outside and a sibling that leaves."""
    out = emu('smt', 'for c in "step 300" "cpu 5 busy=100 mhz=2000 l1=50 l2=50" "step 2.5" "offline 5" "step 0.5"; do echo $c >$EMUHW_ROOT/.emu/ctl; cat $EMUHW_ROOT/.emu/truth >/dev/null; done; cat $EMUHW_ROOT/.emu/truth')
    t = json.loads(out)
    k = [c['cum'] for c in t['cores']]
    assert [c['cpus'] for c in t['cores']] == [[0, 3], [1, 4], [2, 5]] and t['lic_scope'] == 'core', out
    want = {'l2': 2000000000.0 * 100 + 2000000000.0 + 1500000000.0, 'l0': 1000000000.0 + 100000000.0, 'l1': 1600000000.0 + 99 * 3200000000.0 + 1500000000.0}
    for x in want:
        near(k[2][x], want[x], 1e-12, 1, 'core 2 ' + x)
    near(k[2]['cycles'], sum(want.values()), 1e-12, 1, 'cycles')
    near(k[0]['l2'], 303 * 840000000.0, 1e-12, 1, 'core 0')
    near(t['cpus'][3]['cum']['core_l2'], 303 * 280000000.0, 1e-12, 1, 'halted-stops')
    near(t['cpus'][3]['cum']['l0'], 303 * 400000000.0, 1e-12, 1, 'own')
    near(t['cores'][0]['l2'], 70, 1e-09, 0, 'l2 %')


@check
def distributed_cycles_of_icelake():
    v = counts(variant('smt', ('skylake-sp', 'icelake-sp')), '0,3,1,4', 'cycles,r02ec,r083c,r20003c')
    assert [v[c, 'r02ec'] for c in (0, 3, 1, 4)] == [1000000000, 200000000, 2500000000, 0] and [v[c, 'r083c'] for c in (0, 3, 1, 4)] == [12500000, 2500000, 25000000, 0], v
    assert all((v[c, 'r20003c'] == v[c, 'cycles'] for c in (0, 3, 1, 4))), v


@check
def incomplete_license_accounting():
    v = counts('smt', '1,4', 'cycles,' + LIC)
    assert sum((v[1, e] for e in LIC.split(','))) == 1875000000 and v[1, 'cycles'] == 2500000000, v
    v = counts(variant('smt', ('thr=5', 'thr=5 acct=80')), '0,3', LIC)
    for e, x in zip(LIC.split(','), (0.096, 0.192, 0.672, 0.06)):
        near(v[0, e], x * 1000000000.0, 1e-12, 1, e)
        near(v[3, e], x * 1000000000.0, 1e-12, 1, e)
    v = counts(variant('smt', ('thr=5', 'thr=5 acct=0')), '0', LIC)
    assert sum(v.values()) == 60000000, v


@check
def sapphire_and_granite_rapids():
    flags = {'amx_tile', 'amx_int8', 'amx_bf16'} & set(open('/proc/cpuinfo').read().split())
    manual = (('[machine]', '[machine]'), ('[cpu *]', 'clock = manual\n[cpu *]'))
    for sc, model, t1, amx in (('sapphire-rapids', 143, 38, 0.6 * 2600000000.0), ('granite-rapids', 173, 39, 0.75 * 2900000000.0)):
        out = emu(sc, 'lscpu; rdmsr -u -p 0 0x1ad; cat /sys/devices/cpu/caps/pmu_name')
        assert re.search('^Model:\\s+%d$' % model, out, re.M) and int(out.split()[-2]) & 255 == t1 and (out.split()[-1] == sc.replace('-', '_')), out
        assert flags == {f for f in out.split() if f in ('amx_tile', 'amx_int8', 'amx_bf16')}, out
        v = counts(variant(sc, *manual), '1,2', 'cycles,r02b7,r0728,r2028,r40c7,r80c7', 'step 2')
        assert all((v[c, e] == 0 for c in (1, 2) for e in ('r0728', 'r2028'))) and v[2, 'r02b7'] == 0, v
        near(v[1, 'r02b7'], amx * (2 if model == 143 else 1), 1e-09, 1, 'AMX_BUSY')
        near(v[2, 'r40c7'] + v[2, 'r80c7'], 4800000000.0 if model == 143 else 0, 1e-09, 2, 'FP_ARITH')
    out = emu('skylake-2s', 'lscpu')
    assert 'amx' not in out and 'avx512_fp16' not in out, out
    assert counts(variant('smt', ('lic_scope = core', 'lic_zero = yes')), '0', 'r0728')[0, 'r0728'] == 0


@check
def isolated_cpus_and_who_touched_them():

    def stats(text):
        return {int(m[1]): dict(zip(m[2].split()[::2], map(int, m[2].split()[1::2]))) for m in re.finditer('^cpu(\\d+) (.*)$', text, re.M)}
    st = 'cat $EMUHW_ROOT/.emu/stats'
    need('perf', 'rdmsr')
    out = emu('isolated', 'cat /sys/devices/system/cpu/isolated /sys/devices/system/cpu/nohz_full; nproc; taskset -c 0,1 true; rdmsr -p 1 0x10; perf stat -C 0-1 -e cycles true 2>/dev/null; ' + st)
    s = stats(out)
    assert out.startswith('2-3,6-7\n3,7\n4\n') and len(s) == 8, out
    for c in (2, 3, 6, 7):
        assert not any((s[c][k] for k in ('msr_open', 'msr_read', 'msr_write', 'perf_open', 'perf_read', 'affinity'))), (c, s[c])
    assert s[1]['msr_open'] == s[1]['msr_read'] == 1 and s[0]['perf_open'] and s[0]['perf_read'] and s[0]['affinity'] and (not s[5]['msr_open']), out
    s = stats(emu('isolated', 'taskset -c 3 true; rdmsr -p 2 0x10; perf stat -C 6 -e cycles true 2>/dev/null; taskset -c 7 nproc; ' + st))
    assert s[3]['affinity'] == 1 and s[2]['msr_open'] == 1 and s[6]['perf_open'] and (s[7]['affinity'] == 1), s
    assert emu('skylake-2s', 'cat /sys/devices/system/cpu/isolated /sys/devices/system/cpu/nohz_full') == '\n(null)\n'


@check
def mperf_jumps_and_frozen_counters():
    pre = 'ctl() { echo $* >$EMUHW_ROOT/.emu/ctl; }; rd() { rdmsr -p 1 -u $1; }; d() { a=$(rd 0xe8); m=$(rd 0xe7); ctl $*; echo $(($(rd 0xe8)-a)) $(($(rd 0xe7)-m)); }; '
    out = emu('manual', pre + 'd mperfjump 1 7000000000; d mperfjump 1 -5; d mperfjump 0 9; d step 1; ctl cpu 1 freeze=mperf; d step 2; ctl cpu 1 freeze=aperf; d step 2; ctl cpu 1 freeze=both; d step 1; ctl cpu 1 freeze=none; d step 1')
    assert out.splitlines() == ['0 7000000000', '0 -5', '0 0', '500000000 500000000', '1000000000 0', '0 1000000000', '0 0', '500000000 500000000'], out
    out = emu(variant('manual', ('', '[timeline]\n5 mperfjump 1 -123456789\n5 cpu 2 freeze=aperf\n')), pre + 'd step 6; rdmsr -p 2 -u 0xe8; cat $EMUHW_ROOT/.emu/truth').split(None, 3)
    assert out[:3] == ['3000000000', '2876543211', '2500000000'], out
    t = {c['cpu']: c for c in json.loads(out[3])['cpus']}
    assert (t[1]['cum']['mperf'], t[1]['cum']['mperf_reg'], t[2]['cum']['aperf'], t[2]['cum']['aperf_reg'], t[2]['freeze']) == (3000000000, 2876543211, 3000000000, 2500000000, 1), t
    v = counts('manual', '1,2', 'msr/mperf/,msr/aperf/,cycles', 'step 1\nmperfjump 1 1000\ncpu 2 freeze=aperf\nstep 1')
    assert [v[c, e] for c in (1, 2) for e in ('msr/mperf/', 'msr/aperf/', 'cycles')] == [1000001000, 1000000000, 1000000000, 1000000000, 500000000, 1000000000], v
    for bad in ('mperfjump 1', 'mperfjump 99 1', 'mperfjump 1 x', 'cpu 1 freeze=tsc'):
        assert 'Invalid argument' in emu('manual', 'echo %s >$EMUHW_ROOT/.emu/ctl' % bad, ok=False), bad


@check
def a_guest_without_anything():
    need_cpuid()
    out = emu('bare-vm', 'ls /dev/cpu/0; ls -d /sys/class/powercap/intel-rapl; perf stat -a -e cycles true; lscpu', ok=False)
    assert 'msr' not in out.split('\n')[0] and 'not supported' in out and ('Hypervisor vendor' in out), out


@check
def prefix_mode_for_unprivileged_unit_tests():
    d = os.path.join(TEMPORARY.name, 'mount')
    os.mkdir(d)
    p = subprocess.Popen([EMU, '-m', d, os.path.join(SC, 'skylake-2s.emu')], stdout=subprocess.PIPE, text=True)
    try:
        p.stdout.readline()
        assert open(d + '/sys/devices/system/cpu/online').read() == '0-15\n'
        fd = os.open(d + '/dev/cpu/1/msr', os.O_RDONLY)
        assert len(os.pread(fd, 8, 232)) == 8
        os.close(fd)
    finally:
        p.terminate()
        p.wait(10)
        subprocess.run(['umount', '-l', d], stderr=subprocess.DEVNULL)
        os.rmdir(d)

def main():
    ok = bad = skip = 0
    for f in CHECKS:
        if sys.argv[1:] and (not any((a in f.__name__ for a in sys.argv[1:]))):
            continue
        t = time.time()
        try:
            f()
            ok += 1
            print('ok   %-45s %.1f s' % (f.__name__, time.time() - t), flush=True)
        except Skip as e:
            skip += 1
            print('skip %s: %s' % (f.__name__, e), flush=True)
        except Exception as e:
            bad += 1
            print('FAIL %s: %s: %s' % (f.__name__, type(e).__name__, e), flush=True)
    print('%d passed, %d failed, %d skipped' % (ok, bad, skip))
    return bad != 0
sys.exit(main())
