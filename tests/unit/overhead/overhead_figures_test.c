/* From times of windows to slowdowns and to what a sample costs. Numbers by hand. */
#include "tests/unit/cmocka_all.h"

#include "harness/experiment/overhead/overhead_figures.h"

static void assert_close(double value, double expected)
{
    const double difference = value > expected ? value - expected : expected - value;

    assert_true(difference < 1e-9);
}

/* 1100 after 1000 is 10 %; the least is 1050 after 1020, the most 1150 after 990. */
static void a_slowdown_is_of_medians_and_its_ends_are_of_all_pairs(void **state)
{
    const struct spread without = {990, 1000, 1020}, with = {1050, 1100, 1150};
    const struct slowdown slowdown = overhead_slowdown(&without, &with);

    (void)state;
    assert_close(slowdown.median, 0.1);
    assert_close(slowdown.minimum, 30.0 / 1020);
    assert_close(slowdown.maximum, 160.0 / 990);
}

static void windows_that_are_faster_with_counters_are_negative(void **state)
{
    const struct spread without = {1000, 1000, 1000}, with = {900, 950, 980};
    const struct slowdown slowdown = overhead_slowdown(&without, &with);

    (void)state;
    assert_close(slowdown.median, -0.05);
    assert_close(slowdown.maximum, -0.02);
    assert_false(overhead_is_possible(&slowdown));
}

/* The noise is 0.1 %. */
static void a_slowdown_may_be_below_zero_by_the_noise_only(void **state)
{
    (void)state;
    assert_true(overhead_is_possible(&(struct slowdown){-0.01, -0.005, 0.0}));
    assert_true(overhead_is_possible(&(struct slowdown){-0.01, -0.005, -0.0009}));
    assert_false(overhead_is_possible(&(struct slowdown){-0.01, -0.005, -0.0011}));
}

static void a_longer_period_may_not_slow_down_more_but_for_the_spread(void **state)
{
    const struct slowdown shorter = {0.08, 0.10, 0.12};

    (void)state;
    assert_true(overhead_falls(&shorter, &(struct slowdown){0.009, 0.010, 0.011}));
    assert_true(overhead_falls(&shorter, &(struct slowdown){0.119, 0.130, 0.140}));
    assert_false(overhead_falls(&shorter, &(struct slowdown){0.122, 0.130, 0.140}));
}

/* 4 % of a window of 1,000,000 cycles are 40,000; of 100 samples each costs 400. */
static void a_sample_costs_its_part_of_what_the_window_took_longer(void **state)
{
    (void)state;
    assert_close(overhead_cost(0.04, 1000000, 100), 400);
    assert_close(overhead_cost(-0.04, 1000000, 100), -400);
}

/* 5 % of 400 are 20. */
static void two_clocks_may_differ_by_a_twentieth_and_the_spread(void **state)
{
    (void)state;
    assert_true(overhead_costs_agree(420, 0, 400));
    assert_true(overhead_costs_agree(380, 0, 400));
    assert_false(overhead_costs_agree(421, 0, 400));
    assert_false(overhead_costs_agree(379, 0, 400));
    assert_true(overhead_costs_agree(429, 10, 400));
    assert_false(overhead_costs_agree(431, 10, 400));
}

/* 500,000 cycles are wanted: 500 samples at 1000, of which 100 are the most; 5 at 100,000; none at
 * 10^7, where 1 is the least. */
static void a_window_has_at_least_one_sample_and_at_most_a_hundred(void **state)
{
    (void)state;
    assert_int_equal(overhead_samples(1), 100);
    assert_int_equal(overhead_samples(1000), 100);
    assert_int_equal(overhead_samples(10000), 50);
    assert_int_equal(overhead_samples(100000), 5);
    assert_int_equal(overhead_samples(10000000), 1);
}

/* 100 iterations take 3500 cycles; 50 samples at 10,000 need 500,000 cycles and 4 % more, 520,000:
 * 14,857.1 iterations. Where nothing is sampled 500,000 cycles: 14,285.7. */
static void iterations_last_a_little_longer_than_the_samples_need(void **state)
{
    (void)state;
    assert_int_equal(overhead_iterations(50, 10000, 100, 3500), 14858);
    assert_int_equal(overhead_iterations(0, 0, 100, 3500), 14286);
}

static void an_event_that_lies_makes_no_period(void **state)
{
    (void)state;
    assert_int_equal(overhead_every(1000, 70, 350), 200);
    assert_int_equal(overhead_every(1, 1, 2), 1);
    assert_int_equal(overhead_every(1, 1, 3), 0);
    assert_int_equal(overhead_every(1000, -70, 350), 0);
    assert_int_equal(overhead_every(100000000, 0x1p48, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_that_lies_makes_no_period),
        cmocka_unit_test(a_slowdown_is_of_medians_and_its_ends_are_of_all_pairs),
        cmocka_unit_test(windows_that_are_faster_with_counters_are_negative),
        cmocka_unit_test(a_slowdown_may_be_below_zero_by_the_noise_only),
        cmocka_unit_test(a_longer_period_may_not_slow_down_more_but_for_the_spread),
        cmocka_unit_test(a_sample_costs_its_part_of_what_the_window_took_longer),
        cmocka_unit_test(two_clocks_may_differ_by_a_twentieth_and_the_spread),
        cmocka_unit_test(a_window_has_at_least_one_sample_and_at_most_a_hundred),
        cmocka_unit_test(iterations_last_a_little_longer_than_the_samples_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
