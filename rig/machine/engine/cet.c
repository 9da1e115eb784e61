#include "cet.h"

#include <string.h>

#include "access.h"
#include "device/platform.h"
#include "engine.h"
#include "instruction.h"
#include "paging.h"
#include "registers.h"
#include "state.h"

#define MSR_U_CET   0x6a0u
#define MSR_S_CET   0x6a2u
#define MSR_PL0_SSP 0x6a4u
#define MSR_PL3_SSP 0x6a7u
#define MSR_SSP_TBL 0x6a8u /* IA32_INTERRUPT_SSP_TABLE_ADDR */

/* IA32_S_CET */
#define SH_STK_EN    UINT64_C(0x001)
#define ENDBR_EN     UINT64_C(0x004)
#define NO_TRACK_EN  UINT64_C(0x010)
#define CET_RESERVED UINT64_C(0x3c0)
#define SUPPRESS     UINT64_C(0x400)
#define TRACKER      UINT64_C(0x800)

#define PTE_DIRTY 0x40u

static bool is_on(const struct core *core)
{
    return core->cr4 & CR4_CET && core->cpl == 0;
}

bool cet_stacks(const struct core *core)
{
    return is_on(core) && core->cet.supervisor & SH_STK_EN;
}

static bool tracks(const struct core *core)
{
    return is_on(core) && core->cet.supervisor & ENDBR_EN;
}

void cet_look(struct core *core)
{
    if (core->cr4 & CR4_CET && !(core->cet.offered && core->cr0 & CR0_WP))
        machine_end(core->machine, 1, "processor %u: CR4.CET is set %s, which is #GP on silicon",
                    core->index,
                    core->cet.offered ? "while CR0.WP is clear" : "without CET in CPUID");
    core->cet.watched = cet_stacks(core) || tracks(core);
}

/* ---- the shadow stack ---- */

/* The word of a shadow stack: its page is not writable, and dirty. */
static uint8_t *shadow_word(struct core *core, uint64_t address)
{
    struct page_walk walk;
    uint8_t *word = NULL;

    if (address % 8 == 0 && paging_walk(core, address, &walk) && !(walk.rights & PTE_WRITE) &&
        *walk.place[walk.levels - 1] & PTE_DIRTY)
        word = memory_at(&core->machine->memory, walk.physical, 8);
    if (word == NULL)
        machine_end(core->machine, 1, "processor %u: no shadow stack at 0x%llx", core->index,
                    (unsigned long long)address);
    return word;
}

bool cet_write(struct core *core, uint64_t address, uint64_t value)
{
    uint8_t *word = shadow_word(core, address);

    if (word == NULL)
        return false;
    memcpy(word, &value, sizeof(value));
    access_wrote(core, address, sizeof(value));
    return true;
}

static uint64_t shadow_read(struct core *core, uint64_t address)
{
    const uint8_t *word = shadow_word(core, address);
    uint64_t value = 0;

    if (word != NULL)
        memcpy(&value, word, sizeof(value));
    return value;
}

static void push(struct core *core, uint64_t value)
{
    core->cet.ssp -= 8;
    cet_write(core, core->cet.ssp, value);
}

/* A word of the ordinary stack, above what the stack pointer names. */
static uint64_t stack_word(const struct core *core, unsigned offset)
{
    const uint8_t *word =
        memory_at(&core->machine->memory, core_register(core, UC_X86_REG_RSP) + offset, 8);
    uint64_t value = 0;

    if (word != NULL)
        memcpy(&value, word, sizeof(value));
    return value;
}

static bool returns_to(struct core *core, uint64_t rip)
{
    if (shadow_read(core, core->cet.ssp) != rip)
        return false;
    core->cet.ssp += 8;
    return true;
}

/* RETF and IRET within ring 0: the shadow stack has SSP, the linear address and CS. */
static bool returns_far(struct core *core)
{
    const uint64_t ssp = core->cet.ssp;

    if (shadow_read(core, ssp + 8) != stack_word(core, 0) ||
        shadow_read(core, ssp + 16) != (stack_word(core, 8) & 0xffff))
        return false;
    core->cet.ssp = shadow_read(core, ssp);
    return true;
}

/* ---- instructions ---- */

