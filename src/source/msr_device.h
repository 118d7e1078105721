/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The register device of one CPU, /dev/cpu/N/msr (msr(4)): opened read-only, never written. Each
 * read interrupts that CPU. */
#ifndef AVXTOP_SOURCE_MSR_DEVICE_H
#define AVXTOP_SOURCE_MSR_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

struct hostfs;

/* The descriptor, for the caller to close, or -errno: ENOENT no such device, ENXIO no driver behind
 * it or the CPU is offline, EACCES and EPERM not allowed. */
int msr_device_open(struct hostfs *fs, unsigned cpu_id);
/* 0 or -errno: EIO the CPU has no such register, or a hypervisor refuses it. */
int msr_device_read(int fd, uint32_t address, uint64_t *ret);
/* Does the kernel say that CPUs have APERF and MPERF (CPUID 6 ECX bit 0)? True where it says
 * nothing. */
bool msr_device_has_aperf(struct hostfs *fs);

#endif
