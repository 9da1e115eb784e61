/* Event-based sampling (PEBS): which counter samples what on this core, as a value; and the DS area
 * in memory. Planning is pure; nothing here touches a register. SDM 3B, "Processor Event Based
 * Sampling" of each microarchitecture, "DS Save Area". */
#ifndef PMU_SAMPLING_PEBS_H
#define PMU_SAMPLING_PEBS_H

#include "pebs_plan.h"

/* The management area in 64-bit format. */
struct ds_area {
    uint64_t bts[4];
    uint64_t base, index, maximum, threshold; /* of the PEBS buffer */
    /* What a counter is set to when its record is made. General counter n is at n; fixed counter n
     * at 8 + n, from format 5 on at 32 + n (Linux only). */
    uint64_t reset[48];
};
enum { DS_FIXED = 8, DS_FIXED_WIDE = 32, DS_WIDE_FORMAT = 5 };

/* Events. With precise distribution Golden Cove asks for at least 128 (Linux only). Without, the
 * period is more than a core has in flight, so that no gap that is due to them is two periods long.
 */
#define PEBS_PERIOD         131
#define PEBS_LOOSE_PERIOD   1031
#define PEBS_LATENCY_PERIOD 12 /* and one that is recorded; the facility follows few loads */
#define PEBS_LATENCY_ABOVE  3  /* core cycles, the smallest threshold */
#define PEBS_LONG_ABOVE     9  /* longer than L1 takes, shorter than L2 */
#define PEBS_BRANCHES       4  /* in a record with branches */

/* Whether the events of a window have numbers: a witness counts them, or the loop alone makes them.
 */
static inline bool pebs_is_numbered(const struct pebs_plan *plan)
{
    return plan->witness >= 0 || !plan->has_status;
}

/* Returns why this core has no PEBS that slotscope uses; null when it has. */
const char *pebs_absent(const struct facts *facts, const struct description *description);
/* Makes the plan for a use; `area` is the address of the core's DS area. Returns why the core
 * cannot sample that; null when it can. */
const char *pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                      const struct description *description, enum pebs_use use, uint64_t area);
/* The same, otherwise than by default. */
const char *pebs_plan_chosen(struct pebs_plan *plan, const struct facts *facts,
                             const struct description *description, enum pebs_use use,
                             uint64_t area, const struct pebs_choice *choice);
/* Lists every register that the window with this plan changes. Returns their number, at most
 * `limit`. */
unsigned pebs_registers(const struct pebs_plan *plan, uint32_t *registers, unsigned limit);

/* Empties the buffer for the next window: `records` of the plan's records fit, the bit
 * PERF_GLOBAL_STATUS_OVF_DS_BUFFER is set after `threshold` of them (1 to `records`). */
void ds_area_begin(struct ds_area *area, const struct pebs_plan *plan, const uint8_t *buffer,
                   unsigned records, unsigned threshold);
/* How many whole records there are. `*full`: no further one would fit, so some may be lost. False:
 * the index is not where records end. */
bool ds_area_end(const struct ds_area *area, const struct pebs_plan *plan, unsigned *records,
                 bool *full);

#endif
