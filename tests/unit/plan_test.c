/* Plans: which values are written to which registers, and how few passes there are. The values are
 * worked out from the SDM's field positions. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/plan.h"
#include "pmu/topdown.h"
#include "tests/unit/descriptions.h"

static const struct facts skylake = {
    /* version 4, four general and three fixed counters of 48 bits */
    .kind = &intel_kind,
    .intel = true,
    .family = 6,
    .model = 0x55,
    .version = 4,
    .general_count = 4,
    .general_width = 48,
    .fixed_count = 3,
    .fixed_mask = 7,
    .fixed_width = 48,
    .architectural_events = 0x7f,
    .any_thread = true,
    .pdcm = true,
    .full_width_write = true,
};
static const struct facts icelake = {
    /* version 5, eight general and four fixed, PERF_METRICS */
    .kind = &intel_kind,
    .intel = true,
    .family = 6,
    .model = 0x6a,
    .version = 5,
    .general_count = 8,
    .general_width = 48,
    .fixed_count = 4,
    .fixed_mask = 0xf,
    .fixed_width = 48,
    .architectural_events = 0xff,
    .pdcm = true,
    .full_width_write = true,
    .perf_metrics = true,
};

static void find_events(const struct event **events, const struct description *description,
                        const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        events[i] = description_event(description, names[i]);
        assert_non_null(events[i]);
    }
}

static enum rc plan_of(struct plan *plan, const struct facts *facts,
                       const struct description *description, const char *const *names,
                       unsigned count)
{
    const struct event *events[PLAN_EVENTS];

    find_events(events, description, names, count);
    return plan_make(plan, facts, description, events, NULL, count, &tests_pool);
}

static void assert_writes(const struct msr_value *writes, unsigned count,
                          const struct msr_value *expected, unsigned expected_count)
{
    assert_int_equal(count, expected_count);
    for (unsigned i = 0; i < count; i++) {
        if (writes[i].msr != expected[i].msr || writes[i].value != expected[i].value)
            print_error("write %u: 0x%x = 0x%llx\n", i, writes[i].msr,
                        (unsigned long long)writes[i].value);
        assert_int_equal(writes[i].msr, expected[i].msr);
        assert_true(writes[i].value == expected[i].value);
    }
}

static const struct reading *reading_of(const struct pass *pass, const char *name)
{
    for (unsigned i = 0; i < pass->reading_count; i++)
        if (strcmp(pass->readings[i].event->name, name) == 0)
            return &pass->readings[i];
    return NULL;
}

static void a_version_4_pass_stops_clears_selects_and_zeroes_in_that_order(void **state)
{
    static const char *const names[] = {"IDQ_UOPS_NOT_DELIVERED.CORE", "MACHINE_CLEARS.COUNT",
                                        "INT_MISC.RECOVERY_CYCLES_ANY"};
    static const struct msr_value expected[] = {
        {0x38f, 0}, /* IA32_PERF_GLOBAL_CTRL */
        {0x390,
         1ULL << 58 | 1ULL << 59 | 7ULL << 32 | 0xf}, /* LBR_FRZ, CTR_FRZ, fixed 0-2, PMC0-3 */
        {0x38d, 0x333},     /* IA32_FIXED_CTR_CTRL: OS and USR of 0, 1, 2 */
        {0x186, 0x43019c},  /* EN, OS, USR; umask 01, event 9c */
        {0x187, 0x14701c3}, /* cmask 1, EN, EDGE, OS, USR */
        {0x188, 0x63010d},  /* ANY */
        {0x189, 0},
        {0x4c1, 0},
        {0x4c2, 0},
        {0x4c3, 0},
        {0x309, 0},
        {0x30a, 0},
        {0x30b, 0},
    };
    struct description description;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 3), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    assert_int_equal(plan.missing_count, 0);
    assert_writes(plan.passes[0].setup, plan.passes[0].setup_count, expected,
                  sizeof(expected) / sizeof(expected[0]));
    assert_int_equal(plan.passes[0].enable.msr, 0x38f);
    assert_true(plan.passes[0].enable.value == (7ULL << 32 | 7));
    assert_true(plan.passes[0].disable == 0);
    assert_int_equal(plan.passes[0].reading_count, 6);
    assert_int_equal(reading_of(&plan.passes[0], "CPU_CLK_UNHALTED.THREAD")->kind, READING_FIXED);
    assert_int_equal(reading_of(&plan.passes[0], "CPU_CLK_UNHALTED.THREAD")->counter, 1);
    assert_int_equal(reading_of(&plan.passes[0], "MACHINE_CLEARS.COUNT")->counter, 1);
}

