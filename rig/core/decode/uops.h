/* From operands and a recipe to uops. */
#ifndef RIG_CORE_DECODE_UOPS_H
#define RIG_CORE_DECODE_UOPS_H

#include "decoded.h"
#include "operands.h"
#include "recipe.h"

struct subject { /* the instruction that is decoded */
    const ZydisDecodedInstruction *instruction;
    const ZydisDecodedOperand *list;
    const struct operands *operands;
    struct recipe recipe;
    const struct model_parameters *parameters;
};

/* Fills the uops and `extra` of `out`, whose counts are zero and whose flags (branch, kind,
 * conditional, rep, nop, prefetch) are set. */
void uops_compose(struct decoded *out, const struct subject *subject);

#endif