static bool is_indirect(const struct core *core, uint8_t flow)
{
    if (flow == FLOW_CALL_NOTRACK || flow == FLOW_JUMP_NOTRACK)
        return !(core->cet.supervisor & NO_TRACK_EN);
    return flow == FLOW_CALL_INDIRECT || flow == FLOW_JUMP_INDIRECT;
}

enum cet_error cet_check(struct core *core, const struct instruction *instruction)
{
    const uint8_t flow = instruction->flow;
    const bool stacks = cet_stacks(core);

    if (core->cet.waits && tracks(core)) {
        if (flow != FLOW_ENDBR64 && instruction->kind != KIND_FIRMWARE)
            return CET_ENDBRANCH;
        core->cet.waits = false;
    }
    if (stacks && flow == FLOW_RETURN && !returns_to(core, stack_word(core, 0)))
        return CET_NEAR_RETURN;
    if (stacks && flow == FLOW_RETURN_FAR && !returns_far(core))
        return CET_FAR_RETURN;
    if (stacks && (flow == FLOW_CALL || flow == FLOW_CALL_INDIRECT || flow == FLOW_CALL_NOTRACK))
        push(core, instruction->address + instruction->length);
    if (tracks(core) && is_indirect(core, flow))
        core->cet.waits = true;
    return CET_PASSED;
}

void cet_delivered(struct core *core, uint64_t cs, uint64_t rip, bool other_stack)
{
    const uint64_t ssp = core->cet.ssp;

    if (other_stack && cet_stacks(core))
        machine_end(core->machine, 1,
                    "processor %u: an interrupt at 0x%llx changes the shadow stack, which the rig "
                    "does not support",
                    core->index, (unsigned long long)rip);
    if (cet_stacks(core)) {
        push(core, cs);
        push(core, rip);
        push(core, ssp);
    }
    if (tracks(core))
        core->cet.waits = true;
}

void cet_return(struct core *core, uint64_t rip)
{
    if (cet_stacks(core) && !returns_to(core, rip))
        machine_end(core->machine, 1,
                    "processor %u: a service of the firmware returns to 0x%llx, and its shadow "
                    "stack has another address",
                    core->index, (unsigned long long)rip);
}

void cet_hand_over(struct core *core, uint64_t ssp)
{
    core_set_register(core, UC_X86_REG_CR4, core_register(core, UC_X86_REG_CR4) | CR4_CET);
    core->cet.supervisor = SH_STK_EN | ENDBR_EN;
    core->cet.ssp = ssp;
    core->cet.waits = true;
    core->attention |= ATTENTION_CONTROL;
}

/* ---- registers ---- */

enum access_result cet_rdmsr(const struct core *core, uint32_t msr, uint64_t *value)
{
    if (!core->cet.offered || msr < MSR_U_CET || msr > MSR_SSP_TBL || msr == 0x6a1 || msr == 0x6a3)
        return ACCESS_NOT_MINE;
    *value = msr == MSR_U_CET     ? core->cet.user
             : msr == MSR_S_CET   ? core->cet.supervisor | (core->cet.waits ? TRACKER : 0)
             : msr <= MSR_PL3_SSP ? core->cet.ring_ssp[msr - MSR_PL0_SSP]
                                  : core->cet.table;
    return ACCESS_OK;
}

enum access_result cet_wrmsr(struct core *core, uint32_t msr, uint64_t value)
{
    uint64_t ignored;

    if (cet_rdmsr(core, msr, &ignored) != ACCESS_OK)
        return ACCESS_NOT_MINE;
    if (!paging_is_canonical(value))
        return ACCESS_FAULT;
    if (msr == MSR_U_CET || msr == MSR_S_CET) {
        if (value & CET_RESERVED || (value & SUPPRESS && value & TRACKER))
            return ACCESS_FAULT;
        if (msr == MSR_U_CET)
            core->cet.user = value;
        else
            core->cet.supervisor = value & ~TRACKER;
        if (msr == MSR_S_CET)
            core->cet.waits = value & TRACKER;
        cet_look(core);
        return ACCESS_OK;
    }
    if (msr <= MSR_PL3_SSP && value & 3)
        return ACCESS_FAULT;
    if (msr <= MSR_PL3_SSP)
        core->cet.ring_ssp[msr - MSR_PL0_SSP] = value;
    else
        core->cet.table = value;
    return ACCESS_OK;
}
