/* XSAVE, XSAVEOPT, XSAVEC and XRSTOR on a core: whether they may run, the area in memory, registers
 * from and to the emulator. Every line of the area is reached before anything is written or loaded,
 * so an instruction that faults changes nothing. SDM 2, "XSAVE", "XSAVEOPT", "XSAVEC", "XRSTOR". */
#include <string.h>

#include "decoding.h"
#include "inside.h"
#include "machine/engine/access.h"
#include "machine/engine/complete.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"
#include "special.h"
#include "vector/mxcsr.h"
#include "vector/xstate.h"

#define COMPACTS 0x2u /* EAX of subleaf 1: XSAVEC, and XRSTOR from the compacted format */
#define EMPTY    3u   /* in the tag word of x87 */
#define TOP      11

struct xsave_area {
    uint64_t address;
    struct xstate_layout layout;
    bool stack;
    uint8_t *place[XSTATE_LINES]; /* of the host; not NULL: `bytes` holds the line */
    uint8_t bytes[XSTATE_BYTES];
    struct access access[EXECUTED_ACCESSES]; /* the first lines */
    unsigned accesses;
};

static struct xstate_layout plain_layout(const struct core *core)
{
    struct xstate_layout layout = {{0}};

    for (unsigned part = 2; part < XSTATE_PARTS; part++)
        layout.offset[part] = (uint16_t)pmu_cpuid(core->pmu, CPUID_STATE_LEAF, part, core->cr4).ebx;
    return layout;
}

/* --- registers --- */

static void take_x87(const struct core *core, struct xstate *state)
{
    const unsigned tags = (unsigned)core_register(core, UC_X86_REG_FPTAG);

    state->fcw = (uint16_t)core_register(core, UC_X86_REG_FPCW);
    state->fsw = (uint16_t)core_register(core, UC_X86_REG_FPSW);
    state->ftw = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t value[16] = {0};
        const unsigned which = ((unsigned)state->fsw >> TOP) + i;

        uc_reg_read(core->uc, UC_X86_REG_FP0 + (int)(which & 7), value);
        memcpy(state->st[i], value, sizeof(state->st[i]));
        if ((tags >> 2 * i & 3) != EMPTY)
            state->ftw |= (uint8_t)(1u << i);
    }
}

static void give_x87(struct core *core, const struct xstate *state)
{
    unsigned tags = 0;

    for (unsigned i = 0; i < 8; i++) {
        uint8_t value[16] = {0};
        const unsigned which = ((unsigned)state->fsw >> TOP) + i;

        memcpy(value, state->st[i], sizeof(state->st[i]));
        uc_reg_write(core->uc, UC_X86_REG_FP0 + (int)(which & 7), value);
        if (!(state->ftw >> i & 1))
            tags |= EMPTY << 2 * i;
    }
    core_set_register(core, UC_X86_REG_FPCW, state->fcw);
    core_set_register(core, UC_X86_REG_FPSW, state->fsw);
    core_set_register(core, UC_X86_REG_FPTAG, tags);
}

static struct xstate take(struct core *core)
{
    struct xstate state = {.file = &core->vector};

    take_x87(core, &state);
    state.mxcsr = (uint32_t)core_register(core, UC_X86_REG_MXCSR);
    for (int i = 0; i < 16; i++)
        uc_reg_read(core->uc, UC_X86_REG_XMM0 + i, core->vector.vector[i]);
    return state;
}

static void give(struct core *core, const struct xstate *state, uint64_t parts)
{
    if (parts & XSTATE_X87)
        give_x87(core, state);
    core_set_register(core, UC_X86_REG_MXCSR, state->mxcsr);
    for (int i = 0; i < 16; i++)
        uc_reg_write(core->uc, UC_X86_REG_XMM0 + i, core->vector.vector[i]);
}

uint64_t xsave_in_use(struct core *core)
{
    const struct xstate state = take(core);

    return xstate_in_use(&state);
}

/* --- memory --- */

static void note(struct xsave_area *area, uint64_t address, bool write)
{
    if (area->accesses < EXECUTED_ACCESSES)
        area->access[area->accesses++] = (struct access){address, XSTATE_LINE, write};
}

/* Reaches and reads those of `lines` that are not yet read. False: the instruction faulted, or the
 * rig stops. */
static bool reach(struct core *core, const struct instruction *instruction, struct xsave_area *area,
                  uint64_t lines, bool write)
{
    const struct operand_place how = {.stack = area->stack, .aligned = true};

    for (unsigned i = 0; i < XSTATE_LINES; i++) {
        const struct access access = {area->address + i * XSTATE_LINE, XSTATE_LINE, write};
        struct operand_pieces pieces;

        if (!(lines >> i & 1) || area->place[i] != NULL)
            continue;
        switch (operand_reach(core, instruction, &access, &how, &pieces)) {
        case OPERAND_FAULTED:
            return false;
        case OPERAND_BEYOND:
            special_unsupported(core, instruction);
            return false;
        case OPERAND_REACHED:
            break;
        }
        area->place[i] = pieces.place[0];
        memcpy(area->bytes + i * XSTATE_LINE, area->place[i], XSTATE_LINE);
        note(area, access.address, write);
        if (!write)
            access_touched(core, access.address, XSTATE_LINE, false);
    }
    return true;
}

