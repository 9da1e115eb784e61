/* Packing events into passes: the fewest that the counters allow. Pure arithmetic on bit masks;
 * knows no registers. */
#ifndef PMU_PLAN_PACK_H
#define PMU_PLAN_PACK_H

#include "plan.h"

#define PLAN_FIXED 7 /* fixed counters 0 to 6 */

struct packing {
    unsigned pass_count;          /* the fewest possible */
    uint16_t pass[PLAN_EVENTS];   /* of each event */
    uint8_t counter[PLAN_EVENTS]; /* of each event: one of its own, used once in a pass */
};

/* Above the bits of the counters: the register that an event needs beside its counter, and its
 * value, both as numbers from 1 to PLAN_EVENTS; 0 when it needs none. */
#define PACK_COUNTERS ((1u << PLAN_GENERAL) - 1)
static inline uint32_t pack_selection(uint32_t group, uint32_t value)
{
    return group << PLAN_GENERAL | value << (PLAN_GENERAL + 9);
}
static inline uint32_t pack_group(uint32_t counters)
{
    return counters >> PLAN_GENERAL & 0x1ff;
}
static inline uint32_t pack_value(uint32_t counters)
{
    return counters >> (PLAN_GENERAL + 9) & 0x1ff;
}

/* counters[i]: what event i can be counted by, of counters 0 to PLAN_GENERAL - 1, never 0. Event 0
 * has the highest priority: each pass takes the events in order, leaving one out only when its
 * counters are taken or when the number of passes would grow. `alone`: an event a pass. At most
 * PLAN_EVENTS events. Events that need a register come after the others, each into the first pass
 * that has a counter left and not another value in that register. */
void pack(struct packing *packing, const uint32_t *counters, unsigned count, bool alone);

#endif
