/* The line through doses and shares, against sums done by hand. */
#include "tests/unit/cmocka_all.h"

#include <math.h>

#include "harness/judge/dose.h"

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-12)
        fail_msg("%.15g instead of %.15g", value, expected);
}

static void a_straight_line_is_found_exactly(void **state)
{
    const struct dose_point points[] = {{0, 0.1}, {50, 0.4}, {100, 0.7}};
    struct dose_line line;

    (void)state;
    dose_fit(&line, points, 3);
    assert_true(line.valid);
    assert_near(line.slope, 0.6);
    assert_near(line.intercept, 0.1);
    assert_near(line.r_squared, 1);
    assert_near(line.largest_drop, 0);
}

/* Means 0.5 and 0.4; sums of squares 0.5 and 0.32, of products 0.4: slope 0.8, intercept 0; on the
 * line 0, 0.4, 0.8 without residuals. One point moved up by 0.3: mean 0.5, squares 0.38,
 * products 0.4, residuals -0.1, 0.2, -0.1 = 0.06. */
static void residuals_lower_r_squared(void **state)
{
    const struct dose_point points[] = {{0, 0}, {50, 0.7}, {100, 0.8}};
    struct dose_line line;

    (void)state;
    dose_fit(&line, points, 3);
    assert_near(line.slope, 0.8);
    assert_near(line.intercept, 0.1);
    assert_near(line.r_squared, 1 - 0.06 / 0.38);
}

static void the_largest_drop_between_neighbours_is_found(void **state)
{
    const struct dose_point points[] = {{0, 0.1}, {25, 0.3}, {50, 0.25}, {75, 0.24}, {100, 0.9}};
    struct dose_line line;

    (void)state;
    dose_fit(&line, points, 5);
    assert_near(line.largest_drop, 0.05);
}

static void no_line_goes_through_no_point_one_point_or_a_constant(void **state)
{
    const struct dose_point constant[] = {{0, 0.5}, {100, 0.5}};
    struct dose_line line;

    (void)state;
    dose_fit(&line, constant, 0);
    assert_false(line.valid);
    dose_fit(&line, constant, 1);
    assert_false(line.valid);
    dose_fit(&line, constant, 2);
    assert_false(line.valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_line_is_found_exactly),
        cmocka_unit_test(residuals_lower_r_squared),
        cmocka_unit_test(the_largest_drop_between_neighbours_is_found),
        cmocka_unit_test(no_line_goes_through_no_point_one_point_or_a_constant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
