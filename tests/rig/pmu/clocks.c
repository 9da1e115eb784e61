/* The time stamp counter, and the clocks that stop in a halted core.
 *
 * Source: SDM 4, "Architectural MSRs". */
#include "clocks.h"

#include "state.h"

enum {
    IA32_TIME_STAMP_COUNTER = 0x010,
    IA32_TSC_ADJUST = 0x03b,
    IA32_MPERF = 0x0e7,
    IA32_APERF = 0x0e8,
};

uint64_t clocks_ticks(const struct pmu *pmu, uint64_t core_cycles)
{
    uint64_t core = pmu->parameters->core_mhz, tsc = pmu->parameters->tsc_mhz;

    return core_cycles / core * tsc + core_cycles % core * tsc / core;
}

uint64_t pmu_tsc(const struct pmu *pmu)
{
    return clocks_ticks(pmu, pmu->host.now(pmu->host.context)) + pmu->tsc_offset;
}

void clocks_reset(struct pmu *pmu)
{
    pmu->unhalted = 0;
    pmu->aperf_base = 0;
    pmu->mperf_base = 0;
    pmu->tsc_adjust = 0;
    pmu->tsc_offset = 0 - clocks_ticks(pmu, pmu->host.now(pmu->host.context));
}

uint64_t clocks_mperf(const struct pmu *pmu)
{
    return clocks_ticks(pmu, pmu->unhalted) - pmu->mperf_base;
}

uint64_t clocks_aperf(const struct pmu *pmu)
{
    return pmu->unhalted - pmu->aperf_base;
}

enum access_result clocks_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    switch (msr) {
    case IA32_TIME_STAMP_COUNTER:
        *value = pmu_tsc(pmu);
        break;
    case IA32_TSC_ADJUST:
        *value = pmu->tsc_adjust;
        break;
    case IA32_MPERF:
        *value = clocks_mperf(pmu);
        break;
    case IA32_APERF:
        *value = clocks_aperf(pmu);
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}

/* SDM 3B, "Time-Stamp Counter Adjustment": a write to either register moves the other by the
 * same amount. */
static void tsc_move(struct pmu *pmu, uint64_t by)
{
    pmu->tsc_offset += by;
    pmu->tsc_adjust += by;
}

enum access_result clocks_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    switch (msr) {
    case IA32_TIME_STAMP_COUNTER:
        tsc_move(pmu, value - pmu_tsc(pmu));
        break;
    case IA32_TSC_ADJUST:
        tsc_move(pmu, value - pmu->tsc_adjust);
        break;
    /* A write clears, whatever the value. */
    case IA32_MPERF:
        pmu->mperf_base = clocks_ticks(pmu, pmu->unhalted);
        break;
    case IA32_APERF:
        pmu->aperf_base = pmu->unhalted;
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}
