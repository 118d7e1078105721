/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers to and from text, always as in the C locale: the program never sets LC_NUMERIC. */
#include "config.h"
#include "base/num.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

int num_parse_u64(const char *text, uint64_t *ret)
{
	uint64_t value = 0;

	if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
		return -EINVAL;
	for (; *text; text++) {
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

int num_parse_hex(const char *text, uint64_t *ret)
{
	if (text[0] != '0' || text[1] != 'x' || text[2] == '\0' ||
	    text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] != '\0')
		return -EINVAL;
	if (strlen(text + 2) > 16)
		return -ERANGE;
	*ret = strtoull(text + 2, NULL, 16);
	return 0;
}

/* Plain decimal only: strtod alone would also take " 1", "inf", "nan" and "0x1p3". */
static int parse_prefix(const char *text, double *ret, const char **ret_end)
{
	char *end;
	double value;

	if (strchr("+-.0123456789", *text) == NULL || *text == '\0')
		return -EINVAL;
	errno = 0;
	value = strtod(text, &end);
	if (end == text || memchr(text, 'x', (size_t)(end - text)) ||
	    memchr(text, 'X', (size_t)(end - text)) || isnan(value))
		return -EINVAL;
	if (isinf(value))
		return errno == ERANGE ? -ERANGE : -EINVAL; /* "1e999" or "-inf" */
	*ret = value;
	*ret_end = end;
	return 0;
}

int num_parse_double(const char *text, double *ret)
{
	const char *end;
	double value;
	int r = parse_prefix(text, &value, &end);

	if (r < 0)
		return r;
	if (*end != '\0')
		return -EINVAL;
	*ret = value;
	return 0;
}

int num_parse_time(const char *text, uint64_t *ret_ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 },	    { "ns", 1 },	{ "us", 1e3 },
		{ "\u00b5s", 1e3 }, { "\u03bcs", 1e3 }, { "ms", 1e6 }, /* micro sign, mu */
		{ "s", 1e9 },	    { "min", 60e9 },	{ "h", 3600e9 },
	};
	const char *unit;
	double value;
	int r = parse_prefix(text, &value, &unit);

	if (r < 0)
		return r;
	if (signbit(value))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].name) != 0)
			continue;
		value = round(value * units[i].ns);
		if (value >= 0x1p63) /* 292 years: also fits signed users of the figure */
			return -ERANGE;
		*ret_ns = (uint64_t)value;
		return 0;
	}
	return -EINVAL;
}

static const char byte_units[] = "KMG"; /* powers of 1,024, from the first */

int num_parse_bytes(const char *text, uint64_t *ret)
{
	const size_t len = strspn(text, "0123456789");
	const char *const unit = text[len] ? strchr(byte_units, text[len]) : NULL;
	char number[24];
	uint64_t value;
	int r;

	if (len >= sizeof(number))
		return -ERANGE;
	if (text[len] && (!unit || text[len + 1]))
		return -EINVAL;
	memcpy(number, text, len);
	number[len] = '\0';
	r = num_parse_u64(number, &value);
	for (const char *u = byte_units; r == 0 && unit && u <= unit; u++)
		if (__builtin_mul_overflow(value, 1024u, &value))
			r = -ERANGE;
	if (r == 0)
		*ret = value;
	return r;
}

const char *num_format_bytes(uint64_t bytes, char *buf, size_t size)
{
	const char *unit = byte_units;

	if (bytes == 0 || bytes % 1024 != 0) {
		(void)snprintf(buf, size, "%" PRIu64, bytes);
		return buf;
	}
	for (bytes /= 1024; bytes % 1024 == 0 && unit[1]; bytes /= 1024)
		unit++;
	(void)snprintf(buf, size, "%" PRIu64 "%c", bytes, *unit);
	return buf;
}

const char *num_format(double value, char *buf, size_t size)
{
	/* Whole numbers that a double holds exactly are written without exponent. */
	if (fabs(value) < 0x1p53 && value == trunc(value)) {
		(void)snprintf(buf, size, "%.0f", value == 0 ? 0.0 : value); /* no "-0" */
		return buf;
	}
	/* 15 digits survive for most; 17 always do (IEEE 754 double). %g drops trailing zeros. */
	for (int digits = 15; digits <= 17; digits++) {
		(void)snprintf(buf, size, "%.*g", digits, value);
		if (digits == 17 || strtod(buf, NULL) == value)
			break;
	}
	return buf;
}

/* Scales by thousands until fewer than four digits are left before the point, after rounding, so
 * that 999.6 MHz becomes 1.00 GHz and never 1000 MHz. fraction: decimals below 10 and below 100. */
static const char *human(double value, const char *const *units, const char *suffix,
			 const int *fraction, char *buf, size_t size)
{
	if (!isfinite(value)) {
		(void)snprintf(buf, size, "–");
		return buf;
	}
	for (;;) {
		const double magnitude = fabs(value);
		int decimals = 0;

		if (magnitude < 10 - 0.5 * pow(10, -fraction[0]))
			decimals = fraction[0];
		else if (magnitude < 100 - 0.5 * pow(10, -fraction[1]))
			decimals = fraction[1];
		else if (magnitude >= 999.5 && units[1]) {
			value /= 1000;
			units++;
			continue;
		}
		(void)snprintf(buf, size, "%.*f %s%s", value == 0 ? 0 : decimals, value, units[0],
			       suffix);
		return buf;
	}
}

const char *num_human_hertz(double hertz, char *buf, size_t size)
{
	static const char *const units[] = { "", "k", "M", "G", "T", NULL };
	static const int fraction[] = { 2, 1 };

	return human(hertz, units, "Hz", fraction, buf, size);
}

const char *num_human_time(double seconds, char *buf, size_t size)
{
	static const char *const units[] = { "n", "u", "m", "", NULL };
	static const int fraction[] = { 1, 0 };

	return human(seconds * 1e9, units, "s", fraction, buf, size);
}

const char *num_human_rate(double per_second, const char *unit, char *buf, size_t size)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P", NULL };
	static const int fraction[] = { 2, 1 };

	return human(per_second, units, unit, fraction, buf, size);
}