static void a_perf_metrics_pass_clears_slots_then_metrics_and_enables_bits_35_and_48(void **state)
{
    static const char *const names[] = {"PERF_METRICS.RETIRING", "PERF_METRICS.FRONTEND_BOUND",
                                        "INT_MISC.UOP_DROPPING"};
    struct description description;
    struct plan plan;
    const struct pass *pass;
    unsigned slots = 0, metrics = 0;

    (void)state;
    tests_builtin(&description, "icelakex");
    assert_int_equal(plan_of(&plan, &icelake, &description, names, 3), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    pass = &plan.passes[0];
    for (unsigned i = 0; i < pass->setup_count; i++) {
        slots = pass->setup[i].msr == 0x30c ? i : slots;
        metrics = pass->setup[i].msr == 0x329 ? i : metrics;
        if (pass->setup[i].msr == 0x38d)
            assert_true(pass->setup[i].value == 0x3333);
        if (pass->setup[i].msr == 0x390)
            assert_true(pass->setup[i].value ==
                        (1ULL << 58 | 1ULL << 59 | 1ULL << 48 | 0xfULL << 32 | 0xff));
    }
    assert_true(slots > 0 && metrics == slots + 1 && metrics == pass->setup_count - 1);
    assert_true(pass->enable.value == (1ULL << 48 | 0xfULL << 32 | 1));
    assert_int_equal(reading_of(pass, "TOPDOWN.SLOTS:perf_metrics")->kind, READING_SLOTS);
    assert_int_equal(reading_of(pass, "PERF_METRICS.FRONTEND_BOUND")->kind, READING_METRIC);
    assert_int_equal(reading_of(pass, "PERF_METRICS.FRONTEND_BOUND")->field, 2);
}

static void plain_slots_are_on_fixed_counter_3_beside_the_metrics(void **state)
{
    static const char *const names[] = {"TOPDOWN.SLOTS", "PERF_METRICS.RETIRING"};
    struct description description;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "icelakex");
    assert_int_equal(plan_of(&plan, &icelake, &description, names, 2), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    assert_int_equal(reading_of(&plan.passes[0], "TOPDOWN.SLOTS")->kind, READING_FIXED);
    assert_int_equal(reading_of(&plan.passes[0], "TOPDOWN.SLOTS")->counter, 3);
    assert_int_equal(reading_of(&plan.passes[0], "TOPDOWN.SLOTS:perf_metrics")->kind,
                     READING_SLOTS);
}

static void without_perf_metrics_its_bytes_are_missing_and_slots_are_counted_generally(void **state)
{
    static const char *const names[] = {"PERF_METRICS.RETIRING", "TOPDOWN.SLOTS:perf_metrics",
                                        "TOPDOWN.SLOTS"};
    struct facts virtual = icelake;
    struct description description;
    struct plan plan;

    (void)state;
    virtual.perf_metrics = false;
    virtual.fixed_mask = 7;
    virtual.fixed_count = 3;
    tests_builtin(&description, "icelakex");
    assert_int_equal(plan_of(&plan, &virtual, &description, names, 3), RC_OK);
    assert_int_equal(plan.missing_count, 2);
    assert_string_equal(plan.missing[0].reason, "no PERF_METRICS on this core");
    assert_int_equal(reading_of(&plan.passes[0], "TOPDOWN.SLOTS")->kind, READING_GENERAL);
    for (unsigned i = 0; i < plan.passes[0].setup_count; i++) {
        assert_int_not_equal(plan.passes[0].setup[i].msr, 0x329);
        assert_int_not_equal(plan.passes[0].setup[i].msr, 0x30c);
    }
}

/* Of each register the bits of ring 0 are missing: OS is bit 17 of IA32_PERFEVTSELx, and bit 0 of a
 * fixed counter's field. */
static void where_kernels_run_in_ring_3_counters_count_there_alone(void **state)
{
    static const char *const names[] = {"IDQ_UOPS_NOT_DELIVERED.CORE"};
    static const struct msr_value expected[] = {{0x38f, 0},
                                                {0x390, 1ULL << 58 | 1ULL << 59 | 7ULL << 32 | 0xf},
                                                {0x38d, 0x222},
                                                {0x186, 0x41019c}};
    struct description description;
    struct facts facts = skylake;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "skylakex");
    facts.user_only = true;
    assert_int_equal(plan_of(&plan, &facts, &description, names, 1), RC_OK);
    assert_writes(plan.passes[0].setup, 4, expected, 4);
}

