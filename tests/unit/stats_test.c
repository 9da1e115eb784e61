/* Minimum, median, maximum, and differences of windows. Numbers by hand. */
#include "tests/unit/cmocka_all.h"

#include "harness/window/stats.h"

static void the_median_is_the_middle_one_after_sorting(void **state)
{
    const uint64_t values[] = {30, 10, 20, 50, 40};
    struct spread spread = stats_spread(values, 5);

    (void)state;
    assert_int_equal(spread.minimum, 10);
    assert_int_equal(spread.median, 30);
    assert_int_equal(spread.maximum, 50);
}

static void one_value_is_all_three(void **state)
{
    const uint64_t value = 7;
    struct spread spread = stats_spread(&value, 1);

    (void)state;
    assert_true(spread.minimum == 7 && spread.median == 7 && spread.maximum == 7);
}

static void an_even_count_gives_a_value_that_was_measured(void **state)
{
    const uint64_t values[] = {4, 1, 3, 2};

    (void)state;
    assert_int_equal(stats_spread(values, 4).median, 2);
}

/* 2^48 - 1 and neighbours: a double would hold them, a float would not; 2^64 - 1 not even a double.
 */
static void large_counts_stay_exact(void **state)
{
    const uint64_t values[] = {UINT64_MAX, UINT64_MAX - 1, (1ull << 48) - 1};
    struct spread spread = stats_spread(values, 3);

    (void)state;
    assert_true(spread.minimum == 281474976710655ull);
    assert_true(spread.median == 18446744073709551614ull);
    assert_true(spread.maximum == 18446744073709551615ull);
}

/* 1000 iterations of 5 events and a bracket of 13, 11 and 13: 5013, 5011, 5013 and 10013, 10013,
 * 10011. */
static void differences_are_of_windows_side_by_side(void **state)
{
    const uint64_t once[] = {5013, 5011, 5013}, twice[] = {10013, 10013, 10011};
    struct signed_spread difference = stats_difference(once, twice, 3);

    (void)state;
    assert_int_equal(difference.minimum, 4998);
    assert_int_equal(difference.median, 5000);
    assert_int_equal(difference.maximum, 5002);
}

static void a_difference_may_be_negative(void **state)
{
    const uint64_t once[] = {9, 2, 0}, twice[] = {2, 2, 3};
    struct signed_spread difference = stats_difference(once, twice, 3);

    (void)state;
    assert_int_equal(difference.minimum, -7);
    assert_int_equal(difference.median, 0);
    assert_int_equal(difference.maximum, 3);
}

static void a_hundred_and_one_repeats_fit(void **state)
{
    uint64_t values[STATS_VALUES];

    (void)state;
    for (unsigned i = 0; i < STATS_VALUES; i++)
        values[i] = STATS_VALUES - i;
    assert_int_equal(stats_spread(values, STATS_VALUES).median, 51);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_is_the_middle_one_after_sorting),
        cmocka_unit_test(one_value_is_all_three),
        cmocka_unit_test(an_even_count_gives_a_value_that_was_measured),
        cmocka_unit_test(large_counts_stay_exact),
        cmocka_unit_test(differences_are_of_windows_side_by_side),
        cmocka_unit_test(a_difference_may_be_negative),
        cmocka_unit_test(a_hundred_and_one_repeats_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
