/* The points of a precision curve: what to do, and what came of it. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_SERIES_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_SERIES_H

#include "harness/sampler/sampler_state.h"
#include "precision_window.h"

/* Windows of a point. */
#define PRECISION_WINDOWS 8u
/* Before the region something runs so many times its length or longer, 1, 4, 16, 64: up to nearly 4
 * times that. At 254 a step of a byte would be as much as the region. */
#define PRECISION_LENGTHS 4u
#define PRECISION_STEP    4u

/* What runs before the region. */
enum precision_before {
    PRECISION_NOTHING,
    PRECISION_CHAIN,  /* other code, precision_chain */
    PRECISION_KERNEL, /* the region's own code: a program that always does the same */
    /* The same, and regions reach from a sample to the next (precision_samples.h): `length` samples
     * and more since the first. `reset`: with each sample. */
    PRECISION_SAMPLES,
    PRECISION_BEFORES
};

/* Samples of a window that have room; so many records, with a preset each, and one preset more. */
#define PRECISION_ROOM  160u
#define PRECISION_WORDS (PRECISION_ROOM * (PMI_RECORD_WORDS + 3 + 1) + 1)
/* The last point needs so many. */
#define PRECISION_SAMPLES_LEAST (64u + PRECISION_WINDOWS)

struct precision_point {
    /* What to do. */
    enum precision_before before;
    unsigned length; /* times the region's length, at least; PRECISION_NOTHING: 0 */
    bool reset;      /* right before the region; else before all that runs */
    /* What came of it. */
    struct precision_reading readings[PRECISION_WINDOWS];
    uint64_t first_window, last_window; /* of the core */
    bool done;
};

#define PRECISION_POINTS (1 + 2 * (PRECISION_BEFORES - 1) * PRECISION_LENGTHS)

struct precision_series {
    /* What to do. */
    struct measurement *measurement;
    struct pass pass; /* SLOTS and PERF_METRICS */
    bool longer;      /* windows of more iterations than the kernel's own are alike */
    struct precision_point points[PRECISION_POINTS];
    unsigned point_count;
    unsigned width; /* slots of a cycle */
    struct sampling_plan group;
    enum pmi_delivery delivery;
    uint64_t *words; /* room for PRECISION_WORDS */
    struct sampler sampler;
    char why[160]; /* why there are no samples; "": there are */
    /* What came of it: `done` of the points; measurement->what says why the others are not. */
    uint64_t n; /* iterations of the region */
};

#endif
