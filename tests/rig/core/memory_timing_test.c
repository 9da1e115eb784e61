/* Fill buffers, the way to memory, translation and splits by hand. The figures are in
 * memory_test.h. */
#include "memory_test.h"
#include "core/memory/bus.h"
#include "core/memory/prefetch.h"

static void twelve_misses_are_in_flight_and_the_thirteenth_waits_for_the_first(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 30);
    load(&bench, 0, BASE, &took); /* the translation */
    settle(&bench);
    for (unsigned i = 1; i <= BUFFERS; i++) {
        struct reach reach = memory_load(bench.core[0], BASE + i * LINE, 8, bench.cycle);

        assert_int_equal(reach.level, LEVEL_MEMORY);
        assert_int_equal(reach.done - bench.cycle, (i - 1) * INTERVAL + MEMORY);
    }
    assert_int_equal(memory_load(bench.core[0], BASE + 13 * LINE, 8, bench.cycle).done -
                         bench.cycle,
                     MEMORY + MEMORY);
    /* a hit needs none */
    assert_int_equal(memory_load(bench.core[0], BASE, 8, bench.cycle).done - bench.cycle, L1);
    end(&bench);
}

/* 240 cycles are 14 through L2, and 226 that become 113. Of a line that another core has no latency
 * is published: L3's. */
static void at_half_the_clock_what_lies_beyond_l2_takes_half_the_cycles(void **state)
{
    struct model_parameters one_clock = figures;
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    one_clock.l3_core_clock = true;
    for (unsigned i = 0; i < 2; i++) {
        begin(&bench, i == 0 ? &figures : &one_clock, 2, 30);
        load(&bench, 0, BASE, &took);
        load(&bench, 1, BASE + 2 * MIB, &took);
        memory_clock(bench.core[0], 1000, 2000);
        memory_clock(bench.core[1], 1000, 2000);
        settle(&bench);
        expect(&bench, 0, BASE + LINE, LEVEL_MEMORY, 127);
        expect(&bench, 0, BASE + LINE, LEVEL_L1, L1);
        settle(&bench);
        expect(&bench, 1, BASE + LINE, LEVEL_L3, i == 0 ? 41 : L3);
        memory_clock(bench.core[0], 2000, 2000);
        settle(&bench);
        expect(&bench, 0, BASE + 2 * LINE, LEVEL_MEMORY, MEMORY);
        end(&bench);
    }
}

/* The first cycle of so many transfers in a row that are all wanted at once, less the first's. */
static uint64_t transfers(struct bus *bus, uint64_t wanted, unsigned count)
{
    const uint64_t first = bus_book(bus, wanted, 1);
    uint64_t last = first;

    for (unsigned i = 0; i < count; i++)
        last = bus_book(bus, wanted, 1);
    return last - first;
}

/* A line in four cycles of 2700 MHz is 675 million lines a second: of 1200 MHz nine lines in 16
 * cycles, of 5400 MHz one in eight. */
static void memory_delivers_as_many_lines_a_second_at_any_clock(void **state)
{
    struct bus bus;

    (void)state;
    bus_init(&bus, 4);
    assert_int_equal(transfers(&bus, 4000, 9), 36);
    bus_clock(&bus, 1200, 2700);
    assert_int_equal(transfers(&bus, 40000, 9), 16);
    bus_clock(&bus, 5400, 2700);
    assert_int_equal(transfers(&bus, 80000, 9), 72);
    bus_clock(&bus, 2700, 2700);
    assert_int_equal(transfers(&bus, 120000, 9), 36);
}

/* Three lines are booked from cycle 4000 on; the fourth follows them at half the clock. */
static void what_is_booked_stays_booked_when_the_clock_changes(void **state)
{
    struct bus bus;

    (void)state;
    bus_init(&bus, 4);
    assert_int_equal(transfers(&bus, 4000, 2), 8);
    bus_clock(&bus, 1000, 2000);
    assert_int_equal(bus_book(&bus, 4000, 1), 4006);
    assert_int_equal(bus_book(&bus, 3000, 1), 4008); /* a cycle before the change */
}

