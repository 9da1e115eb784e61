/* The last-branch stack, legacy or architectural. */
#ifndef RIG_PMU_LBR_H
#define RIG_PMU_LBR_H

#include "state.h"

/* MSR_LBR_SELECT */
#define SELECT_CPL_EQ_0      (UINT64_C(1) << 0)
#define SELECT_CPL_NEQ_0     (UINT64_C(1) << 1)
#define SELECT_JCC           (UINT64_C(1) << 2)
#define SELECT_NEAR_REL_CALL (UINT64_C(1) << 3)
#define SELECT_NEAR_IND_CALL (UINT64_C(1) << 4)
#define SELECT_NEAR_RET      (UINT64_C(1) << 5)
#define SELECT_NEAR_IND_JMP  (UINT64_C(1) << 6)
#define SELECT_NEAR_REL_JMP  (UINT64_C(1) << 7)
#define SELECT_FAR_BRANCH    (UINT64_C(1) << 8)
#define SELECT_EN_CALLSTACK  (UINT64_C(1) << 9)

/* IA32_LBR_CTL */
#define CTL_LBREN         (1u << 0)
#define CTL_OS            (1u << 1)
#define CTL_USR           (1u << 2)
#define CTL_CALL_STACK    (1u << 3)
#define CTL_JCC           (1u << 16)
#define CTL_NEAR_REL_JMP  (1u << 17)
#define CTL_NEAR_IND_JMP  (1u << 18)
#define CTL_NEAR_REL_CALL (1u << 19)
#define CTL_NEAR_IND_CALL (1u << 20)
#define CTL_NEAR_RET      (1u << 21)
#define CTL_OTHER         (1u << 22)

void lbr_reset(struct pmu *pmu);
void lbr_clear(struct lbr *lbr);
/* Recording begins now. */
void lbr_enabled(struct pmu *pmu);
/* Whether branches are recorded, of some kind and at some level; a freeze does not change that. */
bool lbr_records(const struct pmu *pmu);
/* A branch retired. */
void lbr_branch(struct pmu *pmu, const struct retired_branch *branch);
/* The newest record, if it is that of a branch which retired in that cycle of the model, is taken
 * back, and what it wrote over is there again. Not of a stack of calls. */
void lbr_take_back(struct pmu *pmu, uint64_t cycle);
/* The branch that was taken back, if one was, retires again. */
void lbr_again(struct pmu *pmu);

/* RDMSR and WRMSR (lbr_registers.c); ACCESS_NOT_MINE: the register is none of the stack's. */
enum access_result lbr_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result lbr_write(struct pmu *pmu, uint32_t msr, uint64_t value);

/* The place in the arrays of the record that is `age` records older than the newest; `age` is below
 * lbr->depth. */
static inline unsigned lbr_place(const struct lbr *lbr, unsigned age)
{
    return (lbr->tos + lbr->depth - age) % lbr->depth;
}

#endif
