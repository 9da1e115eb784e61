#include "recorded_machine.h"

#include "pmu/registers.h"

#define HYBRID       (1u << 15) /* leaf 7, EDX */
#define TSX_ABORT    (1u << 13) /* leaf 7, EDX: MSR_TSX_FORCE_ABORT */
#define ARCH_LBR     (1u << 19) /* leaf 7, EDX */
#define PDCM         (1u << 15) /* leaf 1, ECX */
#define HYPERVISOR   (1u << 31) /* leaf 1, ECX */
#define FIRST_METRIC 5u         /* PERF_METRICS came with version 5 */

/* The functions of the seam are given no context. */
static const struct cpuid_record *recorded;

void recorded_machine_set(const struct cpuid_record *record)
{
    recorded = record;
}

struct cpuid cpuid_read(uint32_t leaf, uint32_t subleaf)
{
    return cpuid_record_answer(recorded, leaf, subleaf);
}

/* Nothing is known of the registers' contents but what CPUID implies. Fixed counter 3 counts slots
 * only where PERF_METRICS is: SDM 4 lists both for the same models. Not on a hybrid part, whose
 * cores announce what all of them have. */
static uint64_t capabilities(void)
{
    const struct cpuid leaf = cpuid_read(0xa, 0);
    const bool slots = (leaf.eax & 0xff) >= FIRST_METRIC && leaf.ecx >> 3 & 1;

    return field_of(PERF_CAPABILITIES_PERF_METRICS_AVAILABLE,
                    slots && !(cpuid_read(7, 0).edx & HYBRID));
}

/* Asked only of P cores that have these counters, whether they keep what is written. Of a guest
 * nothing is known. */
static bool is_counter(uint32_t msr)
{
    return (msr == IA32_PMC0 + 7 || msr == IA32_FIXED_CTR0 + 3) &&
           !(cpuid_read(1, 0).ecx & HYPERVISOR);
}
static uint64_t counter;

/* PERF_CTL0 of AMD, by its legacy address and by that of PerfCtrExtCore (APM 2, "Core Performance
 * Event-Select Registers"). */
#define LEGACY_CONTROL   0xc0010000u
#define EXTENDED_CONTROL 0xc0010200u

bool msr_read(uint32_t msr, uint64_t *value)
{
    *value = is_counter(msr) ? counter : 0;
    switch (msr) {
    case IA32_MISC_ENABLE:
        *value = field_of(MISC_ENABLE_PERFMON_AVAILABLE, 1);
        return true;
    case IA32_PERFEVTSEL0:
        return (cpuid_read(0xa, 0).eax & 0xff00) != 0;
    case IA32_PERF_CAPABILITIES:
        *value = capabilities();
        return cpuid_read(1, 0).ecx & PDCM;
    case LEGACY_CONTROL:
    case EXTENDED_CONTROL:
        return true; /* asked only of an AMD whose CPUID promises its counters */
    case MSR_PERF_METRICS:
        return true; /* asked only of a P core with fixed counter 3 */
    case MSR_TSX_FORCE_ABORT:
        return cpuid_read(7, 0).edx & TSX_ABORT;
    case IA32_LBR_DEPTH:
        return cpuid_read(7, 0).edx & ARCH_LBR;
    default:
        return is_counter(msr);
    }
}

bool msr_write(uint32_t msr, uint64_t value)
{
    counter = value;
    return is_counter(msr);
}

bool rdpmc_read(uint32_t index, uint64_t *value)
{
    (void)index;
    (void)value;
    return false;
}

uint64_t xcr0_read(void)
{
    return XCR0_X87 | XCR0_SSE;
}
