/* Caches, computed by hand: what fits at which level, which core has a line, and the latency.
 * The figures are in memory_test.h. */
#include "memory_test.h"

/* Three turns over all lines of a buffer in one random order; in the third turn every load must
 * have this level and latency. */
static void chase(struct caches_bench *bench, unsigned bytes, enum level level, uint64_t latency)
{
    unsigned lines = bytes / LINE;
    unsigned *order = malloc(lines * sizeof(*order));
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
    for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct caches_bench bench;

        begin(&bench, &figures, row[i].cores, 30);
        chase(&bench, row[i].bytes, row[i].level, row[i].latency);
        end(&bench);
    }
}

static void eight_ways_keep_eight_lines_of_a_set_and_not_nine(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 30);
    for (unsigned i = 0; i < 16; i++) /* 64 sets: lines at a distance of 4 KiB share a set */
        load(&bench, 0, BASE + i % 8 * PAGE, &took);
    for (unsigned i = 0; i < 8; i++)
        expect(&bench, 0, BASE + i * PAGE, LEVEL_L1, L1);
    for (unsigned i = 0; i < 9; i++)
        load(&bench, 0, BASE + i * PAGE, &took);
    for (unsigned i = 0; i < 18; i++) /* in turns: the oldest line leaves just before its turn */
        expect(&bench, 0, BASE + i % 9 * PAGE, LEVEL_L2, L2);
    end(&bench);
}

static void a_line_that_leaves_l2_is_found_in_l3_once(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 4, 30);
    for (unsigned i = 0; i < 17; i++) /* 1024 sets of 16 ways: lines at 64 KiB share a set */
        load(&bench, 0, BASE + i * 64 * KIB, &took);
    expect(&bench, 0, BASE, LEVEL_L3, L3);            /* evicted by the 17th, evicts the 2nd */
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
    struct caches_bench bench;
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

/* So many other lines of the set leave neither L1 (8 ways) nor L2 (16 ways) any room for BASE. */
static void push_out(struct caches_bench *bench, unsigned first)
{
    uint64_t took;

    for (unsigned i = first; i < first + 32; i++) /* 1024 sets: lines at 64 KiB share one */
        load(bench, 0, BASE + i * 64 * KIB, &took);
    settle(bench);
}

static void a_clean_line_that_was_used_once_does_not_go_to_l3_on_a_server(void **state)
{
    static const struct {
        bool written, again; /* the first line, before the others come */
        enum level level;
    } row[] = {{false, false, LEVEL_MEMORY}, {true, false, LEVEL_L3}, {false, true, LEVEL_L3}};

    (void)state;
    for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct model_parameters server = figures;
        struct caches_bench bench;
        uint64_t took;

        server.l3_if_reused = true;
        begin(&bench, &server, 1, 30);
        load(&bench, 0, BASE, &took);
        if (row[i].written)
            memory_store(bench.core[0], BASE, 8, bench.cycle);
        settle(&bench);
        for (unsigned k = 1; k <= 8 && row[i].again; k++) /* 8 ways of L1 */
            load(&bench, 0, BASE + k * 64 * KIB, &took);
        if (row[i].again)
            expect(&bench, 0, BASE, LEVEL_L2, L2);
        push_out(&bench, 16);
        expect(&bench, 0, BASE, row[i].level, row[i].level == LEVEL_L3 ? L3 : MEMORY);
        if (row[i].level == LEVEL_L3) { /* had from L3: goes there again */
            push_out(&bench, 64);
            expect(&bench, 0, BASE, LEVEL_L3, L3);
        }
        end(&bench);
    }
}

static void an_inclusive_l3_takes_its_victims_out_of_every_core(void **state)
{
    struct model_parameters inclusive = figures;
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    inclusive.l3_inclusive = true;
    begin(&bench, &inclusive, 2, 30); /* 4096 sets of 11 ways: lines at 256 KiB share a set */
    expect(&bench, 0, BASE, LEVEL_MEMORY, MEMORY + WALK);
    for (unsigned i = 1; i <= 11; i++)
        load(&bench, 1, BASE + i * 256 * KIB, &took);
    settle(&bench);
    expect(&bench, 0, BASE, LEVEL_MEMORY, MEMORY);
    end(&bench);
}

