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

#endif
