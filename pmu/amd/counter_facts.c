#include "counter_facts.h"

#include "boot/msr.h"

static bool bit(uint32_t value, unsigned number)
{
    return value >> number & 1;
}

/* "Performance Monitoring Counters" in APM 2; Fn8000_0001 ECX[23] PerfCtrExtCore and Fn8000_0022 in
 * APM 3. K5 and K6 have none. */
void amd_counters_read(struct facts *facts, uint32_t highest_extended)
{
    struct cpuid leaf = {0};

    if (facts->family < 6)
        return;
    facts->general_width = 48;
    facts->general_count = 4;
    if (highest_extended >= 0x80000001 && bit(cpuid_read(0x80000001, 0).ecx, 23))
        facts->general_count = 6;
    if (highest_extended >= 0x80000022)
        leaf = cpuid_read(0x80000022, 0);
    if (bit(leaf.eax, 0)) /* PerfMonV2 */
        facts->general_count = leaf.ebx & 0xf;
}
