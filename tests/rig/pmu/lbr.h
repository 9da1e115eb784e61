/* The inside of the last-branch stack, shared by lbr*.c and pebs.c only. */
#ifndef RIG_LBR_H
#define RIG_LBR_H

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

void lbr_clear(struct lbr *lbr);

/* The record `age` before the newest; below lbr.depth. Its place in the arrays. */
static inline unsigned lbr_place(const struct lbr *lbr, unsigned age)
{
    return (lbr->tos + lbr->depth - age) % lbr->depth;
}

#endif
