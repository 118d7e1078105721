/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a section of data/cpu speak of a CPU? For all readers of these files. */
#ifndef AVXTOP_MODEL_FACTS_FITS_H
#define AVXTOP_MODEL_FACTS_FITS_H

#include <stdbool.h>

/* match: "family/model" or "family/model/stepping", each a number or a range, several after spaces.
 * What is malformed fits nothing. Pure. */
bool facts_fits(const char *match, unsigned family, unsigned model, unsigned stepping);

#endif
