/* Places of NetBurst's events: there is one exactly when a search of everything finds one, it is
 * one that the hardware has, and a conflict is told by the names of events and registers. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/netburst/match.h"
#include "pmu/netburst/tags.h"
#include "tests/unit/descriptions.h"

#define NAMES 160
#define MOST  6 /* events of a set */

static struct description prescott;
static const struct netburst_core nocona = {4, 1};

/* Every event that can be asked for, in rings 1 to 3 and in ring 0. */
static char names[NAMES][96];
static struct netburst_selection selections[NAMES];
static unsigned name_count;

static void select_name(struct netburst_selection *selection, const char *name, unsigned threads)
{
    struct complaint complaint;

    if (!netburst_select(selection, &prescott, (struct slice){name, strlen(name)}, &nocona, threads,
                         &complaint))
        fail_msg("%s: %s", name, complaint.message);
}

static void add_name(const char *event, const char *mask)
{
    for (unsigned ring = 0; ring < 2; ring++) {
        assert_true(name_count < NAMES);
        snprintf(names[name_count], sizeof(names[0]), "%s:%s:%c", event, mask, "uk"[ring]);
        select_name(&selections[name_count], names[name_count], NETBURST_T0);
        name_count++;
    }
}

static int list_names(void **state)
{
    (void)state;
    tests_builtin(&prescott, "prescott");
    for (unsigned i = 0; i < prescott.event_count; i++) {
        const struct netburst_event *event = prescott.events[i].escr;

        if (prescott.events[i].kind != EVENT_ESCR)
            continue;
        if (!event->tags_only && event->tagged == NULL)
            add_name(event->name, event->masks[0].name);
        for (const struct netburst_tagged *t = event->tagged; t != NULL; t = t->next)
            add_name(event->name, t->name);
    }
    return 0;
}

/* --- a search of everything, after the rules and not after the code ----------------------------
 */

struct brute_need {
    uint32_t value;
    const uint8_t *escrs;
    unsigned escr_count;
};

struct brute {
    struct brute_need needs[2 * MOST];
    unsigned count;
    uint32_t values[NETBURST_ESCRS];
    bool counters[NETBURST_COUNTERS];
};

static bool brute_search(struct brute *brute, unsigned at)
{
    const struct brute_need *need = &brute->needs[at];

    if (at == brute->count)
        return true;
    for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
        for (unsigned e = 0; e < need->escr_count && !brute->counters[c]; e++) {
            const unsigned escr = need->escrs[e];
            const uint32_t before = brute->values[escr];

            if (!(netburst_escrs[escr].counters >> c & 1) || (before != 0 && before != need->value))
                continue;
            brute->values[escr] = need->value;
            brute->counters[c] = true;
            if (brute_search(brute, at + 1))
                return true;
            brute->values[escr] = before;
            brute->counters[c] = false;
        }
    return false;
}

static void brute_add(struct brute *brute, const struct netburst_choice *choice)
{
    brute->needs[brute->count++] = (struct brute_need){choice->value, choice->escrs, choice->count};
}

/* Tags: one replay metric at a time; execution metrics all have tag 0, and their upstream events do
 * not tell logical processors and rings apart; a front-end tag is told apart by its ring. */
static bool brute_tags_clash(unsigned a, unsigned b)
{
    const struct netburst_selection *x = &selections[a], *y = &selections[b];
    const char ring_a = names[a][strlen(names[a]) - 1], ring_b = names[b][strlen(names[b]) - 1];

    if (x->tagged == NULL || y->tagged == NULL || x->tagged == y->tagged || x->event != y->event)
        return false;
    return strcmp(x->event->name, "front_end_event") != 0 || ring_a == ring_b;
}

static bool brute_exists(const unsigned *chosen, unsigned count)
{
    struct brute brute = {.count = 0};

    for (unsigned i = 0; i < count; i++) {
        const struct netburst_choice *upstream = &selections[chosen[i]].upstream;
        bool stated = false;

        brute_add(&brute, &selections[chosen[i]].escr);
        for (unsigned j = 0; j < i; j++) {
            const struct netburst_choice *other = &selections[chosen[j]].upstream;

            if (brute_tags_clash(chosen[j], chosen[i]))
                return false;
            stated |= other->count > 0 && other->value == upstream->value &&
                      other->count == upstream->count && other->escrs[0] == upstream->escrs[0];
        }
        if (upstream->count > 0 && !stated)
            brute_add(&brute, upstream);
    }
    return brute_search(&brute, 0);
}

/* --- what is claimed ---------------------------------------------------------------------------
 */

static void check_used(const struct netburst_choice *choice, unsigned escr, unsigned counter,
                       uint32_t values[NETBURST_ESCRS])
{
    bool allowed = false;

    assert_true(escr < NETBURST_ESCRS && counter < NETBURST_COUNTERS);
    for (unsigned i = 0; i < choice->count; i++)
        allowed |= choice->escrs[i] == escr;
    assert_true(allowed);
    assert_true(netburst_escrs[escr].counters >> counter & 1);
    assert_true(values[escr] == 0 || values[escr] == choice->value);
    values[escr] = choice->value;
}