static void a_line_of_another_core_is_found_until_a_write_takes_it_away(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 2, 30);
    load(&bench, 0, BASE, &took);
    expect(&bench, 1, BASE, LEVEL_L3, L3 + WALK);
    memory_store(bench.core[1], BASE, 8, bench.cycle);
    memory_invalidate(bench.core[0], BASE);
    expect(&bench, 0, BASE, LEVEL_L3, L3);
    memory_flush_line(bench.core[0], BASE); /* both cores lose the line */
    settle(&bench);
    expect(&bench, 1, BASE, LEVEL_MEMORY, MEMORY);
    end(&bench);
}

/* Published figures of Skylake-SP, as in its parameters: 47.5 ns at 2.7 GHz from another core. */
enum { SHARED = 128, CONTESTED = 130 };

static void begin_sharing(struct caches_bench *bench, bool inclusive)
{
    struct model_parameters parameters = figures;

    parameters.l3_inclusive = inclusive;
    parameters.shared_latency = SHARED;
    parameters.contested_latency = CONTESTED;
    begin(bench, &parameters, 3, 30);
    for (unsigned i = 0; i < 3; i++) /* the translations */
        memory_load(bench->core[i], BASE + MIB + i * LINE, 8, 1000);
}

/* Modified in core 0; then clean in two cores, and in L3. */
static void a_line_that_another_core_wrote_comes_from_there_and_then_is_shared(void **state)
{
    (void)state;
    for (unsigned inclusive = 0; inclusive < 2; inclusive++) {
        struct caches_bench bench;
        struct reach reach;

        begin_sharing(&bench, inclusive);
        memory_store(bench.core[0], BASE, 8, bench.cycle);
        settle(&bench);
        reach = memory_load(bench.core[1], BASE, 8, bench.cycle);
        assert_int_equal(reach.done - bench.cycle, CONTESTED);
        assert_int_equal(reach.level, LEVEL_L3);
        assert_int_equal(reach.late, LATE_CONTESTED);
        expect(&bench, 0, BASE, LEVEL_L1, L1); /* core 0 keeps a copy */
        reach = memory_load(bench.core[2], BASE, 8, bench.cycle);
        assert_int_equal(reach.done - bench.cycle, L3);
        assert_int_equal(reach.late, LATE_L3);
        end(&bench);
    }
}

/* A line that one other core holds may have been written to, so that core has to be asked. */
static void a_line_that_one_other_core_has_is_asked_for_there(void **state)
{
    (void)state;
    for (unsigned inclusive = 0; inclusive < 2; inclusive++) {
        struct caches_bench bench;
        struct reach reach;

        begin_sharing(&bench, inclusive);
        memory_load(bench.core[0], BASE, 8, bench.cycle);
        settle(&bench);
        reach = memory_load(bench.core[1], BASE, 8, bench.cycle);
        assert_int_equal(reach.done - bench.cycle, SHARED);
        assert_int_equal(reach.late, LATE_SHARED);
        reach = memory_load(bench.core[2], BASE, 8, bench.cycle);
        assert_int_equal(reach.done - bench.cycle, L3);
        end(&bench);
    }
}

