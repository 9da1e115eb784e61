/* When the next PMI will come. The model knows what retires in coming cycles before it reports
 * these cycles (model_ahead), so a PMI that a counter of cycles or of retirement requests is known
 * before it comes. The machine asks between two instructions, and stops at the instruction behind
 * which the interrupt is taken.
 *
 * So is the record of a counter with precise distribution.
 *
 * Other signals, such as those of issue, ports and fetch, are known only when their cycle is over;
 * then instructions behind the interrupted one may have been executed. How many does not depend on
 * when else the model reports: as long as such a counter may overflow, it reports after every
 * instruction. */
#ifndef RIG_PMU_FORESEE_H
#define RIG_PMU_FORESEE_H

#include "state.h"

#define FORESEE_NEVER UINT64_MAX
#define FORESEE_KIND  2048 /* bytes that a kind of PMU may keep in a look */

/* One look at coming cycles. */
struct pmu_foresight {
    const struct pmu *pmu;
    struct counter counter[PMU_GP_MAX + PMU_FIXED_MAX]; /* copies, ahead of the counters */
    unsigned count;  /* of these, or of what `kind` has in their place; 0: no need to look ahead */
    uint64_t hidden; /* before this cycle no counter overflows that is not among them */
    _Alignas(
        8) unsigned char kind[FORESEE_KIND]; /* in place of `counter`, for pmu_kind.foresight */
    uint64_t cycle;                          /* model cycle of the next span */
    uint64_t accepted; /* the first cycle in which the PMI is there, FORESEE_NEVER: not in sight */
};

/* `now`: the model's cycle; all before it has been reported. */
void pmu_foresee_begin(struct pmu_foresight *sight, const struct pmu *pmu, uint64_t now);
/* The same for the next record of a counter with precise distribution, which is made behind the
 * instruction that overflows the counter: `accepted` is below FORESEE_NEVER when the counter
 * overflows in sight. False: that cannot be foreseen, and every instruction boundary must be looked
 * at with nothing in flight. */
bool pmu_foresee_record(struct pmu_foresight *sight, const struct pmu *pmu, uint64_t now);
/* Coming cycles in order; `sight` is a struct pmu_foresight. False: the PMI is in sight. */
bool pmu_foresee_span(void *sight, const struct span *span);
/* When neither is in sight: *cycle is a cycle before which no PMI can be accepted, and no counter
 * overflows that is not foreseen, and before so many *instructions are accounted for none can be in
 * sight. */
void pmu_foresee_end(const struct pmu_foresight *sight, uint64_t *cycle, uint64_t *instructions);

#endif