static void version_1_counts_one_event_a_pass_by_its_own_enable_bit(void **state)
{
    static const char *const names[] = {"INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD",
                                        "CPU_CLK_UNHALTED.REF_TSC"};
    static const struct msr_value setup[] = {{0x186, 0}, {0x187, 0}, {0xc1, 0}};
    const struct facts facts = {.kind = &intel_kind,
                                .intel = true,
                                .version = 1,
                                .general_count = 2,
                                .general_width = 40,
                                .architectural_events = 0x7f};
    struct description description;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "architectural");
    assert_int_equal(plan_of(&plan, &facts, &description, names, 3), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    assert_writes(plan.passes[0].setup, plan.passes[0].setup_count, setup, 3);
    assert_int_equal(plan.passes[0].enable.msr, 0x186);
    assert_true(plan.passes[0].enable.value == 0x4300c0);
    assert_true(plan.passes[0].disable == 0x0300c0);
    assert_true(plan.passes[1].enable.value == 0x43003c);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].event->name, "CPU_CLK_UNHALTED.REF_TSC");
    assert_string_equal(plan.missing[0].reason, "its fixed counter does not exist on this core");
}

static void version_2_clears_only_what_it_has_and_writes_narrow_counters(void **state)
{
    static const char *const names[] = {"BR_INST_RETIRED.ALL_BRANCHES"};
    const struct facts facts = {.kind = &intel_kind,
                                .intel = true,
                                .version = 2,
                                .general_count = 2,
                                .general_width = 40,
                                .fixed_count = 3,
                                .fixed_mask = 7,
                                .architectural_events = 0x7f};
    static const struct msr_value setup[] = {
        {0x38f, 0},     {0x390, 0x700000003ULL},
        {0x38d, 0x333}, {0x186, 0x4300c4},
        {0x187, 0},     {0xc1, 0},
        {0x309, 0},     {0x30a, 0},
        {0x30b, 0},
    };
    struct description description;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "architectural");
    assert_int_equal(plan_of(&plan, &facts, &description, names, 1), RC_OK);
    assert_writes(plan.passes[0].setup, plan.passes[0].setup_count, setup,
                  sizeof(setup) / sizeof(setup[0]));
}

static void events_that_a_core_lacks_are_missing_with_the_reason(void **state)
{
    static const char *const names[] = {"LONGEST_LAT_CACHE.MISS", "CPU_CLK_UNHALTED.THREAD_ANY",
                                        "UOPS_ISSUED.ANY"};
    struct facts facts = skylake;
    struct description description;
    struct plan plan;

    (void)state;
    facts.architectural_events = 0x7f & ~(1u << 4);
    facts.any_thread = false;
    tests_builtin(&description, "skylakex");
    assert_int_equal(plan_of(&plan, &facts, &description, names, 3), RC_OK);
    assert_int_equal(plan.missing_count, 2);
    assert_string_equal(plan.missing[0].reason,
                        "CPUID 0AH says that this architectural event does not exist");
    assert_string_equal(plan.missing[1].reason,
                        "this core cannot count for all threads (AnyThread)");
    assert_non_null(reading_of(&plan.passes[0], "UOPS_ISSUED.ANY"));
}

