/* Events that a user names: what a text means on which core, how it is planned, and what is refused
 * where. Values of registers are worked out from the SDM's field positions. */
#include "pmu/intel/kind.h"
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/text.h"
#include "harness/plan/asked_events.h"
#include "harness/plan/selection_events.h"
#include "harness/window/measurement.h"
#include "pmu/intel/selector.h"
#include "tests/unit/descriptions.h"

static const struct facts skylake = {.kind = &intel_kind,
                                     .intel = true,
                                     .family = 6,
                                     .model = 0x55,
                                     .version = 4,
                                     .general_count = 8,
                                     .general_width = 48,
                                     .fixed_count = 3,
                                     .fixed_mask = 7,
                                     .fixed_width = 48,
                                     .architectural_events = 0x7f,
                                     .any_thread = true,
                                     .full_width_write = true};
/* Nocona alone, and as either logical processor of a core. */
static const struct facts nocona = {.intel = true,
                                    .family = 15,
                                    .model = 4,
                                    .stepping = 1,
                                    .kind = &netburst_kind,
                                    .threads_per_core = 1};
static const struct facts first = {.intel = true,
                                   .family = 15,
                                   .model = 4,
                                   .stepping = 1,
                                   .kind = &netburst_kind,
                                   .threads_per_core = 2};
static const struct facts second = {.intel = true,
                                    .family = 15,
                                    .model = 4,
                                    .stepping = 1,
                                    .kind = &netburst_kind,
                                    .threads_per_core = 2,
                                    .smt_id = 1};

static struct description skylakex, prescott;
static struct pool pool = {.allocate = tests_allocate, .chunk = 4096};

static int parse_descriptions(void **state)
{
    (void)state;
    tests_builtin(&skylakex, "skylakex");
    tests_builtin(&prescott, "prescott");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static const struct event *asked_on(const struct facts *facts, const char *text)
{
    const struct description *description = facts->kind == &netburst_kind ? &prescott : &skylakex;
    const struct event *event = NULL;
    struct complaint complaint;

    if (asked_event(&event, text, description, facts, &pool, &complaint) != RC_OK)
        fail_msg("%s: %s", text, complaint.message);
    return event;
}

/* The text is refused at that column, with these words in the message and in what is expected. */
static void refused_on(const struct facts *facts, const char *text, uint32_t column,
                       const char *message, const char *expected)
{
    const struct description *description = facts->kind == &netburst_kind ? &prescott : &skylakex;
    const struct event *event;
    struct complaint complaint;

    assert_int_equal(asked_event(&event, text, description, facts, &pool, &complaint),
                     RC_BAD_INPUT);
    assert_int_equal(complaint.column, column);
    if (strstr(complaint.message, message) == NULL)
        fail_msg("%s: '%s' is not in '%s'", text, message, complaint.message);
    if (strstr(complaint.expected, expected) == NULL)
        fail_msg("%s: '%s' is not in '%s'", text, expected, complaint.expected);
}

static void plan_of(struct plan *plan, const struct facts *facts, const char *text)
{
    const struct event *event = asked_on(facts, text);

    assert_int_equal(plan_make(plan, facts, facts->kind == &netburst_kind ? &prescott : &skylakex,
                               &event, NULL, 1, &tests_pool),
                     RC_OK);
}

/* The reason why the core does not count it. */
static const char *missing_on(const struct facts *facts, const char *text)
{
    struct plan plan;

    plan_of(&plan, facts, text);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].event->name, text);
    return plan.missing[0].reason;
}

/* The last value that the first pass writes to the register. */
static uint64_t written(const struct plan *plan, uint32_t msr)
{
    const struct pass *pass = &plan->passes[0];

    assert_int_equal(plan->pass_count, 1);
    assert_int_equal(plan->missing_count, 0);
    for (unsigned i = pass->setup_count; i > 0; i--)
        if (pass->setup[i - 1].msr == msr)
            return pass->setup[i - 1].value;
    fail_msg("MSR 0x%x is not written", msr);
    return 0;
}

static void a_name_of_the_description_is_that_event(void **state)
{
    (void)state;
    assert_ptr_equal(asked_on(&skylake, "MEM_LOAD_RETIRED.L1_MISS"),
                     description_event(&skylakex, "MEM_LOAD_RETIRED.L1_MISS"));
    assert_ptr_equal(asked_on(&skylake, "INST_RETIRED.ANY"),
                     description_event(&skylakex, "INST_RETIRED.ANY"));
    assert_ptr_equal(asked_on(&nocona, "BR_INST_RETIRED.NEAR_TAKEN"),
                     description_event(&prescott, "BR_INST_RETIRED.NEAR_TAKEN"));
    assert_ptr_equal(asked_on(&nocona, "replay_event:split_load_retired")->own, NULL);
}

