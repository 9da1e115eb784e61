/* The prefetchers of L1 and their switches (Optimization Reference Manual, "Data Prefetching"; SDM
 * 4, MSR_MISC_FEATURE_CONTROL): bit 2 switches off the next line, bit 3 the stride. The prefetchers
 * of L2 are off throughout. */
#include "core/memory/memory.h"
#include "model_test.h"

#define NEXT_LINE 0xbu /* the bits that leave only one prefetcher on */
#define STRIDE    0x7u
#define NOTHING   0xfu

#define PAGE 4096u
#define SPAN (16u * MIB) /* more than all caches of the bench */

struct strides {
    int64_t step; /* bytes from one turn's load to the next turn's */
    bool again;   /* a second load, farther into the same line */
};

/* The address of each load waits for the load before. */
static void run_walk(struct bench *bench, unsigned turn)
{
    const struct strides *walk = bench->argument;
    const uint64_t middle = DATA_START + SPAN; /* a multiple of the page */
    const uint64_t address = middle + (uint64_t)((int64_t)turn * walk->step);

    reads(bench, CODE("\x48\x8b\x00"), address); /* mov rax, [rax] */
    if (walk->again)
        reads(bench, CODE("\x48\x8b\x40\x08"), address + 8); /* mov rax, [rax+8] */
}

/* The number of turns whose first load waited the whole latency of memory. */
static double from_memory(const struct model_parameters *core, struct strides walk, unsigned off,
                          unsigned count)
{
    struct figures figures;
    struct bench bench;

    begin(&bench, core);
    bench.argument = &walk;
    model_prefetch(bench.model, off);
    figures = measure(&bench, run_walk, 2 * SPAN / PAGE, count);
    end(&bench);
    return (double)figures.sum[SIG_LOADS_L3_MISS];
}

/* 64 lines of a page: only the first is not prefetched by an access to the line before. */
static void an_ascending_access_brings_the_next_line(void **state)
{
    const struct strides lines = {LINE, true}, once = {LINE, false};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const char *name = cores[i]->name;

        check_near("both off", name, from_memory(cores[i], lines, NOTHING, 6400), 6400, 0);
        check_near("next line", name, from_memory(cores[i], lines, NEXT_LINE, 6400), 100, 0);
        /* one load from a line is no ascending access */
        check_near("one load a line", name, from_memory(cores[i], once, NEXT_LINE, 6400), 6400, 0);
    }
}

/* Steps of 192 bytes: three pages have 64 steps, and the first step in each page is not
 * prefetched. */
static void a_regular_stride_brings_the_next_step_within_the_page(void **state)
{
    static const struct {
        int64_t step;
        double misses; /* of 6400 */
    } row[] = {
        {192, 300},
        {-192, 300},
        {2048, 3200}, /* two in every page */
        {2112, 6400}, /* more than half of a page */
    };

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            const struct strides steps = {row[j].step, false};

            check_near("stride", cores[i]->name, from_memory(cores[i], steps, STRIDE, 6400),
                       row[j].misses, 0);
            check_near("stride off", cores[i]->name, from_memory(cores[i], steps, NEXT_LINE, 6400),
                       6400, 0);
        }
    }
}

/* A prefetch one step ahead of a chain of loads hides only as many cycles as the rest of a turn
 * takes. With work as long as the memory latency between the loads, it hides the whole latency. */
static void a_line_prefetched_in_time_hits_l1(void **state)
{
    static const struct model_parameters *const core = &skylakex_core;
    struct shared_cache *shared = shared_cache_new(core, 1);
    struct bench bench = {.page_shift = 30};
    struct memory_hierarchy *memory =
        hierarchy_new(core, 0, shared, (struct model_world){&bench, bench_page_shift});
    uint64_t cycle = 10000;

    (void)state;
    memory_prefetchers(memory, NEXT_LINE | 3u);
    memory_load(memory, DATA_START, 8, cycle);
    memory_train(memory, CODE_START, DATA_START, cycle);
    cycle += 1000;
    memory_load(memory, DATA_START + 8, 8, cycle);
    memory_train(memory, CODE_START, DATA_START + 8, cycle);
    cycle += 1000;
    assert_int_equal(memory_load(memory, DATA_START + LINE, 8, cycle).level, LEVEL_L1);
    /* half of the fill buffers busy: no prefetch */
    for (unsigned i = 0; i < core->fill_buffers / 2; i++)
        memory_load(memory, DATA_START + MIB + i * LINE, 8, cycle);
    memory_train(memory, CODE_START, DATA_START + LINE, cycle);
    memory_train(memory, CODE_START, DATA_START + LINE + 8, cycle);
    cycle += 1000;
    assert_int_equal(memory_load(memory, DATA_START + 2 * LINE, 8, cycle).level, LEVEL_MEMORY);
    hierarchy_free(memory);
    shared_cache_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ascending_access_brings_the_next_line),
        cmocka_unit_test(a_regular_stride_brings_the_next_step_within_the_page),
        cmocka_unit_test(a_line_prefetched_in_time_hits_l1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
