/* The last-branch records of the legacy stack (Skylake's format: FROM, TO, INFO). SDM 3B, "Last
 * Branch, Interrupt, and Exception Recording". */
#ifndef PMU_LBR_H
#define PMU_LBR_H

#include "description.h"
#include "plan.h"

#define LBR_DEPTH 32

struct lbr_entry {
    uint64_t from, to;
    bool mispredicted;
    bool cycles_valid; /* false: saturated, or no branch before it was recorded */
    uint16_t cycles;   /* core cycles since the branch before */
};
struct lbr_stack {
    struct lbr_entry entries[LBR_DEPTH]; /* newest first */
    unsigned count;                      /* entries that are not empty */
};

/* Why this core has no usable stack, null when it has. */
const char *lbr_absent(const struct facts *facts, const struct description *description);
/* A pass whose window records branches instead of counting: setup clears the stack and selects
 * everything, enable is the one write of IA32_DEBUGCTL. */
void lbr_pass(struct pass *pass);
/* Every register lbr_pass and lbr_read touch, in the order saved_keep wants them. Returns the
 * count, at most `limit`. */
unsigned lbr_registers(uint32_t *registers, unsigned limit);
/* After the window. RC_FAULT with *failed_msr. */
enum rc lbr_read(struct lbr_stack *stack, uint32_t *failed_msr);

#endif
