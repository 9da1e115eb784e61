/* The ways to make a profile. */
#ifndef HARNESS_PROFILE_PROFILE_METHOD_H
#define HARNESS_PROFILE_PROFILE_METHOD_H

#include "addresses.h"
#include "branches.h"

/* Where the number of executions comes from. */
enum profile_executions {
    EXECUTIONS_FLOW,      /* taken edges and the flow through the whole graph (S1a) */
    EXECUTIONS_INTERVALS, /* instructions between two branch records (S1b) */
    EXECUTIONS_ADDRESSES, /* addresses sampled by a counter of instructions */
};
/* Where the cycles come from. */
enum profile_cycles {
    CYCLES_ADDRESSES,      /* addresses sampled by a counter of cycles (S2) */
    CYCLES_BRANCH_RECORDS, /* the cycle counts of the branch records; not for instructions */
    /* executions times the mean latency of retirement in cycles_at, which is the cycles in which
     * the instruction was the oldest */
    CYCLES_LATENCIES,
};

/* An interrupt waits for the oldest instruction that has not retired, is taken behind it, and saves
 * the address of the next one (T. Downs, "Where Do Interrupts Happen?", 2019; Intel VTune Profiler
 * User Guide, "Hardware Event Skid"). So a cycle belongs to the instruction before the saved
 * address. At the begin of a block that is the last one of a block before it: the one that the
 * branch record of the sample names, or else each of them in proportion to the flow. */
enum profile_blame {
    BLAME_USUAL,  /* BLAME_SAVED where executions come from addresses, else BLAME_BEFORE */
    BLAME_BEFORE, /* needs branches */
    BLAME_SAVED,  /* as a classic profiler does */
};

/* One way to make a profile. Addresses and branches that the way does not use may be null. */
struct profile_method {
    const char *name; /* in records: "cfg", "interval", "classic" ... */
    enum profile_executions executions;
    enum profile_cycles cycles;
    const struct addresses *cycles_at;
    const struct addresses *instructions_at;
    const struct branches *branches;
    enum profile_blame blame; /* CYCLES_ADDRESSES only */
    /* What retires in a cycle shares it (share.h); EXECUTIONS_FLOW, without CYCLES_BRANCH_RECORDS.
     * `code`: the kernel's bytes, in which pairs are looked for; null: there are none. */
    bool shares;
    const uint8_t *code;
    /* Branches whose counts, times less_weight, are no executions and are taken away from those of
     * `branches`; null: none. */
    const struct branches *less;
    double less_weight;
};

/* Whether anything is shared. */
static inline bool profile_method_shares(const struct profile_method *method)
{
    return method->shares && method->executions == EXECUTIONS_FLOW &&
           method->cycles != CYCLES_BRANCH_RECORDS;
}

/* What the sampled windows counted in the kernel. */
struct profile_totals {
    double cycles, instructions; /* at most 0: not counted, and nothing is scaled to it */
    /* How often each block ran, as the kernel's file says ([blocks], below 0: not known); null: no
     * block is known. */
    const double *executed;
    /* The fewest and the most cycles that repeats of the same windows took; 0: there was one. */
    double cycles_low, cycles_high;
    double mispredicts; /* below 0: not counted */
    double resteer;     /* core cycles of an empty buffer behind each of them; below 0: not
                           known, and `resteer_missing` says why */
    const char *resteer_missing;
};

#endif
