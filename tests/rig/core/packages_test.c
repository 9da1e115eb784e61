/* Two packages of two cores by hand: an L3 and a memory each, twice as far from the other package.
 * The figures are in memory_test.h. */
#include "memory_test.h"

#define FAR      (2 * MEMORY)
#define NODE     UINT64_C(0x80000000)
#define NEAR_0   BASE          /* memory of package 0 */
#define NEAR_1   (NODE + BASE) /* of package 1 */
#define L2_LINES (MIB / LINE)

static const struct model_packages two = {
    .count = 2, .processors = 2, .node_bytes = NODE, .far_percent = 200};

static void begin_two(struct caches_bench *bench, const struct model_parameters *parameters)
{
    uint64_t took;

    memset(bench, 0, sizeof(*bench));
    bench->parameters = *parameters;
    bench->page_shift = 30;
    bench->cycle = 1000000;
    bench->shared = shared_cache_new(&bench->parameters, 2);
    assert_true(shared_cache_packages(bench->shared, &two));
    for (unsigned i = 0; i < CORES_MAX; i++) {
        struct model_world world = {bench, bench_page_shift};

        bench->core[i] = hierarchy_new(&bench->parameters, i, bench->shared, world);
        assert_non_null(bench->core[i]);
        load(bench, i, NEAR_0 + MIB + i * PAGE, &took); /* the translations */
        load(bench, i, NEAR_1 + MIB + i * PAGE, &took);
    }
    bench->cycle += 1000000; /* nobody counts as using memory any more */
    settle(bench);
}

/* A load whose line `served` had. */
static void expect_from(struct caches_bench *bench, unsigned core, uint64_t address,
                        enum late served, uint64_t latency)
{
    struct reach reach;

    settle(bench);
    reach = memory_load(bench->core[core], address, 8, bench->cycle);
    assert_int_equal(reach.served, served);
    assert_int_equal(reach.done - bench->cycle, latency);
    bench->cycle = reach.done;
}

static void store(struct caches_bench *bench, unsigned core, uint64_t address)
{
    settle(bench);
    for (unsigned i = 0; i < CORES_MAX; i++)
        if (i != core)
            memory_invalidate(bench->core[i], address);
    bench->cycle = memory_store(bench->core[core], address, 8, bench->cycle).done;
}

static void memory_of_the_other_package_takes_twice_as_long(void **state)
{
    struct caches_bench bench;
    struct reach reach;

    (void)state;
    begin_two(&bench, &figures);
    expect_from(&bench, 0, NEAR_0, LATE_MEMORY, MEMORY);
    expect_from(&bench, 0, NEAR_1, LATE_FAR_MEMORY, FAR);
    expect_from(&bench, 3, NEAR_1 + LINE, LATE_MEMORY, MEMORY);
    expect_from(&bench, 3, NEAR_0 + LINE, LATE_FAR_MEMORY, FAR);
    settle(&bench);
    reach = memory_load(bench.core[3], NEAR_0 + 2 * LINE, 8, bench.cycle);
    assert_int_equal(reach.late, LATE_FAR_MEMORY);
    assert_int_equal(reach.level, LEVEL_MEMORY);
    expect_from(&bench, 2, 4 * NODE, LATE_MEMORY, WALK + MEMORY); /* behind all memory */
    end(&bench);
}

/* A line that left L2 for L3 is a hit for a core of the package, and far for a core of the other.
 */
static void each_package_has_an_l3_of_its_own(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin_two(&bench, &figures);
    expect_from(&bench, 0, NEAR_0, LATE_MEMORY, MEMORY);
    for (unsigned i = 1; i <= 16; i++) /* the other lines of its set in L2 */
        load(&bench, 0, NEAR_0 + i * (uint64_t)(L2_LINES / 16 * LINE), &took);
    expect_from(&bench, 2, NEAR_0, LATE_FAR_SHARED, FAR);
    expect_from(&bench, 1, NEAR_0, LATE_L3, L3);
    end(&bench);
}

static void a_line_that_the_other_package_wrote_comes_from_there_and_then_is_shared(void **state)
{
    struct caches_bench bench;

    (void)state;
    begin_two(&bench, &figures);
    store(&bench, 0, NEAR_0);
    expect_from(&bench, 2, NEAR_0, LATE_FAR_CONTESTED, FAR);
    expect_from(&bench, 3, NEAR_0, LATE_SHARED, L3); /* a core of its own package has it */
    store(&bench, 0, NEAR_0);
    expect_from(&bench, 3, NEAR_0, LATE_FAR_CONTESTED, FAR);
    end(&bench);
}

/* Core 2 keeps the line in its package's L3 only; core 0's write takes it out of there. */
static void a_write_takes_the_line_out_of_the_other_package_s_l3(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin_two(&bench, &figures);
    expect_from(&bench, 2, NEAR_0, LATE_FAR_MEMORY, FAR);
    for (unsigned i = 1; i <= 16; i++)
        load(&bench, 2, NEAR_0 + i * (uint64_t)(L2_LINES / 16 * LINE), &took);
    expect_from(&bench, 3, NEAR_0 + 40 * MIB, LATE_FAR_MEMORY, FAR);
    store(&bench, 0, NEAR_0);
    expect_from(&bench, 3, NEAR_0, LATE_FAR_CONTESTED, FAR);
    end(&bench);
}

