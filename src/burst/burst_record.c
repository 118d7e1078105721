/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room for what a thread of a burst finds out; bounded, however long the burst. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/burst_own.h"

int record_init(struct record *record, bool driver, bool releases)
{
	int r = pthread_mutex_init(&record->mutex, NULL);

	if (r)
		return -r;
	record->pairs_every = 1;
	record->time_ratio = NAN;
	record->ends = (struct ends) { NAN, NAN, NAN };
	record->pairs = calloc(RECORD_PAIRS, sizeof(*record->pairs));
	if (!record->pairs)
		return -ENOMEM;
	if (driver) {
		record->holds = calloc(RECORD_HOLDS, sizeof(*record->holds));
		record->ops_per_cycle = calloc(RECORD_PAIRS, sizeof(*record->ops_per_cycle));
		if (!record->holds || !record->ops_per_cycle)
			return -ENOMEM;
	}
	if (releases) {
		record->releases = calloc(RECORD_RELEASES, sizeof(*record->releases));
		if (!record->releases)
			return -ENOMEM;
	}
	return 0;
}

void record_free(struct record *record)
{
	free(record->pairs);
	free(record->holds);
	free(record->ops_per_cycle);
	free(record->releases);
	(void)pthread_mutex_destroy(&record->mutex);
}

void record_add(struct record *record, const struct pair *pair, bool rested)
{
	if (record->pairs_seen++ % record->pairs_every != 0)
		return;
	if (record->n_pairs == RECORD_PAIRS) {
		/* full: every second one goes, so that the whole burst stays covered */
		for (size_t i = 0; i < RECORD_PAIRS / 2; i++)
			record->pairs[i] = record->pairs[i * 2];
		record->n_pairs = RECORD_PAIRS / 2;
		record->pairs_every *= 2;
	}
	record->pairs[record->n_pairs].pair = *pair;
	record->pairs[record->n_pairs++].rested = rested;
}
