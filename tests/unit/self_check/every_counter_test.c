/* One event on every counter: the pass, and what most counters say. */
#include "tests/unit/cmocka_all.h"

#include "pmu/every_counter.h"

static const struct facts skylake = {
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
    assert_null(every_counter_pass(&pass, &skylake));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(written(&pass, 0x186 + i), 0x4300c0);
    assert_int_equal(written(&pass, 0x38d), 3);
    assert_int_equal(pass.enable.msr, 0x38f);
    assert_int_equal(pass.enable.value, UINT64_C(0x1000000ff));
    assert_int_equal(pass.reading_count, 9);
    assert_int_equal(pass.readings[0].kind, READING_FIXED);
    assert_int_equal(pass.readings[8].counter, 7);
}

static void a_counter_that_is_kept_is_left_out(void **state)
{
    struct facts facts = skylake;
    struct pass pass;

    (void)state;
    facts.general_reserved = 1u << 3;
    assert_null(every_counter_pass(&pass, &facts));
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
    assert_non_null(every_counter_pass(&pass, &facts));
    facts = skylake;
    facts.fixed_mask = 6;
    assert_non_null(every_counter_pass(&pass, &facts));
    facts = skylake;
    facts.version = 1;
    assert_non_null(every_counter_pass(&pass, &facts));
    facts = skylake;
    facts.netburst = true;
    assert_non_null(every_counter_pass(&pass, &facts));
    facts = skylake;
    facts.absent = "no PMU";
    assert_string_equal(every_counter_pass(&pass, &facts), "no PMU");
}

static void most_counters_are_right(void **state)
{
    static const uint64_t one_off[] = {6400, 6400, 0, 6400, 6400};
    static const uint64_t fixed_off[] = {6401, 6400, 6400, 6400, 6400};
    static const uint64_t two[] = {6400, 6300};

    (void)state;
    assert_int_equal(every_counter_agreed(one_off, 5), 6400);
    assert_int_equal(every_counter_agreed(fixed_off, 5), 6400);
    assert_int_equal(every_counter_agreed(two, 2), 6400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_general_counter_counts_the_same),
        cmocka_unit_test(a_counter_that_is_kept_is_left_out),
        cmocka_unit_test(a_core_without_the_event_or_fixed_counter_has_no_pass),
        cmocka_unit_test(most_counters_are_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
