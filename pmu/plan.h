/* From "these events on this core" to passes: values to write, counters to read. Pure: nothing here
 * touches a register. */
#ifndef PMU_PLAN_H
#define PMU_PLAN_H

#include "description.h"

#define PLAN_COUNTERS 24  /* general + fixed + metrics fields in one pass */
#define PLAN_WRITES   112 /* clearing a last-branch stack needs 99, counters at most 40 */
#define PLAN_GENERAL  10  /* general counters that the legacy registers reach */
#define PLAN_EVENTS   256

struct msr_value {
    uint32_t msr;
    uint64_t value;
};

/* How one event of a pass is read after the window. */
enum reading_kind {                  /* first those that have a counter of their own */
                    READING_GENERAL, /* RDPMC index = counter */
                    READING_FIXED,   /* RDPMC 0x40000000 + counter */
                    READING_SLOTS,   /* fixed 3, read with PERF_METRICS */
                    READING_METRIC,  /* byte `field` of PERF_METRICS (RDPMC 0x20000000) times the
                                        slots: see  metrics.h */
};
struct reading {
    const struct event *event;
    enum reading_kind kind;
    uint8_t counter, field;
};

struct pass {
    struct msr_value setup[PLAN_WRITES]; /* before every window: stop, clear, select, zero */
    unsigned setup_count;
    struct msr_value enable; /* the one write that starts counting */
    uint64_t disable;        /* the value of the same register that stops it */
    struct reading readings[PLAN_COUNTERS];
    unsigned reading_count;
};

struct plan {
    struct pass *passes;
    unsigned pass_count;
    /* Events that no counter of this core can count, with why. */
    struct plan_missing {
        const struct event *event;
        const char *reason;
    } missing[PLAN_EVENTS];
    unsigned missing_count;
};

/* Fixed counters that exist count INST_RETIRED.ANY, CPU_CLK_UNHALTED.THREAD and
 * CPU_CLK_UNHALTED.REF_TSC (the events the description gives fixed counters 0 to 2) in every pass.
 * The others fill the fewest passes their counters allow; the order of `events` is their priority:
 * what stands first goes into the first pass as far as that number of passes permits. Events whose
 * `msr` says what they count come into the last ones, no two values of a register in a pass; those
 * that stand `alone` after all others. PERF_METRICS and its slots are in the first pass. With
 * version 1 (no IA32_PERF_GLOBAL_CTRL) a pass holds one event. RC_OK (also with missing ones),
 * RC_ABSENT: the core cannot count at all; RC_NO_SPACE. */
enum rc plan_make(struct plan *plan, const struct facts *facts,
                  const struct description *description, const struct event *const *events,
                  unsigned event_count, void *(*allocate)(size_t));
/* The same, events that are compared in one pass where that adds none: families[i] is that of
 * events[i], from 1; 0: of none. The first event's family goes into the first pass, then the larger
 * ones have priority. */
enum rc plan_make_families(struct plan *plan, const struct facts *facts,
                           const struct description *description, const struct event *const *events,
                           const uint16_t *families, unsigned event_count,
                           void *(*allocate)(size_t));
/* Adds passes for the events that the plan does not count yet and that are not missing, to
 * plan->passes, which has room for `limit` passes. RC_OK, also when there was nothing to add;
 * RC_ABSENT, RC_NO_SPACE as above, the plan's passes unchanged then. */
enum rc plan_append(struct plan *plan, unsigned limit, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count);
/* Whether some pass of the plan counts the event. */
bool plan_counts(const struct plan *plan, const struct event *event);
/* How many passes plan_make would make. */
enum rc plan_passes(unsigned *count, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count);
/* Every register that holds state and that the plan writes, each once, in the order saved_keep
 * wants them; for saving and restoring. IA32_PERF_GLOBAL_OVF_CTRL is not among them: it is a
 * command, nothing is kept in it. Returns the count, at most `limit`. */
unsigned plan_registers(const struct plan *plan, uint32_t *registers, unsigned limit);

#endif