/* Four entries: the fifth line waits for the first of them, though there are buffers. */
static void a_full_queue_of_l2_holds_misses_and_drops_prefetches(void **state)
{
    struct model_parameters narrow = figures;
    struct reach reach;
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    narrow.superqueue = 4;
    narrow.adjacent_line = true;
    begin(&bench, &narrow, 1, 30);
    load(&bench, 0, BASE, &took);
    settle(&bench);
    for (unsigned i = 1; i <= 4; i++) {
        reach = memory_load(bench.core[0], BASE + 2 * i * LINE, 8, bench.cycle);
        assert_int_equal(reach.done - bench.cycle, (i - 1) * INTERVAL + MEMORY);
        assert_int_equal(reach.late, LATE_MEMORY);
    }
    reach = memory_load(bench.core[0], BASE + 10 * LINE, 8, bench.cycle);
    assert_int_equal(reach.done - bench.cycle, MEMORY + MEMORY);
    assert_int_equal(reach.late, LATE_QUEUE);
    memory_prefetchers(bench.core[0], ~PREFETCH_ADJACENT_OFF);
    memory_load(bench.core[0], BASE + 12 * LINE, 8, bench.cycle);
    settle(&bench);
    expect(&bench, 0, BASE + 13 * LINE, LEVEL_MEMORY, MEMORY); /* its pair was not brought */
    settle(&bench);
    memory_load(bench.core[0], BASE + 14 * LINE, 8, bench.cycle);
    settle(&bench);
    expect(&bench, 0, BASE + 15 * LINE, LEVEL_L2, L2); /* now it was */
    end(&bench);
}

static void a_line_in_flight_is_waited_for_and_then_hits(void **state)
{
    struct caches_bench bench;
    struct reach reach;
    uint64_t took, start;

    (void)state;
    begin(&bench, &figures, 1, 30);
    load(&bench, 0, BASE, &took);
    settle(&bench);
    start = bench.cycle;
    memory_prefetch(bench.core[0], BASE + LINE, start);
    reach = memory_load(bench.core[0], BASE + LINE + 8, 8, start + 100);
    assert_int_equal(reach.level, LEVEL_FILL_BUFFER);
    assert_int_equal(reach.done, start + MEMORY);
    reach = memory_load(bench.core[0], BASE + LINE + 16, 8, start + MEMORY - 1);
    assert_int_equal(reach.level, LEVEL_FILL_BUFFER);
    assert_int_equal(reach.done, start + MEMORY - 1 + L1); /* nothing is faster than a hit */
    reach = memory_load(bench.core[0], BASE + LINE + 24, 8, start + MEMORY);
    assert_int_equal(reach.level, LEVEL_L1);
    assert_int_equal(reach.done, start + MEMORY + L1);
    end(&bench);
}

static void an_access_in_an_earlier_cycle_is_not_delayed_by_later_accesses(void **state)
{
    struct caches_bench bench;
    struct reach reach;
    uint64_t took, start;

    (void)state;
    begin(&bench, &figures, 1, 30);
    load(&bench, 0, BASE, &took);
    settle(&bench);
    start = bench.cycle;
    for (unsigned i = 1; i <= BUFFERS; i++)
        memory_load(bench.core[0], BASE + i * LINE, 8, start + 5000);
    reach = memory_load(bench.core[0], BASE + 20 * LINE, 8, start); /* buffers and bus are idle */
    assert_int_equal(reach.done, start + MEMORY);
    reach = memory_load(bench.core[0], BASE + LINE, 8, start + 8); /* it asks for that line first */
    assert_int_equal(reach.level, LEVEL_MEMORY);
    assert_int_equal(reach.done, start + 8 + MEMORY);
    end(&bench);
}

/* Loads that all want to begin at once; gives the cycles from there to the arrival of the last. */
static uint64_t burst(struct caches_bench *bench, unsigned core, unsigned lines)
{
    uint64_t last = 0;

    for (unsigned i = 0; i < lines; i++) {
        uint64_t address = BASE + (core + 1) * 64 * MIB + (uint64_t)i * LINE;
        uint64_t done = memory_load(bench->core[core], address, 8, bench->cycle).done;

        last = done > last ? done : last;
    }
    return last - bench->cycle;
}