static void fixed_counts_are_in_every_pass_and_are_enough_for_one(void **state)
{
    static const char *const cycles[] = {"CPU_CLK_UNHALTED.THREAD"};
    static const char *const five[] = {"UOPS_ISSUED.ANY", "UOPS_RETIRED.RETIRE_SLOTS",
                                       "UOPS_RETIRED.MACRO_FUSED", "IDQ.MITE_UOPS", "IDQ.MS_UOPS"};
    struct description description;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_int_equal(plan_of(&plan, &skylake, &description, cycles, 1), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    assert_int_equal(plan.passes[0].reading_count, 3);
    assert_int_equal(plan_of(&plan, &skylake, &description, five, 5), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    for (unsigned p = 0; p < 2; p++)
        assert_non_null(reading_of(&plan.passes[p], "INST_RETIRED.ANY"));
    assert_non_null(reading_of(&plan.passes[1], "IDQ.MS_UOPS"));
}

static void an_event_stays_on_the_counters_that_can_count_it(void **state)
{
    static const char text[] = "cpu test\n"
                               "event A 1 umask 1\nevent B 2 umask 1\nevent C 3 umask 1\nevent D 4 "
                               "umask 1 counters 0\nevent E 5 umask 1 counters 0,1\n"
                               "event F 6 umask 1 counters 9\n";
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    struct description description;
    struct complaint complaint;
    struct plan plan;
    struct facts facts = skylake;

    (void)state;
    facts.fixed_mask = 0;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    assert_int_equal(plan_of(&plan, &facts, &description, names, 6), RC_OK);
    assert_int_equal(plan.pass_count, 2); /* five events on four counters */
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].reason, "its counters do not exist on this core");
    for (unsigned i = 0; i < 3; i++)
        assert_non_null(reading_of(&plan.passes[0], names[i]));
    assert_int_equal(reading_of(&plan.passes[0], "D")->counter, 0);
    assert_int_equal(reading_of(&plan.passes[1], "E")->counter <= 1, 1);
}

static void greed_does_not_cost_a_pass(void **state)
{
    /* first fit would fill the first pass with A to D, and E and F would take a pass each */
    static const char text[] =
        "cpu test\nevent A 1 umask 1\nevent B 2 umask 1\nevent C 3 umask 1\nevent D 4 umask 1\n"
        "event E 5 umask 1 counters 0\nevent F 6 umask 1 counters 0\n";
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    struct description description;
    struct complaint complaint;
    struct plan plan;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 6), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    for (unsigned i = 0; i < 3; i++)
        assert_non_null(reading_of(&plan.passes[0], names[i]));
    assert_non_null(reading_of(&plan.passes[0], "E"));
    assert_non_null(reading_of(&plan.passes[1], "F"));
}

