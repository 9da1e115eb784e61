/* The operands of an instruction as the renamer and the address generators see them. Shared by
 * model_decode.c and model_operands.c only. */
#ifndef RIG_MODEL_OPERANDS_H
#define RIG_MODEL_OPERANDS_H

#include <Zydis/Zydis.h>

#include "decode.h"

#define OPERAND_REGISTERS 8
#define OPERAND_ACCESSES  2

struct register_list {
    uint8_t count;
    uint8_t ids[OPERAND_REGISTERS]; /* REG_... numbers of model_decode.h, each once */
};

struct operands {
    struct register_list sources; /* not those that only form addresses */
    struct register_list destinations;
    uint8_t loads, stores;
    struct register_list load_address[OPERAND_ACCESSES], store_address[OPERAND_ACCESSES];
    bool immediate; /* a constant that is not a branch's target */
    bool rip_relative;
    bool merges; /* writes a register whose other part survives */
    bool memory; /* has an explicit memory operand, accessed or not */
};

void register_add(struct register_list *list, uint8_t id);
bool register_in(const struct register_list *list, uint8_t id);
void operands_read(struct operands *out, const ZydisDecodedInstruction *instruction,
                   const ZydisDecodedOperand *operands);

#endif
