/* CPI of every instruction, block and function of a kernel: share of the cycles over share of the
 * executed instructions, scaled by the counted totals. doc/sampling.md explains the method. Pure.
 */
#ifndef HARNESS_PROFILE_PROFILE_H
#define HARNESS_PROFILE_PROFILE_H

#include "estimated.h"
#include "flow.h"
#include "profile_method.h"

enum profile_level {
    PROFILE_INSTRUCTION,
    PROFILE_BLOCK,
    PROFILE_FUNCTION,
    PROFILE_LEVELS,
};
/* What the sampled windows counted in the kernel. */
struct profile_totals {
    double cycles, instructions; /* at most 0: not counted, and nothing is scaled to it */
    /* How often each block ran, as the kernel's file says ([blocks], below 0: not known); null: no
     * block is known. */
    const double *executed;
    double mispredicts; /* below 0: not counted */
    double resteer;     /* core cycles of an empty buffer behind each of them; below 0: not
                           known, and `resteer_missing` says why */
    const char *resteer_missing;
};

/* One instruction, block or function. */
struct profile_entry {
    uint32_t first, count;         /* its instructions, as indices into the map's */
    struct estimated executions;   /* of a function: none, since it has no single count */
    struct estimated instructions; /* executions of its instructions, scaled to the total */
    struct estimated cycles;       /* spent in it, scaled to the total */
    struct estimated cpi;          /* cycles over instructions */
    struct estimated share;        /* of the sampled instructions: T/M */
    double executed_share;         /* of the executed ones, B/N; below 0: not known */
    uint64_t samples; /* sampled addresses that its cycles rest on, or timed executions */
    double split;     /* CYCLES_BRANCH_RECORDS: share of `samples` whose cycles were shared out to
                         several blocks by their instructions */
};

struct profile {
    const char *reason; /* null: the entries hold; else why there are none */
    const char *method;
    const struct kernel_map *map;
    struct profile_entry *entries[PROFILE_LEVELS]; /* as many as the map has of the kind */
    uint32_t count[PROFILE_LEVELS];
    struct flow flow; /* EXECUTIONS_FLOW only */
    /* Of the kernel's cycles, those that a method that shares has given to mispredicted branches;
     * below 0: it has not, and `resteer_missing` says why. */
    bool shared;
    double resteered;
    const char *resteer_missing;
};

/* How many words profile_make takes, for the results and for its own work. */
uint64_t profile_words(const struct kernel_map *map);
/* False: too few words. All else that is wrong is a reason in the profile or in its entries. The
 * profile is part of `words`, and refers to map and method's name. */
bool profile_make(struct profile *profile, const struct kernel_map *map,
                  const struct profile_method *method, const struct profile_totals *totals,
                  struct words *words);

/* "instruction", "block", "function". */
const char *profile_level_name(enum profile_level level);

#endif
