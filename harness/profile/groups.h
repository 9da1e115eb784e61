/* Samples in groups, for confidence intervals. Neighbouring samples resemble each other and so do
 * the records of a stack, so their number says little about how sure an estimate is. Instead the
 * samples are cut into PROFILE_GROUPS groups of neighbours, a stack never across two of them; each
 * estimate is made again with one group left out, and the spread of these estimates gives the
 * interval (the delete-a-group jackknife). It holds for shares, ratios and solved graphs alike. */
#ifndef HARNESS_PROFILE_GROUPS_H
#define HARNESS_PROFILE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#define PROFILE_GROUPS 16

struct groups {
    uint64_t planned;              /* samples that were said to come; at least 1 */
    uint64_t taken;                /* samples that came */
    uint64_t used[PROFILE_GROUPS]; /* of these, the ones that were good for something */
};

/* For as many samples as are to come, as nearly as the caller knows. */
void groups_make(struct groups *groups, uint64_t planned);
/* The group of the next sample. More than `planned` samples all go into the last group. */
unsigned groups_next(struct groups *groups);

#endif