static void a_counter_that_microcode_keeps_is_left_alone(void **state)
{
    static const char *const names[] = {"UOPS_ISSUED.ANY", "IDQ.MITE_UOPS", "IDQ.MS_UOPS",
                                        "INT_MISC.CLEARS_COUNT"};
    struct facts facts = skylake;
    struct description description;
    struct plan plan;

    (void)state;
    facts.general_reserved = 1u << 3;
    tests_builtin(&description, "skylakex");
    assert_int_equal(plan_of(&plan, &facts, &description, names, 4), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    for (unsigned p = 0; p < plan.pass_count; p++)
        for (unsigned i = 0; i < plan.passes[p].setup_count; i++)
            assert_int_not_equal(plan.passes[p].setup[i].msr, 0x189);
}

static unsigned level_events(const struct counts *given, unsigned level,
                             const struct event **events, unsigned count)
{
    const struct description *description = given->description;

    for (unsigned i = 0; i < description->node_count; i++)
        if (description->nodes[i].level == level)
            count = topdown_events_given(given, &description->nodes[i].formula, events, count,
                                         PLAN_EVENTS, NULL);
    return count;
}

static void level_1_of_skylakex_is_one_pass_and_levels_1_and_2_are_four(void **state)
{
    struct description description;
    struct counts given = {.description = &description};
    const struct event *events[PLAN_EVENTS];
    struct plan plan;
    unsigned count;

    (void)state;
    tests_builtin(&description, "skylakex");
    count = level_events(&given, 1, events, 0);
    assert_int_equal(plan_make(&plan, &skylake, &description, events, NULL, count, &tests_pool),
                     RC_OK);
    assert_int_equal(plan.pass_count, 1);
    assert_int_equal(plan.missing_count, 0);
    count = level_events(&given, 2, events, count);
    assert_int_equal(plan_make(&plan, &skylake, &description, events, NULL, count, &tests_pool),
                     RC_OK);
    assert_int_equal(plan.pass_count, 4); /* 13 general events on four counters */
    assert_non_null(reading_of(&plan.passes[0], "IDQ_UOPS_NOT_DELIVERED.CORE"));
    assert_non_null(reading_of(&plan.passes[0], "UOPS_ISSUED.ANY"));
    assert_non_null(reading_of(&plan.passes[0], "UOPS_RETIRED.RETIRE_SLOTS"));
    assert_non_null(reading_of(&plan.passes[0], "INT_MISC.RECOVERY_CYCLES"));
}

static void level_1_of_icelakex_is_one_pass_with_perf_metrics_and_without(void **state)
{
    static const struct extra without[] = {{"#PERF_METRICS_MSR", 0}};
    struct description description;
    struct counts given = {.description = &description};
    const struct event *events[PLAN_EVENTS];
    struct plan plan;
    unsigned count;

    (void)state;
    tests_builtin(&description, "icelakex");
    count = level_events(&given, 1, events, 0);
    assert_int_equal(plan_make(&plan, &icelake, &description, events, NULL, count, &tests_pool),
                     RC_OK);
    assert_int_equal(plan.pass_count, 1);
    given.extras = without;
    given.extra_count = 1;
    count = level_events(&given, 1, events, 0);
    assert_int_equal(plan_make(&plan, &icelake, &description, events, NULL, count, &tests_pool),
                     RC_OK);
    assert_int_equal(plan.pass_count, 1);
    assert_int_equal(plan.missing_count, 0);
}

static void every_event_of_an_image_description_is_planned_once_and_where_it_may_be(void **state)
{
    static const char *const cpus[] = {"skylakex", "icelakex"};

    (void)state;
    for (unsigned c = 0; c < 2; c++) {
        const struct facts *facts = c == 0 ? &skylake : &icelake;
        struct description description;
        const struct event *events[PLAN_EVENTS];
        struct plan plan;

        tests_builtin(&description, cpus[c]);
        for (unsigned i = 0; i < description.event_count; i++)
            events[i] = &description.events[i];
        assert_int_equal(plan_make(&plan, facts, &description, events, NULL,
                                   description.event_count, &tests_pool),
                         RC_OK);
        for (unsigned i = 0; i < plan.missing_count; i++)
            assert_int_equal(plan.missing[i].event->kind, EVENT_OUTSIDE);
        for (unsigned i = 0; i < description.event_count; i++) {
            unsigned seen = 0;

            if (events[i]->kind == EVENT_OUTSIDE)
                continue;

            for (unsigned p = 0; p < plan.pass_count; p++)
                for (unsigned r = 0; r < plan.passes[p].reading_count; r++) {
                    const struct reading *reading = &plan.passes[p].readings[r];

                    if (reading->event != events[i])
                        continue;
                    seen++;
                    if (reading->kind == READING_GENERAL)
                        assert_true(events[i]->counters >> reading->counter & 1);
                }
            assert_true(seen == 1 || (seen == plan.pass_count && events[i]->kind == EVENT_FIXED));
        }
    }
}

/* OFFCORE_RSP_0 (1A6H) has one value at a time: SDM 3B, "Off-core Response Performance Monitoring".
 */
static void events_of_one_register_are_never_in_one_pass(void **state)
{
    static const char text[] = "cpu test\nevent O1 0xb7 umask 1 msr 0x1a6 0x10001\n"
                               "event O2 0xb7 umask 1 msr 0x1a6 0x10002 counters 0-3\n"
                               "event O3 0xbb umask 1 msr 0x1a7 0x10004\n"
                               "event E 0x11 umask 2 umask2 3 eq\nlet u = E:USER\n";
    static const char *const names[] = {"O1", "O2", "O3", "E", "E:USER"};
    struct description description;
    struct complaint complaint;
    struct plan plan;
    uint64_t values[2] = {0, 0};

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 5), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    assert_int_equal(plan.missing_count, 0);
    for (unsigned p = 0; p < 2; p++)
        for (unsigned i = 0; i < plan.passes[p].setup_count; i++) {
            const struct msr_value *write = &plan.passes[p].setup[i];

            if (write->msr == 0x1a6)
                values[p] += write->value;
            if (write->msr == 0x186u + reading_of(&plan.passes[0], "E")->counter)
                assert_true(p == 1 || write->value == 0x31000430211); /* EQ is bit 36 */
            if (write->msr == 0x186u + reading_of(&plan.passes[0], "E:USER")->counter)
                assert_true(p == 1 || write->value == 0x31000410211); /* bit 16 without 17 */
        }
    assert_true(values[0] == 0x10001 && values[1] == 0x10002);
    assert_true(reading_of(&plan.passes[0], "O3") || reading_of(&plan.passes[1], "O3"));
}

