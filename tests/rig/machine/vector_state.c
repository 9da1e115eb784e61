/* Which register state is enabled: XCR0, the instructions that read and write it, and what of CPUID
 * depends on it. SDM 1, "Enabling the XSAVE Feature Set and XSAVE-Enabled Features", "Detection of
 * Intel AVX Instructions"; SDM 2, "XGETBV", "XSETBV", "CPUID" leaf 0DH. */
#include "exec.h"
#include "instruction.h"
#include "machine.h"

#define CR4_OSXSAVE  (UINT64_C(1) << 18)
#define XCR0_X87     0x01u
#define XCR0_SSE     0x02u
#define XCR0_AVX     0x04u
#define XCR0_AVX512  0xe0u
#define STATE_LEAF   0xdu
#define FIRST_BEYOND 2u /* what lies before is in the legacy region and the header */
#define LEGACY_BYTES 576u
#define FORM_XSAVEC  0x2u /* EAX of subleaf 1 */
#define FORM_IN_USE  0x4u
#define UD           6
#define GP           13

static uint64_t offered(const struct core *core)
{
    const struct cpuid_result leaf = pmu_cpuid(core->pmu, STATE_LEAF, 0, core->cr4);

    return leaf.eax | (uint64_t)leaf.edx << 32;
}

/* Parts that belong together come together, and nothing that is not offered. */
static bool is_allowed(const struct core *core, uint64_t xcr0)
{
    const uint64_t wide = xcr0 & XCR0_AVX512;

    if (!(xcr0 & XCR0_X87) || xcr0 & ~offered(core))
        return false;
    if (xcr0 & XCR0_AVX && !(xcr0 & XCR0_SSE))
        return false;
    return wide == 0 || (wide == XCR0_AVX512 && xcr0 & XCR0_AVX);
}

bool vector_is_enabled(const struct core *core, bool wide)
{
    const uint64_t wanted = XCR0_SSE | XCR0_AVX | (wide ? XCR0_AVX512 : 0);

    return core->cr4 & CR4_OSXSAVE && (core->vector.xcr0 & wanted) == wanted;
}

void vector_reset(struct core *core)
{
    core->vector = (struct vector_state){.xcr0 = XCR0_X87};
}

/* XCR0, and where CPUID says so what of it is in use. */
static bool register_of(struct core *core, uint32_t which, uint64_t *value)
{
    *value = core->vector.xcr0;
    if (which == 1 && pmu_cpuid(core->pmu, STATE_LEAF, 1, core->cr4).eax & FORM_IN_USE)
        *value &= xsave_in_use(core);
    else if (which != 0)
        return false;
    return true;
}

void play_xgetbv(struct core *core, const struct instruction *instruction)
{
    uint64_t value;

    if (!(core->cr4 & CR4_OSXSAVE)) {
        core_fault(core, instruction, UD);
        return;
    }
    if (!register_of(core, (uint32_t)core_register(core, UC_X86_REG_RCX), &value)) {
        core_fault(core, instruction, GP);
        return;
    }
    core_set_register(core, UC_X86_REG_RAX, (uint32_t)value);
    core_set_register(core, UC_X86_REG_RDX, value >> 32);
    core->rip = instruction->address + instruction->length;
    core_account(core, instruction, core->rip, END_NEXT, NULL, 0);
}

void play_xsetbv(struct core *core, const struct instruction *instruction)
{
    const uint64_t value = (core_register(core, UC_X86_REG_RAX) & UINT32_MAX) |
                           core_register(core, UC_X86_REG_RDX) << 32;

    if (!(core->cr4 & CR4_OSXSAVE)) {
        core_fault(core, instruction, UD);
        return;
    }
    if (trap_cpl(core) > 0 || (uint32_t)core_register(core, UC_X86_REG_RCX) != 0 ||
        !is_allowed(core, value)) {
        core_fault(core, instruction, GP);
        return;
    }
    core->vector.xcr0 = value;
    core->rip = instruction->address + instruction->length;
    core_account(core, instruction, core->rip, END_NEXT, NULL, 0);
}

/* Where the last enabled part of an XSAVE area ends, or, `compacted`, where it would without gaps.
 */
static uint32_t area(const struct core *core, bool compacted)
{
    uint32_t bytes = LEGACY_BYTES;

    for (unsigned part = FIRST_BEYOND; part < 32; part++) {
        const struct cpuid_result leaf = pmu_cpuid(core->pmu, STATE_LEAF, part, core->cr4);

        if (!(core->vector.xcr0 >> part & 1))
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
