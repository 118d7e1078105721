/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On and off times of a burst: each period starts with its on time. */
#include "config.h"
#include "burst/pattern.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/num.h"

#define PERIOD_MIN_NS (100 * NS_PER_US)
#define PERIOD_MAX_NS (10 * NS_PER_S)

static int parse_percent(const char *text, size_t len, struct pattern *ret)
{
	const struct pattern base = PATTERN_DEFAULT;
	char number[32];
	double percent;

	if (len == 0 || len >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, len);
	number[len] = '\0';
	if (num_parse_double(number, &percent) || !(percent > 0 && percent <= 100))
		return -EINVAL;
	ret->period_ns = base.period_ns;
	ret->on_ns = (uint64_t)((double)base.period_ns * percent / 100 + 0.5);
	return 0;
}

static int parse_times(const char *text, const char *slash, struct pattern *ret)
{
	const size_t len = (size_t)(slash - text);
	char number[32];

	if (len == 0 || len >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, len);
	number[len] = '\0';
	if (num_parse_time(number, &ret->on_ns) || num_parse_time(slash + 1, &ret->period_ns))
		return -EINVAL;
	return 0;
}

int pattern_parse(const char *text, struct pattern *ret)
{
	const char *const slash = strchr(text, '/');
	const size_t len = strlen(text);
	struct pattern pattern;
	int err;

	if (slash)
		err = parse_times(text, slash, &pattern);
	else if (len && text[len - 1] == '%')
		err = parse_percent(text, len - 1, &pattern);
	else
		return -EINVAL;
	if (err)
		return err;
	if (pattern.on_ns == 0 || pattern.on_ns > pattern.period_ns ||
	    pattern.period_ns < PERIOD_MIN_NS || pattern.period_ns > PERIOD_MAX_NS)
		return -EINVAL;
	*ret = pattern;
	return 0;
}
