/* The floating-point exceptions of SSE. The emulator computes without noting any, so they are
 * worked out before the instruction runs. SDM 1, "SSE and SSE2 SIMD Floating-Point Exceptions",
 * "Handling SIMD Floating-Point Exceptions in Software". */
#include <string.h>

#include "decoding.h"
#include "device/platform.h"
#include "inside.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/paging.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "special.h"
#include "vector/sse.h"

static bool is_general(const ZydisDecodedOperand *operand)
{
    const ZydisRegisterClass register_class = ZydisRegisterGetClass(operand->reg.value);

    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (register_class == ZYDIS_REGCLASS_GPR32 || register_class == ZYDIS_REGCLASS_GPR64);
}

static bool read_memory(struct core *core, const struct instruction *instruction,
                        const struct decoding *decoding, const ZydisDecodedOperand *operand,
                        uint8_t to[16])
{
    const unsigned bytes = operand->size / 8u < 16 ? operand->size / 8u : 16;
    const void *place;
    uint64_t address;

    if (!operand_address(core, instruction, &decoding->instruction, operand, &address) ||
        !paging_maps(core, address) || !paging_maps(core, address + bytes - 1))
        return false;
    place = memory_at(&core->machine->memory, address, bytes);
    if (place != NULL)
        memcpy(to, place, bytes);
    return place != NULL;
}

/* MM0 to MM7 are the significands of the x87 registers, wherever its stack has its top. */
static bool read_mmx(const struct core *core, int id, uint8_t to[16])
{
    uint8_t whole[16] = {0};

    if (uc_reg_read(core->uc, UC_X86_REG_FP0 + id, whole) != UC_ERR_OK)
        return false;
    memcpy(to, whole, 8);
    return true;
}

/* False: the emulator says what becomes of it. */
static bool read_operand(struct core *core, const struct instruction *instruction,
                         const struct decoding *decoding, const ZydisDecodedOperand *operand,
                         uint8_t to[16])
{
    const int id = ZydisRegisterGetId(operand->reg.value);
    uint64_t value;

    memset(to, 0, 16);
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
        return read_memory(core, instruction, decoding, operand, to);
    if (is_general(operand)) {
        value = core_register(core, engine_general((unsigned)id));
        memcpy(to, &value, operand->size / 8u);
        return true;
    }
    if (ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_MMX)
        return read_mmx(core, id, to);
    return ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_XMM &&
           uc_reg_read(core->uc, UC_X86_REG_XMM0 + id, to) == UC_ERR_OK;
}

static bool read_operands(struct core *core, const struct instruction *instruction,
                          const struct decoding *decoding, struct sse_operands *operands)
{
    const ZydisDecodedOperand *operand = decoding->operand;

    operands->wide = operand[is_general(&operand[0]) ? 0 : 1].size == 64;
    operands->predicate =
        operand[2].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? (uint8_t)operand[2].imm.value.u : 0;
    return read_operand(core, instruction, decoding, &operand[0], operands->first) &&
           read_operand(core, instruction, decoding, &operand[1], operands->second);
}

bool special_floats(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    struct sse_operands operands;
    uint32_t mxcsr, flags;
    bool faults;

    if (decoding == NULL || core->cr0 & CR0_TS || !(core->cr4 & CR4_OSFXSR) ||
        !read_operands(core, instruction, decoding, &operands))
        return true;
    mxcsr = (uint32_t)core_register(core, UC_X86_REG_MXCSR);
    faults = mxcsr_faults(mxcsr, sse_raises(&decoding->instruction, &operands, mxcsr), &flags);
    if (flags & ~mxcsr)
        core_set_register(core, UC_X86_REG_MXCSR, mxcsr | flags);
    return !faults;
}

void special_float_exception(struct core *core, const struct instruction *instruction)
{
    special_fault(core, instruction, core->cr4 & CR4_OSXMMEXCPT ? EXCEPTION_XM : EXCEPTION_UD);
}

void play_float_fault(struct core *core, const struct instruction *instruction)
{
    if (instruction->kind == KIND_FLOAT_ALIGNED && !special_is_aligned(core, instruction))
        special_fault(core, instruction, EXCEPTION_GP);
    else
        special_float_exception(core, instruction);
}
