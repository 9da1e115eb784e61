/* Plans of sampling: which values the handler of the PMI writes, by the generation of the PMU, and
 * where periods come from. The values are worked out from the SDM's field positions. */
#include "pmu/intel/kind.h"
#include "pmu/kinds/kinds.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/sampling/sampling.h"

static const struct facts skylake = {
    /* version 4, four general and three fixed counters of 48 bits */
    .kind = &intel_kind,
    .intel = true,
    .version = 4,
    .general_count = 4,
    .general_width = 48,
    .fixed_count = 3,
    .fixed_mask = 7,
    .fixed_width = 48,
    .architectural_events = 0x7f,
    .pdcm = true,
    .full_width_write = true,
    .lbr_format = 5,
};
static const struct facts core2 = {
    /* version 2, two general counters of 40 bits, written by 32 bits */
    .kind = &intel_kind,          .intel = true,    .version = 2,    .general_count = 2,
    .general_width = 40,          .fixed_count = 3, .fixed_mask = 7, .fixed_width = 40,
    .architectural_events = 0x7f, .pdcm = true,
};
static const struct facts core_solo = {
    .kind = &intel_kind,
    .intel = true,
    .version = 1,
    .general_count = 2,
    .general_width = 40,
    .architectural_events = 0x7f,
};

static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD",
                                    .kind = EVENT_FIXED,
                                    .encodable = true,
                                    .code = 0x3c,
                                    .counters = UINT32_MAX,
                                    .fixed = 1,
                                    .architectural = 0};
static const struct event taken = {.name = "BR_INST_RETIRED.NEAR_TAKEN",
                                   .kind = EVENT_GENERAL,
                                   .encodable = true,
                                   .code = 0xc4,
                                   .umask = 0x20,
                                   .counters = UINT32_MAX,
                                   .architectural = -1};

static void assert_writes(const struct msr_value *writes, unsigned count,
                          const struct msr_value *expected, unsigned expected_count)
{
    assert_int_equal(count, expected_count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(writes[i].msr, expected[i].msr);
        assert_true(writes[i].value == expected[i].value);
    }
}
#define ASSERT_WRITES(writes, count, ...)                                                          \
    do {                                                                                           \
        const struct msr_value expected[] = {__VA_ARGS__};                                         \
        assert_writes(writes, count, expected, sizeof(expected) / sizeof(expected[0]));            \
    } while (0)

static void version_4_samples_cycles_on_their_fixed_counter(void **state)
{
    struct sampling_plan plan;

    (void)state;
    assert_null(sampling_plan_make(&plan, &skylake, NULL, &cycles, &cycles, NULL));
    /* the whole window's cycles are on general counter 0: USR, OS and EN of event 3CH */
    ASSERT_WRITES(plan.setup, plan.setup_count, {0x38f, 0}, {0x390, 0x0c0000070000000f},
                  {0x38d, 0xb0}, {0x186, 0x43003c}, {0x187, 0}, {0x188, 0}, {0x189, 0}, {0x4c1, 0});
    ASSERT_WRITES(plan.stop, plan.stop_count, {0x38f, 1});
    ASSERT_WRITES(plan.clear, plan.clear_count, {0x390, 1ull << 33});
    assert_int_equal(plan.resume_count, 0);
    assert_int_equal(plan.enable.msr, 0x38f);
    assert_true(plan.enable.value == (1ull << 33 | 1) && plan.disable == 0);
    assert_int_equal(plan.status_msr, 0x38e);
    assert_true(plan.status_flip == 0 && plan.status_bits == 1ull << 33);
    assert_int_equal(plan.counter_msr, 0x30a);
    assert_int_equal(plan.read_count, 1);
    assert_int_equal(plan.reads[0], 0x30a);
    assert_int_equal(plan.counter_index, 0x40000001);
    assert_int_equal(plan.total_index, 0);
    assert_true(plan.total_mask == 0xffffffffffff);
}