static void memory_gives_a_line_in_every_interval_and_a_share_of_them_to_each_core(void **state)
{
    struct model_parameters slow = figures;
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    slow.memory_interval = 40; /* slower than twelve lines in one latency: 240 / 12 = 20 */
    begin(&bench, &slow, 2, 30);
    load(&bench, 0, BASE + 64 * MIB - LINE, &took); /* the translations */
    load(&bench, 1, BASE + 64 * MIB - LINE, &took);
    bench.cycle = 2000000;
    assert_int_equal(burst(&bench, 0, 100), 99 * 40 + MEMORY);
    assert_int_equal(burst(&bench, 1, 100), 99 * 80 + MEMORY);
    end(&bench);
}

static void a_core_far_behind_does_not_wait_for_a_core_ahead(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 2, 30);
    bench.cycle = 100000000;
    burst(&bench, 0, 1000);
    bench.cycle = 1000;
    expect(&bench, 1, BASE, LEVEL_MEMORY, MEMORY + WALK);
    load(&bench, 1, BASE + LINE, &took);
    assert_int_equal(took, MEMORY);
    end(&bench);
}

static void a_dirty_victim_takes_its_turn_on_the_bus(void **state)
{
    struct model_parameters tiny = figures;
    struct caches_bench bench;

    (void)state;
    tiny.l1d = (struct cache_geometry){LINE, 1, L1};
    tiny.l2 = (struct cache_geometry){LINE, 1, L2};
    tiny.l3_slice = (struct cache_geometry){0, 0, L3};
    begin(&bench, &tiny, 1, 30);
    memory_load(bench.core[0], BASE + 9 * LINE, 8, 1000); /* the translation */
    memory_store(bench.core[0], BASE, 8, 2000);
    memory_load(bench.core[0], BASE + LINE, 8, 3000); /* the store's line goes to L2 */
    assert_int_equal(memory_load(bench.core[0], BASE + 2 * LINE, 8, 4000).done, 4000 + MEMORY);
    /* the bus: line 2 at 4000, the store's line at 4004, line 3 at 4008 */
    assert_int_equal(memory_load(bench.core[0], BASE + 3 * LINE, 8, 4000).done, 4008 + MEMORY);
    end(&bench);
}

/* Two turns over pages whose lines are all in L1 or L2 in the second turn, in which every
 * translation must be as given. */
static void turn_pages(struct caches_bench *bench, unsigned pages, uint64_t stride,
                       bool second_level, bool walk)
{
    for (unsigned i = 0; i < 2 * pages; i++) {
        /* one line a page, each in another set of the caches */
        uint64_t address = BASE + i % pages * (stride + LINE);
        struct reach reach = memory_load(bench->core[0], address, 8, bench->cycle);
        uint64_t latency = reach.level == LEVEL_L1 ? L1 : L2;

        if (i >= pages) {
            assert_int_equal(reach.second_level, second_level);
            assert_int_equal(reach.walk, walk);
            if (second_level)
                latency += STLB;
            if (walk)
                latency += WALK;
            assert_int_equal(reach.done - bench->cycle, latency);
        }
        bench->cycle = reach.done;
    }
}

static void the_tlbs_reach_as_far_as_they_have_entries(void **state)
{
    static const struct {
        unsigned pages, shift;
        bool second_level, walk;
    } row[] = {
        {64, 12, false, false},  {128, 12, true, false}, {1500, 12, true, false},
        {3072, 12, false, true}, {32, 21, false, false}, {64, 21, true, false},
        {30, 30, false, false}, /* a large page is one entry */
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct caches_bench bench;

        begin(&bench, &figures, 1, row[i].shift);
        turn_pages(&bench, row[i].pages, UINT64_C(1) << row[i].shift, row[i].second_level,
                   row[i].walk);
        end(&bench);
    }
}

/* Two pages that are one physical page: the line is in L1, and the translation is not there. The
 * second level keeps what the first one loses. */
