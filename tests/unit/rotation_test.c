/* Scaling multiplexed counts, numbers by hand. */
#include "tests/unit/cmocka_all.h"

#include <math.h>

#include "harness/judge/estimate.h"
#include "harness/measure/measured_window.h"

/* No window runs here. */
bool measured_window_count(struct measurement *measurement, const struct pass *pass, uint64_t n,
                           struct raw_counts *raw, unsigned *retries)
{
    (void)measurement;
    (void)pass;
    (void)n;
    (void)raw;
    (void)retries;
    fail_msg("a window was run");
    return false;
}

static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD"};
static const struct event first = {.name = "A"}, second = {.name = "B"};

static struct pass passes[2] = {
    {.readings = {{&cycles, READING_FIXED, 1, 0}, {&first, READING_GENERAL, 0, 0}},
     .reading_count = 2},
    {.readings = {{&cycles, READING_FIXED, 1, 0}, {&second, READING_GENERAL, 0, 0}},
     .reading_count = 2},
};
static const struct plan plan = {.passes = passes, .pass_count = 2};
static struct rotated readings[2 * PLAN_COUNTERS];

/* Three quarters of 4000 cycles with pass 0, which counted 300 of A in them, in two time slices,
 * 100 in 1500 cycles and 200 in 1500; the rest with pass 1 and 50 of B in one time slice. */
static struct interval interval_of(void)
{
    struct interval interval = {.cycles = 4000,
                                .pass_cycles = {3000, 1000},
                                .time_slices = {2, 1},
                                .readings = readings,
                                .complete = true};
    const double low = 100.0 / 1500, high = 200.0 / 1500;

    readings[0] = (struct rotated){.sum = 3000, .rates = 2, .squares = 2};
    readings[1] =
        (struct rotated){.sum = 300, .rates = low + high, .squares = low * low + high * high};
    readings[PLAN_COUNTERS] = (struct rotated){.sum = 1000, .rates = 1, .squares = 1};
    readings[PLAN_COUNTERS + 1] = (struct rotated){.sum = 50, .rates = 0.05, .squares = 0.0025};
    return interval;
}

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9)
        fail_msg("%.12g instead of %.12g", value, expected);
}

static void a_count_is_scaled_by_time_enabled_over_time_running(void **state)
{
    const struct interval interval = interval_of();
    const struct estimate a = estimate_event(&plan, &interval, &first);
    const struct estimate b = estimate_event(&plan, &interval, &second);

    (void)state;
    assert_true(a.valid && b.valid);
    assert_near(a.running, 0.75);
    assert_near(a.value, 400);
    assert_near(b.running, 0.25);
    assert_near(b.value, 200);
}

static void an_event_of_every_pass_is_not_scaled(void **state)
{
    const struct interval interval = interval_of();
    const struct estimate estimate = estimate_event(&plan, &interval, &cycles);

    (void)state;
    assert_near(estimate.running, 1);
    assert_near(estimate.value, 4000);
    assert_near(estimate.uncertainty, 0);
    assert_true(estimate_reliable(&estimate));
}

/* Rates 1/15 and 2/15: mean 1/10, variance (1/30)^2 * 2 = 1/450; the quarter of the time that was
 * not counted leaves 1/1800, over two time slices 1/3600, whose root is 1/60: over the mean
 * 1/6. With one degree of freedom 95 % confidence takes 12.706 of them (tables of Student's t). */
static void time_slices_that_differ_make_a_value_uncertain(void **state)
{
    const struct interval interval = interval_of();
    const struct estimate a = estimate_event(&plan, &interval, &first);
    const struct estimate b = estimate_event(&plan, &interval, &second);

    (void)state;
    assert_near(a.uncertainty, 12.706 / 6);
    assert_false(estimate_reliable(&a));
    assert_near(b.uncertainty, 1); /* one time slice says nothing of others */
    assert_false(estimate_reliable(&b));
}

/* An event that its own time slices did not count may have happened in the others. */
static void a_count_of_0_in_a_part_of_the_time_is_not_reliable(void **state)
{
    struct interval interval = interval_of();
    struct estimate none;

    (void)state;
    interval.time_slices[1] = 2;
    readings[PLAN_COUNTERS + 1] = (struct rotated){.sum = 0};
    none = estimate_event(&plan, &interval, &second);
    assert_near(none.value, 0);
    assert_near(none.uncertainty, 0);
    assert_false(estimate_reliable(&none));
    none.running = 1; /* it is counted in every pass */
    assert_true(estimate_reliable(&none));
}

