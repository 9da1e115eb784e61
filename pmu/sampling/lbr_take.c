#include "lbr_take.h"

#include "boot/msr.h"

INTERRUPT_SAFE enum rc lbr_take(const struct lbr_plan *plan, uint64_t words[LBR_WORDS],
                                uint32_t *failed_msr)
{
    for (unsigned i = 0; i < plan->read_count; i++)
        if (!msr_read(plan->reads[i], &words[i])) {
            *failed_msr = plan->reads[i];
            return RC_FAULT;
        }
    return RC_OK;
}