static void a_linear_address_above_the_physical_one_has_its_own_translation(void **state)
{
    struct caches_bench bench;
    struct reach reach;

    (void)state;
    begin(&bench, &figures, 1, 12);
    memory_load(bench.core[0], BASE, 8, 1000);
    memory_linear_above(bench.core[0], PAGE);
    reach = memory_load(bench.core[0], BASE, 8, 2000);
    assert_true(reach.walk);
    assert_int_equal(reach.level, LEVEL_L1);
    assert_int_equal(reach.done, 2000 + WALK + L1);
    assert_int_equal(memory_translate_store(bench.core[0], BASE, 3000).done, 3000);
    memory_linear_above(bench.core[0], 0);
    assert_int_equal(memory_load(bench.core[0], BASE, 8, 4000).done, 4000 + L1);
    memory_flush_first_tlb(bench.core[0]);
    reach = memory_load(bench.core[0], BASE, 8, 5000);
    assert_true(reach.second_level && !reach.walk);
    assert_int_equal(reach.done, 5000 + STLB + L1);
    end(&bench);
}

static void the_size_of_a_page_is_asked_for_on_a_miss_only(void **state)
{
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 21);
    load(&bench, 0, BASE, &took);
    assert_int_equal(bench.asked, 1);
    load(&bench, 0, BASE + MIB, &took); /* in the same 2 MiB page */
    assert_int_equal(bench.asked, 1);
    load(&bench, 0, BASE + 2 * MIB, &took);
    assert_int_equal(bench.asked, 2);
    memory_flush_tlb(bench.core[0]);
    load(&bench, 0, BASE, &took);
    assert_int_equal(bench.asked, 3);
    end(&bench);
}

static void two_walkers_make_the_third_walk_wait(void **state)
{
    static const uint64_t late[] = {0, 0, WALK};
    struct caches_bench bench;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 12);
    for (unsigned i = 0; i < 4; i++) /* the lines, so that only translation is left */
        load(&bench, 0, BASE + i * (PAGE + LINE), &took);
    memory_flush_tlb(bench.core[0]);
    settle(&bench);
    for (unsigned i = 0; i < 3; i++) {
        struct reach reach = memory_load(bench.core[0], BASE + i * (PAGE + LINE), 8, bench.cycle);

        assert_true(reach.walk);
        assert_int_equal(reach.done - bench.cycle, late[i] + WALK + L1);
    }
    /* a page whose walk goes on: the same walk serves the load */
    assert_false(memory_load(bench.core[0], BASE + 8, 8, bench.cycle + 10).walk);
    assert_int_equal(memory_load(bench.core[0], BASE + 8, 8, bench.cycle + 10).done - bench.cycle,
                     WALK + L1);
    /* a walk that begins before both does not wait */
    assert_int_equal(
        memory_load(bench.core[0], BASE + 3 * (PAGE + LINE), 8, bench.cycle - 100).done,
        bench.cycle - 100 + WALK + L1);
    end(&bench);
}

static void a_store_translates_when_it_executes_and_owns_its_line_when_it_commits(void **state)
{
    struct caches_bench bench;
    struct reach reach;

    (void)state;
    begin(&bench, &figures, 1, 12);
    reach = memory_translate_store(bench.core[0], BASE, 100);
    assert_int_equal(reach.done, 100 + WALK);
    assert_true(reach.walk);
    reach = memory_translate_store(bench.core[0], BASE, 900);
    assert_int_equal(reach.done, 900);
    assert_false(reach.walk);
    reach = memory_store(bench.core[0], BASE, 8, 1000);
    assert_int_equal(reach.level, LEVEL_MEMORY);
    assert_int_equal(reach.done, 1000 + MEMORY);
    reach = memory_store(bench.core[0], BASE + 8, 8, 2000);
    assert_int_equal(reach.level, LEVEL_L1);
    assert_int_equal(reach.done, 2000);
    end(&bench);
}

/* Twelve buffers, each kept until memory has its line: the thirteenth line waits for the first,
 * which left in cycle 0 and arrives 240 cycles later. */
