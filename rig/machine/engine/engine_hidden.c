/* What libunicorn 2.0.1 does not let one set: the privilege level (a selector written from outside
 * loads no descriptor and leaves the level) and the bits SCE and NXE of EFER (a write drops them).
 * The rig writes them into a saved context. Where in the context differs from build to build, so
 * look: the level is the only word whose two lowest bits IRETQ to ring 3 turned from 0 to 3, EFER
 * the only word that follows a write of its bit LME. */
#include <string.h>

#include "device/guest_memory.h"
#include "engine.h"
#include "engine_inside.h"
#include "registers.h"
#include "state.h"

#define CODE      (PROBE_ADDRESS + 0x000u)
#define TABLE     (PROBE_ADDRESS + 0x100u)
#define STACK     (PROBE_ADDRESS + 0x200u)
#define USER_CODE 0x1bu
#define USER_DATA 0x23u
#define LEVEL     3u

static void prepare_ring_3(uc_engine *uc)
{
    static const uint8_t iretq[] = {0x48, 0xcf};
    static const uint64_t descriptors[] = {0, 0, 0, 0x00affb000000ffff, 0x00cff3000000ffff};
    /* The stack pointer and the flags stay what they were. */
    static const uint64_t frame[] = {CODE, USER_CODE, 2, STACK, USER_DATA};
    const uc_x86_mmr table = {0, TABLE, sizeof(descriptors) - 1, 0};
    const uint64_t rsp = STACK;

    uc_mem_write(uc, CODE, iretq, sizeof(iretq));
    uc_mem_write(uc, TABLE, descriptors, sizeof(descriptors));
    uc_mem_write(uc, STACK, frame, sizeof(frame));
    uc_reg_write(uc, UC_X86_REG_GDTR, &table);
    uc_reg_write(uc, UC_X86_REG_RSP, &rsp);
}

static size_t changed_level(const uint8_t *before, const uint8_t *after, size_t size, bool *one)
{
    size_t found = 0;

    *one = false;
    for (size_t at = 0; at + sizeof(uint32_t) <= size; at += sizeof(uint32_t)) {
        uint32_t was, is;

        memcpy(&was, before + at, sizeof(was));
        memcpy(&is, after + at, sizeof(is));
        if (was != 0 && (was & LEVEL) == 0 && is == (was | LEVEL)) {
            *one = found == 0;
            found = at;
        }
    }
    return found;
}

static size_t changed_efer(const uint8_t *before, const uint8_t *after, size_t size, bool *one)
{
    size_t found = 0;

    *one = false;
    for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
        uint64_t was, is;

        memcpy(&was, before + at, sizeof(was));
        memcpy(&is, after + at, sizeof(is));
        if (was == (EFER_LMA | EFER_LME) && is == EFER_LMA) {
            *one = found == 0;
            found = at;
        }
    }
    return found;
}

static bool find(struct machine *machine, uc_engine *uc, uc_context *before, uc_context *after)
{
    const uint8_t *old = (const uint8_t *)before, *new = (const uint8_t *)after;
    uc_x86_msr efer = {MSR_EFER, EFER_LMA | EFER_LME};
    size_t size = uc_context_size(uc);
    bool level, bits;

    prepare_ring_3(uc);
    uc_reg_write(uc, UC_X86_REG_MSR, &efer);
    uc_context_save(uc, before);
    efer.value = EFER_LMA;
    uc_reg_write(uc, UC_X86_REG_MSR, &efer);
    uc_context_save(uc, after);
    machine->hidden_efer = changed_efer(old, new, size, &bits);
    uc_context_restore(uc, before);
    if (uc_emu_start(uc, CODE, UINT64_MAX, 0, 1))
        return false;
    uc_context_save(uc, after);
    machine->hidden_level = changed_level(old, new, size, &level);
    return level && bits;
}

bool engine_find_hidden(struct machine *machine)
{
    uc_engine *uc;
    uc_context *before, *after;
    bool found;

    if (uc_open(UC_ARCH_X86, UC_MODE_64, &uc))
        return false;
    if (uc_mem_map(uc, PROBE_ADDRESS, PAGE_BYTES, UC_PROT_ALL) || uc_context_alloc(uc, &before) ||
        uc_context_alloc(uc, &after))
        return false;
    found = find(machine, uc, before, after);
    uc_context_free(before);
    uc_context_free(after);
    uc_close(uc);
    return found;
}

void engine_set_level(struct core *core, unsigned level)
{
    uint8_t *place = (uint8_t *)core->scratch + core->machine->hidden_level;
    uint32_t word;

    uc_context_save(core->uc, core->scratch);
    memcpy(&word, place, sizeof(word));
    word = (word & ~LEVEL) | level;
    memcpy(place, &word, sizeof(word));
    uc_context_restore(core->uc, core->scratch);
}

void engine_set_efer(struct core *core, uint64_t value)
{
    uc_context_save(core->uc, core->scratch);
    memcpy((uint8_t *)core->scratch + core->machine->hidden_efer, &value, sizeof(value));
    uc_context_restore(core->uc, core->scratch);
}
