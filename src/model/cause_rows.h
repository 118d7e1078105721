/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A KIND OF ANSWER to "can this be seen here?". .name is the machine key, .title what people
 * read, .remedy what they can do about it where nothing better is known; "" nothing. */
CAUSE(FOUND, .name = "found", .title = N_("found"), .remedy = "")
CAUSE(REFUSED, .name = "refused", .title = N_("refused"),
	.remedy = N_("run it by sudo, or have this user allowed to read it"))
CAUSE(ABSENT, .name = "absent", .title = N_("absent"),
	.remedy = N_("load the driver of the kernel for it, or switch it on in the firmware"))
CAUSE(NOT_ON_CPU, .name = "not-on-this-cpu", .title = N_("not on this CPU"),
	.remedy = N_("only another model of CPU has it"))
CAUSE(VIRTUAL, .name = "virtual-machine", .title = N_("virtual machine"),
	.remedy = N_("look on the host of this virtual machine, which does not pass it on"))
CAUSE(LEFT_OUT, .name = "left-out", .title = N_("left out"),
	.remedy = N_("run it without that option"))
CAUSE(FAILS, .name = "fails", .title = N_("fails"),
	.remedy = N_("try again; where it stays, the log of the kernel may tell more"))
CAUSE(NOT_READ, .name = "not-read", .title = N_("not read"), .remedy = "")
