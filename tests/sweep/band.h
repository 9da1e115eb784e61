/* What sound runs say of a number, and how far around that it is still usual. */
#ifndef TESTS_SWEEP_BAND_H
#define TESTS_SWEEP_BAND_H

#include "facts.h"

/* What the two edges of a window may count of an event that nothing counts exactly. */
#define BAND_EDGE_COUNTS 64

/* What sound runs have under one key. */
struct band {
    const struct fact *first;
    size_t count;
    bool number, null;
    double low, high;
};

struct band band_of(const struct facts *sound, const char *key);
bool band_has(const struct band *band, const struct fact *fact);
/* Whether it is of a profile by a fixed period: which instructions that names hangs on the phase
 * that the period has to the loop, so that a window that begins a cycle later gives another
 * profile, and sound runs are no measure of it (doc/sampling.md); or what a profile makes its
 * numbers of: how many samples, and their cycles, which have no range of their own as the CPI has;
 * or a reason. */
bool band_is_of_chance(const struct fact *fact);

#endif
