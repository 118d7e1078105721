/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The energy that one zone has counted from one read to the next. */
#include "config.h"

#include "source/energy_meter.h"

#include "base/clock.h"
#include "model/sample.h"
#include "source/place.h"
#include "source/zone.h"

/* What the zone counted since it was read last, its wrap at `range` taken out. A step back that no
 * wrap explains is a counter that began anew; one that had the time to come round more than once
 * tells nothing. */
static enum state count(const struct energy_meter *meter, uint64_t uj, uint64_t now_ns,
			double most_watts, uint64_t *ret_more)
{
	double most_uj = (double)(now_ns - meter->read_ns) / 1e9 * most_watts * 1e6;
	bool first = meter->read_ns == 0, wrapped = uj < meter->last;
	uint64_t more = wrapped ? uj + meter->range - meter->last : uj - meter->last;

	*ret_more = 0;
	if (!first && meter->range > 0 && most_uj > (double)meter->range)
		return STATE_WRAPPED;
	if (first || (wrapped && (meter->last > meter->range || (double)more > most_uj)))
		return STATE_RESET;
	*ret_more = more;
	return STATE_OK;
}

enum state energy_meter_read(struct energy_meter *meter, struct hostfs *fs, const char *zone,
			     double most_watts, uint64_t *ret_more, int *ret_err)
{
	uint64_t uj = 0, now_ns = clock_mono_ns();
	enum state state;
	int r = kept_read(&meter->file, fs, &uj, ZONE_PATH "/energy_uj", zone);

	*ret_more = 0;
	*ret_err = r;
	if (r < 0) {
		meter->read_ns = 0;
		return place_failed(r);
	}
	state = count(meter, uj, now_ns, most_watts, ret_more);
	meter->last = uj;
	meter->read_ns = now_ns;
	return state;
}