/* Each place is allowed, no counter has two events and no ESCR two values. */
static void check_places(const struct netburst_place *places, const struct netburst_demand *demands,
                         unsigned count)
{
    uint32_t values[NETBURST_ESCRS] = {0}, counters = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct netburst_selection *selection = demands[i].selection;

        check_used(&selection->escr, places[i].escr, places[i].counter, values);
        assert_false(counters >> places[i].counter & 1);
        counters |= 1u << places[i].counter;
        if (selection->upstream.count == 0) {
            assert_int_equal(places[i].upstream_escr, NETBURST_NONE);
            continue;
        }
        check_used(&selection->upstream, places[i].upstream_escr, places[i].upstream_counter,
                   values);
    }
    for (unsigned i = 0; i < count; i++) /* a tagging ESCR's counter is no event's */
        for (unsigned j = 0; j < count; j++)
            assert_int_not_equal(places[i].upstream_counter, places[j].counter);
}

static bool match(const unsigned *chosen, unsigned count, char conflict[NETBURST_CONFLICT])
{
    struct netburst_demand demands[NETBURST_COUNTERS + 2];
    struct netburst_place places[NETBURST_COUNTERS + 2];

    for (unsigned i = 0; i < count; i++)
        demands[i] =
            (struct netburst_demand){names[chosen[i]], &selections[chosen[i]], NETBURST_ANY};
    if (!netburst_match(places, demands, count, NETBURST_ANY, conflict))
        return false;
    check_places(places, demands, count);
    return true;
}

static void check_against_brute_force(const unsigned *chosen, unsigned count, unsigned tally[2])
{
    char conflict[NETBURST_CONFLICT];
    bool found = match(chosen, count, conflict);
    unsigned named = 0;

    if (found != brute_exists(chosen, count))
        fail_msg("%s, %s ...: %s", names[chosen[0]], names[chosen[1]], found ? "found" : conflict);
    tally[found]++;
    if (found)
        return;
    for (unsigned i = 0; i < count; i++)
        named += strstr(conflict, names[chosen[i]]) != NULL;
    assert_true(named >= 2);
    assert_true(strstr(conflict, "MSR_") != NULL || strstr(conflict, "counters") != NULL);
}

static void every_single_event_has_a_place(void **state)
{
    char conflict[NETBURST_CONFLICT];

    (void)state;
    assert_int_equal(name_count, 2 * (47 - 4 + 19));
    for (unsigned i = 0; i < name_count; i++)
        assert_true(match(&i, 1, conflict));
}

static void every_pair_has_places_exactly_when_there_are_any(void **state)
{
    unsigned tally[2] = {0, 0};

    (void)state;
    for (unsigned a = 0; a < name_count; a++)
        for (unsigned b = 0; b < name_count; b++) {
            const unsigned chosen[] = {a, b};

            check_against_brute_force(chosen, 2, tally);
        }
    print_message("# %u pairs have places, %u have none\n", tally[1], tally[0]);
    assert_true(tally[0] > 0 && tally[1] > tally[0]);
}

static void every_triple_has_places_exactly_when_there_are_any(void **state)
{
    unsigned tally[2] = {0, 0};

    (void)state;
    for (unsigned a = 0; a < name_count; a++)
        for (unsigned b = a; b < name_count; b++)
            for (unsigned c = b; c < name_count; c++) {
                const unsigned chosen[] = {a, b, c};

                check_against_brute_force(chosen, 3, tally);
            }
    print_message("# %u triples have places, %u have none\n", tally[1], tally[0]);
    assert_true(tally[0] > 0 && tally[1] > tally[0]);
}

/* xorshift64 */
static unsigned random_below(uint64_t *random, unsigned limit)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (unsigned)(*random >> 33) % limit;
}

static void sets_of_four_to_six_have_places_exactly_when_there_are_any(void **state)
{
    uint64_t random = 20261123;
    unsigned tally[2] = {0, 0};

    (void)state;
    for (unsigned run = 0; run < 50000; run++) {
        const unsigned count = 4 + random_below(&random, 3);
        unsigned chosen[MOST];
        const unsigned first = random_below(&random, name_count);

        for (unsigned i = 0; i < count; i++) /* neighbours are often of one unit */
            chosen[i] = run % 2 ? random_below(&random, name_count)
                                : (first + random_below(&random, 16)) % name_count;
        check_against_brute_force(chosen, count, tally);
    }
    print_message("# %u sets have places, %u have none\n", tally[1], tally[0]);
    assert_true(tally[0] > 10000 && tally[1] > 10000);
}

