/* One series of samples of a kernel whose cause is known: which addresses one method records. */
#ifndef HARNESS_EXPERIMENT_SKID_SKID_SERIES_H
#define HARNESS_EXPERIMENT_SKID_SKID_SERIES_H

#include "distances.h"
#include "harness/configure/config.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/trial.h"
#include "harness/sampler/sampler.h"
#include "skid_pebs.h"

enum skid_method {
    SKID_PMI_VECTOR,
    SKID_PMI_NMI,
    SKID_PEBS,             /* on a counter without precise distribution */
    SKID_PEBS_DISTRIBUTED, /* on a counter with it */
    SKID_METHODS
};

/* All that the series need; taken once for a run. */
struct skid {
    struct sampler sampler;
    struct skid_pebs pebs;
    struct addresses addresses;
    uint64_t *records; /* room for as many samples as are taken, and their presets */
    uint64_t
        room; /* more than `wanted`, since a window whose samples have no room is thrown away */
    uint64_t wanted;    /* samples of each series */
    struct words words; /* of all kernels the most that one needs */
    /* Of the kernel that is sampled. */
    const struct kernel_map *map;
    struct code_index index;
    struct skid_loop loop;
    struct words left;         /* after the index */
    const struct event *event; /* the cause's */
    double per_lap;            /* events of an iteration, as counted */
    double pace;               /* cycles of an instruction of the loop, as counted; 0: not known */
    /* Of the series. */
    struct sampling_plan branch_plan; /* of the branch by which the sampler measures its skid */
    struct skid_laps laps;
    bool chain_known; /* `chain` is how late interrupts are by the chain, in cycles */
    uint64_t chain;
    uint64_t period, jitter; /* events */
    uint64_t windows;
    uint32_t due; /* the distance that the method promises; of PEBS only */
    struct skid_distances distances;
    char missing[160]; /* why there is no series; "": there is */
    bool failed;       /* it is an error that there is none */
};

/* One kernel on one core. */
struct skid_job {
    struct skid *skid;
    const struct config *config;
    struct measured_core *core;
    struct measurement *measurement; /* how it was counted */
    const struct results *results;   /* what was counted */
    /* Logs a verdict. */
    void (*verdict)(void *context, bool holds, const char *text);
    void *context;
};

/* "PMI", "PEBS", "PEBS with precise distribution"; "vector", "nmi" or null. */
const char *skid_method_name(enum skid_method method);
const char *skid_method_delivery(enum skid_method method);
/* Takes the samples: skid->distances, or skid->missing. A core that does not come back is lost. */
void skid_series_run(const struct skid_job *job, enum skid_method method);

#endif