static void streaming_stores_go_around_the_caches_through_twelve_buffers(void **state)
{
    struct caches_bench bench;
    struct reach reach;
    uint64_t took, start;

    (void)state;
    begin(&bench, &figures, 1, 30);
    load(&bench, 0, BASE, &took);
    settle(&bench);
    start = bench.cycle;
    /* half a line: nothing is sent, the other half costs nothing */
    for (unsigned i = 1; i <= BUFFERS; i++)
        for (unsigned half = 0; half < 2; half++) {
            reach = memory_stream(bench.core[0], BASE + i * LINE + half * 32, 32, start);
            assert_int_equal(reach.done, start);
            assert_int_equal(reach.late, LATE_NOT);
        }
    reach = memory_stream(bench.core[0], BASE + 13 * LINE, 16, start);
    assert_int_equal(reach.done, start + MEMORY);
    assert_int_equal(reach.late, LATE_STREAM);
    /* the last of twelve was sent 11 intervals after the first; then the rest of the 13th */
    assert_int_equal(memory_stream_end(bench.core[0], start + 2 * MEMORY), start + 3 * MEMORY);
    settle(&bench);
    expect(&bench, 0, BASE + LINE, LEVEL_MEMORY, MEMORY); /* no cache has the line */
    settle(&bench);
    expect(&bench, 0, BASE + LINE, LEVEL_L1, L1);
    memory_stream(bench.core[0], BASE + LINE, 8, bench.cycle);
    settle(&bench);
    /* still no cache has the line; its written bytes are sent first */
    expect(&bench, 0, BASE + LINE, LEVEL_MEMORY, INTERVAL + MEMORY);
    end(&bench);
}

static void a_split_takes_the_later_half_and_a_cycle(void **state)
{
    struct caches_bench bench;
    struct reach reach;
    uint64_t took;

    (void)state;
    begin(&bench, &figures, 1, 12);
    load(&bench, 0, BASE, &took);
    load(&bench, 0, BASE + LINE, &took);
    load(&bench, 0, BASE + PAGE - LINE, &took);
    settle(&bench);
    reach = memory_load(bench.core[0], BASE + LINE - 4, 8, bench.cycle);
    assert_int_equal(reach.done - bench.cycle, L1 + 1);
    reach = memory_load(bench.core[0], BASE + LINE - 8, 8, bench.cycle);
    assert_int_equal(reach.done - bench.cycle, L1);
    reach = memory_load(bench.core[0], BASE + PAGE - 1, 2, bench.cycle); /* a new page, too */
    assert_true(reach.walk);
    assert_int_equal(reach.level, LEVEL_MEMORY);
    /* the bus begins an interval every 4 cycles: the walk ends at 26, the transfer begins at 28 at
     * the latest */
    assert_in_range(reach.done - bench.cycle, WALK + MEMORY + 1, WALK + MEMORY + 1 + INTERVAL - 1);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twelve_misses_are_in_flight_and_the_thirteenth_waits_for_the_first),
        cmocka_unit_test(at_half_the_clock_what_lies_beyond_l2_takes_half_the_cycles),
        cmocka_unit_test(memory_delivers_as_many_lines_a_second_at_any_clock),
        cmocka_unit_test(what_is_booked_stays_booked_when_the_clock_changes),
        cmocka_unit_test(a_full_queue_of_l2_holds_misses_and_drops_prefetches),
        cmocka_unit_test(a_line_in_flight_is_waited_for_and_then_hits),
        cmocka_unit_test(an_access_in_an_earlier_cycle_is_not_delayed_by_later_accesses),
        cmocka_unit_test(memory_gives_a_line_in_every_interval_and_a_share_of_them_to_each_core),
        cmocka_unit_test(a_core_far_behind_does_not_wait_for_a_core_ahead),
        cmocka_unit_test(a_dirty_victim_takes_its_turn_on_the_bus),
        cmocka_unit_test(the_tlbs_reach_as_far_as_they_have_entries),
        cmocka_unit_test(a_linear_address_above_the_physical_one_has_its_own_translation),
        cmocka_unit_test(the_size_of_a_page_is_asked_for_on_a_miss_only),
        cmocka_unit_test(two_walkers_make_the_third_walk_wait),
        cmocka_unit_test(a_store_translates_when_it_executes_and_owns_its_line_when_it_commits),
        cmocka_unit_test(streaming_stores_go_around_the_caches_through_twelve_buffers),
        cmocka_unit_test(a_split_takes_the_later_half_and_a_cycle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