static void a_raw_selector_is_event_select_then_unit_mask(void **state)
{
    struct plan plan;

    (void)state;
    plan_of(&plan, &skylake, "0xC000");
    assert_int_equal(written(&plan, 0x186), 0x4300c0); /* EN, OS, USR; UMASK 00, event C0 */
    assert_string_equal(plan.passes[0].readings[3].event->name, "0xC000");
    assert_int_equal(plan.passes[0].readings[3].kind, READING_GENERAL);
    plan_of(&plan, &skylake, "0xc401");
    assert_int_equal(written(&plan, 0x186), 0x4301c4);
}

/* T0_USR is bit 2 of an ESCR, T0_OS bit 3. */
static void an_event_of_netburst_knows_its_rings(void **state)
{
    (void)state;
    assert_int_equal(asked_on(&nocona, "0x00039000/0x04000604@12")->rings, RINGS_USER);
    assert_int_equal(asked_on(&nocona, "0x00039000/0x04000608@12")->rings, RINGS_KERNEL);
    assert_int_equal(asked_on(&nocona, "0x00039000/0x0400060C@12")->rings, RINGS_ALL);
    assert_int_equal(asked_on(&nocona, "instr_retired:NBOGUSNTAG:u")->rings, RINGS_USER);
    assert_int_equal(asked_on(&nocona, "instr_retired:NBOGUSNTAG")->rings, RINGS_ALL);
    assert_non_null(asked_on(&nocona, "0x0003D000/0x0600C205@0x80000000")->note);
    assert_null(asked_on(&nocona, "0x00039000/0x04000604@12")->note);
}

static void modifiers_of_a_raw_selector_are_the_fields_of_that_name(void **state)
{
    struct plan plan;

    (void)state;
    plan_of(&plan, &skylake, "0xC401:cmask=2");
    assert_int_equal(written(&plan, 0x186), 0x24301c4);
    plan_of(&plan, &skylake, "0xC401:cmask=0xff:inv:edge:any");
    assert_true(written(&plan, 0x186) == 0xffe701c4);
    plan_of(&plan, &skylake, "0xC401:edge");
    assert_int_equal(written(&plan, 0x186), 0x4701c4);
    plan_of(&plan, &skylake, "0xC401:k"); /* OS, bit 17 */
    assert_int_equal(written(&plan, 0x186), 0x4201c4);
    plan_of(&plan, &skylake, "0xC401:u:edge"); /* USR, bit 16 */
    assert_int_equal(written(&plan, 0x186), 0x4501c4);
}

/* MEM_INST_RETIRED.ALL_LOADS is 0xD0, 0x81 on counters 0 to 3; OFFCORE_RESPONSE is 0xB7, 0x01. */
static void a_raw_selector_keeps_the_limits_of_the_event_that_it_is(void **state)
{
    (void)state;
    assert_int_equal(asked_on(&skylake, "0xD081")->counters, 0xf);
    assert_int_equal(asked_on(&skylake, "0xD081:cmask=1")->counters, 0xf);
    assert_true(asked_on(&skylake, "0xC000")->counters == UINT32_MAX);
    assert_non_null(strstr(missing_on(&skylake, "0xB701"), "another register"));
    assert_non_null(strstr(missing_on(&skylake, "0xBB01"), "another register"));
}

static void anything_else_that_looks_like_a_selector_is_refused(void **state)
{
    static const char *const malformed[] = {"0x",      "0xC0",  "0xC00",   "0xC0000", "0xG000",
                                            "0xC000c", "0XC00", "0xC000=", "0xC00:",  "0x:cmask=1"};
    static const char *const modifiers[] = {
        "0xC000:",         "0xC000:cmask=256", "0xC000:cmask=",  "0xC000:c1",
        "0xC000:inverted", "0xC000:e",         "0xC000:cmask=-1"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(malformed); i++)
        refused_on(&skylake, malformed[i], 1, "not a raw selector", "0xEEUU");
    for (size_t i = 0; i < COUNT_OF(modifiers); i++)
        refused_on(&skylake, modifiers[i], 7, "not a modifier", ":cmask=N");
    refused_on(&skylake, "0xC000:edge:edge", 12, "not a modifier", "at most once");
    refused_on(&skylake, "0xC000:u:k", 9, "not a modifier", ":u or :k");
    refused_on(&skylake, "0xC000:cmask=1:cmask=1", 15, "not a modifier", "at most once");
    refused_on(&skylake, "0x00C0", 1, "event select 0", "such as 0xC000");
    refused_on(&skylake, "0xC000:inv", 1, "inv", ":cmask=N");
}

