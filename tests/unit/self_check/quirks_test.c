/* Errata of counters that the description states: what is written before counters are selected, and
 * which events are not counted by both threads of a core. Values and codes are Linux's
 * (arch/x86/events/intel/core.c, intel_pmu_nhm_workaround and intel_ht_bug). */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/plan.h"
#include "tests/unit/descriptions.h"

#define EVENTS                                                                                     \
    "event INST_RETIRED.ANY - fixed 0\nevent LOADS 0xd0 umask 0x81 counters 0-3\n"                 \
    "event STALLS 0xa2 umask 0x01\n"

static const struct facts core = {.kind = &intel_kind,
                                  .intel = true,
                                  .version = 3,
                                  .general_count = 4,
                                  .general_width = 48,
                                  .fixed_count = 3,
                                  .fixed_mask = 7,
                                  .fixed_width = 48};

static struct description description;
static struct plan plan;

static enum rc plan_with(const struct facts *facts)
{
    const struct event *events[] = {description_event(&description, "LOADS"),
                                    description_event(&description, "STALLS")};

    return plan_make(&plan, facts, &description, events, NULL, 2, &tests_pool);
}

static void parse(const char *text)
{
    struct complaint complaint;

    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
}

static void counters_are_primed_before_they_are_selected(void **state)
{
    static const struct msr_value expected[] = {
        {0x38f, 0}, {0x186, 0x4300b5}, {0xc1, 0}, {0x187, 0x4300d2}, {0xc2, 0},  {0x188, 0x4300b1},
        {0xc3, 0},  {0x189, 0x4300b1}, {0xc4, 0}, {0x38f, 0xf},      {0x38f, 0},
    };
    struct facts facts = core;
    unsigned selects = 0;

    (void)state;
    parse("cpu test\nprime 0x4300b5 0x4300d2 0x4300b1 0x4300b1\n" EVENTS);
    facts.quirks = description.quirks;
    assert_int_equal(plan_with(&facts), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    for (unsigned i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        assert_int_equal(plan.passes[0].setup[i].msr, expected[i].msr);
        assert_int_equal(plan.passes[0].setup[i].value, expected[i].value);
    }
    /* Then every counter gets its own select: the last write counts. */
    for (unsigned i = 11; i < plan.passes[0].setup_count; i++)
        selects += plan.passes[0].setup[i].msr >= 0x186 && plan.passes[0].setup[i].msr <= 0x189;
    assert_int_equal(selects, 4);
    assert_int_equal(pass_starts(plan.passes[0].setup, plan.passes[0].setup_count), 1);
    facts.quirks = (struct quirks){0};
    assert_int_equal(plan_with(&facts), RC_OK);
    assert_int_equal(pass_starts(plan.passes[0].setup, plan.passes[0].setup_count), 0);
}

static void memory_events_are_not_counted_by_both_threads(void **state)
{
    struct facts facts = core;

    (void)state;
    parse("cpu test\nleaks 0xd0 0xd1 0xd2 0xd3\n" EVENTS);
    facts.quirks = description.quirks;
    assert_int_equal(plan_with(&facts), RC_OK);
    assert_int_equal(plan.missing_count, 0); /* one thread counts: nothing is disturbed */
    facts.both_count = true;
    assert_int_equal(plan_with(&facts), RC_OK);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].event->name, "LOADS");
    assert_string_equal(plan.missing[0].reason,
                        "it would count in the other thread's counters, which count too");
    facts.quirks = (struct quirks){0};
    assert_int_equal(plan_with(&facts), RC_OK);
    assert_int_equal(plan.missing_count, 0);
}

static void a_refused_event_is_missing_with_its_reason(void **state)
{
    (void)state;
    parse("cpu test\n" EVENTS "refuse LOADS it counts wrongly here\n");
    assert_int_equal(plan_with(&core), RC_OK);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].event->name, "LOADS");
    assert_string_equal(plan.missing[0].reason, "it counts wrongly here");
}

/* pmu-tools, latego.py: events D1H/04H, D1H/20H and CDH/01H. */
static void sandy_bridge_ep_counts_no_loads_of_l3(void **state)
{
    (void)state;
    tests_builtin(&description, "jaketown");
    for (unsigned i = 0; i < description.event_count; i++) {
        const struct event *event = &description.events[i];
        const bool l3 = (event->code == 0xd1 && (event->umask == 0x04 || event->umask == 0x20)) ||
                        (event->code == 0xcd && event->umask == 0x01);

        assert_int_equal(event->why != NULL && event->kind == EVENT_GENERAL, l3);
    }
    tests_builtin(&description, "sandybridge");
    assert_null(description_event(&description, "MEM_LOAD_UOPS_RETIRED.LLC_HIT")->why);
}

static void bad_statements_are_refused(void **state)
{
    static const char *const bad[] = {
        "cpu test\nprime 0x4300b5\n",
        "cpu test\nprime 1 2 3 0x100000000\n",
        "cpu test\nprime 1 2 3 4 5\n",
        "cpu test\nprime\n",
        "cpu test\nleaks\n",
        "cpu test\nleaks 0x100\n",
        "cpu test\nleaks 1 2 3 4 5\n",
        "cpu test\nleaks none 1\n",
        "cpu test\nleaks 1\nleaks none\n",
        "cpu test\nrefuse LOADS why\n",
        "cpu test\n" EVENTS "refuse LOADS\n",
    };
    struct complaint complaint;

    (void)state;
    for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_int_equal(tests_parse(&description, bad[i], &complaint), RC_BAD_INPUT);
    parse("cpu test\nprime none\nleaks none\n");
    assert_int_equal(description.quirks.prime[0], 0);
    assert_int_equal(description.quirks.leak_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_primed_before_they_are_selected),
        cmocka_unit_test(memory_events_are_not_counted_by_both_threads),
        cmocka_unit_test(a_refused_event_is_missing_with_its_reason),
        cmocka_unit_test(sandy_bridge_ep_counts_no_loads_of_l3),
        cmocka_unit_test(bad_statements_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
