/* The decoder of last-branch records: raw registers become entries. Pure. */
#ifndef PMU_SAMPLING_LBR_DECODE_H
#define PMU_SAMPLING_LBR_DECODE_H

#include "lbr.h"

/* Decodes plan->read_count words as lbr_take stores them; any words will do. A record whose
 * addresses are both 0 is empty, and so are all older than it. */
void lbr_decode(const struct lbr_plan *plan, const uint64_t *words, struct lbr_stack *stack);
/* The same for the newest `limit` records; older ones count as not there. */
void lbr_decode_newest(const struct lbr_plan *plan, const uint64_t *words, unsigned limit,
                       struct lbr_stack *stack);
/* A word for an enum lbr_type: "conditional", "jump", "jump_indirect", "call", "call_indirect",
 * "return", "other"; "unknown" for anything else. */
const char *lbr_type_name(unsigned type);

#endif
