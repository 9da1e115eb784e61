/* Whether a WRMSR would be a #GP, found out without doing it: it must be known before the
 * instruction retires, because one that faults does not. The write is done to a copy of the PMU
 * whose host hears nothing, so that no rule about registers is stated twice. */
#include <stdlib.h>
#include <string.h>

#include "pmu_kind.h"
#include "pmu_state.h"

static void hear_nothing(void *context)
{
    (void)context;
}

static void hear_no_counting(void *context, bool counting)
{
    (void)context;
    (void)counting;
}

bool rehearse_allocate(struct pmu *pmu)
{
    struct rehearsal *rehearsal = &pmu->rehearsal;

    rehearsal->pmu = malloc(sizeof *rehearsal->pmu);
    rehearsal->msr_value = malloc(msr_bytes(pmu));
    if (pmu->parameters->kind)
        rehearsal->kind_state = malloc(pmu->parameters->kind->state_size);
    return rehearsal->pmu && rehearsal->msr_value &&
           (!pmu->parameters->kind || rehearsal->kind_state);
}

void rehearse_free(struct pmu *pmu)
{
    free(pmu->rehearsal.pmu);
    free(pmu->rehearsal.msr_value);
    free(pmu->rehearsal.kind_state);
}

bool pmu_wrmsr_faults(const struct pmu *pmu, uint32_t msr, uint64_t value)
{
    struct pmu *copy = pmu->rehearsal.pmu;

    memcpy(copy, pmu, sizeof *copy);
    copy->msr_value = pmu->rehearsal.msr_value;
    memcpy(copy->msr_value, pmu->msr_value, msr_bytes(pmu));
    if (pmu->parameters->kind) {
        copy->kind_state = pmu->rehearsal.kind_state;
        memcpy(copy->kind_state, pmu->kind_state, pmu->parameters->kind->state_size);
    }
    copy->host = (struct pmu_host){ .context = pmu->host.context,
                                    .now = pmu->host.now,
                                    .read = pmu->host.read,
                                    .pmi = hear_nothing,
                                    .counting = hear_no_counting };
    return pmu_wrmsr(copy, msr, value) == ACCESS_FAULT;
}
