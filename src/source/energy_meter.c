/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The energy that one zone, or one register, has counted from one read to the next. */
#include "config.h"

#include "source/energy_meter.h"

#include <stdbool.h>

#include "base/clock.h"
#include "source/place.h"
#include "source/zone.h"

enum state energy_count(struct energy_count *count, uint64_t now, uint64_t now_ns,
			double most_per_s, uint64_t *ret_more)
{
	const double most = (double)(now_ns - count->read_ns) / 1e9 * most_per_s;
	const bool first = count->read_ns == 0, wrapped = now < count->last;
	const uint64_t more = wrapped ? now + count->range - count->last : now - count->last;
	enum state state = STATE_OK;

	if (!first && count->range > 0 && most > (double)count->range)
		state = STATE_WRAPPED;
	else if (first || (wrapped && (count->last > count->range || (double)more > most)))
		state = STATE_RESET;
	*ret_more = state == STATE_OK ? more : 0;
	count->last = now;
	count->read_ns = now_ns;
	return state;
}

enum state energy_meter_read(struct energy_meter *meter, struct hostfs *fs, const char *zone,
			     double most_watts, uint64_t *ret_more, int *ret_err)
{
	uint64_t uj = 0, now_ns = clock_mono_ns();
	int r = kept_read(&meter->file, fs, &uj, ZONE_PATH "/energy_uj", zone);

	*ret_more = 0;
	*ret_err = r;
	if (r < 0) {
		meter->count.read_ns = 0;
		return place_failed(r);
	}
	return energy_count(&meter->count, uj, now_ns, most_watts * 1e6, ret_more);
}