static uint64_t written(const struct pass *pass, uint32_t msr)
{
    for (unsigned i = 0; i < pass->setup_count; i++)
        if (pass->setup[i].msr == msr)
            return pass->setup[i].value;
    return 0;
}

/* The event's counter has one of the two selectors, and the register that belongs to the selector
 * (1A6H to `by_first`, 1A7H to `by_second`) has the value. */
static void assert_selected(const struct plan *plan, const char *name, uint64_t by_first,
                            uint64_t by_second, uint64_t value)
{
    for (unsigned p = 0; p < plan->pass_count; p++) {
        const struct reading *reading = reading_of(&plan->passes[p], name);
        uint64_t selector;

        if (reading == NULL)
            continue;
        selector = written(&plan->passes[p], 0x186 + reading->counter) & 0xffff;
        assert_true(selector == by_first || selector == by_second);
        assert_true(written(&plan->passes[p], selector == by_first ? 0x1a6 : 0x1a7) == value);
        return;
    }
    fail_msg("%s is in no pass", name);
}

/* "Off-core Response Performance Monitoring": event B7H counts what 1A6H selects, BBH what 1A7H
 * selects. On E cores B7H does both; its unit mask says which. */
static void a_pass_holds_two_off_core_values(void **state)
{
    static const char text[] =
        "cpu test\nevent A 0xb7,0xbb umask 1 msr 0x1a6,0x1a7 0x10001 counters 0-3\n"
        "event B 0xb7,0xbb umask 1 msr 0x1a6,0x1a7 0x10002 counters 0-3\n"
        "event C 0xb7,0xbb umask 1 msr 0x1a6,0x1a7 0x10003 counters 0-3\n"
        "event D 0xb7,0xbb umask 1 msr 0x1a6,0x1a7 0x10004 counters 0-3\n"
        "let a = A:c1\n";
    static const char by_umask[] = "cpu test\nevent A 0xb7 umask 1,2 msr 0x1a6,0x1a7 0x10001\n"
                                   "event B 0xb7 umask 1,2 msr 0x1a6,0x1a7 0x10002\n";
    static const char *const names[] = {"A", "B", "C", "D", "A:c1"};
    struct description description;
    struct complaint complaint;
    struct plan plan;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 5), RC_OK);
    assert_int_equal(plan.pass_count, 2); /* four values, two registers */
    for (unsigned i = 0; i < 5; i++)
        assert_selected(&plan, names[i], 0x1b7, 0x1bb, i < 4 ? 0x10001 + i : 0x10001);
    assert_int_equal(tests_parse(&description, by_umask, &complaint), RC_OK);
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 2), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    assert_selected(&plan, "A", 0x1b7, 0x2b7, 0x10001);
    assert_selected(&plan, "B", 0x1b7, 0x2b7, 0x10002);
}

