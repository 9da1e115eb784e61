/* One pass: the register writes before a window, the write that starts counting, and the counters
 * to read after it. */
#ifndef PMU_PASS_H
#define PMU_PASS_H

#include "description.h"
#include "registers.h"

#define PLAN_COUNTERS 24  /* general + fixed + metrics fields in one pass */
#define PLAN_WRITES   160 /* clearing a last-branch stack needs 100, counters at most 40, PEBS 8 */

struct msr_value {
    uint32_t msr;
    uint64_t value;
};

/* How one event of a pass is read after the window. The first two kinds have a counter each. */
enum reading_kind {
    READING_GENERAL, /* RDPMC index = counter */
    READING_FIXED,   /* RDPMC index = RDPMC_FIXED + counter */
    READING_SLOTS,   /* fixed counter 3, read together with PERF_METRICS */
    READING_METRIC,  /* byte `field` of PERF_METRICS times the slots: see metrics.h */
};
struct reading {
    const struct event *event;
    enum reading_kind kind;
    uint8_t counter, field;
};

struct pass {
    struct msr_value setup[PLAN_WRITES]; /* before every window: stop, clear, select, zero */
    unsigned setup_count;
    struct msr_value enable; /* the write that starts counting */
    uint64_t disable;        /* the value of the same register that stops counting */
    struct reading readings[PLAN_COUNTERS];
    unsigned reading_count;
    /* General counter n counts what register `select` + n * `select_step` says; 0: its registers
     * are others. */
    uint32_t select, select_step;
    bool fast; /* general counters are read by RDPMC's fast form too, which must give their low 32
                  bits */
};

/* Which event each counter of a pass counts; null: none. */
struct assignment {
    const struct event *general[GENERAL_COUNTERS];
    bool second[GENERAL_COUNTERS]; /* selected by the event's second register */
    const struct event *fixed[FIXED_COUNTERS];
    const struct event *slots; /* null only if all metrics are null */
    const struct event *metrics[8];
};

/* What every counter of a core can count: what each of the fixed counters counts that formulas rest
 * on (every_counter.h). */
enum every_counter {
    EVERY_COUNTER_INSTRUCTIONS, /* fixed counter 0 */
    EVERY_COUNTER_CYCLES,       /* 1 */
    EVERY_COUNTER_SLOTS,        /* 3, where there is one */
    EVERY_COUNTERS
};

#endif
