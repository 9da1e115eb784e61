/* Samples that are a stack of branch records: how often each taken edge of a kernel was met, and
 * how often each block ran between two records. */
#ifndef HARNESS_PROFILE_BRANCHES_H
#define HARNESS_PROFILE_BRANCHES_H

#include "code_index.h"
#include "groups.h"
#include "pmu/sampling/lbr.h"

#define BRANCHES_CYCLE 65536 /* cycles are summed up in these parts of a cycle */

struct branches {
    const struct code_index *index;
    uint32_t *edges;  /* [PROFILE_GROUPS][edges]: records; 0 for edges that are not taken */
    uint32_t *blocks; /* [PROFILE_GROUPS][blocks]: executions in intervals */
    uint64_t *cycles; /* [PROFILE_GROUPS][blocks]: core cycles of timed intervals, in parts */
    uint32_t *timed;  /* [PROFILE_GROUPS][blocks]: executions in timed intervals */
    uint32_t
        *shared; /* [blocks]: of all timed executions, those in an interval of several blocks */
    uint32_t *mispredicts; /* [edges]: records with the flag */
    uint64_t told;         /* records that say whether their branch was mispredicted */
    struct groups groups;
    unsigned keep; /* records of each stack that are used */
    uint32_t
        kinds; /* bit k: edges of enum map_edge_kind k are recorded. branches_make sets all; with
                  fewer there are no intervals, and it must change before the first stack */
    uint64_t stacks, short_stacks;
    uint64_t records;   /* that are in `edges` */
    uint64_t outside;   /* records with neither end in the kernel */
    uint64_t broken;    /* records of no edge of the map */
    uint64_t intervals; /* that are in `blocks` */
    uint64_t broken_intervals;
    uint64_t full; /* stacks that came after a count of 32 bits could overflow */
};

uint64_t branches_words(const struct kernel_map *map);
/* Of each stack the overflow's record and the keep - 1 records before it are used, 2..LBR_DEPTH.
 * `planned` stacks are to come, as nearly as the caller knows. False: too few words. */
bool branches_make(struct branches *branches, const struct code_index *index, unsigned keep,
                   uint64_t planned, struct words *words);
/* Counts a stack. `newer` is the number of its newest records that are not older than the branch
 * whose retirement overflowed the counter, that branch not among them: what the counter has counted
 * between its overflow and the freeze, 0 where the freeze comes with the overflow. A stack with
 * fewer than newer + keep records is counted as short and not used. */
void branches_add(struct branches *branches, const struct lbr_stack *stack, unsigned newer);

#endif
