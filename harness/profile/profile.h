/* CPI of every instruction, block and function of a kernel: share of the cycles over share of the
 * executed instructions, scaled by the counted totals. doc/sampling.md explains the method. Pure.
 */
#ifndef HARNESS_PROFILE_PROFILE_H
#define HARNESS_PROFILE_PROFILE_H

#include "estimated.h"
#include "flow.h"
#include "profile_share.h"

enum profile_level {
    PROFILE_INSTRUCTION,
    PROFILE_BLOCK,
    PROFILE_FUNCTION,
    PROFILE_LEVELS,
};

/* Sums over samples, before anything is scaled. */
struct profile_sampled {
    double instructions; /* executed ones that the samples show */
    double cycles;       /* samples of cycles; of other methods as their latencies or records say */
};

/* One instruction, block or function. */
struct profile_entry {
    uint32_t first, count;          /* its instructions, as indices into the map's */
    struct estimated executions;    /* of a function: none, since it has no single count */
    struct estimated instructions;  /* executions of its instructions, scaled to the total */
    struct estimated cycles;        /* spent in it, scaled to the total */
    struct estimated cpi;           /* cycles over instructions */
    struct estimated share;         /* of the sampled instructions: T/M */
    double executed_share;          /* of the executed ones, B/N; below 0: not known */
    struct profile_sampled sampled; /* what the numbers above are parts of the profile's */
    uint64_t samples; /* sampled addresses that its cycles rest on, or timed executions */
    double split;     /* CYCLES_BRANCH_RECORDS: share of `samples` whose cycles were shared out to
                         several blocks by their instructions */
};

struct profile {
    const char *reason; /* null: the entries hold; else why there are none */
    bool plain;         /* each number is a sum over samples times what was counted, over the sum of
                           the whole kernel: nothing is solved, shared out or timed */
    const char *method;
    const struct kernel_map *map;
    struct profile_entry *entries[PROFILE_LEVELS]; /* as many as the map has of the kind */
    uint32_t count[PROFILE_LEVELS];
    struct profile_sampled sampled; /* of the whole kernel */
    double cycles, instructions;    /* that were counted: struct profile_totals */
    struct flow flow;               /* EXECUTIONS_FLOW only */
    struct moves moves;             /* of a method that shares */
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
