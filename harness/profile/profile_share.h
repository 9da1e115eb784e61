/* The cycles of a profile by TIP's rule: what retires together shares them (share.h), and those of
 * an empty buffer go to the branch that was mispredicted (resteer.h). Pure. */
#ifndef HARNESS_PROFILE_PROFILE_SHARE_H
#define HARNESS_PROFILE_PROFILE_SHARE_H

#include "profile.h"

struct raw;

struct sharing {
    const struct profile_method *method;
    const struct profile_totals *totals;
    struct profile *profile;      /* with its flow; `shared` and what stands beside it are set */
    struct raw *raw;              /* its cycles become those of the rule */
    const double *executed, *ran; /* [RAW_ROWS]: of the whole kernel */
};

uint64_t profile_share_words(const struct kernel_map *map);
/* Samples of each instruction [instructions] that mispredicted branches were given, below 0 where
 * they were taken from. `words` must hold profile_share_words. */
const double *profile_share(const struct sharing *sharing, struct words *words);

#endif