/* As in the machine: first the other cores see the write, then the writer's store is modelled. */
static void a_store_waits_until_the_line_is_its_cores_alone(void **state)
{
    struct caches_bench bench;
    struct reach reach;

    (void)state;
    begin_sharing(&bench, false);
    memory_load(bench.core[0], BASE, 8, bench.cycle);
    settle(&bench);
    memory_load(bench.core[1], BASE, 8, bench.cycle);
    settle(&bench);
    memory_invalidate(bench.core[1], BASE);
    reach = memory_store(bench.core[0], BASE, 8, bench.cycle); /* the core has the line, shared */
    assert_int_equal(reach.done - bench.cycle, SHARED);
    assert_int_equal(reach.late, LATE_SHARED);
    settle(&bench);
    reach = memory_store(bench.core[0], BASE, 8, bench.cycle); /* by now the core owns the line */
    assert_int_equal(reach.done, bench.cycle);
    assert_int_equal(reach.late, LATE_NOT);
    memory_invalidate(bench.core[0], BASE);
    reach = memory_store(bench.core[1], BASE, 8, bench.cycle); /* to and fro */
    assert_int_equal(reach.done - bench.cycle, CONTESTED);
    assert_int_equal(reach.late, LATE_CONTESTED);
    memory_flush_line(bench.core[0], BASE);
    settle(&bench);
    reach = memory_store(bench.core[0], BASE, 8, bench.cycle);
    assert_int_equal(reach.done - bench.cycle, MEMORY);
    assert_int_equal(reach.late, LATE_MEMORY);
    end(&bench);
}

static void the_longest_wait_is_the_cause(void **state)
{
    struct caches_bench bench;
    struct reach reach;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 12);
    reach = memory_load(bench.core[0], BASE, 8, bench.cycle);
    assert_int_equal(reach.late, LATE_MEMORY); /* a walk before it is shorter */
    memory_flush_tlb(bench.core[0]);
    settle(&bench);
    reach = memory_load(bench.core[0], BASE, 8, bench.cycle);
    assert_int_equal(reach.level, LEVEL_L1);
    assert_int_equal(reach.late, LATE_TRANSLATION);
    settle(&bench);
    assert_int_equal(memory_load(bench.core[0], BASE, 8, bench.cycle).late, LATE_NOT);
    load(&bench, 0, BASE + LINE, &took);
    settle(&bench);
    assert_int_equal(memory_load(bench.core[0], BASE + LINE - 4, 8, bench.cycle).late, LATE_SPLIT);
    for (unsigned i = 1; i <= 8; i++) /* out of L1, not of L2 */
        load(&bench, 0, BASE + i * PAGE, &took);
    settle(&bench);
    assert_int_equal(memory_load(bench.core[0], BASE, 8, bench.cycle).late, LATE_L2);
    /* twelve misses fly; the thirteenth waits 240 cycles for a buffer and then 240 for memory, the
     * 25th 480 and 240 */
    settle(&bench);
    for (unsigned i = 0; i < 25; i++)
        reach = memory_load(bench.core[0], BASE + 8 + (2 + i) * LINE, 8, bench.cycle);
    assert_int_equal(reach.late, LATE_FILL_BUFFER);
    end(&bench);
}

static void code_has_an_l1_above_the_same_l2(void **state)
{
    struct caches_bench bench;
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
    struct memory_hierarchy *memory;

    (void)state;
    wrong.dtlb.ways_4k = 7;
    assert_null(hierarchy_new(&wrong, 0, shared, world));
    memory = hierarchy_new(&figures, 0, shared, world);
    assert_non_null(memory);
    assert_null(hierarchy_new(&figures, 0, shared, world)); /* the place is taken */
    hierarchy_free(memory);
    shared_cache_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chase_takes_the_latency_of_the_level_it_fits),
        cmocka_unit_test(eight_ways_keep_eight_lines_of_a_set_and_not_nine),
        cmocka_unit_test(a_line_that_leaves_l2_is_found_in_l3_once),
        cmocka_unit_test(memory_fills_do_not_enter_a_non_inclusive_l3),
        cmocka_unit_test(a_clean_line_that_was_used_once_does_not_go_to_l3_on_a_server),
        cmocka_unit_test(an_inclusive_l3_takes_its_victims_out_of_every_core),
        cmocka_unit_test(a_line_of_another_core_is_found_until_a_write_takes_it_away),
        cmocka_unit_test(a_line_that_another_core_wrote_comes_from_there_and_then_is_shared),
        cmocka_unit_test(a_line_that_one_other_core_has_is_asked_for_there),
        cmocka_unit_test(a_store_waits_until_the_line_is_its_cores_alone),
        cmocka_unit_test(the_longest_wait_is_the_cause),
        cmocka_unit_test(code_has_an_l1_above_the_same_l2),
        cmocka_unit_test(impossible_figures_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
