/* Caches by hand: what fits where, who has it, and what that costs. The figures are in
 * memory_test.h. */
#include "memory_test.h"

/* Three turns over all lines of a buffer in one random order; in the third every load must have
 * that level and latency. */
static void chase(struct bench *bench, unsigned bytes, enum level level, uint64_t latency)
{
    unsigned lines = bytes / LINE;
    unsigned *order = malloc(lines * sizeof *order);
    uint32_t seed = 12345;

    assert_non_null(order);
    for (unsigned i = 0; i < lines; i++)
        order[i] = i;
    for (unsigned i = lines - 1; i; i--) {
        unsigned j, swap = order[i];

        seed = seed * 1664525u + 1013904223u;
        j = (unsigned)((uint64_t)seed * (i + 1) >> 32);
        order[i] = order[j];
        order[j] = swap;
    }
    for (unsigned turn = 0; turn < 3; turn++) {
        for (unsigned i = 0; i < lines; i++) {
            uint64_t took;
            enum level found = load(bench, 0, BASE + (uint64_t)order[i] * LINE, &took);

            if (turn == 2) {
                assert_int_equal(found, level);
                assert_int_equal(took, latency);
            }
        }
    }
    free(order);
}

static void a_chase_takes_the_latency_of_the_level_it_fits(void **state)
{
    static const struct {
        unsigned bytes, cores;
        enum level level;
        uint64_t latency;
    } row[] = {
        {32 * KIB, 1, LEVEL_L1, L1},         {64 * KIB, 1, LEVEL_L2, L2}, {MIB, 1, LEVEL_L2, L2},
        {2 * MIB, 4, LEVEL_L3, L3},          {2 * MIB, 3, LEVEL_L3, L3}, /* 6144 sets */
        {16 * MIB, 4, LEVEL_MEMORY, MEMORY},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct bench bench;

        begin(&bench, &figures, row[i].cores, 30);
        chase(&bench, row[i].bytes, row[i].level, row[i].latency);
        end(&bench);
    }
}

static void eight_ways_keep_eight_lines_of_a_set_and_not_nine(void **state)
{
    struct bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 30);
    for (unsigned i = 0; i < 16; i++) /* 64 sets: lines 4 KiB apart share one */
        load(&bench, 0, BASE + i % 8 * PAGE, &took);
    for (unsigned i = 0; i < 8; i++)
        expect(&bench, 0, BASE + i * PAGE, LEVEL_L1, L1);
    for (unsigned i = 0; i < 9; i++)
        load(&bench, 0, BASE + i * PAGE, &took);
    for (unsigned i = 0; i < 18; i++) /* in turns: the oldest goes just before it is wanted */
        expect(&bench, 0, BASE + i % 9 * PAGE, LEVEL_L2, L2);
    end(&bench);
}

static void what_leaves_l2_is_found_in_l3_once(void **state)
{
    struct bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 4, 30);
    for (unsigned i = 0; i < 17; i++) /* 1024 sets of 16 ways: 64 KiB apart share one */
        load(&bench, 0, BASE + i * 64 * KIB, &took);
    expect(&bench, 0, BASE, LEVEL_L3, L3);            /* evicted by the 17th, now evicts the 2nd */
    expect(&bench, 0, BASE + 64 * KIB, LEVEL_L3, L3); /* and so on */
    expect(&bench, 0, BASE + 5 * 64 * KIB, LEVEL_L2, L2);
    memory_flush_line(bench.core[0], BASE + 8);
    settle(&bench);
    expect(&bench, 0, BASE, LEVEL_MEMORY, MEMORY);
    end(&bench);
}

static void memory_fills_do_not_enter_a_non_inclusive_l3(void **state)
{
    struct model_parameters inclusive = figures;
    struct bench bench;
    uint64_t took;

    (void)state;
    inclusive.l3_inclusive = true;
    begin(&bench, &figures, 2, 30);
    load(&bench, 0, BASE, &took);
    memory_invalidate(bench.core[0], BASE);
    settle(&bench);
    expect(&bench, 0, BASE, LEVEL_MEMORY, MEMORY);
    end(&bench);

    begin(&bench, &inclusive, 2, 30);
    load(&bench, 0, BASE, &took);
    memory_invalidate(bench.core[0], BASE);
    settle(&bench);
    expect(&bench, 0, BASE, LEVEL_L3, L3);
    end(&bench);
}

