/* PERF_METRICS: the shares of the slots, level 1 and the half of level 2.
 *
 * SDM 3B, "Performance Metrics": each byte is a share of the slots since SLOTS and PERF_METRICS
 * were last cleared, and 0xff is all of them. The register is derived from the value of fixed
 * counter 3, so software must clear that counter first, and both while they do not count. A program
 * that clears only one of them gets bytes without a meaning, as on silicon. */
#include "metrics.h"

#define METRIC_FULL INT64_C(0xff)

static int64_t in_span(const struct pmu_source *source, const struct span *span)
{
    return (source->weight * (int64_t)span->value[source->signal] +
            source->plus_weight * (int64_t)span->value[source->plus]) *
           (int64_t)span->cycles;
}

static unsigned bytes_of(const struct pmu *pmu)
{
    return pmu->parameters->metrics_level2 ? METRIC_COUNT : METRIC_LEVEL1;
}

void metrics_advance(struct pmu *pmu, const struct span *span)
{
    struct metrics *metrics = &pmu->metrics;
    int64_t rest = in_span(&pmu->parameters->fixed_source[3], span);
    unsigned i;

    for (i = 0; i < bytes_of(pmu); i++) {
        int64_t slots = in_span(&pmu->parameters->metric[i], span);

        metrics->slots[i] += slots;
        if (i < METRIC_LEVEL1)
            rest -= slots;
    }
    metrics->slots[METRIC_BAD_SPECULATION] += rest;
    metrics->advanced = true;
}

/* What is added before the division by `all`. */
static int64_t before_division(const struct pmu *pmu, int64_t all)
{
    switch (pmu->parameters->metrics_rounding) {
    case METRICS_DOWN:
        return 0;
    case METRICS_UP:
        return all - 1;
    default:
        return all / 2;
    }
}

/* Each share is rounded to a 255th, so the four bytes of level 1 need not add up to 0xff. */
uint64_t metrics_read(const struct pmu *pmu)
{
    const struct metrics *metrics = &pmu->metrics;
    int64_t all = (int64_t)pmu->fixed[3].value;
    uint64_t value = 0;
    unsigned i;

    if (!metrics->advanced)
        return metrics->written;
    for (i = 0; i < bytes_of(pmu); i++) {
        int64_t slots = metrics->slots[i], byte;

        if (slots <= 0)
            byte = 0;
        else if (slots >= all)
            byte = METRIC_FULL;
        else /* 48 bits times 255 stay below 2^56 */
            byte = (slots * METRIC_FULL + before_division(pmu, all)) / all;
        value |= (uint64_t)byte << 8 * i;
    }
    return value;
}

enum access_result metrics_write(struct pmu *pmu, uint64_t value)
{
    struct metrics *metrics = &pmu->metrics;
    int64_t all = (int64_t)pmu->fixed[3].value;
    unsigned i;

    if (!pmu->parameters->metrics_level2 && value >> 8 * METRIC_LEVEL1)
        return ACCESS_FAULT;
    for (i = 0; i < bytes_of(pmu); i++)
        metrics->slots[i] = (int64_t)(value >> 8 * i & 0xff) * all / METRIC_FULL;
    metrics->written = value;
    metrics->advanced = false;
    return ACCESS_OK;
}
