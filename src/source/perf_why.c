/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One sentence for each way in which counting events ends (perf_event_open(2), and
 * kernel/events/core.c of Linux 6.12). */
#include "config.h"

#include "source/perf_why.h"

#include <errno.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "base/num.h"
#include "model/host.h"
#include "source/source.h"

const struct reason perf_not_live = {
	ENOTSUP,
	N_("events are counted on the live machine only"),
	"",
};
const struct reason perf_no_license = {
	ENOTSUP,
	N_("no event that counts turbo licenses is published for this CPU"),
	"",
};
const struct reason perf_no_license_amd = {
	ENOTSUP,
	N_("AMD has no license levels: power, current and temperature govern the clock"),
	"",
};
const struct reason perf_no_event = {
	ENOTSUP,
	N_("no event that counts this is known for this CPU"),
	"",
};
const struct reason perf_no_pmu_asked = {
	ECANCELED,
	N_("--no-pmu leaves the hardware counters to others"),
	N_("run it without that option"),
};
const struct reason perf_not_asked = {
	ECANCELED,
	N_("takes a hardware counter of each CPU: counted only where it is asked for"),
	N_("name a metric that needs it by --metrics, or show it"),
};
const struct reason perf_no_counter_left = {
	EBUSY,
	N_("this CPU has too few hardware counters for this beside what else is counted"),
	N_("ask for fewer metrics that take hardware counters"),
};
const struct reason perf_no_counter_watchdog = {
	EBUSY,
	N_("this CPU has too few hardware counters for this, one of which the NMI watchdog holds"),
	N_("ask for fewer metrics that take hardware counters, or switch the watchdog off (sysctl "
	   "kernel.nmi_watchdog=0)"),
};

static const struct reason denied = {
	EACCES,
	N_("the kernel lets only programs with CAP_PERFMON count what runs on a CPU "
	   "(kernel.perf_event_paranoid is above 0)"),
	N_("start it by sudo, or give the program the right: setcap cap_perfmon+ep"),
};
/* The patch of Debian and Ubuntu asks for CAP_SYS_ADMIN there. */
static const struct reason denied_all = {
	EACCES,
	N_("kernel.perf_event_paranoid is 3 or more, where this kernel counts for root alone: "
	   "CAP_PERFMON does not help"),
	N_("start it by sudo, or lower it: sysctl kernel.perf_event_paranoid=2, and setcap "
	   "cap_perfmon+ep"),
};
static const struct reason forbidden = {
	EPERM,
	N_("something forbids counting events here: the seccomp filter of a container, or "
	   "lockdown"),
	N_("allow perf_event_open to the container, or run it outside"),
};
static const struct reason no_calls = { ENOSYS, N_("this kernel counts no events"), "" };
static const struct reason no_msr = {
	ENOENT,
	N_("the kernel does not count this by its PMU msr: this CPU lacks the register"),
	"",
};
static const struct reason no_virtual_msr = {
	ENOENT,
	N_("this virtual machine is not shown the register (no such event in the PMU msr)"),
	N_("look on the host of this virtual machine, which does not pass it on"),
};
static const struct reason no_pmu = {
	ENOENT,
	N_("the kernel drives no hardware counters of this CPU"),
	"",
};
static const struct reason no_virtual_pmu = {
	ENOENT,
	N_("this virtual machine has no hardware counters (no vPMU)"),
	N_("switch on the virtual PMU of this machine on its host"),
};
static const struct reason no_cstate = {
	ENOENT,
	N_("the kernel counts no such idle state of this CPU"),
	"",
};
static const struct reason no_virtual_cstate = {
	ENOENT,
	N_("virtual machines are not shown how long a core or package idles"),
	N_("look on the host of this virtual machine, which does not pass it on"),
};
static const struct reason no_amd_cstate = {
	ENOENT,
	N_("AMD CPUs do not count how long a core or package idles"),
	"",
};
static const struct reason no_power = {
	ENOENT,
	N_("the kernel counts no such energy of this CPU (no such event in the PMU power)"),
	"",
};
static const struct reason no_virtual_power = {
	ENOENT,
	N_("virtual machines are not shown the energy that the CPU takes"),
	N_("look on the host of this virtual machine, which does not pass it on"),
};
static const struct reason no_descriptors = {
	EMFILE,
	N_("the process may not open as many files as there are events to count"),
	N_("raise the limit: ulimit -n"),
};
static const struct reason offline = { ENODEV, N_("the CPU is offline"), "" };
static const struct reason invalid = {
	EINVAL,
	N_("the kernel does not know the event on this CPU"),
	"",
};
static const struct reason busy = {
	EBUSY,
	N_("somebody else has the hardware counters of this CPU to themselves"),
	"",
};
static const struct reason failed = { EIO, N_("the kernel fails to count this event"), "" };

void perf_scene_look(const struct host *host, struct hostfs *fs, struct perf_scene *ret)
{
	char text[16] = "";
	uint64_t number = 0;

	*ret = (struct perf_scene) {
		.paranoid = -1,
		.amd = strcmp(host->vendor, "AuthenticAMD") == 0 ||
		       strcmp(host->vendor, "HygonGenuine") == 0,
		.guest = host->hypervisor[0] != '\0',
	};
	if (hostfs_read_line(fs, text, sizeof(text), "proc/sys/kernel/perf_event_paranoid") == 0 &&
	    num_parse_u64(text, &number) == 0)
		ret->paranoid = number > 9 ? 9 : (int)number;
	if (hostfs_read_u64(fs, &number, "proc/sys/kernel/nmi_watchdog") == 0)
		ret->watchdog = number > 0;
}

static const struct reason *absent(const struct perf_scene *scene, enum perf_part part)
{
	switch (part) {
	case PERF_PART_MSR:
		return scene->guest ? &no_virtual_msr : &no_msr;
	case PERF_PART_CPU:
		return scene->guest ? &no_virtual_pmu : &no_pmu;
	case PERF_PART_CSTATE:
		return scene->amd ? &no_amd_cstate : scene->guest ? &no_virtual_cstate : &no_cstate;
	case PERF_PART_POWER:
		return scene->guest ? &no_virtual_power : &no_power;
	}
	return &failed;
}

const struct reason *perf_why(const struct perf_scene *scene, enum perf_part part, int err)
{
	switch (-err) {
	case EACCES:
		return scene->paranoid >= 3 ? &denied_all : &denied;
	case EPERM:
		return &forbidden;
	case ENOSYS:
		return &no_calls;
	case ENOENT:
	case EOPNOTSUPP:
		return absent(scene, part);
	case EINVAL:
		return &invalid;
	case EMFILE:
	case ENFILE:
		return &no_descriptors;
	case ENODEV:
	case ENXIO:
		return &offline;
	case EBUSY:
		return &busy;
	default:
		return &failed;
	}
}