static void write_back(struct core *core, const struct xsave_area *area)
{
    for (unsigned i = 0; i < XSTATE_LINES; i++)
        if (area->place[i] != NULL) {
            memcpy(area->place[i], area->bytes + i * XSTATE_LINE, XSTATE_LINE);
            access_wrote(core, area->address + i * XSTATE_LINE, XSTATE_LINE);
        }
}

/* --- all of it --- */

static void finish(struct core *core, const struct instruction *instruction,
                   const struct xsave_area *area)
{
    core->rip = instruction->address + instruction->length;
    complete_played(core, instruction, core->rip, END_NEXT, area->access, area->accesses);
}

static void save(struct core *core, const struct instruction *instruction, enum xsave_form form,
                 uint64_t requested, struct xsave_area *area)
{
    const struct xstate state = take(core);
    const uint64_t written = xstate_written(&state, form, requested);

    if (form == XSAVE_COMPACTED)
        area->layout = xstate_compacted(requested);
    else /* XSAVE reads the header first */
        note(area, area->address + XSTATE_HEADER, false);
    if (!reach(core, instruction, area,
               xstate_lines(&area->layout, written | (requested & XSTATE_LEGACY)), true))
        return;
    xstate_save(&state, form, requested, &area->layout, area->bytes);
    write_back(core, area);
    finish(core, instruction, area);
}

static void restore(struct core *core, const struct instruction *instruction, uint64_t requested,
                    struct xsave_area *area)
{
    const bool compacts = pmu_cpuid(core->pmu, CPUID_STATE_LEAF, 1, core->cr4).eax & COMPACTS;
    struct xstate state;
    uint64_t parts;

    if (!reach(core, instruction, area, xstate_lines(&area->layout, 0), false))
        return;
    if (!xstate_header_is_good(area->bytes, core->xcr0, compacts)) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    if (xstate_format(area->bytes) & XSTATE_COMPACTED)
        area->layout = xstate_compacted(xstate_format(area->bytes) & ~XSTATE_COMPACTED);
    parts = requested & xstate_held(area->bytes);
    if (xstate_loads_mxcsr(area->bytes, requested))
        parts |=
            XSTATE_SSE; /* to reach the line of MXCSR; xstate_load decides about the registers */
    if (!reach(core, instruction, area, xstate_lines(&area->layout, parts), false))
        return;
    if (xstate_loads_mxcsr(area->bytes, requested) && xstate_mxcsr(area->bytes) & ~MXCSR_BITS) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    state = take(core);
    xstate_load(&state, requested, &area->layout, area->bytes);
    give(core, &state, requested);
    finish(core, instruction, area);
}

static void play(struct core *core, const struct instruction *instruction,
                 const ZydisDecodedInstruction *decoded, struct xsave_area *area)
{
    const uint64_t requested = special_pair(core) & core->xcr0;

    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_XSAVE:
    case ZYDIS_MNEMONIC_XSAVE64:
        save(core, instruction, XSAVE_PLAIN, requested, area);
        break;
    case ZYDIS_MNEMONIC_XSAVEOPT:
    case ZYDIS_MNEMONIC_XSAVEOPT64:
        save(core, instruction, XSAVE_OPTIMISED, requested, area);
        break;
    case ZYDIS_MNEMONIC_XSAVEC:
    case ZYDIS_MNEMONIC_XSAVEC64:
        save(core, instruction, XSAVE_COMPACTED, requested, area);
        break;
    case ZYDIS_MNEMONIC_XRSTOR:
    case ZYDIS_MNEMONIC_XRSTOR64:
        restore(core, instruction, requested, area);
        break;
    default:
        special_unsupported(core, instruction);
        break;
    }
}

void play_xsave(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    struct xsave_area area = {.accesses = 0};

    if (decoding == NULL) {
        special_unsupported(core, instruction);
        return;
    }
    if (!(core->cr4 & CR4_OSXSAVE)) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (core->cr0 & CR0_TS) {
        special_fault(core, instruction, EXCEPTION_NM);
        return;
    }
    if (!operand_address(core, instruction, &decoding->instruction, &decoding->operand[0],
                         &area.address)) {
        special_unsupported(core, instruction);
        return;
    }
    area.stack = decoding->operand[0].mem.segment == ZYDIS_REGISTER_SS;
    area.layout = plain_layout(core);
    play(core, instruction, &decoding->instruction, &area);
}
