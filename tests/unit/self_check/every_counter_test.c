/* One event on every counter: the pass, and what most counters say. */
#include "pmu/intel/kind.h"
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include "harness/survey/every_counter_count.h"
#include "pmu/every_counter.h"

static const struct facts skylake = {
    .kind = &intel_kind,
    .intel = true,
    .version = 4,
    .general_count = 8,
    .general_width = 48,
    .fixed_count = 3,
    .fixed_mask = 7,
    .fixed_width = 48,
    .architectural_events = 0x7f,
};

static uint64_t written(const struct pass *pass, uint32_t msr)
{
    for (unsigned i = 0; i < pass->setup_count; i++)
        if (pass->setup[i].msr == msr)
            return pass->setup[i].value;
    fail_msg("MSR 0x%x is not written", msr);
    return 0;
}

/* SDM 3B: IA32_PERFEVTSEL0 is 186H; EN is bit 22, OS 17, USR 16; IA32_FIXED_CTR_CTRL is 38DH, both
 * rings 3; IA32_PERF_GLOBAL_CTRL 38FH enables general counters from bit 0, fixed ones from 32. */
static void every_general_counter_counts_the_same(void **state)
{
    struct pass pass;

    (void)state;
    assert_null(every_counter_pass(&pass, &skylake, EVERY_COUNTER_INSTRUCTIONS));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(written(&pass, 0x186 + i), 0x4300c0);
    assert_int_equal(written(&pass, 0x38d), 3);
    assert_int_equal(pass.enable.msr, 0x38f);
    assert_int_equal(pass.enable.value, UINT64_C(0x1000000ff));
    assert_int_equal(pass.reading_count, 9);
    assert_int_equal(pass.readings[0].kind, READING_FIXED);
    assert_int_equal(pass.readings[8].counter, 7);
}

static void a_core_without_general_counters_has_nothing_to_compare_with(void **state)
{
    struct facts none = skylake;
    struct pass pass;

    (void)state;
    none.general_count = 0;
    assert_string_equal(every_counter_pass(&pass, &none, EVERY_COUNTER_INSTRUCTIONS),
                        "this core has no general counter to compare with");
}

/* SDM 3B, "Pre-defined Architectural Performance Events": core cycles are event 3CH with umask 0,
 * slots A4H with umask 1 and bit 7 of CPUID 0AH:EBX. Fixed counter 1 is enabled by bits 4 and 5 of
 * IA32_FIXED_CTR_CTRL and bit 33 of IA32_PERF_GLOBAL_CTRL, 3 by bits 12 and 13 and bit 35. */
static void cycles_and_slots_are_compared_with_their_fixed_counters(void **state)
{
    struct facts icelake = skylake;
    struct pass pass;

    (void)state;
    assert_null(every_counter_pass(&pass, &skylake, EVERY_COUNTER_CYCLES));
    assert_int_equal(written(&pass, 0x186), 0x43003c);
    assert_int_equal(written(&pass, 0x18d), 0x43003c);
    assert_int_equal(written(&pass, 0x38d), 0x30);
    assert_int_equal(pass.enable.value, UINT64_C(0x2000000ff));
    assert_int_equal(pass.readings[0].counter, 1);
    assert_non_null(every_counter_pass(&pass, &skylake, EVERY_COUNTER_SLOTS));
    icelake.fixed_count = 4;
    icelake.fixed_mask = 0xf;
    icelake.architectural_events = 0xff;
    assert_null(every_counter_pass(&pass, &icelake, EVERY_COUNTER_SLOTS));
    assert_int_equal(written(&pass, 0x186), 0x4301a4);
    assert_int_equal(written(&pass, 0x38d), 0x3000);
    assert_int_equal(pass.enable.value, UINT64_C(0x8000000ff));
}

static void a_counter_that_is_kept_is_left_out(void **state)
{
    struct facts facts = skylake;
    struct pass pass;

    (void)state;
    facts.general_reserved = 1u << 3;
    assert_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    assert_int_equal(pass.enable.value, UINT64_C(0x1000000f7));
    for (unsigned i = 0; i < pass.setup_count; i++)
        assert_int_not_equal(pass.setup[i].msr, 0x186 + 3);
}

static void a_core_without_the_event_or_fixed_counter_has_no_pass(void **state)
{
    struct facts facts = skylake;
    struct pass pass;

    (void)state;
    facts.architectural_events = 0x7d;
    assert_non_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    facts = skylake;
    facts.fixed_mask = 6;
    assert_non_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    facts = skylake;
    facts.version = 1;
    assert_non_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    facts = skylake;
    facts.kind = &netburst_kind;
    assert_non_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    facts = skylake;
    facts.absent = "no PMU";
    assert_string_equal(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS), "no PMU");
}

