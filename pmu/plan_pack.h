/* Packing events into passes: as few passes as possible, and events that are compared with each
 * other in the same pass. Pure arithmetic over counter and register numbers. */
#ifndef PMU_PLAN_PACK_H
#define PMU_PLAN_PACK_H

#include <stdbool.h>
#include <stdint.h>

#define PLAN_EVENTS 256 /* of one plan */

/* What one event needs of its pass. */
struct pack_event {
    uint32_t counters;     /* bit n: general counter n can count it; never 0 */
    uint32_t registers[2]; /* one of these registers must hold `value`; 0: no register */
    uint64_t value;
    uint16_t family; /* events of a family are compared with each other; 0: none */
    bool alone;      /* no other event in its pass */
};

struct packing {
    unsigned pass_count;
    uint16_t pass[PLAN_EVENTS];   /* of each event */
    uint8_t counter[PLAN_EVENTS]; /* of each event: one of `counters`, used once in a pass */
    uint8_t choice[PLAN_EVENTS];  /* of each event: index into `registers` */
};

/* Packs at most PLAN_EVENTS events. Events without registers take the fewest passes that their
 * counters allow. Events with registers go into the last passes, as many into each as there are
 * registers, and take counters there. Then, without adding a pass, event 0 and its family go into
 * the first pass; larger families follow, each whole into the first pass that can take it; at last
 * the remaining families, as many members as possible into one pass. Among equals, earlier events
 * have priority. Events that count alone come after all others; with `all_alone` every event does.
 */
void pack(struct packing *packing, const struct pack_event *events, unsigned count, bool all_alone);

#endif