static void an_event_that_no_time_slice_counted_has_no_estimate(void **state)
{
    static const struct event other = {.name = "C"};
    struct interval interval = interval_of();

    (void)state;
    assert_false(estimate_event(&plan, &interval, &other).valid);
    interval.complete = false;
    assert_false(estimate_event(&plan, &interval, &first).valid);
}

static void cycles_are_found_on_fixed_counter_1_only(void **state)
{
    const struct pass without = {.readings = {{&first, READING_FIXED, 0, 0}}, .reading_count = 1};

    (void)state;
    assert_int_equal(rotation_cycles(&passes[0]), 0);
    assert_int_equal(rotation_cycles(&without), -1);
}

/* Both time slices of A count 1 in 10 cycles: 400 in 4000. Alone, its pass takes so many. */
static bool is_reliable_beside(double alone)
{
    struct interval interval = interval_of();
    double whole[2 * PLAN_COUNTERS] = {alone, 400};
    const struct rotation rotation = {.interval = &interval, .whole = whole, .compared = true};
    struct multiplexed multiplexed;

    readings[1] = (struct rotated){.sum = 300, .rates = 0.2, .squares = 0.02};
    assert_true(estimate_compare(&multiplexed, &plan, &rotation, &first));
    assert_near(multiplexed.estimate.value, 400);
    assert_near(multiplexed.error, 0);
    return multiplexed.reliable;
}

/* 400 are 5 % more than 381: 19 counts, one in each of 19 cycles. */
static void runs_that_differ_by_more_cycles_than_the_error_sought_say_nothing(void **state)
{
    (void)state;
    assert_true(is_reliable_beside(4000));
    assert_true(is_reliable_beside(4019));
    assert_false(is_reliable_beside(4020));
    assert_true(is_reliable_beside(3981));
    assert_false(is_reliable_beside(3980));
}

/* A byte of PERF_METRICS that is half of the slots, in both time slices: cycles that are added
 * could all be its slots, so 5 % of it are 2.5 % of the cycles, 100 of 4000. */
static bool is_half_of_the_slots_reliable_beside(double alone)
{
    struct pass with = {.readings = {{&cycles, READING_FIXED, 1, 0},
                                     {&first, READING_METRIC, 3, 2},
                                     {&second, READING_SLOTS, 3, 0}},
                        .reading_count = 3};
    struct pass both[2] = {with, passes[1]};
    const struct plan metrics = {.passes = both, .pass_count = 2};
    struct interval interval = interval_of();
    double whole[2 * PLAN_COUNTERS] = {alone, 8000, 16000};
    const struct rotation rotation = {.interval = &interval, .whole = whole, .compared = true};
    struct multiplexed multiplexed;

    readings[1] = (struct rotated){.sum = 6000, .rates = 4, .squares = 8};
    readings[2] = (struct rotated){.sum = 12000, .rates = 8, .squares = 32};
    assert_true(estimate_compare(&multiplexed, &metrics, &rotation, &first));
    assert_near(multiplexed.estimate.value, 8000);
    return multiplexed.reliable;
}

/* The cycles themselves, 4000 in the multiplexed run: 4000 / 1.05 = 3809.5. */
static void an_estimate_is_within_5_percent_of_a_smaller_count(void **state)
{
    static const double alone[] = {3810, 3809};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct interval interval = interval_of();
        double whole[2 * PLAN_COUNTERS] = {alone[i]};
        const struct rotation rotation = {.interval = &interval, .whole = whole, .compared = true};
        struct multiplexed multiplexed;

        assert_true(estimate_compare(&multiplexed, &plan, &rotation, &cycles));
        assert_int_equal(multiplexed.reliable, i == 0);
    }
}

static void cycles_that_are_added_may_all_be_slots_of_one_metric(void **state)
{
    (void)state;
    assert_true(is_half_of_the_slots_reliable_beside(4095));
    assert_false(is_half_of_the_slots_reliable_beside(4096));
    assert_true(is_half_of_the_slots_reliable_beside(3905));
    assert_false(is_half_of_the_slots_reliable_beside(3904));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_is_scaled_by_time_enabled_over_time_running),
        cmocka_unit_test(an_event_of_every_pass_is_not_scaled),
        cmocka_unit_test(time_slices_that_differ_make_a_value_uncertain),
        cmocka_unit_test(a_count_of_0_in_a_part_of_the_time_is_not_reliable),
        cmocka_unit_test(an_event_that_no_time_slice_counted_has_no_estimate),
        cmocka_unit_test(runs_that_differ_by_more_cycles_than_the_error_sought_say_nothing),
        cmocka_unit_test(an_estimate_is_within_5_percent_of_a_smaller_count),
        cmocka_unit_test(cycles_that_are_added_may_all_be_slots_of_one_metric),
        cmocka_unit_test(cycles_are_found_on_fixed_counter_1_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
