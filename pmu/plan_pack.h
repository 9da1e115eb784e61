/* Packing events into passes: few of them, and what is compared in the same one. Pure arithmetic;
 * knows no registers but by their number. */
#ifndef PMU_PLAN_PACK_H
#define PMU_PLAN_PACK_H

#include "plan.h"

#define PLAN_FIXED 7 /* fixed counters 0 to 6 */

/* What one event asks of its pass. */
struct pack_event {
    uint32_t counters;     /* counters 0 to PLAN_GENERAL - 1 that can count it, never 0 */
    uint32_t registers[2]; /* one of them must hold `value` then; 0: none */
    uint64_t value;
    uint16_t family; /* events of one family are compared with each other; 0: of none */
    bool alone;      /* no other event beside it */
};

struct packing {
    unsigned pass_count;
    uint16_t pass[PLAN_EVENTS];   /* of each event */
    uint8_t counter[PLAN_EVENTS]; /* of each event: one of its own, used once in a pass */
    uint8_t choice[PLAN_EVENTS];  /* of each event: which of its registers */
};

/* The fewest passes that the counters allow for events without registers; those with one stand in
 * the last passes, as many in each as there are registers, and take counters there. Then, without
 * adding passes: event 0 and its family go into the first pass; then the larger families, each
 * whole into the first pass that can take it; at last what is left, as much of a family as goes
 * into one. Among equals the order of events is their priority. Events that stand alone come after
 * all others. `all_alone`: so do all. At most PLAN_EVENTS events. */
void pack(struct packing *packing, const struct pack_event *events, unsigned count, bool all_alone);

#endif
