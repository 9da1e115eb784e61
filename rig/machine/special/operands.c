/* Instructions that the emulator lacks, and multiplications, whose values decide what they cost;
 * Zydis finds their operands. */
#include <Zydis/Zydis.h>
#include <string.h>

#include "decoding.h"
#include "inside.h"
#include "machine/engine/access.h"
#include "machine/engine/complete.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/paging.h"
#include "machine/engine/state.h"
#include "special.h"
#include "vector/assist.h"
#include "vector/flags.h"

/* xorshift64*: random numbers that are the same in every run. */
static uint64_t draw(struct core *core)
{
    core->random ^= core->random >> 12;
    core->random ^= core->random << 25;
    core->random ^= core->random >> 27;
    return core->random * UINT64_C(0x2545f4914f6cdd1d);
}

static int engine_register(ZydisRegister reg)
{
    return engine_general((unsigned)ZydisRegisterGetId(reg));
}

/* The general registers, as Zydis wants to have them. */
static void registers_of(const struct core *core, ZydisRegisterContext *registers)
{
    for (unsigned i = 0; i < 16; i++) {
        ZydisRegister reg = ZydisRegisterEncode(ZYDIS_REGCLASS_GPR64, (ZyanU8)i);

        registers->values[reg] = core_register(core, engine_register(reg));
    }
}

static uint64_t narrow(uint64_t value, unsigned bits)
{
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Memory operands are taken for identity-mapped; false when the address is not RAM or not mapped.
 */
static bool locate(struct core *core, const struct instruction *instruction,
                   const struct decoding *decoding, const ZydisDecodedOperand *operand,
                   struct access *access, void **place)
{
    ZydisRegisterContext registers;
    ZyanU64 address;

    registers_of(core, &registers);
    if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&decoding->instruction, operand,
                                                 instruction->address, &registers, &address)) ||
        !paging_maps(core, address))
        return false;
    access->address = address;
    access->size = (uint8_t)(operand->size / 8);
    *place = memory_at(&core->machine->memory, address, access->size);
    return *place != NULL;
}

static void write_register(struct core *core, const ZydisDecodedOperand *operand, uint64_t value)
{
    int id = engine_register(operand->reg.value);

    if (operand->size == 16)
        value = (core_register(core, id) & ~UINT64_C(0xffff)) | (value & 0xffff);
    else
        value = narrow(value, operand->size);
    core_set_register(core, id, value);
}

/* POPCNT and MOVBE: one source, one destination, either of which may be memory. */
void play_transfer(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    struct access access = {0, 0, false};
    unsigned count = 0;
    void *place = NULL;
    uint64_t value = 0;

    if (decoding == NULL) {
        special_unsupported(core, instruction);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (decoding->operand[i].type != ZYDIS_OPERAND_TYPE_MEMORY)
            continue;
        if (!locate(core, instruction, decoding, &decoding->operand[i], &access, &place)) {
            special_unsupported(core, instruction);
            return;
        }
        access.write = i == 0;
        count = 1;
    }
    if (place != NULL && !access.write)
        memcpy(&value, place, access.size);
    else
        value = narrow(core_register(core, engine_register(decoding->operand[1].reg.value)),
                       decoding->operand[1].size);
    if (instruction->kind == KIND_POPCNT) {
        uint64_t flags = core_register(core, UC_X86_REG_EFLAGS) & ~(uint64_t)FLAGS_ARITHMETIC;

        core_set_register(core, UC_X86_REG_EFLAGS, flags | (value ? 0 : FLAG_ZF));
        value = (uint64_t)__builtin_popcountll(value);
    } else {
        value = __builtin_bswap64(value) >> (64 - decoding->operand[0].size);
    }
    if (place != NULL && access.write) {
        memcpy(place, &value, access.size);
        access_wrote(core, access.address, access.size);
    } else {
        if (count)
            access_touched(core, access.address, access.size, false);
        write_register(core, &decoding->operand[0], value);
    }
    core->rip = instruction->address + instruction->length;
    complete_played(core, instruction, core->rip, END_NEXT, &access, count);
}

void play_to_register(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);

    if (decoding == NULL) {
        special_unsupported(core, instruction);
        return;
    }
    if (instruction->kind == KIND_RANDOM) {
        uint64_t flags = core_register(core, UC_X86_REG_EFLAGS) & ~(uint64_t)FLAGS_ARITHMETIC;

        core_set_register(core, UC_X86_REG_EFLAGS, flags | FLAG_CF);
        write_register(core, &decoding->operand[0], draw(core));
    } else {
        write_register(core, &decoding->operand[0], core->tsc_aux);
    }
    special_done(core, instruction);
}

void play_flush(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    struct access access = {0, 0, false};
    void *place;

    if (decoding == NULL ||
        !locate(core, instruction, decoding, &decoding->operand[0], &access, &place)) {
        special_unsupported(core, instruction);
        return;
    }
    core->rip = instruction->address + instruction->length;
    complete_played(core, instruction, core->rip, END_NEXT, &access, 1);
}

/* --- assists --- */

/* The first 16 bytes of an operand, zeros beyond its end. */
static bool read_vector(struct core *core, const struct instruction *instruction,
                        const struct decoding *decoding, const ZydisDecodedOperand *operand,
                        void *value)
{
    struct access access;
    void *place;

    memset(value, 0, 16);
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
        return uc_reg_read(core->uc, UC_X86_REG_XMM0 + ZydisRegisterGetId(operand->reg.value),
                           value) == UC_ERR_OK;
    if (!locate(core, instruction, decoding, operand, &access, &place))
        return false;
    memcpy(value, place, access.size < 16 ? access.size : 16);
    return true;
}

/* Additions of small numbers need no help since Sandy Bridge (A. Fog, "The microarchitecture of
 * Intel, AMD and VIA CPUs"); divisions, roots, conversions and x87 are left out. */
bool special_assists(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    uint8_t factor[2][16];
    unsigned mxcsr;

    if (decoding == NULL)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (!read_vector(core, instruction, decoding, &decoding->operand[i], factor[i]))
            return false;
    mxcsr = (unsigned)core_register(core, UC_X86_REG_MXCSR);
    switch (decoding->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_MULSD:
        return assist_doubles(factor[0], factor[1], 1, mxcsr);
    case ZYDIS_MNEMONIC_MULPD:
        return assist_doubles(factor[0], factor[1], 2, mxcsr);
    case ZYDIS_MNEMONIC_MULSS:
        return assist_singles(factor[0], factor[1], 1, mxcsr);
    case ZYDIS_MNEMONIC_MULPS:
        return assist_singles(factor[0], factor[1], 4, mxcsr);
    default:
        return false;
    }
}
