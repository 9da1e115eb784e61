/* Reading a stack's registers: the step of lbr.h that a handler can do. */
#ifndef PMU_SAMPLING_LBR_TAKE_H
#define PMU_SAMPLING_LBR_TAKE_H

#include "lbr.h"

/* Reads plan->reads in order into words[0..read_count). RC_OK; RC_FAULT with *failed_msr. */
INTERRUPT_SAFE enum rc lbr_take(const struct lbr_plan *plan, uint64_t words[LBR_WORDS],
                                uint32_t *failed_msr);

#endif
