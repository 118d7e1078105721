/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGINT, SIGTERM and SIGHUP as something to poll: a command ends on them in good order. */
#ifndef AVXTOP_CMD_SIGNALS_H
#define AVXTOP_CMD_SIGNALS_H

#include <signal.h>

/* A descriptor that becomes readable, or -errno. Signals that are ignored (nohup) are left alone:
 * once blocked they would be kept, and read. */
int cmd_signals_open(sigset_t *ret_old);
/* From here on a signal kills again, should something hold up the end; those that came are done. */
void cmd_signals_close(int fd, const sigset_t *old);

#endif
