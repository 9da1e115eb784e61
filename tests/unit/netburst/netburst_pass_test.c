/* The registers that count one event of NetBurst: values by hand from the fields of the manual, and
 * what two logical processors of a core must not share. */
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "pmu/netburst/pass.h"
#include "pmu/plan.h"
#include "tests/unit/descriptions.h"

static struct description netburst, prescott;
/* Nocona, 0F_41H, alone and as either logical processor of a core; Northwood, 0F_29H. */
static const struct facts alone = {.family = 15, .model = 4, .stepping = 1, .threads_per_core = 1};
static const struct facts first = {.family = 15, .model = 4, .stepping = 1, .threads_per_core = 2};
static const struct facts second = {
    .family = 15, .model = 4, .stepping = 1, .threads_per_core = 2, .smt_id = 1};
static const struct facts northwood = {
    .family = 15, .model = 2, .stepping = 9, .threads_per_core = 1};

static int parse_descriptions(void **state)
{
    (void)state;
    tests_builtin(&netburst, "netburst");
    tests_builtin(&prescott, "prescott");
    return 0;
}

static struct event named(const char *selects)
{
    return (struct event){.name = "test", .kind = EVENT_NAMED, .selects = {selects, selects}};
}

static const char *make(struct pass *pass, const struct facts *facts, const struct event *event)
{
    return netburst_pass_make(pass, facts, facts->model > 2 ? &prescott : &netburst, event);
}

static struct pass pass_of(const struct facts *facts, const char *selects)
{
    const struct event event = named(selects);
    struct pass pass;

    assert_null(make(&pass, facts, &event));
    assert_int_equal(pass.reading_count, 1);
    assert_int_equal(pass.readings[0].kind, READING_GENERAL);
    return pass;
}

/* The last value that the setup writes to the register; the test fails when it writes none. */
static uint64_t written(const struct pass *pass, uint32_t msr)
{
    for (unsigned i = pass->setup_count; i > 0; i--)
        if (pass->setup[i - 1].msr == msr)
            return pass->setup[i - 1].value;
    fail_msg("MSR 0x%x is not written", msr);
    return 0;
}

static bool writes(const struct pass *pass, uint32_t msr)
{
    for (unsigned i = 0; i < pass->setup_count; i++)
        if (pass->setup[i].msr == msr)
            return true;
    return false;
}

/* SDM example 18-2: ESCR 0x0400060C is instr_retired with NBOGUSNTAG and NBOGUSTAG in every ring of
 * the first logical processor, 0x04000603 that of the second; CCCR 0x00039000 counts it. */
static void instructions_are_the_values_of_the_manuals_example(void **state)
{
    struct pass pass = pass_of(&first, "instr_retired:NBOGUSNTAG:NBOGUSTAG");

    (void)state;
    assert_int_equal(written(&pass, 0x3b8), 0x0400060c); /* MSR_CRU_ESCR0 */
    assert_int_equal(written(&pass, 0x36c), 0x00038000); /* MSR_IQ_CCCR0, without ENABLE */
    assert_int_equal(written(&pass, 0x30c), 0);          /* MSR_IQ_COUNTER0 */
    assert_int_equal(pass.enable.msr, 0x36c);
    assert_int_equal(pass.enable.value, 0x00039000);
    assert_int_equal(pass.disable, 0x00038000);
    assert_int_equal(pass.readings[0].counter, 12);

    pass = pass_of(&second, "instr_retired:NBOGUSNTAG:NBOGUSTAG");
    assert_int_equal(written(&pass, 0x3b9), 0x04000603); /* MSR_CRU_ESCR1 */
    assert_int_equal(pass.enable.msr, 0x36e);            /* MSR_IQ_CCCR2 */
    assert_int_equal(pass.enable.value, 0x00039000);
    assert_int_equal(pass.readings[0].counter, 14);
}

/* Nine counters each. 21 ESCRs of the second half and 22 of the first (MSR_SSU_ESCR0 has no second)
 * exist on models 3 and up, and the first processor has the two registers of replay tags. */
