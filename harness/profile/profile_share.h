/* The cycles of a profile by TIP's rule: what retires together shares them (share.h), and those of
 * an empty buffer go to the branch that was mispredicted (resteer.h). Pure. */
#ifndef HARNESS_PROFILE_PROFILE_SHARE_H
#define HARNESS_PROFILE_PROFILE_SHARE_H

#include "flow.h"
#include "profile_method.h"

struct raw;

struct cycle_sharing {
    const struct profile_method *method;
    const struct profile_totals *totals;
    const struct flow *flow;      /* solved */
    struct raw *raw;              /* its cycles become those of the rule */
    const double *executed, *ran; /* [RAW_ROWS]: of the whole kernel */
};

/* What mispredicted branches were given. */
struct resteered {
    double share;        /* of the kernel's cycles; below 0: none, though there may be some */
    const char *missing; /* then: why */
    const double *net; /* [instructions]: samples that the instruction was given, below 0 where they
                          were taken from. Null: the method gives none */
};

uint64_t profile_share_words(const struct kernel_map *map);
/* `words` must hold profile_share_words. */
struct resteered profile_share(const struct cycle_sharing *sharing, struct words *words);

#endif
