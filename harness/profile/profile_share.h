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

/* What was moved. */
struct moves {
    double resteered; /* to mispredicted branches, of the kernel's cycles; below 0: nothing, though
                         some may be mispredicted */
    const char *missing; /* then: why */
    const char
        *twofold;   /* else: why what was moved may have been there already; null: it was not */
    double grouped; /* of the kernel's cycles, what instructions gave to others of their groups */
    /* [instructions]: mispredictions of the branch, less those that lead to the instruction, in the
     * flow's unit; `samples` of a core cycle of each. Null: the method moves nothing. */
    const double *net;
    double samples;
    double slack; /* core cycles of each misprediction that may be the other's of the two */
    const double *moved, *crossed, *left; /* [instructions], in samples: as in share.h */
};

uint64_t profile_share_words(const struct kernel_map *map);
/* `words` must hold profile_share_words. */
struct moves profile_share(const struct cycle_sharing *sharing, struct words *words);

/* By how many samples the cycles of these instructions may be wrong because some were moved:
 * `slack` of each misprediction, and a part of what groups `shared`: moved, crossed or left. */
double moves_slack(const struct moves *moves, const double *shared, uint32_t first, uint32_t count);

#endif
