#include "identify.h"

#include "state.h"

#define FEATURE_SS  (1u << 7)  /* leaf 7 ECX: shadow stacks */
#define FEATURE_IBT (1u << 20) /* EDX: indirect branch tracking */

struct cpuid_result core_cpuid(const struct core *core, uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_result result = pmu_cpuid(core->pmu, leaf, subleaf, core->cr4);

    if (core->cet.offered && leaf == 7 && subleaf == 0) {
        result.ecx |= FEATURE_SS;
        result.edx |= FEATURE_IBT;
    }
    return result;
}
