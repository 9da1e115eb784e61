#include "identify.h"

#include "state.h"

#define FEATURE_APIC (1u << 9)  /* leaf 1 EDX: the local APIC is on */
#define FEATURE_SS   (1u << 7)  /* leaf 7 ECX: shadow stacks */
#define FEATURE_IBT  (1u << 20) /* EDX: indirect branch tracking */

struct cpuid_result core_cpuid(const struct core *core, uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_result result = pmu_cpuid(core->pmu, leaf, subleaf, core->cr4);

    if (core->cet.offered && leaf == 7 && subleaf == 0) {
        result.ecx |= FEATURE_SS;
        result.edx |= FEATURE_IBT;
    }
    if (leaf == 1 && !(core->apic.base & APIC_BASE_ENABLE))
        result.edx &= ~FEATURE_APIC;
    return result;
}

bool core_offers(const struct core *core, const struct cpuid_bit *bit)
{
    struct cpuid_result leaf = core_cpuid(core, bit->leaf & 0x80000000u, 0);
    uint32_t value[4];

    if (leaf.eax < (bit->leaf & ~CPUID_SUBLEAVES))
        return false;
    leaf = core_cpuid(core, bit->leaf & ~CPUID_SUBLEAVES, bit->leaf >> 16 & 0xff);
    value[0] = leaf.eax, value[1] = leaf.ebx, value[2] = leaf.ecx, value[3] = leaf.edx;
    return value[bit->reg] >> bit->bit & 1;
}
