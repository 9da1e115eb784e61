/* Windows in which a core makes PEBS records of a kernel whose cause is known. On the core under
 * test; nothing here logs. */
#ifndef HARNESS_EXPERIMENT_SKID_SKID_PEBS_H
#define HARNESS_EXPERIMENT_SKID_SKID_PEBS_H

#include "distances.h"
#include "harness/window/precise_window.h"

#define SKID_PEBS_BYTES 65536u

struct skid_pebs {
    /* Memory, taken once. */
    struct precise_memory memory; /* of SKID_PEBS_BYTES */
    /* What to do. */
    struct measurement *measurement;
    const struct code_index *index;
    struct pebs_plan plan;
    uint64_t n;      /* iterations of a window */
    uint64_t wanted; /* records */
    /* What came of it. */
    struct skid_distances *distances;
    uint64_t windows;   /* whose records were taken */
    uint64_t undecoded; /* records that the decoder refuses */
    uint64_t full;      /* windows whose buffer was full */
    bool done;          /* false: the measurement says what failed */
};

/* Windows until there are so many records, for cores_run. */
void skid_pebs_work(void *skid_pebs);

#endif
