/* What places of NetBurst's events, found or not, are in cases worked out by hand, and what is said
 * of a conflict. Every pair and triple: netburst_match_test.c. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/netburst/tags.h"
#include "tests/unit/netburst/netburst_names.h"
#include "tests/unit/netburst/netburst_places.h"

static void expect_conflict(const char *const *asked, unsigned count, const char *text)
{
    struct netburst_selection selected[24];
    struct netburst_demand demands[24];
    struct netburst_place places[24];
    char conflict[NETBURST_CONFLICT];

    for (unsigned i = 0; i < count; i++) {
        selected[i] = names_select(&nocona, asked[i], NETBURST_T0);
        demands[i] = (struct netburst_demand){asked[i], &selected[i], NETBURST_ANY};
    }
    assert_false(netburst_match(places, demands, count, NETBURST_ANY, conflict));
    assert_string_equal(conflict, text);
}

static void a_conflict_names_the_events_and_what_they_need(void **state)
{
    static const char *const bus[] = {"instr_retired:NBOGUSNTAG", "BSQ_allocation:REQ_TYPE0",
                                      "uops_retired:NBOGUS", "BSQ_allocation:REQ_TYPE1"};
    static const char *const three[] = {"page_walk_type:DTMISS", "uops_retired:NBOGUS",
                                        "instr_retired:NBOGUSNTAG", "instr_completed:NBOGUS"};
    static const char *const same[] = {"BSQ_allocation:MEM_TYPE0", "BSQ_allocation:MEM_TYPE0",
                                       "BSQ_allocation:MEM_TYPE0"};
    static const char *const replay[] = {"replay_event:DTLB_load_miss_retired",
                                         "replay_event:l1_cache_load_miss_retired"};
    static const char *const matrix[] = {"replay_event:DTLB_load_miss_retired",
                                         "replay_event:DTLB_all_miss_retired"};
    static const char *const loads[] = {"front_end_event:memory_loads",
                                        "front_end_event:memory_stores"};
    static const char *const packed[] = {"execution_event:packed_SP_retired",
                                         "execution_event:packed_DP_retired"};

    (void)state;
    expect_conflict(bus, 4,
                    "BSQ_allocation:REQ_TYPE0 and BSQ_allocation:REQ_TYPE1 need different values "
                    "of MSR_BSU_ESCR0");
    expect_conflict(three, 4,
                    "uops_retired:NBOGUS, instr_retired:NBOGUSNTAG and instr_completed:NBOGUS need "
                    "different values of MSR_CRU_ESCR0 and MSR_CRU_ESCR1");
    expect_conflict(same, 3,
                    "BSQ_allocation:MEM_TYPE0, BSQ_allocation:MEM_TYPE0 and "
                    "BSQ_allocation:MEM_TYPE0 need 3 different ones of these counters, as far as "
                    "their ESCRs go: 0, 1");
    expect_conflict(replay, 2,
                    "replay_event:DTLB_load_miss_retired and replay_event:l1_cache_load_miss_"
                    "retired need MSR_PEBS_ENABLE for tags that exclude each other");
    expect_conflict(matrix, 2,
                    "replay_event:DTLB_load_miss_retired and replay_event:DTLB_all_miss_retired "
                    "need MSR_PEBS_MATRIX_VERT for tags that exclude each other");
    expect_conflict(loads, 2,
                    "front_end_event:memory_loads and front_end_event:memory_stores need "
                    "MSR_RAT_ESCR0 for tags that exclude each other");
    expect_conflict(packed, 2,
                    "execution_event:packed_SP_retired and execution_event:packed_DP_retired need "
                    "MSR_FIRM_ESCR0 for tags that exclude each other");
}

/* First fit would put the first event on ESCR 0, where only the second can be. */
static void a_choice_that_must_be_taken_back_is(void **state)
{
    static const char *const asked[] = {"BSQ_cache_reference:RD_2ndL_HITS",
                                        "BSQ_allocation:REQ_TYPE0"};
    struct netburst_selection selected[2];
    struct netburst_demand demands[2];
    struct netburst_place places[2];
    char conflict[NETBURST_CONFLICT];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        selected[i] = names_select(&nocona, asked[i], NETBURST_T0);
        demands[i] = (struct netburst_demand){asked[i], &selected[i], NETBURST_ANY};
    }
    assert_true(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    assert_int_equal(netburst_escrs[places[0].escr].address, 0x3a1);
    assert_int_equal(netburst_escrs[places[1].escr].address, 0x3a0);
}

