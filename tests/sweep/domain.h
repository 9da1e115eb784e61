/* How much of each thing a base run has, and what the words in braces of a pattern (table.h) may be
 * there. */
#ifndef TESTS_SWEEP_DOMAIN_H
#define TESTS_SWEEP_DOMAIN_H

#include <stdint.h>

#include "outcome.h"
#include "table.h"

#define EXTENT_POINTS 192

struct extent {
    struct {
        char name[40];
        unsigned long count;
    } points[EXTENT_POINTS]; /* by the rig */
    size_t point_count;
    unsigned long windows; /* of processor 0 */
    unsigned long processors, counters, fixed;
};
/* From the sound run. */
void extent_read(struct extent *extent, struct outcome *sound);

/* Splitmix64: the same numbers from the same seed everywhere. */
struct chance {
    uint64_t state;
};
uint64_t chance_next(struct chance *chance);

/* Numbers from `from` on, or texts. */
struct domain {
    unsigned long from, count;
    const char *const *texts;
    const char *words;  /* or texts separated by blanks */
    const char *prefix; /* or calls by name, the points with this prefix */
    enum { LAST_NONE, LAST_LATER, LAST_SAME } last; /* the number is the K of a K-M, a K-K */
};
/* Of a word without its braces; without any value: there is no such thing in that run. */
struct domain domain_of(const char *name, size_t length, const struct base *base,
                        const struct extent *extent);
/* The domain's `index`-th value as text; M is drawn. */
void domain_value(const struct domain *domain, const struct extent *extent, unsigned long index,
                  struct chance *chance, char *text, size_t size);

#endif