static void a_store_waits_for_the_other_package_once(void **state)
{
    struct caches_bench bench;
    struct reach reach;

    (void)state;
    begin_two(&bench, &figures);
    expect_from(&bench, 0, NEAR_0, LATE_MEMORY, MEMORY);
    expect_from(&bench, 2, NEAR_0, LATE_FAR_SHARED, FAR);
    settle(&bench);
    memory_invalidate(bench.core[2], NEAR_0);
    reach = memory_store(bench.core[0], NEAR_0, 8, bench.cycle);
    assert_int_equal(reach.done - bench.cycle, FAR);
    settle(&bench);
    reach = memory_store(bench.core[0], NEAR_0, 8, bench.cycle);
    assert_int_equal(reach.done, bench.cycle);
    end(&bench);
}

/* The same with latencies of their own for the caches of the other package. */
static void caches_of_the_other_package_have_published_latencies(void **state)
{
    enum { CLEAN = 310, MODIFIED = 330 };
    struct model_parameters published = figures;
    struct caches_bench bench;
    struct reach reach;

    (void)state;
    published.far_shared_latency = CLEAN;
    published.far_contested_latency = MODIFIED;
    begin_two(&bench, &published);
    expect_from(&bench, 0, NEAR_1, LATE_FAR_MEMORY, FAR); /* no cache has it */
    expect_from(&bench, 2, NEAR_1, LATE_FAR_SHARED, CLEAN);
    store(&bench, 0, NEAR_0);
    expect_from(&bench, 2, NEAR_0, LATE_FAR_CONTESTED, MODIFIED);
    store(&bench, 0, NEAR_0);
    settle(&bench);
    memory_invalidate(bench.core[0], NEAR_0);
    reach = memory_store(bench.core[3], NEAR_0, 8, bench.cycle);
    assert_int_equal(reach.served, LATE_FAR_CONTESTED);
    assert_int_equal(reach.done - bench.cycle, MODIFIED);
    end(&bench);
}

/* Four lines at once while another core uses memory: a core has the way to memory for itself when
 * that core is of the other package, and half of it when it is of the same one. */
static void each_package_has_a_way_to_memory_of_its_own(void **state)
{
    static const struct {
        unsigned other;
        uint64_t address, last;
    } rows[] = {{2, NEAR_1, 3 * INTERVAL + MEMORY}, {1, NEAR_0, 6 * INTERVAL + MEMORY}};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct caches_bench bench;
        uint64_t last = 0;

        begin_two(&bench, &figures);
        memory_load(bench.core[rows[i].other], rows[i].address + 8 * MIB, 8, bench.cycle);
        for (unsigned j = 0; j < 4; j++)
            last = memory_load(bench.core[0], NEAR_0 + j * LINE, 8, bench.cycle).done;
        assert_int_equal(last - bench.cycle, rows[i].last);
        end(&bench);
    }
}

static void an_inclusive_l3_leaves_the_other_package_s_cores_alone(void **state)
{
    struct model_parameters small = figures;
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    small.l3_inclusive = true;
    small.l3_slice = (struct cache_geometry){64 * KIB, 1, L3}; /* 2048 sets of one way */
    begin_two(&bench, &small);
    expect_from(&bench, 0, NEAR_0, LATE_MEMORY, MEMORY);
    expect_from(&bench, 2, NEAR_0, LATE_FAR_SHARED, FAR);
    load(&bench, 0, NEAR_0 + 2048 * LINE, &took); /* takes its place in the L3 of package 0 */
    expect(&bench, 2, NEAR_0, LEVEL_L1, L1);
    expect_from(&bench, 0, NEAR_0, LATE_FAR_SHARED, FAR);
    end(&bench);
}

static void impossible_packages_are_refused(void **state)
{
    struct shared_cache *shared = shared_cache_new(&figures, 1);
    struct model_packages many = two;

    (void)state;
    many.count = PACKAGES_MAX + 1;
    assert_false(shared_cache_packages(shared, &many));
    shared_cache_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_other_package_takes_twice_as_long),
        cmocka_unit_test(each_package_has_an_l3_of_its_own),
        cmocka_unit_test(a_line_that_the_other_package_wrote_comes_from_there_and_then_is_shared),
        cmocka_unit_test(a_write_takes_the_line_out_of_the_other_package_s_l3),
        cmocka_unit_test(a_store_waits_for_the_other_package_once),
        cmocka_unit_test(caches_of_the_other_package_have_published_latencies),
        cmocka_unit_test(each_package_has_a_way_to_memory_of_its_own),
        cmocka_unit_test(an_inclusive_l3_leaves_the_other_package_s_cores_alone),
        cmocka_unit_test(impossible_packages_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