static void expect_conflict(const char *const *asked, unsigned count, const char *text)
{
    struct netburst_selection selected[24];
    struct netburst_demand demands[24];
    struct netburst_place places[24];
    char conflict[NETBURST_CONFLICT];

    for (unsigned i = 0; i < count; i++) {
        select_name(&selected[i], asked[i], NETBURST_T0);
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
        select_name(&selected[i], asked[i], NETBURST_T0);
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
        select_name(&selected[i], asked[i], NETBURST_T0);
        demands[i] = (struct netburst_demand){asked[i], &selected[i], NETBURST_ANY};
    }
    assert_true(netburst_match(places, demands, 18, NETBURST_ANY, conflict));
    check_places(places, demands, 18);
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
    select_name(&selected[0], name, NETBURST_T0);
    select_name(&selected[1], name, NETBURST_T1);
    assert_false(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    select_name(&selected[0], name, NETBURST_BOTH);
    select_name(&selected[1], name, NETBURST_BOTH);
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
    select_name(&selected[0], "front_end_event:memory_loads", NETBURST_T0);
    select_name(&selected[1], "front_end_event:memory_stores", NETBURST_T1);
    assert_true(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    check_places(places, demands, 2);
    assert_int_not_equal(places[0].upstream_escr, places[1].upstream_escr);
    select_name(&selected[1], "front_end_event:memory_stores", NETBURST_BOTH);
    assert_false(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
}

/* Two upstream ESCRs are there, so two kinds of uops at a time, each with a tag of its own. */
static void spread_tags_let_two_kinds_of_uops_be_counted_at_once(void **state)
{
    static const char *const asked[] = {"execution_event:packed_SP_retired:BOGUS0",
                                        "execution_event:packed_DP_retired",
                                        "execution_event:packed_SP_retired"};
    struct netburst_selection selected[3];
    struct netburst_demand demands[3];
    struct netburst_place places[3];
    char conflict[NETBURST_CONFLICT];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        select_name(&selected[i], asked[i], NETBURST_T0);
        demands[i] = (struct netburst_demand){asked[i], &selected[i], NETBURST_ANY};
    }
    netburst_tags_spread(selected, 3);
    assert_int_equal(selected[0].upstream.value, 0x1100003c); /* tag 1 */
    assert_int_equal(selected[0].escr.value, 0x1800200c);     /* BOGUS0 */
    assert_int_equal(selected[1].upstream.value, 0x1900005c); /* tag 2 */
    assert_int_equal(selected[1].escr.value, 0x1800040c);     /* NBOGUS1 */
    assert_int_equal(selected[2].upstream.value, 0x1100003c);
    assert_int_equal(selected[2].escr.value, 0x1800020c);
    assert_false(netburst_match(places, demands, 3, NETBURST_ANY, conflict)); /* 3 on CRU_ESCR2/3 */
    assert_string_equal(conflict,
                        "execution_event:packed_SP_retired:BOGUS0, execution_event:packed_DP_"
                        "retired and execution_event:packed_SP_retired need different values of "
                        "MSR_CRU_ESCR2 and MSR_CRU_ESCR3");
    assert_true(netburst_match(places, demands, 2, NETBURST_ANY, conflict));
    check_places(places, demands, 2);
}

static void a_tag_that_a_user_chose_is_left_to_him(void **state)
{
    struct netburst_selection selected[2];

    (void)state;
    select_name(&selected[0], "execution_event:packed_DP_retired", NETBURST_T0);
    select_name(&selected[1], "scalar_SP_uop:TAG0", NETBURST_T0);
    assert_non_null(netburst_tags_clash(&selected[0], &selected[1]));
    netburst_tags_spread(selected, 2);
    assert_null(netburst_tags_clash(&selected[0], &selected[1]));
    assert_int_equal(selected[0].upstream.value, 0x1900005c);
    assert_int_equal(selected[1].escr.value, 0x1500003c);
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
    assert_true(netburst_raw_read(&raw, &prescott, (struct slice){text, strlen(text)}, &nocona,
                                  false, &complaint));
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
        cmocka_unit_test(every_single_event_has_a_place),
        cmocka_unit_test(every_pair_has_places_exactly_when_there_are_any),
        cmocka_unit_test(every_triple_has_places_exactly_when_there_are_any),
        cmocka_unit_test(sets_of_four_to_six_have_places_exactly_when_there_are_any),
        cmocka_unit_test(a_conflict_names_the_events_and_what_they_need),
        cmocka_unit_test(a_choice_that_must_be_taken_back_is),
        cmocka_unit_test(eighteen_events_fill_all_counters_and_a_nineteenth_is_named),
        cmocka_unit_test(the_logical_processors_share_an_escr_only_with_one_value),
        cmocka_unit_test(each_logical_processor_can_tag_loads_or_stores_of_its_own),
        cmocka_unit_test(spread_tags_let_two_kinds_of_uops_be_counted_at_once),
        cmocka_unit_test(a_tag_that_a_user_chose_is_left_to_him),
        cmocka_unit_test(register_values_take_their_counter_and_no_other),
    };
    int failed = cmocka_run_group_tests(tests, list_names, NULL);

    tests_free();
    return failed;
}
