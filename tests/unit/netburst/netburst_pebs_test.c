/* PEBS of NetBurst: values by hand from the fields of the manual, "CCCR MSRs", "ESCR MSRs",
 * "Processor Event-Based Sampling (PEBS)", "DS Save Area" in 64-bit format. */
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/sampling/pebs.h"
#include "tests/unit/descriptions.h"

#define AREA 0x123000

static struct description prescott;

static int parse_description(void **state)
{
    (void)state;
    tests_builtin(&prescott, "prescott");
    return 0;
}

static struct facts nocona(void)
{
    return (struct facts){.kind = &netburst_kind,
                          .family = 15,
                          .model = 4,
                          .stepping = 1,
                          .threads_per_core = 1,
                          .debug_store = true};
}

static uint64_t written(const struct pebs_plan *plan, uint32_t msr)
{
    for (unsigned i = plan->pass.setup_count; i > 0; i--)
        if (plan->pass.setup[i - 1].msr == msr)
            return plan->pass.setup[i - 1].value;
    fail_msg("MSR 0x%x is not written", msr);
    return 0;
}

/* front_end_event NBOGUS is select 8 and mask bit 0, uop_type TAGLOADS select 2 and mask bit 1, in
 * every ring; CCCR select 5 leads MSR_IQ_COUNTER4 to MSR_CRU_ESCR2. 2^40 - 1031 is 0xfffffffbf9. */
static void tagged_loads_are_recorded_by_iq_counter_4(void **state)
{
    const struct facts facts = nocona();
    struct pebs_plan plan;

    (void)state;
    assert_null(pebs_absent(&facts, &prescott));
    assert_null(pebs_plan(&plan, &facts, &prescott, PEBS_LOADS, AREA));
    assert_int_equal(written(&plan, 0x600), AREA);
    assert_int_equal(written(&plan, 0x3cc), 0x1000020c);
    assert_int_equal(written(&plan, 0x3bc), 0x0400040c);
    assert_int_equal(written(&plan, 0x310), 0xfffffffbf9);
    assert_int_equal(written(&plan, 0x3f1), 0x2000000); /* ENABLE_PEBS_MY_THR */
    assert_int_equal(plan.pass.setup[0].msr, 0x3f1);
    assert_int_equal(plan.pass.setup[0].value, 0);
    assert_int_equal(plan.pass.setup[plan.pass.setup_count - 1].msr, 0x3f1);
    assert_int_equal(plan.pass.enable.msr, 0x370);
    assert_int_equal(plan.pass.enable.value, 0x3b000);
    assert_int_equal(plan.after_count, 1);
    assert_true(plan.after[0].msr == 0x3f1 && plan.after[0].value == 0);
    assert_int_equal(plan.record_bytes, 144); /* RFLAGS, RIP and sixteen registers */
    assert_true(plan.trap && plan.witness < 0);
}

/* "DS Save Area": the PEBS counter's reset value is at 40H. */
static void the_counter_is_reset_from_its_place_in_the_area(void **state)
{
    const struct facts facts = nocona();
    static struct ds_area area;
    static uint8_t buffer[4096];
    struct pebs_plan plan;
    uint64_t reset;

    (void)state;
    assert_null(pebs_plan(&plan, &facts, &prescott, PEBS_LOADS, AREA));
    ds_area_begin(&area, &plan, buffer, 8, 4);
    memcpy(&reset, (const uint8_t *)&area + 0x40, sizeof(reset));
    assert_int_equal(reset, 0xfffffffbf9);
    assert_int_equal(area.threshold - area.base, 4 * 144);
}

static void nothing_else_and_no_second_thread_is_recorded(void **state)
{
    struct facts facts = nocona();
    struct pebs_plan plan;

    (void)state;
    assert_non_null(pebs_plan(&plan, &facts, &prescott, PEBS_INSTRUCTIONS, AREA));
    assert_non_null(pebs_plan(&plan, &facts, &prescott, PEBS_TAKEN, AREA));
    assert_non_null(pebs_plan(&plan, &facts, &prescott, PEBS_LATENCY, AREA));
    facts.pebs_unavailable = true;
    assert_non_null(pebs_absent(&facts, &prescott));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tagged_loads_are_recorded_by_iq_counter_4),
        cmocka_unit_test(the_counter_is_reset_from_its_place_in_the_area),
        cmocka_unit_test(nothing_else_and_no_second_thread_is_recorded),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("netburst_pebs", tests, parse_description, NULL);
}
