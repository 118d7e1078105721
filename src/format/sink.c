/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of formats that samples can be written in. */
#include "config.h"

#include "format/sink.h"

#include <stddef.h>

static const struct sink_ops *const sinks[FORMAT_N] = {
	[FORMAT_TABLE] = &table_ops,
	[FORMAT_CSV] = &csv_ops,
	[FORMAT_JSON] = &json_ops,
};

const struct sink_ops *sink_ops(enum format format)
{
	return sinks[format];
}
