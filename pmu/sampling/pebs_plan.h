/* What a window that makes PEBS records writes: pebs.h makes it. Pure. */
#ifndef PMU_SAMPLING_PEBS_PLAN_H
#define PMU_SAMPLING_PEBS_PLAN_H

#include "lbr.h"
#include "pebs_record.h"
#include "pmu/plan_pass.h"

#define PEBS_AFTER 2

/* What is not to be as by default. */
struct pebs_choice {
    bool loose;      /* on a counter without precise distribution */
    uint64_t period; /* events; 0: the default */
};

/* How one use is sampled on one core. */
struct pebs_plan {
    enum pebs_use use;
    const struct pebs_event *event;
    struct pebs_layout layout;
    bool trap;                /* RIP is that of the next instruction: IA32_PERF_CAPABILITIES[6] */
    unsigned counter;         /* that makes the records, as a bit of IA32_PERF_GLOBAL_STATUS */
    int witness;              /* counts the same event and makes none; -1: no counter can */
    bool distributed;         /* the counter has precise distribution */
    uint64_t period;          /* events */
    uint64_t above;           /* core cycles: shorter loads do not count; 0: all do */
    uint64_t reset;           /* the counter's value that many events before its overflow */
    uint64_t mask;            /* of the counter's bits */
    unsigned reset_slot;      /* the place of `reset` in the DS area */
    bool has_status;          /* IA32_PERF_GLOBAL_STATUS says that the threshold was reached */
    uint64_t groups;          /* MSR_PEBS_DATA_CFG */
    struct lbr_plan branches; /* records of last branches; kind null: none */
    size_t record_bytes;      /* of every record */
    uint32_t buffer_bytes;    /* the buffer must not be larger; 0: any size */
    struct pass pass;         /* without readings */
    struct msr_value after[PEBS_AFTER]; /* to be written after the window */
    unsigned after_count;
};

#endif
