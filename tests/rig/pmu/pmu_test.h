/* A PMU without a machine, for tests: the test plays the model and the host. */
#ifndef TESTS_RIG_PMU_PMU_TEST_H
#define TESTS_RIG_PMU_PMU_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/personality.h"
#include "pmu/pmu.h"
#include "pmu/parameters.h"

struct rig {
    struct pmu *pmu;
    uint64_t now;
    unsigned pmis, started, stopped;
    bool watched, observes, foresees;
    struct pmu_subscription subscription;
    struct pmu_registers registers;
    uint8_t memory[0x4000]; /* guest memory at MEMORY */
};

#define MEMORY  UINT64_C(0x100000)
#define AREA    MEMORY /* the debug store area, and the buffer of its records */
#define BUFFER  (MEMORY + 0x1000)
#define DS_AREA 0x600 /* IA32_DS_AREA */
#define SKID    12    /* cycles from overflow to PMI of skylakex and icelakex */

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

static inline uint8_t *rig_place(struct rig *rig, uint64_t address, size_t size)
{
    if (address < MEMORY || address + size > MEMORY + sizeof(rig->memory))
        return NULL;
    return rig->memory + (address - MEMORY);
}

static inline bool rig_read(void *context, uint64_t address, void *data, size_t size)
{
    const uint8_t *place = rig_place(context, address, size);

    if (place != NULL)
        memcpy(data, place, size);
    return place != NULL;
}

static inline bool rig_write(void *context, uint64_t address, const void *data, size_t size)
{
    uint8_t *place = rig_place(context, address, size);

    if (place != NULL)
        memcpy(place, data, size);
    return place != NULL;
}

static inline uint64_t word(struct rig *rig, uint64_t address)
{
    uint64_t value;

    assert_true(rig_read(rig, address, &value, sizeof(value)));
    return value;
}

static inline void put_word(struct rig *rig, uint64_t address, uint64_t value)
{
    assert_true(rig_write(rig, address, &value, sizeof(value)));
}

static inline void rig_registers(void *context, struct pmu_registers *registers)
{
    *registers = ((struct rig *)context)->registers;
}

static inline void rig_watch(void *context, bool on)
{
    ((struct rig *)context)->watched = on;
}

static inline void rig_foresee(void *context, bool on)
{
    ((struct rig *)context)->foresees = on;
}

static inline void rig_observes(void *context, bool observes)
{
    struct rig *rig = context;

    assert_true(observes != rig->observes);
    rig->observes = observes;
}

static inline void rig_subscribe(void *context, struct pmu_subscription subscription)
{
    ((struct rig *)context)->subscription = subscription;
}

static inline void rig_make_at(struct rig *rig, const struct personality *personality,
                               struct pmu_place place)
{
    struct pmu_host host = {.context = rig,
                            .pmi = rig_pmi,
                            .counting = rig_counting,
                            .observes = rig_observes,
                            .now = rig_now,
                            .read = rig_read,
                            .write = rig_write,
                            .registers = rig_registers,
                            .subscribe = rig_subscribe,
                            .foresee = rig_foresee,
                            .watch = rig_watch};

    memset(rig, 0, sizeof(*rig));
    assert_non_null(personality);
    rig->pmu = pmu_new(personality, place, host);
    assert_non_null(rig->pmu);
}

static inline void rig_make(struct rig *rig, const struct personality *personality,
                            unsigned threads)
{
    rig_make_at(
        rig, personality,
        (struct pmu_place){.cores = 4, .threads_per_core = threads, .processors = 4 * threads});
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

/* Unhalted cycles in which `signal` has the value `each`. */
static inline void run_cycles(struct rig *rig, uint64_t cycles, enum signal signal, uint16_t each)
{
    struct span span = {.cycles = cycles};

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    if (signal != SIG_UNHALTED)
        span.value[signal] = each;
    rig->now += cycles;
    pmu_span(rig->pmu, &span);
}

/* A copy of a personality, which a test can change. */
struct variant {
    struct pmu_parameters parameters;
    struct personality personality;
};

/* Copies the personality of this name to `variant`; returns the parameters, to be changed. */
static inline struct pmu_parameters *variant_of(struct variant *variant, const char *name)
{
    variant->personality = *personality_find(name);
    variant->parameters = *variant->personality.pmu;
    variant->personality.pmu = &variant->parameters;
    return &variant->parameters;
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
