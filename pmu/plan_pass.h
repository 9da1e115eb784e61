/* One pass: the register writes before a window, the write that starts counting, and the counters
 * to read after it. Pure: nothing here touches a register. */
#ifndef PMU_PLAN_PASS_H
#define PMU_PLAN_PASS_H

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
};

/* Which event each counter of a pass counts; null: none. */
struct assignment {
    const struct event *general[GENERAL_COUNTERS];
    bool second[GENERAL_COUNTERS]; /* selected by the event's second register */
    const struct event *fixed[FIXED_COUNTERS];
    const struct event *slots; /* null only if all metrics are null */
    const struct event *metrics[8];
};

/* The counters of this core that a pass may use, bit n for counter n. */
uint32_t pass_general_counters(const struct facts *facts);
uint32_t pass_fixed_counters(const struct facts *facts);
/* Whether this core has PERF_METRICS and the fixed counter 3 that it is a share of. */
bool pass_has_metrics(const struct facts *facts);

/* What is written before counters are selected on a core whose counters otherwise count wrongly
 * (`prime` of the description): nothing elsewhere. Returns how many writes. */
#define PASS_PRIME 10
unsigned pass_prime(const struct facts *facts, struct msr_value writes[PASS_PRIME]);
/* How often counters start in the course of these writes. */
unsigned pass_starts(const struct msr_value *setup, unsigned count);

/* Whether an event with this code would also count in a counter of the core's other thread, which
 * counts too (`leaks` of the description). */
bool pass_disturbs(const struct facts *facts, uint8_t code);
/* Why no counter of this core may count or sample the event, although one could: its description
 * refuses the event, or other counters would count wrongly. NULL: nothing speaks against it. */
const char *pass_refuses(const struct facts *facts, const struct event *event);

/* The value that makes an IA32_PERFEVTSELx count the event; `second`: by its second register. */
uint64_t pass_event_select(const struct event *event, bool second);
/* The register that sets that general counter. */
uint32_t pass_counter_register(const struct facts *facts, unsigned counter);
/* The bits of IA32_PERF_GLOBAL_STATUS to clear: the overflow of every counter of this core, and
 * since version 4 the bits that keep the counters frozen. */
uint64_t pass_status_bits(const struct facts *facts);
/* Makes the pass that counts these events on this core. */
void pass_make(struct pass *pass, const struct facts *facts, const struct assignment *assignment);

#endif
