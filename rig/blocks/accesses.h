/* What an instruction is about to access, from its operands and the registers before it. */
#ifndef RIG_BLOCKS_ACCESSES_H
#define RIG_BLOCKS_ACCESSES_H

#include <Zydis/Zydis.h>

#include "steps.h"

/* The general registers by number, and what else addresses are made of. `rip`: of the
 * instruction itself, where the block is said to lie. */
struct address_registers {
    uint64_t general[16], rip, fs, gs;
};

/* Fills in length and accesses. False: it accesses memory in a way that is not followed, as by an
 * index vector. */
bool accesses_of(struct step *step, const ZydisDecodedInstruction *instruction,
                 const ZydisDecodedOperand *operands, const struct address_registers *registers);

#endif
