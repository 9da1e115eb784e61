#include "accesses.h"

static uint64_t value_of(ZydisRegister reg, const struct address_registers *registers,
                         const ZydisDecodedInstruction *instruction)
{
    if (reg == ZYDIS_REGISTER_NONE)
        return 0;
    if (reg == ZYDIS_REGISTER_RIP || reg == ZYDIS_REGISTER_EIP)
        return registers->rip + instruction->length;
    return registers->general[ZydisRegisterGetId(reg) & 15];
}

static uint64_t address_of(const ZydisDecodedInstruction *instruction,
                           const ZydisDecodedOperand *operand,
                           const struct address_registers *registers)
{
    const ZydisDecodedOperandMem *mem = &operand->mem;
    uint64_t address = value_of(mem->base, registers, instruction) +
                       value_of(mem->index, registers, instruction) * mem->scale;

    if (mem->disp.has_displacement)
        address += (uint64_t)mem->disp.value;
    if (instruction->address_width == 32)
        address = (uint32_t)address;
    return address + (mem->segment == ZYDIS_REGISTER_FS   ? registers->fs
                      : mem->segment == ZYDIS_REGISTER_GS ? registers->gs
                                                          : 0);
}

/* A push writes below the stack pointer. */
static bool is_push(const ZydisDecodedOperand *operand)
{
    return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
           operand->mem.base == ZYDIS_REGISTER_RSP &&
           operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

static void add(struct step *step, uint64_t address, unsigned size, bool write)
{
    if (step->accesses < EXECUTED_ACCESSES)
        step->access[step->accesses++] =
            (struct access){address, (uint8_t)(size > 64 ? 64 : size), write};
}

bool accesses_of(struct step *step, const ZydisDecodedInstruction *instruction,
                 const ZydisDecodedOperand *operands, const struct address_registers *registers)
{
    step->length = instruction->length;
    step->accesses = 0;
    if (instruction->meta.category == ZYDIS_CATEGORY_WIDENOP ||
        instruction->meta.category == ZYDIS_CATEGORY_NOP)
        return true;
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        const unsigned size = operand->size / 8u;
        uint64_t address;

        if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
            continue;
        if (operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
            return false;
        if (operand->mem.type != ZYDIS_MEMOP_TYPE_MEM || size == 0)
            continue;
        address = address_of(instruction, operand, registers) - (is_push(operand) ? size : 0);
        if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
            add(step, address, size, false);
        if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
            add(step, address, size, true);
    }
    return true;
}
