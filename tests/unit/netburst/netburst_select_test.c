/* From names to values of ESCR and CCCR: worked examples, and what is refused. Every event and mask
 * of libpfm4: netburst_libpfm4_test.c. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "pmu/netburst/registers.h"
#include "tests/unit/netburst/netburst_names.h"

/* SDM, "Event counting"; the values of published worked examples. */
static void instructions_retired_and_not_bogus_in_user_mode_are_the_published_values(void **state)
{
    const struct netburst_selection s =
        names_select(&nocona, "instr_retired:NBOGUSNTAG:u", NETBURST_T0);

    (void)state;
    assert_int_equal(s.escr.value, 0x04000204);
    assert_int_equal(s.cccr, 0x00039000);
    assert_true(netburst_counters_of(&s.escr) >> 0xc & 1);
    assert_int_equal(netburst_counters_of(&s.escr), 0x3f000); /* all counters of the IQ group */
}

static void bus_reads_and_writes_of_both_threads_are_the_published_values(void **state)
{
    const struct netburst_selection s =
        names_select(&northwood, "IOQ_allocation:REQ_TYPE0:ALL_READ:ALL_WRITE:u", NETBURST_BOTH);

    (void)state;
    assert_int_equal(s.escr.value, 0x0600c205);
    assert_int_equal(s.cccr, 0x0003d000);
    assert_true(netburst_counters_of(&s.escr) & 1);
}

/* SDM, "Programming Performance Counters to count at-retirement events": Example 18-2. */
static void each_logical_processor_has_its_own_bits(void **state)
{
    const char *name = "instr_retired:NBOGUSNTAG:NBOGUSTAG";

    (void)state;
    assert_int_equal(names_select(&nocona, name, NETBURST_T1).escr.value, 0x04000603);
    assert_int_equal(names_select(&nocona, name, NETBURST_T0).escr.value, 0x0400060c);
    assert_int_equal(names_select(&nocona, name, NETBURST_BOTH).escr.value, 0x0400060f);
    assert_int_equal(names_select(&nocona, "instr_retired:NBOGUSTAG:k", NETBURST_T1).escr.value,
                     0x04000402);
}

