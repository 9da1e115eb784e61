/* The last-branch records of the legacy stack (Skylake's format: FROM, TO, INFO). SDM 3B, "Last
 * Branch, Interrupt, and Exception Recording". */
#ifndef PMU_LBR_H
#define PMU_LBR_H

#include "boot/rc.h"
#include "plan_pass.h"

#define LBR_DEPTH 32

struct lbr_entry {
    uint64_t from, to;
    bool mispredicted;
    bool cycles_valid; /* false: saturated, or counted from a branch before recording began */
    uint16_t cycles;   /* core cycles since the branch before */
};
struct lbr_stack {
    struct lbr_entry entries[LBR_DEPTH]; /* newest first */
    unsigned count;                      /* entries that are not empty */
};

/* Returns why this core has no usable stack; null when it has one. */
const char *lbr_absent(const struct facts *facts, const struct description *description);
/* Makes a pass whose window records branches instead of counting: setup clears the stack and
 * selects every kind of branch, the enabling write is to IA32_DEBUGCTL. */
void lbr_pass(struct pass *pass);
/* Lists every register that lbr_pass and lbr_read touch, in the order in which saved_keep must see
 * them. Returns the number of registers, at most `limit`. */
unsigned lbr_registers(uint32_t *registers, unsigned limit);
/* Reads the stack after the window. RC_OK; RC_FAULT with *failed_msr. */
enum rc lbr_read(struct lbr_stack *stack, uint32_t *failed_msr);

#endif
