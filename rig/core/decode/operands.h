/* The operands of an instruction as the renamer and the address generators see them. */
#ifndef RIG_CORE_DECODE_OPERANDS_H
#define RIG_CORE_DECODE_OPERANDS_H

#include <Zydis/Zydis.h>

#include "decoded.h"

#define OPERAND_REGISTERS 8
#define OPERAND_ACCESSES  2

struct register_list {
    uint8_t count;
    uint8_t ids[OPERAND_REGISTERS]; /* REG_... numbers of decoded.h, each once */
};

struct operands {
    struct register_list sources; /* without registers that only form addresses */
    struct register_list destinations;
    uint8_t loads, stores;
    struct register_list load_address[OPERAND_ACCESSES], store_address[OPERAND_ACCESSES];
    bool load_indexed, store_indexed; /* the first one's address has an index */
    bool immediate;                   /* has a constant that is not a branch's target */
    bool rip_relative;
    /* A bit for each of registers 0 to 3: its high byte is read or written; more of it than a byte
     * is read, or used at all. */
    uint8_t high_read, high_write, wide_read, wide;
    bool merges; /* writes part of a register and keeps the rest */
    bool memory; /* has an explicit memory operand, accessed or not */
};

/* Adds the register unless it is there, is REG_NONE or finds no room. */
void register_add(struct register_list *list, uint8_t id);
bool register_in(const struct register_list *list, uint8_t id);
bool is_high_byte(ZydisRegister name); /* AH, BH, CH or DH */
/* Fills `out` from the operands that Zydis lists. */
void operands_read(struct operands *out, const ZydisDecodedInstruction *instruction,
                   const ZydisDecodedOperand *operands);

#endif