static void an_event_that_counts_alone_has_a_pass_to_itself(void **state)
{
    static const char text[] = "cpu test\nevent CPU_CLK_UNHALTED.THREAD - fixed 1\n"
                               "event A 1 umask 1 msr 0x3f7 0x8 alone\nevent B 2 umask 1\n"
                               "event C 3 umask 1 counters 0\nlet a = A:c1\n";
    static const char *const names[] = {"A", "B", "A:c1", "C"};
    struct description description;
    struct complaint complaint;
    struct plan plan;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 4), RC_OK);
    assert_int_equal(plan.pass_count, 3);
    assert_int_equal(reading_of(&plan.passes[0], "C")->counter, 0);
    assert_non_null(reading_of(&plan.passes[0], "B"));
    for (unsigned p = 1; p < 3; p++) { /* fixed counters count at the same time */
        assert_int_equal(plan.passes[p].reading_count, 2);
        assert_true(written(&plan.passes[p], 0x3f7) == 0x8);
    }
    assert_non_null(reading_of(&plan.passes[1], "A"));
    assert_non_null(reading_of(&plan.passes[2], "A:c1"));
}

static enum rc plan_families(struct plan *plan, const struct description *description,
                             const char *const *names, const uint16_t *families, unsigned count)
{
    const struct event *events[PLAN_EVENTS];

    find_events(events, description, names, count);
    return plan_make(plan, &skylake, description, events, families, count, &tests_pool);
}

static unsigned pass_of(const struct plan *plan, const char *name)
{
    for (unsigned p = 0; p < plan->pass_count; p++)
        if (reading_of(&plan->passes[p], name) != NULL)
            return p;
    return plan->pass_count;
}