static void version_2_samples_an_event_on_a_general_counter_with_its_interrupt_bit(void **state)
{
    struct sampling_plan plan;

    (void)state;
    assert_null(sampling_plan_make(&plan, &core2, NULL, &taken, &cycles, NULL));
    /* bit 20, INT, only in the sampled counter's select; no PMI of fixed counter 1 */
    ASSERT_WRITES(plan.setup, plan.setup_count, {0x38f, 0}, {0x390, 0x700000003}, {0x38d, 0x30},
                  {0x186, 0x5320c4}, {0x187, 0}, {0x30a, 0});
    ASSERT_WRITES(plan.stop, plan.stop_count, {0x38f, 1ull << 33});
    ASSERT_WRITES(plan.clear, plan.clear_count, {0x390, 1});
    assert_true(plan.enable.value == (1ull << 33 | 1));
    assert_int_equal(plan.counter_msr, 0xc1);
    assert_true(plan.counter_mask == 0xffffffffff);
}

static void version_1_tells_an_overflow_by_the_highest_bit_of_the_counter(void **state)
{
    struct sampling_plan plan;

    (void)state;
    assert_null(sampling_plan_make(&plan, &core_solo, NULL, &cycles, &cycles, NULL));
    ASSERT_WRITES(plan.setup, plan.setup_count, {0x186, 0x13003c}, {0x187, 0});
    ASSERT_WRITES(plan.stop, plan.stop_count, {0x186, 0x13003c});
    assert_int_equal(plan.clear_count, 0);
    assert_int_equal(plan.enable.msr, 0x186);
    assert_true(plan.enable.value == 0x53003c && plan.disable == 0x13003c);
    assert_int_equal(plan.status_msr, 0xc1);
    /* a preset has bit 39, a counter that has overflowed does not: (value ^ flip) & bits */
    assert_true(((0xfffffffc0f ^ plan.status_flip) & plan.status_bits) == 0);
    assert_true(((0x0000000010 ^ plan.status_flip) & plan.status_bits) != 0);
    assert_true(plan.total_mask == 0);
}

static void branch_records_stop_first_and_start_last(void **state)
{
    struct description description;
    struct sampling_plan plan;
    struct lbr_plan lbr;

    (void)state;
    memset(&description, 0, sizeof(description));
    description.lbr = kinds_lbr((struct slice){"skylake32", 9});
    assert_null(lbr_plan_make(&lbr, &skylake, &description, &(struct lbr_options){.types = 0}));
    assert_null(sampling_plan_make(&plan, &skylake, NULL, &taken, &cycles, &lbr));
    ASSERT_WRITES(plan.stop, plan.stop_count, {0x1d9, 0}, {0x38f, 1ull << 33});
    ASSERT_WRITES(plan.clear, plan.clear_count, {0x390, 1});
    ASSERT_WRITES(plan.resume, plan.resume_count, {0x1d9, 1}); /* LBR */
    assert_int_equal(plan.setup[plan.setup_count - 1].msr, 0x1d9);
    assert_int_equal(plan.reads[0], 0xc1);
    assert_int_equal(plan.reads[1], 0x1c9); /* MSR_LASTBRANCH_TOS, then 32 of each row */
    assert_int_equal(plan.reads[2], 0x680);
    assert_int_equal(plan.read_count, 1 + 1 + 96);
    assert_true(plan.finish.msr == 0x1d9 && plan.finish.value == 0);
}

static void an_event_that_no_counter_counts_is_a_reason(void **state)
{
    struct sampling_plan plan;
    struct event nowhere = taken;

    (void)state;
    nowhere.counters = 1u << 6;
    assert_non_null(sampling_plan_make(&plan, &skylake, NULL, &nowhere, &cycles, NULL));
    assert_non_null(sampling_plan_make(&plan, &skylake, NULL, NULL, &cycles, NULL));
}

/* D1H: erratum BV98. */
static void an_event_that_may_not_be_counted_is_not_sampled(void **state)
{
    struct facts core = skylake;
    struct sampling_plan plan;
    struct event load = taken, refused = taken;

    (void)state;
    core.quirks.leaks[0] = 0xd1;
    core.quirks.leak_count = 1;
    load.code = 0xd1;
    assert_null(sampling_plan_make(&plan, &core, NULL, &load, &cycles, NULL));
    core.both_count = true;
    assert_string_equal(sampling_plan_make(&plan, &core, NULL, &load, &cycles, NULL),
                        "it would count in the other thread's counters, which count too");
    assert_null(sampling_plan_make(&plan, &core, NULL, &taken, &cycles, NULL));
    refused.why = "it counts wrongly here";
    assert_string_equal(sampling_plan_make(&plan, &core, NULL, &refused, &cycles, NULL),
                        "it counts wrongly here");
    /* what counts the window's cycles beside the samples may be refused, too */
    assert_null(sampling_plan_make(&plan, &core, NULL, &taken, &refused, NULL));
    assert_true(plan.total_mask == 0);
}

