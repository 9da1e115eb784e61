/* From Zydis's operands to registers read, registers written and addresses. Parts of a register
 * count as the whole. */
#include "operands.h"

#include <string.h>

/* The flags that the renamer carries. The direction flag and the system flags are no dependency:
 * their writers are slow for other reasons. INC and DEC leave the carry alone; here they pass it on
 * as a dependency, which real renamers avoid. */
#define RENAMED_FLAGS                                                                              \
    (ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |                   \
     ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)

bool register_in(const struct register_list *list, uint8_t id)
{
    return memchr(list->ids, id, list->count) != NULL;
}

void register_add(struct register_list *list, uint8_t id)
{
    if (id != REG_NONE && list->count < OPERAND_REGISTERS && !register_in(list, id))
        list->ids[list->count++] = id;
}

static uint8_t register_id(ZydisRegister name)
{
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);

    switch (ZydisRegisterGetClass(name)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
        return (uint8_t)(ZydisRegisterGetId(whole) & 15);
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
        return (uint8_t)(REG_VECTOR + ZydisRegisterGetId(name));
    case ZYDIS_REGCLASS_MASK:
        return (uint8_t)(REG_MASK + ZydisRegisterGetId(name));
    case ZYDIS_REGCLASS_X87:
    case ZYDIS_REGCLASS_MMX:
        return REG_X87;
    case ZYDIS_REGCLASS_SEGMENT:
    case ZYDIS_REGCLASS_CONTROL:
    case ZYDIS_REGCLASS_DEBUG:
        return REG_OTHER;
    default:
        return REG_NONE; /* flags are read from their masks; RIP and the rest carry no dependency */
    }
}

bool is_high_byte(ZydisRegister name)
{
    return name == ZYDIS_REGISTER_AH || name == ZYDIS_REGISTER_BH || name == ZYDIS_REGISTER_CH ||
           name == ZYDIS_REGISTER_DH;
}

static uint8_t bit_of(ZydisRegister name)
{
    const uint8_t id = register_id(name);

    return (uint8_t)(id < 4 ? 1u << id : 0);
}

static void read_bytes(struct operands *out, const ZydisDecodedOperand *operand)
{
    const uint8_t bit = bit_of(operand->reg.value);
    const bool read = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;

    if (operand->size > 8) {
        out->wide |= bit;
        out->wide_read |= read ? bit : 0;
    } else if (is_high_byte(operand->reg.value)) {
        out->high_read |= read ? bit : 0;
        out->high_write |= operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? bit : 0;
    }
}

/* PUSH, POP, CALL and RET move RSP in the stack engine, ahead of the renamer: they do not depend on
 * RSP. */
static bool by_stack_engine(const ZydisDecodedInstruction *instruction,
                            const ZydisDecodedOperand *operand)
{
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_POP:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
        return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
               operand->reg.value == ZYDIS_REGISTER_RSP;
    default:
        return false;
    }
}

/* A scalar result leaves the rest of a vector register as it was, except where a load or a move
 * from elsewhere clears it. */
static bool scalar_merges(const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *operands)
{
    const bool from_memory = operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY;

    if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return false; /* the register whose rest it keeps is one of its operands */
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_MOVSS:
    case ZYDIS_MNEMONIC_MOVSD:
        return !from_memory;
    case ZYDIS_MNEMONIC_MOVD:
    case ZYDIS_MNEMONIC_MOVQ:
    case ZYDIS_MNEMONIC_MOVDDUP:
        return false;
    default:
        return true;
    }
}

static void read_register(struct operands *out, const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *operands, const ZydisDecodedOperand *operand)
{
    const uint8_t id = register_id(operand->reg.value);
    const bool write = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    bool read = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;

    if (id == REG_NONE || by_stack_engine(instruction, operand))
        return;
    if (operand->encoding == ZYDIS_OPERAND_ENCODING_MASK && operand->reg.value == ZYDIS_REGISTER_K0)
        return; /* no mask */
    if (write) {
        const bool part = (id < 16 && operand->size < 32) ||
                          (id >= REG_VECTOR && id < REG_MASK && operand->size < 128 &&
                           operand == operands && scalar_merges(instruction, operands));

        register_add(&out->destinations, id);
        out->merges |= part;
        /* a conditional write may keep the old value, so it reads the old value */
        read |= part || operand->actions & ZYDIS_OPERAND_ACTION_CONDWRITE;
    }
    if (read)
        register_add(&out->sources, id);
}

static void add_address(struct register_list *list, const ZydisDecodedOperandMem *memory)
{
    register_add(list, register_id(memory->base));
    register_add(list, register_id(memory->index));
}

static void read_address_bytes(struct operands *out, const ZydisDecodedOperandMem *memory)
{
    const uint8_t bits = bit_of(memory->base) | bit_of(memory->index);

    out->wide |= bits;
    out->wide_read |= bits;
}

static void read_memory(struct operands *out, const ZydisDecodedOperand *operand)
{
    const ZydisDecodedOperandMem *memory = &operand->mem;

    read_address_bytes(out, memory);
    out->memory |= operand->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
    out->rip_relative |= memory->base == ZYDIS_REGISTER_RIP || memory->base == ZYDIS_REGISTER_EIP;
    if (memory->type != ZYDIS_MEMOP_TYPE_MEM) {
        add_address(&out->sources, memory); /* LEA */
        return;
    }
    if (memory->index != ZYDIS_REGISTER_NONE) {
        out->load_indexed |= operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ && out->loads == 0;
        out->store_indexed |=
            operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE && out->stores == 0;
    }
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ && out->loads < OPERAND_ACCESSES)
        add_address(&out->load_address[out->loads++], memory);
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE && out->stores < OPERAND_ACCESSES)
        add_address(&out->store_address[out->stores++], memory);
}

static void read_flags(struct operands *out, const ZydisAccessedFlags *flags)
{
    if (flags->tested & RENAMED_FLAGS)
        register_add(&out->sources, REG_FLAGS);
    if ((flags->modified | flags->set_0 | flags->set_1) & RENAMED_FLAGS)
        register_add(&out->destinations, REG_FLAGS);
}

void operands_read(struct operands *out, const ZydisDecodedInstruction *instruction,
                   const ZydisDecodedOperand *operands)
{
    memset(out, 0, sizeof(*out));
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];

        if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            read_register(out, instruction, operands, operand);
            read_bytes(out, operand);
        } else if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
            read_memory(out, operand);
        else if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !operand->imm.is_relative)
            out->immediate = true;
    }
    if (instruction->cpu_flags != NULL)
        read_flags(out, instruction->cpu_flags);
}