static void an_inclusive_l3_takes_its_victims_out_of_every_core(void **state)
{
    struct model_parameters inclusive = figures;
    struct bench bench;
    uint64_t took;

    (void)state;
    inclusive.l3_inclusive = true;
    begin(&bench, &inclusive, 2, 30); /* 4096 sets of 11 ways: 256 KiB apart share one */
    expect(&bench, 0, BASE, LEVEL_MEMORY, MEMORY + WALK);
    for (unsigned i = 1; i <= 11; i++)
        load(&bench, 1, BASE + i * 256 * KIB, &took);
    settle(&bench);
    expect(&bench, 0, BASE, LEVEL_MEMORY, MEMORY);
    end(&bench);
}

static void another_core_has_it_and_a_write_takes_it_away(void **state)
{
    struct bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 2, 30);
    load(&bench, 0, BASE, &took);
    expect(&bench, 1, BASE, LEVEL_L3, L3 + WALK);
    memory_store(bench.core[1], BASE, 8, bench.cycle);
    memory_invalidate(bench.core[0], BASE);
    expect(&bench, 0, BASE, LEVEL_L3, L3);
    memory_flush_line(bench.core[0], BASE); /* both lose it */
    settle(&bench);
    expect(&bench, 1, BASE, LEVEL_MEMORY, MEMORY);
    end(&bench);
}

static void code_has_a_cache_of_its_own_above_the_same_l2(void **state)
{
    struct bench bench;
    struct reach reach;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 30);
    load(&bench, 0, BASE, &took);
    reach = memory_code(bench.core[0], BASE + 60, 1000000); /* data of the same line: in L2 */
    assert_int_equal(reach.level, LEVEL_L2);
    assert_true(reach.second_level); /* and so is the translation */
    assert_int_equal(reach.done, 1000000 + STLB + L2);
    assert_false(reach.evicted);
    assert_true(memory_in_code_cache(bench.core[0], BASE + 1));
    reach = memory_code(bench.core[0], BASE, 2000000);
    assert_int_equal(reach.level, LEVEL_L1);
    assert_int_equal(reach.done, 2000000);
    for (unsigned i = 1; i <= 8; i++) /* the ninth line of a set makes the first go */
        reach = memory_code(bench.core[0], BASE + i * PAGE, 2000000 + i * 1000);
    assert_true(reach.evicted);
    assert_int_equal(reach.evicted_line, BASE);
    assert_false(memory_in_code_cache(bench.core[0], BASE));
    memory_drop_code(bench.core[0], BASE + PAGE);
    reach = memory_code(bench.core[0], BASE + PAGE, 3000000);
    assert_int_equal(reach.level, LEVEL_L2);
    end(&bench);
}

static void impossible_figures_are_refused(void **state)
{
    struct model_parameters wrong = figures;
    struct shared_cache *shared = shared_cache_new(&figures, 1);
    struct model_world world = {NULL, bench_page_shift};
    struct memory *memory;

    (void)state;
    wrong.dtlb.ways_4k = 7;
    assert_null(memory_new(&wrong, 0, shared, world));
    memory = memory_new(&figures, 0, shared, world);
    assert_non_null(memory);
    assert_null(memory_new(&figures, 0, shared, world)); /* the place is taken */
    memory_free(memory);
    shared_cache_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chase_takes_the_latency_of_the_level_it_fits),
        cmocka_unit_test(eight_ways_keep_eight_lines_of_a_set_and_not_nine),
        cmocka_unit_test(what_leaves_l2_is_found_in_l3_once),
        cmocka_unit_test(memory_fills_do_not_enter_a_non_inclusive_l3),
        cmocka_unit_test(an_inclusive_l3_takes_its_victims_out_of_every_core),
        cmocka_unit_test(another_core_has_it_and_a_write_takes_it_away),
        cmocka_unit_test(code_has_a_cache_of_its_own_above_the_same_l2),
        cmocka_unit_test(impossible_figures_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
