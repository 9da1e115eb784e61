/* A PMU without a machine: the test plays the model and the host. For the PMU's own tests. */
#ifndef RIG_PMU_TEST_H
#define RIG_PMU_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "personality.h"
#include "pmu.h"
#include "pmu_parameters.h"

struct rig {
    struct pmu *pmu;
    uint64_t now;
    unsigned pmis, started, stopped;
};

static inline void rig_pmi(void *context)
{
    ((struct rig *)context)->pmis++;
}

static inline void rig_counting(void *context, bool counting)
{
    struct rig *rig = context;

    if (counting)
        rig->started++;
    else
        rig->stopped++;
}

static inline uint64_t rig_now(void *context)
{
    return ((struct rig *)context)->now;
}

static inline void rig_make(struct rig *rig, const struct personality *personality,
                            unsigned threads)
{
    struct pmu_place place = { .cores = 4, .threads_per_core = threads };
    struct pmu_host host = { rig, rig_pmi, rig_counting, rig_now };

    memset(rig, 0, sizeof *rig);
    assert_non_null(personality);
    rig->pmu = pmu_new(personality, place, host);
    assert_non_null(rig->pmu);
}

static inline void rig_begin(struct rig *rig, const char *name)
{
    rig_make(rig, personality_find(name), 1);
}

static inline void rig_end(struct rig *rig)
{
    pmu_free(rig->pmu);
}

static inline void wrmsr(struct rig *rig, uint32_t msr, uint64_t value)
{
    assert_int_equal(pmu_wrmsr(rig->pmu, msr, value), ACCESS_OK);
}

static inline uint64_t rdmsr(struct rig *rig, uint32_t msr)
{
    uint64_t value;

    assert_int_equal(pmu_rdmsr(rig->pmu, msr, &value), ACCESS_OK);
    return value;
}

static inline void assert_faults(struct rig *rig, uint32_t msr, uint64_t value)
{
    assert_int_equal(pmu_wrmsr(rig->pmu, msr, value), ACCESS_FAULT);
}

/* So many unhalted cycles in which `signal` has the value `each`. */
static inline void run_cycles(struct rig *rig, uint64_t cycles, enum signal signal, uint16_t each)
{
    struct span span = { .cycles = cycles };

    span.value[SIG_UNHALTED] = 1;
    if (signal != SIG_UNHALTED)
        span.value[signal] = each;
    rig->now += cycles;
    pmu_span(rig->pmu, &span);
}

/* xorshift64: the same numbers in every run. */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