static void what_is_compared_is_counted_in_one_pass(void **state)
{
    static const char text[] =
        "cpu test\nevent A 1 umask 1\nevent B 2 umask 1\nevent C 3 umask 1\nevent D 4 umask 1\n"
        "event E 5 umask 1\nevent F 6 umask 1\nevent G 7 umask 1\nevent H 8 umask 1\n"
        "event M 9 umask 1 counters 0\nevent N 10 umask 1 counters 0\n";
    static const char *const eight[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    static const uint16_t three[] = {1, 1, 2, 2, 1, 2, 3, 3}; /* A B E, C D F, G H */
    static const char *const four[] = {"A", "M", "N", "B"};
    static const uint16_t one[] = {1, 1, 1, 1};
    struct description description;
    struct complaint complaint;
    struct plan plan;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    assert_int_equal(plan_families(&plan, &description, eight, three, 8), RC_OK);
    assert_int_equal(plan.pass_count, 2); /* as without families, so G and H are in two passes */
    assert_int_equal(pass_of(&plan, "A"), 0);
    assert_int_equal(pass_of(&plan, "B"), 0);
    assert_int_equal(pass_of(&plan, "E"), 0);
    assert_int_equal(pass_of(&plan, "C"), 1);
    assert_int_equal(pass_of(&plan, "D"), 1);
    assert_int_equal(pass_of(&plan, "F"), 1);
    /* without families, the order of events decides */
    assert_int_equal(plan_families(&plan, &description, eight, NULL, 8), RC_OK);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(pass_of(&plan, eight[i]), i / 4);
    /* one pass cannot take this family: as many members as possible are together */
    assert_int_equal(plan_families(&plan, &description, four, one, 4), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    assert_int_equal(pass_of(&plan, "A"), 0);
    assert_int_equal(pass_of(&plan, "M"), 0);
    assert_int_equal(pass_of(&plan, "N"), 1);
}

static void a_plan_lists_each_register_once_but_no_command_register(void **state)
{
    static const char *const names[] = {"UOPS_ISSUED.ANY", "IDQ.MITE_UOPS", "IDQ.MS_UOPS",
                                        "INT_MISC.CLEARS_COUNT", "DECODE.LCP"};
    struct description description;
    struct plan plan;
    uint32_t registers[64];
    unsigned count;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_int_equal(plan_of(&plan, &skylake, &description, names, 5), RC_OK);
    count = plan_registers(&plan, registers, 64);
    assert_int_equal(count, 2 + 4 + 4 + 3); /* controls, selects, general and fixed counters */
    assert_int_equal(registers[0], 0x38f);
    for (unsigned i = 0; i < count; i++) {
        assert_int_not_equal(registers[i], 0x390);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(registers[i], registers[j]);
    }
    assert_int_equal(plan_registers(&plan, registers, 3), 3);
}

static void what_is_appended_may_be_on_a_fixed_counter_alone(void **state)
{
    static const char *const first[] = {"UOPS_RETIRED.SLOTS"}, *const more[] = {"TOPDOWN.SLOTS"};
    const struct event *events[1];
    struct description description;
    struct pass passes[2];
    struct plan plan;

    (void)state;
    tests_builtin(&description, "icelakex");
    assert_int_equal(plan_of(&plan, &icelake, &description, first, 1), RC_OK);
    assert_int_equal(plan.pass_count, 1);
    passes[0] = plan.passes[0];
    plan.passes = passes;
    find_events(events, &description, more, 1);
    assert_int_equal(plan_append(&plan, 1, &icelake, &description, events, 1), RC_NO_SPACE);
    assert_int_equal(plan_append(&plan, 2, &icelake, &description, events, 1), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    assert_int_equal(reading_of(&plan.passes[1], "TOPDOWN.SLOTS")->kind, READING_FIXED);
    assert_int_equal(plan_append(&plan, 2, &icelake, &description, events, 1), RC_OK);
    assert_int_equal(plan.pass_count, 2); /* counted already */
}

static void a_core_without_counters_has_no_plan(void **state)
{
    const struct facts none = {.absent = "CPUID 0AH says version 0"};
    struct description description;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "architectural");
    assert_int_equal(plan_of(&plan, &none, &description, NULL, 0), RC_ABSENT);
    assert_int_equal(plan.pass_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_4_pass_stops_clears_selects_and_zeroes_in_that_order),
        cmocka_unit_test(a_perf_metrics_pass_clears_slots_then_metrics_and_enables_bits_35_and_48),
        cmocka_unit_test(plain_slots_are_on_fixed_counter_3_beside_the_metrics),
        cmocka_unit_test(
            without_perf_metrics_its_bytes_are_missing_and_slots_are_counted_generally),
        cmocka_unit_test(where_kernels_run_in_ring_3_counters_count_there_alone),
        cmocka_unit_test(version_1_counts_one_event_a_pass_by_its_own_enable_bit),
        cmocka_unit_test(version_2_clears_only_what_it_has_and_writes_narrow_counters),
        cmocka_unit_test(events_that_a_core_lacks_are_missing_with_the_reason),
        cmocka_unit_test(fixed_counts_are_in_every_pass_and_are_enough_for_one),
        cmocka_unit_test(an_event_stays_on_the_counters_that_can_count_it),
        cmocka_unit_test(greed_does_not_cost_a_pass),
        cmocka_unit_test(a_counter_that_microcode_keeps_is_left_alone),
        cmocka_unit_test(level_1_of_skylakex_is_one_pass_and_levels_1_and_2_are_four),
        cmocka_unit_test(level_1_of_icelakex_is_one_pass_with_perf_metrics_and_without),
        cmocka_unit_test(every_event_of_an_image_description_is_planned_once_and_where_it_may_be),
        cmocka_unit_test(events_of_one_register_are_never_in_one_pass),
        cmocka_unit_test(a_pass_holds_two_off_core_values),
        cmocka_unit_test(an_event_that_counts_alone_has_a_pass_to_itself),
        cmocka_unit_test(what_is_compared_is_counted_in_one_pass),
        cmocka_unit_test(a_plan_lists_each_register_once_but_no_command_register),
        cmocka_unit_test(what_is_appended_may_be_on_a_fixed_counter_alone),
        cmocka_unit_test(a_core_without_counters_has_no_plan),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
