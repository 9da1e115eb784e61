/* Which register state is enabled: XCR0, the instructions that read and write it, and what of CPUID
 * depends on it. SDM 1, "Enabling the XSAVE Feature Set and XSAVE-Enabled Features", "Detection of
 * Intel AVX Instructions"; SDM 2, "XGETBV", "XSETBV", "CPUID" leaf 0DH. */
#include "inside.h"
#include "machine/engine/engine.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"
#include "special.h"
#include "vector/xstate.h"

#define XCR0_AVX512 0xe0u
#define FORM_XSAVEC 0x2u /* EAX of subleaf 1 */
#define FORM_IN_USE 0x4u

static uint64_t offered(const struct core *core)
{
    const struct cpuid_result leaf = pmu_cpuid(core->pmu, CPUID_STATE_LEAF, 0, core->cr4);

    return leaf.eax | (uint64_t)leaf.edx << 32;
}

/* Only parts that CPUID offers, and parts that depend on each other only together. */
static bool is_allowed(const struct core *core, uint64_t xcr0)
{
    const uint64_t wide = xcr0 & XCR0_AVX512;

    if (!(xcr0 & XSTATE_X87) || xcr0 & ~offered(core))
        return false;
    if (xcr0 & XSTATE_AVX && !(xcr0 & XSTATE_SSE))
        return false;
    return wide == 0 || (wide == XCR0_AVX512 && xcr0 & XSTATE_AVX);
}

bool vector_is_enabled(const struct core *core, bool wide)
{
    const uint64_t wanted = XSTATE_SSE | XSTATE_AVX | (wide ? XCR0_AVX512 : 0);

    return core->cr4 & CR4_OSXSAVE && (core->xcr0 & wanted) == wanted;
}

void special_reset(struct core *core)
{
    core->vector = (struct vector_file){0};
    core->xcr0 = XSTATE_X87;
}

/* XCR0, or, where CPUID has the form, the parts of it that are in use. */
static bool register_of(struct core *core, uint32_t which, uint64_t *value)
{
    *value = core->xcr0;
    if (which == 1 && pmu_cpuid(core->pmu, CPUID_STATE_LEAF, 1, core->cr4).eax & FORM_IN_USE)
        *value &= xsave_in_use(core);
    else if (which != 0)
        return false;
    return true;
}

void play_xgetbv(struct core *core, const struct instruction *instruction)
{
    uint64_t value;

    if (!(core->cr4 & CR4_OSXSAVE)) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (!register_of(core, (uint32_t)core_register(core, UC_X86_REG_RCX), &value)) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    special_set_pair(core, value);
    special_done(core, instruction);
}

void play_xsetbv(struct core *core, const struct instruction *instruction)
{
    const uint64_t value = special_pair(core);

    if (!(core->cr4 & CR4_OSXSAVE)) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (trap_cpl(core) > 0 || (uint32_t)core_register(core, UC_X86_REG_RCX) != 0 ||
        !is_allowed(core, value)) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    core->xcr0 = value;
    special_done(core, instruction);
}

/* The bytes of an XSAVE area up to the end of the last enabled part; `compacted`: without gaps. */
static uint32_t area(const struct core *core, bool compacted)
{
    uint32_t bytes = XSTATE_BEYOND;

    for (unsigned part = XSTATE_FIRST_BEYOND; part < 32; part++) {
        const struct cpuid_result leaf = pmu_cpuid(core->pmu, CPUID_STATE_LEAF, part, core->cr4);

        if (!(core->xcr0 >> part & 1))
            continue;
        if (compacted)
            bytes += leaf.eax;
        else if (leaf.ebx + leaf.eax > bytes)
            bytes = leaf.ebx + leaf.eax;
    }
    return bytes;
}

void vector_identify(const struct core *core, uint32_t subleaf, struct cpuid_result *result)
{
    if (subleaf == 0 && result->eax)
        result->ebx = area(core, false);
    if (subleaf == 1 && result->eax & FORM_XSAVEC)
        result->ebx = area(core, true);
}
