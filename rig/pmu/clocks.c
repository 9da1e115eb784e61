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

/* TSC ticks in this many core cycles, rounded down. */
static uint64_t ticks_in(const struct pmu *pmu, uint64_t core_cycles)
{
    uint64_t core = pmu->clock.mhz, tsc = pmu->parameters->tsc_mhz;

    return core_cycles / core * tsc + core_cycles % core * tsc / core;
}

static uint64_t ticks_at(const struct pmu *pmu, uint64_t cycle)
{
    return pmu->clock.ticks + ticks_in(pmu, cycle - pmu->clock.cycle);
}

static uint64_t unhalted_ticks(const struct pmu *pmu)
{
    return pmu->clock.unhalted_ticks + ticks_in(pmu, pmu->unhalted - pmu->clock.unhalted);
}

uint64_t pmu_tsc(const struct pmu *pmu)
{
    return ticks_at(pmu, pmu->host.now(pmu->host.context)) + pmu->tsc_offset;
}

void pmu_tsc_shift(struct pmu *pmu, int64_t ticks)
{
    pmu->tsc_offset += (uint64_t)ticks;
}

void pmu_clock(struct pmu *pmu, uint64_t cycle, unsigned mhz)
{
    pmu->clock = (struct clock_rate){.mhz = mhz,
                                     .cycle = cycle,
                                     .ticks = ticks_at(pmu, cycle),
                                     .unhalted = pmu->unhalted,
                                     .unhalted_ticks = unhalted_ticks(pmu)};
}

void clocks_reset(struct pmu *pmu)
{
    pmu->unhalted = pmu->clock.unhalted = pmu->clock.unhalted_ticks = 0;
    pmu->aperf_base = 0;
    pmu->mperf_base = 0;
    pmu->tsc_adjust = 0;
    pmu->tsc_offset = 0 - ticks_at(pmu, pmu->host.now(pmu->host.context));
}

uint64_t clocks_mperf(const struct pmu *pmu)
{
    return unhalted_ticks(pmu) - pmu->mperf_base;
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
        pmu->mperf_base = unhalted_ticks(pmu);
        break;
    case IA32_APERF:
        pmu->aperf_base = pmu->unhalted;
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}