/* Of a core that cannot count nobody knows what its selectors are like. */
static void a_selector_for_a_core_that_cannot_count_is_an_event_that_says_why(void **state)
{
    static const struct facts other = {.absent = "not an Intel processor"};
    const struct event *event = asked_on(&other, "0xC000");

    (void)state;
    assert_int_equal(event->kind, EVENT_OUTSIDE);
    assert_string_equal(event->why, "not an Intel processor");
    assert_string_equal(event->name, "0xC000");
}

static void an_unknown_name_is_refused_with_the_most_similar_one(void **state)
{
    (void)state;
    refused_on(&skylake, "MEM_LOAD_RETIRED.L1_MISSES", 1,
               "skylakex has no event MEM_LOAD_RETIRED.L1_MISSES",
               "cpu\\skylakex.def, such as MEM_LOAD_RETIRED.L1_MISS,");
    refused_on(&skylake, "instr_retired:NBOGUSNTAG", 1, "no event instr_retired", "skylakex");
    refused_on(&skylake, "0x00039000/0x04000204@12", 1, "no CCCR", "0xEEUU");
}

static void names_of_netburst_take_masks_rings_and_thresholds(void **state)
{
    struct plan plan;

    (void)state;
    plan_of(&plan, &nocona, "instr_retired:NBOGUSNTAG:NBOGUSTAG:k");
    assert_int_equal(written(&plan, 0x3b8), 0x04000608); /* select 02, mask 3, T0_OS */
    assert_int_equal(plan.passes[0].enable.value, 0x39000);
    assert_string_equal(plan.passes[0].readings[0].event->name,
                        "instr_retired:NBOGUSNTAG:NBOGUSTAG:k");
    plan_of(&plan, &nocona, "instr_retired:NBOGUSNTAG:thr=2:e");
    /* EDGE, threshold 2, COMPARE */
    assert_int_equal(plan.passes[0].enable.value, 0x39000 | 1 << 24 | 2 << 20 | 1 << 18);
    refused_on(&nocona, "instr_retired:NBOGUS", 15, "has no mask 'NBOGUS'", "NBOGUSNTAG");
    refused_on(&nocona, "instr_retired", 14, "needs a mask", "NBOGUSNTAG");
    refused_on(&nocona, "nothing:A", 1, "'nothing' is no event of prescott", "instr_retired");
    refused_on(&nocona, "uop_type:TAGLOADS", 1, "counts none", "front_end_event");
    refused_on(&nocona, "0xC000", 1, "raw selector", "CCCR/ESCR@COUNTER");
}

/* SDM example 18-2 in ring 0 too: 0x0400060c. Bit 31 of the counter asks for 32 of its 40 bits; all
 * are read. */
static void register_values_are_written_as_they_are(void **state)
{
    struct plan plan;

    (void)state;
    plan_of(&plan, &nocona, "0x00039000/0x0400060C@0x8000000D");
    assert_int_equal(written(&plan, 0x3b8), 0x0400060c); /* MSR_CRU_ESCR0 */
    assert_int_equal(written(&plan, 0x36d), 0x00038000); /* MSR_IQ_CCCR1, without ENABLE */
    assert_int_equal(written(&plan, 0x30d), 0);
    assert_int_equal(plan.passes[0].enable.msr, 0x36d);
    assert_int_equal(plan.passes[0].enable.value, 0x39000);
    assert_int_equal(plan.passes[0].disable, 0x38000);
    assert_int_equal(plan.passes[0].readings[0].counter, 13);
    refused_on(&nocona, "0x39000/0x4000204@4", 19, "MSR_MS_CCCR0", "12, 13");
    refused_on(&nocona, "0x39000/0x84000204@12", 9, "reserved", "0 in all");
}

static void register_values_that_would_count_wrongly_are_missing(void **state)
{
    (void)state;
    /* CASCADE without ENABLE; OVF_PMI_T0; replay_event, which counts tagged uops; uop_type */
    assert_non_null(strstr(missing_on(&nocona, "0x40038000/0x0400060C@13"), "ENABLE"));
    assert_non_null(strstr(missing_on(&nocona, "0x04039000/0x0400060C@13"), "interrupt"));
    assert_non_null(strstr(missing_on(&nocona, "0x3b000/0x1200020C@12"), "tagged uops"));
    assert_non_null(strstr(missing_on(&nocona, "0x35000/0x0400040C@12"), "counts none"));
}

