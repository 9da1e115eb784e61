/* The prefetchers of L1 and their switches (Optimization Reference Manual, "Data Prefetching"; SDM
 * 4, MSR_MISC_FEATURE_CONTROL): bit 2 switches off the next line, bit 3 the stride. The prefetchers
 * of L2 are off throughout. */
#include "core/memory/memory.h"
#include "model_test.h"

#define NEXT_LINE 0xbu /* what is off, so that the other one works alone */
#define STRIDE    0x7u
#define NOTHING   0xfu

#define PAGE 4096u
#define SPAN (16u * MIB) /* more than all caches of the bench */

struct walk {
    int64_t step; /* bytes from one turn's load to the next turn's */
    bool again;   /* a second load further into the same line */
};

/* Each load's address waits for the load before. */
static void run_walk(struct bench *bench, unsigned turn)
{
    const struct walk *walk = bench->argument;
    const uint64_t middle = DATA_START + SPAN; /* a multiple of the page */
    const uint64_t address = middle + (uint64_t)((int64_t)turn * walk->step);

    reads(bench, CODE("\x48\x8b\x00"), address); /* mov rax, [rax] */
    if (walk->again)
        reads(bench, CODE("\x48\x8b\x40\x08"), address + 8); /* mov rax, [rax+8] */
}

/* Turns whose first load waited for memory as if nothing had been asked for. */
static double from_memory(const struct model_parameters *core, struct walk walk, unsigned off,
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

/* 64 lines of a page: only the first is not asked for by the line before. */
static void an_ascending_access_brings_the_next_line(void **state)
{
    const struct walk lines = {LINE, true}, once = {LINE, false};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const char *name = cores[i]->name;

        check_near("both off", name, from_memory(cores[i], lines, NOTHING, 6400), 6400, 0);
        check_near("next line", name, from_memory(cores[i], lines, NEXT_LINE, 6400), 100, 0);
        /* a line that is loaded from once is no ascending access */
        check_near("one load a line", name, from_memory(cores[i], once, NEXT_LINE, 6400), 6400, 0);
    }
}

/* Steps of 192 bytes: three pages have 64 of them, and the first in each page is not asked for. */
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
            const struct walk steps = {row[j].step, false};

            check_near("stride", cores[i]->name, from_memory(cores[i], steps, STRIDE, 6400),
                       row[j].misses, 0);
            check_near("stride off", cores[i]->name, from_memory(cores[i], steps, NEXT_LINE, 6400),
                       6400, 0);
        }
    }
}

/* A line that was asked for one step ahead of a chain of loads saves no more than the turn takes
 * beside the wait; with work of a memory latency between the loads it hides the wait. */
static void what_was_asked_for_in_time_hits_l1(void **state)
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
    /* half of the fill buffers busy: nothing is asked for */
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
        cmocka_unit_test(what_was_asked_for_in_time_hits_l1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
