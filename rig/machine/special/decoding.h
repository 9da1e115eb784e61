/* What Zydis makes of the instructions that are played: decoded once, since a kernel plays the same
 * few again and again. */
#ifndef RIG_MACHINE_SPECIAL_DECODING_H
#define RIG_MACHINE_SPECIAL_DECODING_H

#include <Zydis/Zydis.h>
#include <stdint.h>

#include "machine/engine/instruction.h"

struct core;

struct decoding {
    uint8_t bytes[INSTRUCTION_BYTES];
    uint8_t length; /* 0: empty */
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

/* Valid until the next call. NULL: these bytes are no instruction of 64-bit code, or the core is
 * not in 64-bit mode. */
const struct decoding *decoding_of(struct core *core, const struct instruction *instruction);

#endif
