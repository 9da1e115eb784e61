/* Last-branch records: a plan that programs the stack of this core, the registers to read, and the
 * decoder of what was read. "Last Branch, Interrupt, and Exception Recording" in SDM volume 3B.
 *
 * Three steps, so that an interrupt handler can do the middle one: lbr_plan_make works out values
 * before the window; lbr_take, or any code that reads plan->reads in order, stores raw registers;
 * lbr_decode (lbr_decode.h) turns them into entries after the window. */
#ifndef PMU_SAMPLING_LBR_H
#define PMU_SAMPLING_LBR_H

#include "boot/interrupt_safe.h"
#include "boot/rc.h"
#include "pmu/lbr_kind.h"
#include "pmu/plan_pass.h"

#define LBR_DEPTH 32                  /* records of the deepest stack */
#define LBR_WORDS (1 + 3 * LBR_DEPTH) /* registers that hold a stack, at most */
#define LBR_KEEP  (LBR_WORDS + 3)     /* and those that program it */

struct lbr_entry {
    uint64_t from, to;
    bool mispredicted; /* false where mispredict_valid is false */
    bool cycles_valid; /* false: the stack has none, saturated, or from before recording began */
    uint16_t cycles;   /* core cycles since the record before; 0 where cycles_valid is false */
    bool mispredict_valid; /* the stack records mispredictions */
    bool in_transaction, aborted;
    uint8_t type; /* enum lbr_type */
};
struct lbr_stack {
    struct lbr_entry entries[LBR_DEPTH]; /* newest first */
    unsigned count;                      /* entries that are not empty */
};

/* What is to be recorded. All zero: every branch, in ring 0 and elsewhere, never frozen. */
struct lbr_options {
    uint32_t types;       /* bit n: branches of enum lbr_type n; 0: every branch */
    bool user_only;       /* not in ring 0 */
    bool kernel_only;     /* only in ring 0 */
    bool call_stack;      /* a return takes the record of its call away */
    bool freeze_on_pmi;   /* recording stops when a counter whose PMI is enabled overflows, */
    bool freeze_counters; /* and so do all counters */
};

/* Registers as values. Recording may be switched on and off as often as wanted between setup and
 * the restoring of `keep`. */
struct lbr_plan {
    const struct lbr_kind *kind;
    const struct lbr_layout *layout;
    unsigned depth;
    /* Every register that is changed, by writing or by recording, in the order in which saved_keep
     * must see them. */
    uint32_t keep[LBR_KEEP];
    unsigned keep_count;
    struct msr_value setup[LBR_KEEP]; /* stop, select, clear */
    unsigned setup_count;
    struct msr_value enable; /* the one write that starts recording */
    uint64_t disable;        /* the value of the same register that stops recording */
    /* The registers that hold the stack. Recording must be off, or frozen, while they are read. */
    uint32_t reads[LBR_WORDS];
    unsigned read_count;
    /* Bit n: branches of enum lbr_type n are recorded. More than asked where the hardware errs. */
    uint32_t types_recorded;
    bool call_stack;
    bool freezes_counters; /* the PMI stops them, and recording */
    bool transactions;     /* the core has transactions, so the bits about them mean something */
    bool mispredicts, cycles, types; /* what an architectural stack records */
};

/* Returns why this core has no usable stack; null when it has one. */
const char *lbr_absent(const struct facts *facts, const struct description *description);
/* Makes the plan. Returns null, or why this core cannot record that: lbr_absent, or an option that
 * the stack does not have; the plan is then empty. */
const char *lbr_plan_make(struct lbr_plan *plan, const struct facts *facts,
                          const struct description *description, const struct lbr_options *options);
/* Makes a pass whose window records branches instead of counting: setup and enable of the plan. */
void lbr_pass(struct pass *pass, const struct lbr_plan *plan);
/* How many records the stack of this core holds; 0 when lbr_absent. */
unsigned lbr_depth(const struct facts *facts, const struct description *description);
#endif
