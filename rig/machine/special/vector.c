/* Plays instructions in VEX and EVEX encodings on a core: whether they may run, their registers
 * from and to the emulator, their memory operand. */
#include <string.h>

#include "decoding.h"
#include "inside.h"
#include "machine/engine/access.h"
#include "machine/engine/complete.h"
#include "machine/engine/engine.h"
#include "machine/engine/inject/inject.h"
#include "machine/engine/instruction.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "special.h"
#include "vector/execute.h"
#include "vector/mask.h"
#include "vector/mxcsr.h"
#include "vector/sse.h"

#define XMM_COUNT 16u

static bool is_wide(const ZydisDecodedInstruction *decoded)
{
    return decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX ||
           vector_row(decoded->mnemonic)->shape == VECTOR_MASK_COPY;
}

static bool is_vector(const ZydisDecodedOperand *operand)
{
    switch (ZydisRegisterGetClass(operand->reg.value)) {
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
        return operand->type == ZYDIS_OPERAND_TYPE_REGISTER;
    default:
        return false;
    }
}

static bool is_general(const ZydisDecodedOperand *operand)
{
    const ZydisRegisterClass register_class = ZydisRegisterGetClass(operand->reg.value);

    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (register_class == ZYDIS_REGCLASS_GPR32 || register_class == ZYDIS_REGCLASS_GPR64);
}

static unsigned id_of(const ZydisDecodedOperand *operand)
{
    return (unsigned)ZydisRegisterGetId(operand->reg.value);
}

static void take_xmm(struct core *core, unsigned id)
{
    if (id < XMM_COUNT)
        uc_reg_read(core->uc, UC_X86_REG_XMM0 + (int)id, core->vector.vector[id]);
}

static void give_xmm(struct core *core, unsigned id)
{
    if (id < XMM_COUNT)
        uc_reg_write(core->uc, UC_X86_REG_XMM0 + (int)id, core->vector.vector[id]);
}

/* Reads the operands that are in registers of the emulator. */
static void take_registers(struct core *core, struct vector_step *step)
{
    for (unsigned i = 0; i < step->operands; i++) {
        const ZydisDecodedOperand *operand = step->operand[i];

        if (is_vector(operand))
            take_xmm(core, id_of(operand));
        else if (is_general(operand))
            step->general[id_of(operand) & 15] =
                core_register(core, engine_general(id_of(operand)));
    }
}

static void give_registers(struct core *core, const struct vector_step *step)
{
    const ZydisDecodedOperand *to = step->operand[0];

    if (step->row->shape == VECTOR_ZERO_ALL)
        for (unsigned i = 0; i < XMM_COUNT; i++)
            give_xmm(core, i);
    if (step->operands == 0 || step->row->shape == VECTOR_TEST)
        return;
    if (is_vector(to))
        give_xmm(core, id_of(to));
    else if (is_general(to))
        core_set_register(core, engine_general(id_of(to)), step->general[id_of(to) & 15]);
}

/* --- memory --- */

static const ZydisDecodedOperand *memory_operand(const struct vector_step *step)
{
    for (unsigned i = 0; i < step->operands; i++)
        if (step->operand[i]->type == ZYDIS_OPERAND_TYPE_MEMORY)
            return step->operand[i];
    return NULL;
}

/* Narrows the access to the first to last of `bytes`; without any, its size becomes 0. */
static void narrow(struct access *access, uint64_t bytes)
{
    if (!bytes) {
        access->size = 0;
        return;
    }
    access->address += (unsigned)__builtin_ctzll(bytes);
    access->size = (uint8_t)(64 - __builtin_clzll(bytes) - __builtin_ctzll(bytes));
}

/* Finds the memory operand and, if it is a source, reads it. */
static enum operand_reach reach_memory(struct core *core, const struct instruction *instruction,
                                       struct vector_step *step, struct access *access,
                                       struct operand_pieces *pieces)
{
    const ZydisDecodedOperand *operand = memory_operand(step);
    const uint64_t bytes = mask_reached(step);
    struct operand_place how;
    enum operand_reach reached;