static void each_logical_processor_counts_with_its_own_half_and_for_itself(void **state)
{
    struct plan plan;

    (void)state;
    plan_of(&plan, &second, "0x39000/0x04000603@14");
    assert_int_equal(written(&plan, 0x3b9), 0x04000603); /* MSR_CRU_ESCR1 */
    assert_non_null(strstr(missing_on(&second, "0x39000/0x0400060C@12"), "other logical"));
    assert_non_null(strstr(missing_on(&first, "0x39000/0x04000603@14"), "other logical"));
    assert_non_null(strstr(missing_on(&first, "0x39000/0x04000603@12"), "other logical"));
    assert_non_null(strstr(missing_on(&first, "0x39000/0x0400060F@12"), "both logical"));
    plan_of(&plan, &first, "0x39000/0x0400060C@12");
    assert_int_equal(written(&plan, 0x3b8), 0x0400060c);
}

static void what_another_kind_of_core_knows_is_missing_with_the_reason(void **state)
{
    const struct event *event = asked_event_unknown("A.B", &skylakex, &pool);
    struct plan plan;

    (void)state;
    assert_int_equal(plan_make(&plan, &skylake, &skylakex, &event, NULL, 1, &tests_pool), RC_OK);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].event->name, "A.B");
    assert_string_equal(plan.missing[0].reason, "cpu\\skylakex.def has no such event");
}

static void asked_events_come_last_and_each_once(void **state)
{
    const struct counts given = {.description = &skylakex};
    struct asked_events asked = {.count = 2};
    struct selection selection;
    const struct event *events[PLAN_EVENTS];
    uint16_t families[PLAN_EVENTS + 1];
    unsigned without, with;

    (void)state;
    selection_levels(&selection, &skylakex, 2);
    without = selection_events(&selection, &given, events, families);
    asked.events[0] = asked_on(&skylake, "INST_RETIRED.ANY"); /* which CPI needs anyway */
    asked.events[1] = asked_on(&skylake, "0xC000");
    selection.asked = &asked;
    memset(families, 0xff, sizeof(families));
    with = selection_events(&selection, &given, events, families);
    assert_int_equal(with, without + 1);
    assert_ptr_equal(events[without], asked.events[1]);
    assert_int_equal(families[without], 0);
}

/* The most that a run can ask for, on cores with few counters. */
static void the_whole_tree_and_16_events_more_always_fit(void **state)
{
    struct facts few = skylake;
    struct asked_events asked = {.count = ASKED_EVENTS};

    (void)state;
    few.general_count = 4;
    for (unsigned i = 0; i < ASKED_EVENTS; i++) {
        char text[] = "0x7F00";

        text[5] = "0123456789ABCDEF"[i];
        asked.events[i] = asked_on(&skylake, text);
    }
    for (unsigned c = 0; builtin_name(c) != NULL; c++) {
        struct description description;
        struct selection selection;
        const struct counts given = {.description = &description};
        const struct event *events[PLAN_EVENTS];
        uint16_t families[PLAN_EVENTS + 1];
        unsigned count, passes;

        tests_builtin(&description, builtin_name(c));
        selection_levels(&selection, &description, selection_depth(&description));
        selection.both = 1;
        selection.asked = &asked;
        count = selection_events(&selection, &given, events, families);
        assert_true(count < PLAN_EVENTS);
        assert_ptr_equal(events[count - 1], asked.events[ASKED_EVENTS - 1]);
        assert_int_equal(plan_passes(&passes, &few, &description, events, count), RC_OK);
        if (passes > MEASUREMENT_PASSES)
            fail_msg("%s takes %u passes", description.name, passes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_of_the_description_is_that_event),
        cmocka_unit_test(a_raw_selector_is_event_select_then_unit_mask),
        cmocka_unit_test(an_event_of_netburst_knows_its_rings),
        cmocka_unit_test(modifiers_of_a_raw_selector_are_the_fields_of_that_name),
        cmocka_unit_test(a_raw_selector_keeps_the_limits_of_the_event_that_it_is),
        cmocka_unit_test(anything_else_that_looks_like_a_selector_is_refused),
        cmocka_unit_test(a_selector_for_a_core_that_cannot_count_is_an_event_that_says_why),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_most_similar_one),
        cmocka_unit_test(names_of_netburst_take_masks_rings_and_thresholds),
        cmocka_unit_test(register_values_are_written_as_they_are),
        cmocka_unit_test(register_values_that_would_count_wrongly_are_missing),
        cmocka_unit_test(each_logical_processor_counts_with_its_own_half_and_for_itself),
        cmocka_unit_test(what_another_kind_of_core_knows_is_missing_with_the_reason),
        cmocka_unit_test(asked_events_come_last_and_each_once),
        cmocka_unit_test(the_whole_tree_and_16_events_more_always_fit),
    };

    return cmocka_run_group_tests(tests, parse_descriptions, tear_down);
}
