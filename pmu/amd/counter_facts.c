#include "counter_facts.h"

#include "boot/msr.h"
#include "pass.h"
#include "pmu/kind.h"
#include "registers.h"

static bool bit(uint32_t value, unsigned number)
{
    return value >> number & 1;
}

/* "Performance Monitoring Counters" in APM 2; Fn8000_0001 ECX[23] PerfCtrExtCore and Fn8000_0022 in
 * APM 3. K5 and K6 have none. Counters beyond those that have registers are not used. */
void amd_counters_read(struct facts *facts)
{
    const uint32_t highest = cpuid_read(0x80000000, 0).eax;
    struct cpuid leaf = {0};

    if (facts->family < 6)
        return;
    facts->general_width = AMD_COUNTER_BITS;
    facts->general_count = AMD_LEGACY_COUNTERS;
    if (highest >= 0x80000001 && bit(cpuid_read(0x80000001, 0).ecx, 23))
        facts->general_count = AMD_COUNTERS;
    if (highest >= 0x80000022)
        leaf = cpuid_read(0x80000022, 0);
    if (bit(leaf.eax, 0)) /* PerfMonV2 */
        facts->general_count = leaf.ebx & 0xf;
    if (facts->kind == NULL)
        return;
    facts->version = bit(leaf.eax, 0) ? 2 : 1;
    facts->full_width_write = true;
}

const char *amd_absent(const struct facts *facts)
{
    uint64_t value;

    if (facts->general_count == 0)
        return "CPUID 80000022H says that there are no core counters";
    if (facts->general_count > AMD_COUNTERS)
        return "CPUID 80000022H says more than the six core counters that have known registers";
    if (!msr_read(amd_control_register(facts, 0), &value))
        return "PERF_CTL0 faults though CPUID promises core counters";
    return NULL;
}
