/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long this machine's low clock outlasts a burst: measured by the first burst, kept in
 * $XDG_STATE_HOME/avxtop/release (else ~/.local/state), keyed by CPU identity and boot: a virtual
 * machine may wake up on another CPU.
 * Best effort: failures are silent. Nothing is read or written in secure-execution mode or for
 * another machine's tree (--sysroot); what the file holds is believed only where it parses. */
#ifndef AVXTOP_ENGINE_RELEASE_H
#define AVXTOP_ENGINE_RELEASE_H

struct host;
struct hostfs;

/* Seconds, or NAN when never measured on this machine since boot. */
double release_load(const struct host *host, struct hostfs *fs);
void release_save(const struct host *host, struct hostfs *fs, double release_s);

#endif
