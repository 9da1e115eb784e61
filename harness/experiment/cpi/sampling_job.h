/* A kernel's profile: sampled by each method after it was counted, then the CPI of its
 * instructions, blocks and functions in each way that the samples allow. On the boot processor; the
 * samples are taken by harness/sampler on the core under test. */
#ifndef HARNESS_EXPERIMENT_CPI_SAMPLING_JOB_H
#define HARNESS_EXPERIMENT_CPI_SAMPLING_JOB_H

#include "boot/pool.h"
#include "harness/configure/config.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/trial.h"
#include "harness/profile/profile.h"
#include "harness/sampler/sampler_state.h"

/* The ways to take samples, in this order. */
enum series {
    SERIES_BRANCHES,             /* S1: stacks of branch records at taken branches */
    SERIES_MISPREDICTED,         /* the same at mispredicted ones, to be taken out of S1 */
    SERIES_CYCLES,               /* S2: addresses at cycles, with a random period */
    SERIES_CLASSIC_CYCLES,       /* addresses at cycles, with a fixed period */
    SERIES_CLASSIC_INSTRUCTIONS, /* addresses at instructions, with a fixed period */
    SERIES_PRECISE,              /* PEBS records of instructions */
    SERIES_COUNT
};

/* All that sampling needs; taken once for a run. */
struct sampling {
    struct sampler sampler;           /* of the series that runs */
    struct lbr_plan lbr;              /* of the branches */
    struct lbr_plan cycles_lbr;       /* of the last branches before sampled cycles */
    struct precise_memory precise;    /* for SERIES_PRECISE; without area: that is not wanted */
    struct sampling_plan branch_plan; /* of the branch that the skid is measured with */
    uint64_t *records;                /* room for SAMPLER_ROOM records at most, and their presets */
    uint64_t room;
    struct words words; /* of all kernels the most that one needs */
    /* Of the kernel that is sampled. */
    const struct kernel_map *map;
    uint32_t samples; /* wanted of each series */
    struct code_index index;
    struct addresses addresses[SERIES_COUNT];
    struct branches branches, mispredicted;
    /* What a sample of the series stands for: events of a window, for each sample kept of it. */
    double weight[SERIES_COUNT];
    uint64_t branch_windows; /* of S1 */
    bool done[SERIES_COUNT];
    char missing[SERIES_COUNT][160]; /* why a series is not done */
    struct words left;               /* after the accumulators: for one profile after the other */
    struct profile_totals totals;
};

/* One kernel on one core. */
struct sampling_job {
    struct sampling *sampling;
    const struct config *config;
    struct measured_core *core;
    struct measurement *measurement; /* how it was counted */
    const struct results *results;   /* what was counted */
    const struct counts *given;      /* the core's extras */
    struct pool *pool;
    /* Logs a verdict. */
    void (*verdict)(void *context, bool holds, const char *text);
    void *context;
};

#endif