    access->size = (uint8_t)(operand->size / 8);
    access->write = operand == step->operand[0];
    how.aligned = step->row->shape == VECTOR_COPY && step->row->block;
    how.stack = operand->mem.segment == ZYDIS_REGISTER_SS;
    if (!operand_address(core, instruction, step->decoded, operand, &access->address))
        return OPERAND_BEYOND;
    reached = operand_reach_bytes(core, instruction, access, &how, bytes, pieces);
    if (reached != OPERAND_REACHED)
        return reached;
    narrow(access, bytes);
    if (!access->write && access->size) {
        operand_read_bytes(pieces, step->memory, bytes);
        access_touched(core, access->address, access->size, false);
    }
    return OPERAND_REACHED;
}

/* --- all of it --- */

static void finish(struct core *core, const struct instruction *instruction,
                   const struct access *access, bool assist)
{
    struct executed record = {.rip = instruction->address,
                              .next = instruction->address + instruction->length,
                              .bytes = instruction->bytes,
                              .length = instruction->length,
                              .accesses = access->size != 0,
                              .assist = assist,
                              .end = END_NEXT,
                              .access = {*access}};

    core->rip = record.next;
    complete_record(core, &record);
}

/* Whether the instruction may run; if not, its fault is delivered. */
static bool may_run(struct core *core, const struct instruction *instruction,
                    const ZydisDecodedInstruction *decoded)
{
    if (!vector_is_enabled(core, is_wide(decoded)))
        special_fault(core, instruction, EXCEPTION_UD);
    else if (core->cr0 & CR0_TS)
        special_fault(core, instruction, EXCEPTION_NM);
    else
        return true;
    return false;
}

/* False, with the registers as before, when an exception of numbers comes of it. */
static bool execute(struct core *core, struct vector_step *step, uint32_t mxcsr)
{
    const unsigned to =
        vector_computes(step) && is_vector(step->operand[0]) ? id_of(step->operand[0]) : 0;
    uint8_t before[VECTOR_BYTES];
    uint32_t flags;
    bool faults;

    memcpy(before, step->file->vector[to], sizeof(before));
    vector_execute(step);
    faults = mxcsr_faults(mxcsr, step->mxcsr & MXCSR_FLAGS, &flags);
    if (flags & ~mxcsr)
        core_set_register(core, UC_X86_REG_MXCSR, mxcsr | flags);
    if (faults)
        memcpy(step->file->vector[to], before, sizeof(before));
    return !faults;
}

static void play(struct core *core, const struct instruction *instruction, struct vector_step *step)
{
    struct operand_pieces pieces;
    struct access access = {0, 0, false};
    const uint32_t mxcsr = step->mxcsr;
    bool assist;

    step->mxcsr &= ~MXCSR_FLAGS;
    take_registers(core, step);
    if (memory_operand(step) != NULL)
        switch (reach_memory(core, instruction, step, &access, &pieces)) {
        case OPERAND_FAULTED:
            return;
        case OPERAND_BEYOND:
            special_unsupported(core, instruction);
            return;
        case OPERAND_REACHED:
            break;
        }
    assist = vector_assists(step);
    if (step->row->shape == VECTOR_TEST)
        step->flags = core_register(core, UC_X86_REG_EFLAGS);
    if (!execute(core, step, mxcsr)) {
        special_float_exception(core, instruction);
        return;
    }
    give_registers(core, step);
    if (step->row->shape == VECTOR_TEST)
        core_set_register(core, UC_X86_REG_EFLAGS, step->flags);
    if (access.write && access.size) {
        operand_write_bytes(&pieces, step->memory, mask_active(step));
        access_wrote(core, access.address, access.size);
    }
    finish(core, instruction, &access, assist);
}

void play_vector(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    uint64_t general[16];
    struct vector_step step = {.file = &core->vector, .general = general};

    if (decoding == NULL) {
        special_unsupported(core, instruction);
        return;
    }
    if (!may_run(core, instruction, &decoding->instruction))
        return;
    if (decoding->instruction.avx.vector_length == 512)
        inject_wide(core);
    step.mxcsr = (uint32_t)core_register(core, UC_X86_REG_MXCSR);
    if (vector_prepare(&step, &decoding->instruction, decoding->operand))
        play(core, instruction, &step);
    else
        special_unsupported(core, instruction);
}
