/* What the handler of NetBurst's interrupts writes: values by hand from the fields of the manual,
 * "CCCR MSRs" and "Generating an Interrupt on Overflow". */
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include "pmu/sampling/sampling.h"
#include "tests/unit/descriptions.h"

static struct description prescott;
static const struct facts alone = {
    .kind = &netburst_kind, .family = 15, .model = 4, .stepping = 1, .threads_per_core = 1};
static const struct facts second = {.kind = &netburst_kind,
                                    .family = 15,
                                    .model = 4,
                                    .stepping = 1,
                                    .threads_per_core = 2,
                                    .smt_id = 1};

static int parse_description(void **state)
{
    (void)state;
    tests_builtin(&prescott, "prescott");
    return 0;
}

static const struct event *named(const char *name)
{
    const struct event *event = description_event(&prescott, name);

    assert_non_null(event);
    return event;
}

/* Of the first logical processor: RUNNING of global_power_events, in every ring, is ESCR
 * 0x2600020c; select 6 leads counter 0 to it: CCCR 0x0003d000, with bit 26 (OVF_PMI_T0) 0x0403d000.
 */
static void cycles_interrupt_by_the_bit_of_their_logical_processor(void **state)
{
    struct sampling_plan plan;
    uint64_t escr = 0;

    (void)state;
    assert_null(
        sampling_plan_make(&plan, &alone, &prescott, named("CPU_CLK_UNHALTED.THREAD"), NULL, NULL));
    for (unsigned i = 0; i < plan.setup_count; i++)
        if (plan.setup[i].msr == 0x3a2)
            escr = plan.setup[i].value;
    assert_int_equal(escr, 0x2600020c);
    assert_int_equal(plan.enable.msr, 0x360);
    assert_int_equal(plan.enable.value, 0x0403d000);
    assert_int_equal(plan.disable, 0x0403c000);
    assert_int_equal(plan.counter_msr, 0x300);
    assert_int_equal(plan.counter_index, 0);
    assert_true(plan.counter_mask == 0xffffffffff);
    assert_int_equal(plan.total_mask, 0);
}

/* Counter 2 is the second logical processor's; T1's bits of the ESCR are 0 and 1; OVF_PMI_T1 is
 * bit 27. */
static void the_second_logical_processor_has_bits_of_its_own(void **state)
{
    struct sampling_plan plan;

    (void)state;
    assert_null(sampling_plan_make(&plan, &second, &prescott, named("CPU_CLK_UNHALTED.THREAD"),
                                   NULL, NULL));
    assert_int_equal(plan.enable.msr, 0x362);
    assert_int_equal(plan.enable.value, 0x0803d000);
    assert_int_equal(plan.counter_msr, 0x302);
}

/* Bit 39 of the counter, which the preset sets and the overflow clears; the CCCR's OVF is lost with
 * the write that stops the counter. The counter is written twice (erratum N15). */
static void the_highest_bit_of_the_counter_tells_an_overflow(void **state)
{
    struct sampling_plan plan;

    (void)state;
    assert_null(
        sampling_plan_make(&plan, &alone, &prescott, named("CPU_CLK_UNHALTED.THREAD"), NULL, NULL));
    assert_int_equal(plan.status_msr, 0x300);
    assert_true(plan.status_bits == 1ull << 39 && plan.status_flip == 1ull << 39);
    assert_int_equal(plan.stop_count, 1);
    assert_int_equal(plan.stop[0].msr, 0x360);
    assert_int_equal(plan.stop[0].value, 0x0403c000);
    assert_int_equal(plan.clear_count, 1);
    assert_int_equal(plan.clear[0].msr, 0x300);
    assert_int_equal(plan.reads[0], 0x300);
    assert_true(plan.interrupts_with_next);
}

static void every_register_that_is_written_is_kept_once(void **state)
{
    struct sampling_plan plan;

    (void)state;
    assert_null(sampling_plan_make(&plan, &alone, &prescott, named("BR_INST_RETIRED.NEAR_TAKEN"),
                                   NULL, NULL));
    for (unsigned i = 0; i < plan.setup_count; i++) {
        unsigned kept = 0;

        for (unsigned k = 0; k < plan.keep_count; k++)
            kept += plan.keep[k] == plan.setup[i].msr;
        assert_int_equal(kept, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_interrupt_by_the_bit_of_their_logical_processor),
        cmocka_unit_test(the_second_logical_processor_has_bits_of_its_own),
        cmocka_unit_test(the_highest_bit_of_the_counter_tells_an_overflow),
        cmocka_unit_test(every_register_that_is_written_is_kept_once),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("netburst_sampling", tests, parse_description, NULL);
}