static void every_preset_survives_a_write_of_32_bits(void **state)
{
    (void)state;
    assert_true(sampling_preset(0xffffffffffff, 1009) == 0xfffffffffc0f);
    assert_true(sampling_preset(0xffffffffff, 1) == 0xffffffffff);
    for (unsigned i = 0; i < 3; i++) {
        static const uint32_t periods[] = {1, 1009, SAMPLING_PERIOD_MAX + 2 * SAMPLING_JITTER_MAX};
        const uint64_t preset = sampling_preset(0xffffffffffff, periods[i]);

        /* IA32_PMCx takes EAX and extends its sign */
        assert_true(((uint64_t)(int64_t)(int32_t)(uint32_t)preset & 0xffffffffffff) == preset);
    }
}

/* Sum of (hits - expected)^2 / expected. */
static double chi_squared(const unsigned *hits, unsigned count, double expected)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += (hits[i] - expected) * (hits[i] - expected) / expected;
    return sum;
}

static void periods_are_uniform_and_come_again_with_the_seed(void **state)
{
    struct sampling_periods periods = sampling_periods_from(1000, 255, 7);
    struct sampling_periods again = sampling_periods_from(1000, 255, 7);
    struct sampling_periods other = sampling_periods_from(1000, 255, 8);
    unsigned hits[256] = {0}, shifts[256] = {0}, alike = 0;

    (void)state;
    for (unsigned i = 0; i < 256 * 100; i++) {
        const uint32_t period = sampling_periods_next(&periods);

        assert_int_equal(sampling_periods_next(&again), period);
        alike += sampling_periods_next(&other) == period;
        assert_in_range(periods.shift, 0, 255);
        shifts[periods.shift] += i % SAMPLING_ALIKE == 0;
        assert_in_range(period - periods.shift, 1000, 1255);
        hits[period - periods.shift - 1000]++;
    }
    /* 255 degrees of freedom, 0.03 % a side */
    assert_true(chi_squared(hits, 256, 100) > 180 && chi_squared(hits, 256, 100) < 340);
    assert_true(chi_squared(shifts, 256, 100.0 / SAMPLING_ALIKE) < 340);
    assert_in_range(alike, 50, 150); /* one in 256 by chance */
}

/* 256 numbers on 28 cycles: four cycles would be met ten times while the others are met nine times,
 * which makes chi squared 375 (24 x 14.3^2 + 4 x 85.7^2, each over 914.3, and ten times that). */
static void no_cycle_of_a_loop_is_met_more_often(void **state)
{
    struct sampling_periods periods = sampling_periods_from(1009, 255, 1);
    unsigned hits[28] = {0};

    (void)state;
    for (unsigned i = 0; i < 256000; i++)
        hits[sampling_periods_next(&periods) % 28]++;
    assert_true(chi_squared(hits, 28, 256000.0 / 28) < 56); /* 27 degrees of freedom, 0.1 % */
}

static void without_jitter_every_period_is_the_same(void **state)
{
    struct sampling_periods periods = sampling_periods_from(1009, 0, 1);

    (void)state;
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(sampling_periods_next(&periods), 1009);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_4_samples_cycles_on_their_fixed_counter),
        cmocka_unit_test(version_2_samples_an_event_on_a_general_counter_with_its_interrupt_bit),
        cmocka_unit_test(version_1_tells_an_overflow_by_the_highest_bit_of_the_counter),
        cmocka_unit_test(branch_records_stop_first_and_start_last),
        cmocka_unit_test(an_event_that_no_counter_counts_is_a_reason),
        cmocka_unit_test(an_event_that_may_not_be_counted_is_not_sampled),
        cmocka_unit_test(every_preset_survives_a_write_of_32_bits),
        cmocka_unit_test(periods_are_uniform_and_come_again_with_the_seed),
        cmocka_unit_test(no_cycle_of_a_loop_is_met_more_often),
        cmocka_unit_test(without_jitter_every_period_is_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
