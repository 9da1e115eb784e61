/* The core that the tests of the memory model measure: its figures, and loads one after another. */
#ifndef TESTS_RIG_CORE_MEMORY_TEST_H
#define TESTS_RIG_CORE_MEMORY_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory/memory.h"

#define KIB  1024u
#define MIB  (1024u * 1024u)
#define LINE 64u
#define PAGE 4096u
#define BASE UINT64_C(0x40000000)

enum { L1 = 5, L2 = 14, L3 = 68, MEMORY = 240, INTERVAL = 4, STLB = 7, WALK = 26, BUFFERS = 12 };

static const struct model_parameters figures = {
    .fill_buffers = BUFFERS,
    .l1i = {32 * KIB, 8, L1},
    .l1d = {32 * KIB, 8, L1},
    .l2 = {MIB, 16, L2},
    .l3_slice = {1408 * KIB, 11, L3}, /* 2048 sets */
    .memory_latency = MEMORY,
    .memory_interval = INTERVAL,
    .itlb = {128, 8, 8, 8},
    .dtlb = {64, 4, 32, 4},
    .stlb = {1536, 12, 0, 0},
    .stlb_latency = STLB,
    .walk_latency = WALK,
    .walkers = 2,
};

#define CORES_MAX 4u

struct caches_bench {
    struct model_parameters parameters;
    struct shared_cache *shared;
    struct memory_hierarchy *core[CORES_MAX];
    unsigned page_shift, asked;
    uint64_t cycle;
};

static inline unsigned bench_page_shift(void *context, uint64_t address)
{
    struct caches_bench *bench = context;

    (void)address;
    bench->asked++;
    return bench->page_shift;
}

static inline void begin(struct caches_bench *bench, const struct model_parameters *parameters,
                         unsigned cores, unsigned page_shift)
{
    memset(bench, 0, sizeof(*bench));
    bench->parameters = *parameters;
    bench->page_shift = page_shift;
    bench->cycle = 1000000;
    bench->shared = shared_cache_new(&bench->parameters, cores);
    assert_non_null(bench->shared);
    for (unsigned i = 0; i < cores; i++) {
        struct model_world world = {bench, bench_page_shift};

        bench->core[i] = hierarchy_new(&bench->parameters, i, bench->shared, world);
        assert_non_null(bench->core[i]);
    }
}

static inline void end(struct caches_bench *bench)
{
    for (unsigned i = 0; i < CORES_MAX; i++)
        hierarchy_free(bench->core[i]);
    shared_cache_free(bench->shared);
}

/* A load that begins when everything before it is over. Gives its level, and its latency in
 * *took. */
static inline enum level load(struct caches_bench *bench, unsigned core, uint64_t address,
                              uint64_t *took)
{
    struct reach reach = memory_load(bench->core[core], address, 8, bench->cycle);

    assert_true(reach.done >= bench->cycle);
    *took = reach.done - bench->cycle;
    bench->cycle = reach.done;
    return reach.level;
}

static inline void expect(struct caches_bench *bench, unsigned core, uint64_t address,
                          enum level level, uint64_t latency)
{
    uint64_t took;

    assert_int_equal(load(bench, core, address, &took), level);
    assert_int_equal(took, latency);
}

/* Begins where the bus begins an interval and nothing is under way. */
static inline void settle(struct caches_bench *bench)
{
    bench->cycle = (bench->cycle / 1000 + 2) * 1000;
}

#endif
