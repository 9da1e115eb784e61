/* One kernel's time without any counter, then with counters on, on the core under test. Nothing
 * here logs or allocates.
 *
 * All windows of a step have the same iterations and the same instructions: without a counter the
 * write that would start counting writes that nothing counts. The time is the time stamp counter's,
 * read outside of what is switched. */
#ifndef HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_WINDOWS_H
#define HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_WINDOWS_H

#include "harness/sampler/sampler.h"
#include "overhead_figures.h"
#include "pmu/sampling/pebs.h"

/* Room for samples that come too early, too. */
#define OVERHEAD_ROOM (2 * OVERHEAD_SAMPLES)
#define OVERHEAD_ROWS 3 /* of one step */

enum overhead_method {
    OVERHEAD_COUNTING, /* general counters count, nothing is read meanwhile */
    OVERHEAD_CYCLES,   /* an interrupt at every so many core cycles; its address is stored */
    OVERHEAD_BRANCHES, /* the same, and the last branches are stored */
    OVERHEAD_PEBS,     /* PEBS records of taken branches, without interrupts */
    OVERHEAD_METHODS
};

struct overhead_row {
    /* What to do. */
    enum overhead_method method;
    unsigned events;   /* that are counted; counting */
    uint32_t period;   /* core cycles from sample to sample; the other methods */
    const char *event; /* that is sampled; null: none */
    uint64_t every;    /* of these events */
    char why[160];     /* why this is not measured, "": it is */
    struct pass pass;  /* counting */
    struct sampling_plan plan;
    struct lbr_plan lbr; /* of branches */
    struct pebs_plan pebs;
    /* What came of it. */
    uint64_t times[STATS_VALUES]; /* TSC ticks of `windows` windows */
    unsigned windows;
    uint64_t samples; /* of all these windows */
    uint64_t cycles;  /* core cycles of all these windows, the handler's too; 0: not counted */
    bool cycles_off;  /* these and the clocks differ: they are not to be believed */
    struct interrupt_cost cost;
    bool apic_changed; /* the local APIC does not hold its old values */
};

struct overhead_step {
    /* What to do. */
    struct measurement *measurement;
    uint64_t n;        /* iterations of a window */
    uint64_t expected; /* samples of a window */
    unsigned repeats;  /* windows of each row, and without a counter */
    enum pmi_delivery delivery;
    struct pass nothing, cycles; /* nothing counts; the core's cycles are counted */
    struct overhead_row rows[OVERHEAD_ROWS];
    unsigned row_count;
    /* Memory. */
    uint64_t *records; /* OVERHEAD_ROOM records and one preset more */
    struct ds_area *area;
    uint8_t *buffer; /* OVERHEAD_BUFFER bytes */
    struct sampler sampler;
    /* What came of it; measurement->what says what went wrong. */
    uint64_t times[STATS_VALUES]; /* without a counter */
    uint64_t kernel_cycles;       /* core cycles of one window; 0: not counted */
    bool done;                    /* `times` are there, and the rows whose `why` is "" */
};

/* Bytes for OVERHEAD_ROOM records of any format. */
#define OVERHEAD_BUFFER (OVERHEAD_ROOM * 1024u)

/* Runs the step: a struct overhead_step; for cores_run. */
void overhead_step_work(void *step);

#endif