static void a_logical_processor_writes_no_register_of_the_other(void **state)
{
    static const char *const events[] = {"instr_retired:NBOGUSNTAG:NBOGUSTAG",
                                         "global_power_events", "uop_queue_writes:FROM_ROM",
                                         "memory_cancel:64K_CONF", "front_end_event:memory_loads"};

    (void)state;
    for (unsigned a = 0; a < sizeof(events) / sizeof(events[0]); a++)
        for (unsigned b = 0; b < sizeof(events) / sizeof(events[0]); b++) {
            const struct pass one = pass_of(&first, events[a]);
            const struct pass other = pass_of(&second, events[b]);

            for (unsigned i = 0; i < one.setup_count; i++)
                if (writes(&other, one.setup[i].msr))
                    fail_msg("%s and %s both write MSR 0x%x", events[a], events[b],
                             one.setup[i].msr);
        }
}

static unsigned different(const struct pass *pass, uint32_t low, uint32_t high)
{
    unsigned count = 0;

    for (unsigned i = 0; i < pass->setup_count; i++) {
        unsigned before = 0;

        while (before < i && pass->setup[before].msr != pass->setup[i].msr)
            before++;
        count += before == i && pass->setup[i].msr >= low && pass->setup[i].msr <= high;
    }
    return count;
}

static void each_window_begins_with_every_counter_stopped_and_every_escr_empty(void **state)
{
    const char *cycles = "global_power_events";
    struct pass pass = pass_of(&alone, cycles);

    (void)state;
    assert_int_equal(different(&pass, 0x360, 0x371), 18);
    assert_int_equal(different(&pass, 0x3a0, 0x3e1), 43);
    assert_false(writes(&pass, 0x3ba) || writes(&pass, 0x3bb)); /* MSR_IQ_ESCRs are gone */
    for (uint32_t cccr = 0x360; cccr <= 0x371; cccr++) {
        assert_int_equal(written(&pass, cccr) & 0x1000, 0);
        assert_int_equal(written(&pass, cccr) & 0x30000, 0x30000); /* required */
    }
    pass = pass_of(&northwood, cycles);
    assert_int_equal(different(&pass, 0x3a0, 0x3e1), 45);
    pass = pass_of(&first, cycles);
    assert_int_equal(different(&pass, 0x360, 0x371), 9);
    assert_int_equal(different(&pass, 0x3a0, 0x3e1), 22);
    pass = pass_of(&second, cycles);
    assert_int_equal(different(&pass, 0x360, 0x371), 9);
    assert_int_equal(different(&pass, 0x3a0, 0x3e1), 21);
}

/* uop_type is select 2, TAGLOADS bit 1; front_end_event is select 8, NBOGUS bit 0. The CCCRs select
 * RAT by 2 and CRU_ESCR2 by 5. */
static void loads_are_tagged_by_an_escr_whose_counter_runs(void **state)
{
    const struct pass pass = pass_of(&alone, "front_end_event:memory_loads");

    (void)state;
    assert_int_equal(written(&pass, 0x3bc), 2u << 25 | 1u << 10 | 3u << 2); /* MSR_RAT_ESCR0 */
    assert_int_equal(written(&pass, 0x36d), 3u << 16 | 2u << 13 | 1u << 12);
    assert_int_equal(written(&pass, 0x3cc), 8u << 25 | 1u << 9 | 3u << 2); /* MSR_CRU_ESCR2 */
    assert_int_equal(pass.enable.msr, 0x36c);
    assert_int_equal(pass.enable.value, 3u << 16 | 5u << 13 | 1u << 12);
    assert_int_equal(written(&pass, 0x3f1), 0);
}

/* "Metrics That Utilize Replay Tagging": L1 cache load misses are tagged by bit 0 of both
 * registers, with bits 24 and 25 of MSR_PEBS_ENABLE left to UOP_TAG and PEBS. */
