/* Registers, and two things that libunicorn 2.0.1 needs help with:
 * how to start a core in real mode, and how to make the engine forget the last exception. */
#include "engine.h"

#include <stdio.h>
#include <string.h>

#include "engine_inside.h"
#include "state.h"
#include "vector/mxcsr.h"

#define NO_EXCEPTION       (-1)
#define GENERAL_PROTECTION 13
#define RESET_FPCW         0x037fu
#define RESET_FPTAG        0xffffu /* all empty; those of a new engine are not */

uint64_t core_register(const struct core *core, int id)
{
    uint64_t value = 0;

    uc_reg_read(core->uc, id, &value);
    return value;
}

void core_set_register(struct core *core, int id, uint64_t value)
{
    uc_reg_write(core->uc, id, &value);
}

int engine_general(unsigned number)
{
    static const int ids[16] = {UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX,
                                UC_X86_REG_RSP, UC_X86_REG_RBP, UC_X86_REG_RSI, UC_X86_REG_RDI,
                                UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
                                UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15};

    return ids[number & 15];
}

uint64_t engine_msr(const struct core *core, uint32_t msr)
{
    uc_x86_msr access = {msr, 0};

    uc_reg_read(core->uc, UC_X86_REG_MSR, &access);
    return access.value;
}

static void reset_registers(struct core *core)
{
    core_set_register(core, UC_X86_REG_MXCSR, MXCSR_INITIAL);
    core_set_register(core, UC_X86_REG_FPCW, RESET_FPCW);
    core_set_register(core, UC_X86_REG_FPTAG, RESET_FPTAG);
}

bool engine_new(struct core *core, char *why, size_t why_size)
{
    uc_err error = uc_open(UC_ARCH_X86, UC_MODE_64, &core->uc);

    /* Given an end address, the engine looks that address up at every start. When the address is
     * not mapped, that counts as a page fault for the double-fault rules. */
    if (!error)
        error = uc_ctl_exits_enable(core->uc);
    if (!error)
        error = uc_context_alloc(core->uc, &core->scratch);
    if (error) {
        snprintf(why, why_size, "no engine for processor %u: %s", core->index, uc_strerror(error));
        return false;
    }
    reset_registers(core);
    return true;
}

void engine_free(struct core *core)
{
    if (core->scratch != NULL)
        uc_context_free(core->scratch);
    if (core->uc != NULL)
        uc_close(core->uc);
}

/* ---- the last exception ---- */

static void stop_at_once(uc_engine *uc, uint32_t vector, void *user)
{
    (void)vector;
    (void)user;
    uc_emu_stop(uc);
}

/* The engine remembers the vector of the last fault for the double-fault rules and never clears it.
 * Where in the context differs from build to build, so look for an int that is "none" before a #GP
 * and 13 after it. */
static bool find_old_exception(struct machine *machine)
{
    static const uint8_t load_bad_selector[] = {0xb8, 0xf8, 0xff, 0x00,
                                                0x00, 0x8e, 0xd8}; /* mov eax, 0xfff8; mov ds, ax */
    uc_engine *uc;
    uc_context *before, *after;
    uc_hook ignored;
    size_t size, found = 0;
    bool one = false;

    if (uc_open(UC_ARCH_X86, UC_MODE_64, &uc))
        return false;
    if (uc_mem_map(uc, PROBE_ADDRESS, PAGE_BYTES, UC_PROT_ALL) || uc_context_alloc(uc, &before) ||
        uc_context_alloc(uc, &after))
        return false;
    uc_mem_write(uc, PROBE_ADDRESS, load_bad_selector, sizeof(load_bad_selector));
    uc_hook_add(uc, &ignored, UC_HOOK_INTR, ENGINE_CALLBACK(stop_at_once), NULL, (uint64_t)1,
                (uint64_t)0);
    uc_context_save(uc, before);
    uc_emu_start(uc, PROBE_ADDRESS, UINT64_MAX, 0, 2);
    uc_context_save(uc, after);
    size = uc_context_size(uc);
    for (size_t at = 0; at + sizeof(int) <= size; at += sizeof(int)) {
        int was, is;

        memcpy(&was, (const uint8_t *)before + at, sizeof(was));
        memcpy(&is, (const uint8_t *)after + at, sizeof(is));
        if (was == NO_EXCEPTION && is == GENERAL_PROTECTION) {
            one = found == 0;
            found = at;
        }
    }
    uc_context_free(before);
    uc_context_free(after);
    uc_close(uc);
    machine->old_exception = found;
    return one;
}

bool engine_probe(struct machine *machine, char *why, size_t why_size)
{
    const char *missing = !find_old_exception(machine)   ? "last exception"
                          : !engine_find_hidden(machine) ? "privilege level"
                                                         : NULL;

    if (missing != NULL)
        snprintf(why, why_size, "this libunicorn does not keep its %s where version 2.0.1 does",
                 missing);
    return missing == NULL;
}

void engine_forget_exception(struct core *core)
{
    int none = NO_EXCEPTION;

    uc_context_save(core->uc, core->scratch);
    memcpy((uint8_t *)core->scratch + core->machine->old_exception, &none, sizeof(none));
    uc_context_restore(core->uc, core->scratch);
}

/* An engine in 64-bit mode cannot be sent back to real mode; the state of a fresh 16-bit engine can
 * be put into it. */
bool engine_enter_real_mode(struct core *core, uint16_t selector)
{
    uc_engine *real;
    uc_context *reset;

    if (uc_open(UC_ARCH_X86, UC_MODE_16, &real))
        return false;
    if (uc_context_alloc(real, &reset)) {
        uc_close(real);
        return false;
    }
    uc_reg_write(real, UC_X86_REG_CS, &selector);
    uc_context_save(real, reset);
    uc_context_restore(core->uc, reset);
    uc_context_free(reset);
    uc_close(real);
    reset_registers(core);
    return true;
}