static void most_counters_are_right(void **state)
{
    static const uint64_t one_off[] = {6400, 6400, 0, 6400, 6400};
    static const uint64_t fixed_off[] = {6401, 6400, 6400, 6400, 6400};
    static const uint64_t two[] = {6400, 6300};

    (void)state;
    assert_int_equal(every_counter_agreed(EVERY_COUNTER_INSTRUCTIONS, one_off, 5), 6400);
    assert_int_equal(every_counter_agreed(EVERY_COUNTER_INSTRUCTIONS, fixed_off, 5), 6400);
    assert_int_equal(every_counter_agreed(EVERY_COUNTER_INSTRUCTIONS, two, 2), 6400);
}

/* One percent of 2000 is 20. */
static void cycles_may_differ_by_one_percent(void **state)
{
    static const uint64_t cycles[] = {2021, 2000, 2003, 2020, 1980};

    (void)state;
    assert_int_equal(every_counter_agreed(EVERY_COUNTER_CYCLES, cycles, 5), 2000);
    assert_int_equal(every_counter_tolerance(EVERY_COUNTER_CYCLES, 2000), 20);
    assert_int_equal(every_counter_tolerance(EVERY_COUNTER_INSTRUCTIONS, 2000), 0);
}

/* Fixed counters 1 and 2 are enabled by bits 4, 5, 8 and 9 of IA32_FIXED_CTR_CTRL, and by bits 33
 * and 34 of IA32_PERF_GLOBAL_CTRL. */
static void cycles_and_reference_cycles_are_counted_together(void **state)
{
    struct facts two = skylake;
    struct pass pass;

    (void)state;
    assert_null(every_counter_reference_pass(&pass, &skylake));
    assert_int_equal(written(&pass, 0x38d), 0x330);
    assert_int_equal(pass.enable.value, UINT64_C(0x600000000));
    assert_int_equal(pass.reading_count, 2);
    assert_int_equal(pass.readings[0].counter, 1);
    assert_int_equal(pass.readings[1].counter, 2);
    two.fixed_mask = 3;
    assert_non_null(every_counter_reference_pass(&pass, &two));
}

/* At 3 GHz beside a time stamp counter of 2 GHz, 9000 cycles are 6000 of its ticks. */
static void reference_cycles_are_cycles_at_the_rate_of_the_clock(void **state)
{
    (void)state;
    assert_int_equal(every_counter_reference(9000, 20000, 30000), 6000);
    assert_int_equal(every_counter_reference_tolerance(6000), 300 + 160);
    assert_int_equal(every_counter_reference_tolerance(0), 160);
}

/* IA32_A_PMC0 is 4C1H, IA32_PMC0 C1H, IA32_FIXED_CTR0 309H. */
static void counters_start_right_below_a_carry_of_32_bits(void **state)
{
    struct facts facts = skylake;
    struct pass pass;

    (void)state;
    assert_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    every_counter_preset(&pass, &facts);
    assert_true(written(&pass, 0xc1) == 0x7fffff00);
    assert_true(written(&pass, 0xc8) == 0x7fffff00);
    assert_true(written(&pass, 0x309) == 0xffffff00);
    facts.full_width_write = true;
    assert_null(every_counter_pass(&pass, &facts, EVERY_COUNTER_INSTRUCTIONS));
    every_counter_preset(&pass, &facts);
    assert_true(written(&pass, 0x4c1) == 0xffffff00);
    assert_true(written(&pass, 0x186) == 0x4300c0); /* the selectors stay */
}

/* A window of 2n counted six fewer than that of n: below 0, not close to 2^64. */
static void a_counter_that_went_back_counted_less_than_nothing(void **state)
{
    static struct every_counter_windows windows;
    struct disagreement found;

    (void)state;
    windows.repeats = 3;
    windows.pass.reading_count = 3;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            windows.counted[i][j] = 6400;
    windows.counted[1][2] = UINT64_MAX - 5;
    assert_true(every_counter_agrees(&windows, EVERY_COUNTER_INSTRUCTIONS, 0, &found));
    assert_false(every_counter_agrees(&windows, EVERY_COUNTER_INSTRUCTIONS, 2, &found));
    assert_int_equal(found.value, -6);
    assert_int_equal(found.low, -6);
    assert_int_equal(found.high, 6400);
    assert_int_equal(found.nearest, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_that_went_back_counted_less_than_nothing),
        cmocka_unit_test(counters_start_right_below_a_carry_of_32_bits),
        cmocka_unit_test(a_core_without_general_counters_has_nothing_to_compare_with),
        cmocka_unit_test(cycles_and_reference_cycles_are_counted_together),
        cmocka_unit_test(reference_cycles_are_cycles_at_the_rate_of_the_clock),
        cmocka_unit_test(every_general_counter_counts_the_same),
        cmocka_unit_test(cycles_and_slots_are_compared_with_their_fixed_counters),
        cmocka_unit_test(cycles_may_differ_by_one_percent),
        cmocka_unit_test(a_counter_that_is_kept_is_left_out),
        cmocka_unit_test(a_core_without_the_event_or_fixed_counter_has_no_pass),
        cmocka_unit_test(most_counters_are_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