static void replays_are_tagged_by_registers_of_the_first_logical_processor(void **state)
{
    const struct event event = named("replay_event:1stL_cache_load_miss_retired");
    struct pass pass = pass_of(&first, event.selects[0]);

    (void)state;
    assert_int_equal(written(&pass, 0x3f1) & 0x1ffff, 1);
    assert_int_equal(written(&pass, 0x3f1) >> 24 & 1, 1);
    assert_int_equal(written(&pass, 0x3f2), 1);
    assert_non_null(make(&pass, &second, &event));
}

static void what_cannot_be_counted_says_why(void **state)
{
    struct event event = named("page_walk_type:DTMISS");
    struct pass pass;

    (void)state;
    assert_null(make(&pass, &alone, &event));
    assert_string_equal(make(&pass, &first, &event),
                        "it counts for both logical processors of a core together");
    event = named("BSQ_allocation:REQ_TYPE0"); /* MSR_BSU_ESCR0 alone */
    assert_null(make(&pass, &first, &event));
    assert_string_equal(make(&pass, &second, &event),
                        "its ESCRs are those of the core's other logical processor");
}

static void masks_may_differ_between_logical_processors(void **state)
{
    const struct event event = {.kind = EVENT_NAMED,
                                .selects = {"TC_deliver_mode:DI", "TC_deliver_mode:ID"}};
    struct pass pass;

    (void)state;
    assert_null(make(&pass, &first, &event));
    assert_int_equal(written(&pass, 0x3c4), 1u << 25 | 1u << 11 | 3u << 2); /* DI is bit 2 */
    assert_null(make(&pass, &second, &event));
    assert_int_equal(written(&pass, 0x3c5), 1u << 25 | 1u << 15 | 3u << 0); /* ID is bit 6 */
}

static void *allocate(size_t size)
{
    return test_malloc(size);
}

/* One event a pass, in the order of the requests; what is not NetBurst's is missing. */
static void a_plan_has_a_pass_for_each_event(void **state)
{
    const struct facts core = {
        .kind = &netburst_kind, .family = 15, .model = 4, .threads_per_core = 1};
    const struct event *cycles = description_event(&prescott, "CPU_CLK_UNHALTED.THREAD");
    const struct event *instructions = description_event(&prescott, "INST_RETIRED.ANY");
    const struct event *events[] = {cycles, description_event(&prescott, "instr_retired"),
                                    instructions, cycles};
    struct pool pool = {.allocate = allocate};
    struct plan plan;
    unsigned count;

    (void)state;
    assert_int_equal(plan_passes(&count, &core, &prescott, events, 3), RC_OK);
    assert_int_equal(count, 2);
    assert_int_equal(plan_make(&plan, &core, &prescott, events, NULL, 4, &pool), RC_OK);
    assert_int_equal(plan.pass_count, 2);
    assert_ptr_equal(plan.passes[0].readings[0].event, cycles);
    assert_ptr_equal(plan.passes[1].readings[0].event, instructions);
    assert_int_equal(plan.missing_count, 1);
    assert_ptr_equal(plan.missing[0].event, events[1]);
    assert_string_equal(plan.missing[0].reason, "it has masks, and none is named");
    test_free(pool.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_the_values_of_the_manuals_example),
        cmocka_unit_test(a_logical_processor_writes_no_register_of_the_other),
        cmocka_unit_test(each_window_begins_with_every_counter_stopped_and_every_escr_empty),
        cmocka_unit_test(loads_are_tagged_by_an_escr_whose_counter_runs),
        cmocka_unit_test(replays_are_tagged_by_registers_of_the_first_logical_processor),
        cmocka_unit_test(what_cannot_be_counted_says_why),
        cmocka_unit_test(masks_may_differ_between_logical_processors),
        cmocka_unit_test(a_plan_has_a_pass_for_each_event),
    };

    return cmocka_run_group_tests_name("netburst_pass", tests, parse_descriptions, NULL);
}