/* SDM, "Filtering events", and "Non-Sleep Clockticks": threshold 15, complement and compare. */
static void thresholds_complement_and_edge_go_with_compare(void **state)
{
    static const struct {
        const char *modifiers;
        uint32_t cccr;
    } cases[] = {
        {"", 0x39000},           {":thr=15:cmpl", 0xff9000}, {":thr=0", 0x39000},
        {":thr=1", 0x179000},    {":cmpl", 0xf9000},         {":e", 0x1079000},
        {":e:thr=2", 0x1279000}, {":thr15:cmpl", 0xff9000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char name[80];

        snprintf(name, sizeof(name), "uops_retired:NBOGUS%s", cases[i].modifiers);
        assert_int_equal(names_select(&nocona, name, NETBURST_T0).cccr, cases[i].cccr);
    }
}

static void an_event_with_one_mask_needs_none_named(void **state)
{
    (void)state;
    assert_int_equal(names_select(&nocona, "global_power_events", NETBURST_T0).escr.value,
                     0x2600020c);
    assert_int_equal(names_select(&nocona, "packed_SP_uop:TAG0:TAG2:u", NETBURST_T0).escr.value,
                     0x110000b4);
}

static void a_count_of_tagged_uops_sets_up_what_tags_them(void **state)
{
    struct netburst_selection s =
        names_select(&nocona, "front_end_event:memory_loads", NETBURST_T0);

    (void)state;
    assert_int_equal(s.escr.value, 0x1000020c);
    assert_int_equal(s.upstream.value, 0x0400040c); /* uop_type, bit 1 of its mask */
    assert_int_equal(netburst_escrs[s.upstream.escrs[0]].address, 0x3bc);
    assert_int_equal(s.upstream.count, 2);
    assert_int_equal(s.pebs_enable, 0);
    s = names_select(&nocona, "execution_event:X87_SIMD_memory_moves_retired:k", NETBURST_T0);
    assert_int_equal(s.escr.value, 0x18000208);
    assert_int_equal(s.upstream.value, 0x5c003038); /* tag enable and tag value 1 */
    s = names_select(&nocona, "replay_event:l1_cache_load_miss_retired", NETBURST_T0);
    assert_int_equal(s.escr.value, 0x1200020c);
    assert_int_equal(s.pebs_enable, 0x1000001);
    assert_int_equal(s.matrix, 1);
    assert_int_equal(s.upstream.count, 0);
    s = names_select(&nocona, "replay_event:split_load_retired:BOGUS", NETBURST_T1);
    assert_int_equal(s.escr.value, 0x12000403);
    assert_int_equal(s.upstream.value, 0x08000403);
    assert_int_equal(s.upstream.count, 1);
    assert_int_equal(netburst_escrs[s.upstream.escrs[0]].address, 0x3af);
}

static void both_names_of_a_count_of_tagged_uops_mean_the_same(void **state)
{
    const struct netburst_selection a = names_select(&nocona,
                                                     "replay_event:2ndL_cache_load_miss_retired",
                                                     NETBURST_T0),
                                    b = names_select(&nocona,
                                                     "replay_event:l2_cache_load_miss_retired",
                                                     NETBURST_T0);

    (void)state;
    assert_ptr_equal(a.tagged, b.tagged);
    assert_int_equal(a.pebs_enable, 0x1000002);
}

/* ESCR: bit 2 is T0_USR, bit 3 T0_OS; 0x04000204 is a line of perfex. */
static void where_kernels_run_in_ring_3_a_name_without_a_ring_counts_there(void **state)
{
    static const struct netburst_core core = {4, 1, true};
    static const struct {
        const char *name;
        uint32_t escr;
    } cases[] = {{"instr_retired:NBOGUSNTAG", 0x04000204},
                 {"instr_retired:NBOGUSNTAG:u", 0x04000204},
                 {"instr_retired:NBOGUSNTAG:k", 0x04000208},
                 {"instr_retired:NBOGUSNTAG:u:k", 0x0400020c}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(names_select(&core, cases[i].name, NETBURST_T0).escr.value, cases[i].escr);
    assert_int_equal(names_select(&nocona, cases[0].name, NETBURST_T0).escr.value, 0x0400020c);
}

/* SDM, table of non-retirement events: MSR_FSB_ESCR1 not before CPUID signature F27H. */
static void an_older_core_takes_bus_requests_from_the_first_escr_only(void **state)
{
    static const struct {
        struct netburst_core core;
        unsigned escrs;
    } cases[] = {{{.model = 0, .stepping = 10}, 1}, {{.model = 1, .stepping = 15}, 1},
                 {{.model = 2, .stepping = 6}, 1},  {{.model = 2, .stepping = 7}, 2},
                 {{.model = 3, .stepping = 0}, 2},  {{.model = 6, .stepping = 4}, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct netburst_selection s =
            names_select(&cases[i].core, "IOQ_allocation:ALL_READ", NETBURST_T0);

        assert_int_equal(s.escr.count, cases[i].escrs);
        assert_int_equal(netburst_escrs[s.escr.escrs[0]].address, 0x3a2);
        assert_int_equal(
            names_select(&cases[i].core, "global_power_events", NETBURST_T0).escr.count, 2);
    }
}

static void a_name_that_counts_nothing_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *name, *message, *expected;
        uint32_t column;
    } cases[] = {
        {"", "'' is no event of prescott",
         "an event that an ESCR selects, such as instr_retired:NBOGUSNTAG", 1},
        {"INST_RETIRED.ANY", "'INST_RETIRED.ANY' is no event of prescott",
         "an event that an ESCR selects, such as instr_retired:NBOGUSNTAG", 1},
        {"uops_retired", "uops_retired needs a mask", "NBOGUS, BOGUS", 13},
        {"uops_retired:", "nothing follows the colon", "NBOGUS, BOGUS", 14},
        {"uops_retired::u", "uops_retired has no mask ''", "NBOGUS, BOGUS", 14},
        {"uops_retired:u", "uops_retired needs a mask", "NBOGUS, BOGUS", 15},
        {"uops_retired:BOGUS:thr=16", "uops_retired has no mask 'thr=16'", "NBOGUS, BOGUS", 20},
        {"uops_retired:BOGUS:thr", "uops_retired has no mask 'thr'", "NBOGUS, BOGUS", 20},
        {"uops_retired:BOGUS:thr=", "uops_retired has no mask 'thr='", "NBOGUS, BOGUS", 20},
        {"uops_retired:BOGUS:TAG4", "uops_retired has no mask 'TAG4'", "NBOGUS, BOGUS", 20},
        {"uop_type:TAGLOADS", "uop_type tags uops and counts none",
         "the event that counts them, such as front_end_event:memory_loads", 1},
        {"front_end_event:NBOGUS", "front_end_event counts tagged uops, and nothing tags any",
         "memory_loads, memory_stores", 1},
        {"execution_event:packed_SP_retired:NBOGUS0:BOGUS1",
         "packed_SP_retired: the masks count a tag that no uop has",
         "masks of tag 0, such as NBOGUS0 and BOGUS0", 1},
        {"front_end_event:memory_loads:memory_stores",
         "memory_loads and memory_stores need different tags", "one count of tagged uops", 30},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct netburst_selection selection;
        struct complaint complaint;

        assert_false(netburst_select(&selection, &prescott, names_slice(cases[i].name), &nocona,
                                     NETBURST_T0, &complaint));
        assert_string_equal(complaint.message, cases[i].message);
        assert_string_equal(complaint.expected, cases[i].expected);
        assert_int_equal(complaint.column, cases[i].column);
    }
}

static void every_event_and_mask_can_be_selected_and_has_a_counter(void **state)
{
    (void)state;
    for (unsigned i = 0; i < prescott.event_count; i++) {
        const struct netburst_event *event = prescott.events[i].own;
        char name[128];

        if (prescott.events[i].kind != EVENT_MASKED)
            continue;
        for (unsigned m = 0; m < event->mask_count && !event->tags_only && !event->tagged; m++) {
            snprintf(name, sizeof(name), "%s:%s", event->name, event->masks[m].name);
            const struct netburst_selection s = names_select(&nocona, name, NETBURST_T0);

            assert_int_not_equal(netburst_counters_of(&s.escr), 0);
        }
        for (const struct netburst_tagged *t = event->tagged; t != NULL; t = t->next) {
            snprintf(name, sizeof(name), "%s:%s", event->name, t->name);
            const struct netburst_selection s = names_select(&nocona, name, NETBURST_T0);

            assert_int_not_equal(netburst_counters_of(&s.escr), 0);
            assert_int_equal(s.upstream.count > 0, t->upstream != NULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_retired_and_not_bogus_in_user_mode_are_the_published_values),
        cmocka_unit_test(bus_reads_and_writes_of_both_threads_are_the_published_values),
        cmocka_unit_test(each_logical_processor_has_its_own_bits),
        cmocka_unit_test(thresholds_complement_and_edge_go_with_compare),
        cmocka_unit_test(an_event_with_one_mask_needs_none_named),
        cmocka_unit_test(a_count_of_tagged_uops_sets_up_what_tags_them),
        cmocka_unit_test(both_names_of_a_count_of_tagged_uops_mean_the_same),
        cmocka_unit_test(where_kernels_run_in_ring_3_a_name_without_a_ring_counts_there),
        cmocka_unit_test(an_older_core_takes_bus_requests_from_the_first_escr_only),
        cmocka_unit_test(a_name_that_counts_nothing_is_refused_with_its_place),
        cmocka_unit_test(every_event_and_mask_can_be_selected_and_has_a_counter),
    };
    int failed = cmocka_run_group_tests(tests, names_open, NULL);

    tests_free();
    return failed;
}