/* Nine pairs of counters: 18 events, and not one more. */
static void eighteen_events_fill_all_counters_and_a_nineteenth_is_named(void **state)
{
    static const char *const asked[] = {"global_power_events",
                                        "global_power_events",
                                        "bnr:BIT0",
                                        "bnr:BIT0",
                                        "uop_queue_writes:FROM_ROM",
                                        "uop_queue_writes:FROM_ROM",
                                        "TC_deliver_mode:DI",
                                        "TC_deliver_mode:DI",
                                        "packed_SP_uop",
                                        "packed_SP_uop",
                                        "packed_DP_uop",
                                        "packed_DP_uop",
                                        "uops_retired:NBOGUS",
                                        "uops_retired:BOGUS",
                                        "branch_retired:MMTP",
                                        "branch_retired:MMTM",
                                        "resource_stall",
                                        "resource_stall",
                                        "machine_clear:CLEAR"};
    struct netburst_selection selected[19];
    struct netburst_demand demands[19];
    struct netburst_place places[19];
    char conflict[NETBURST_CONFLICT];
    uint32_t used = 0;

    (void)state;
    for (unsigned i = 0; i < 19; i++) {
        selected[i] = names_select(&nocona, asked[i], NETBURST_T0);
        demands[i] = (struct netburst_demand){asked[i], &selected[i], NETBURST_ANY};
    }
    assert_true(netburst_match(places, demands, 18, NETBURST_ANY, conflict));
    places_check(places, demands, 18);
    for (unsigned i = 0; i < 18; i++)
        used |= 1u << places[i].counter;
    assert_int_equal(used, 0x3ffff);
    assert_false(netburst_match(places, demands, 19, NETBURST_ANY, conflict));
    assert_non_null(strstr(conflict, "machine_clear:CLEAR"));
    assert_false(netburst_match(places, demands, 18, 0x3fffe, conflict));
    assert_non_null(strstr(conflict, "counters"));
}

static void the_logical_processors_share_an_escr_only_with_one_value(void **state)
{
    static const char name[] = "BSQ_allocation:REQ_TYPE0";
    struct netburst_selection selected[2];
    struct netburst_demand demands[2] = {{name, &selected[0], NETBURST_ANY},
                                         {name, &selected[1], NETBURST_ANY}};
    struct netburst_place places[2];
    char conflict[NETBURST_CONFLICT];

    (void)state;
    selected[0] = names_select(&nocona, name, NETBURST_T0);
    selected[1] = names_select(&nocona, name, NETBURST_T1);
    assert_false(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    selected[0] = names_select(&nocona, name, NETBURST_BOTH);
    selected[1] = names_select(&nocona, name, NETBURST_BOTH);
    assert_true(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    assert_int_equal(places[0].escr, places[1].escr);
    assert_int_not_equal(places[0].counter, places[1].counter);
}

static void each_logical_processor_can_tag_loads_or_stores_of_its_own(void **state)
{
    struct netburst_selection selected[2];
    struct netburst_demand demands[2] = {{"loads", &selected[0], NETBURST_ANY},
                                         {"stores", &selected[1], NETBURST_ANY}};
    struct netburst_place places[2];
    char conflict[NETBURST_CONFLICT];

    (void)state;
    selected[0] = names_select(&nocona, "front_end_event:memory_loads", NETBURST_T0);
    selected[1] = names_select(&nocona, "front_end_event:memory_stores", NETBURST_T1);
    assert_true(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    places_check(places, demands, 2);
    assert_int_not_equal(places[0].upstream_escr, places[1].upstream_escr);
    selected[1] = names_select(&nocona, "front_end_event:memory_stores", NETBURST_BOTH);
    assert_false(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
}

static void register_values_take_their_counter_and_no_other(void **state)
{
    struct netburst_selection selected[2];
    struct netburst_demand demands[2];
    struct netburst_place places[2];
    struct netburst_raw raw;
    struct complaint complaint;
    char conflict[NETBURST_CONFLICT];
    static const char text[] = "0x39000/0x4000204@16";

    (void)state;
    assert_true(netburst_raw_read(&raw, &prescott, names_slice(text), &nocona, false, &complaint));
    demands[0] = netburst_raw_demand(&raw, text, &selected[0]);
    demands[1] = demands[0];
    assert_true(netburst_match(places, demands, 1, NETBURST_ANY, conflict));
    assert_int_equal(places[0].counter, 16);
    assert_int_equal(netburst_escrs[places[0].escr].address, 0x3b8);
    assert_false(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    assert_string_equal(conflict, "0x39000/0x4000204@16 and 0x39000/0x4000204@16 need 2 different "
                                  "ones of these counters, as far as their ESCRs go: 16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conflict_names_the_events_and_what_they_need),
        cmocka_unit_test(a_choice_that_must_be_taken_back_is),
        cmocka_unit_test(eighteen_events_fill_all_counters_and_a_nineteenth_is_named),
        cmocka_unit_test(the_logical_processors_share_an_escr_only_with_one_value),
        cmocka_unit_test(each_logical_processor_can_tag_loads_or_stores_of_its_own),
        cmocka_unit_test(register_values_take_their_counter_and_no_other),
    };
    int failed = cmocka_run_group_tests(tests, names_open, NULL);

    tests_free();
    return failed;
}
