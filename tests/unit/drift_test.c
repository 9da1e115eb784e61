/* A node's share over intervals; numbers by hand. */
#include "tests/unit/cmocka_all.h"

#include "harness/experiment/multiplex/drift.h"

/* 0.1 0.3 | 0.5 0.9: means 0.2 and 0.7. */
static void the_halves_of_the_intervals_are_compared(void **state)
{
    static const double shares[] = {0.1, 0.3, 0.5, 0.9};
    struct drift drift = {0};
    double difference = 0;

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        drift_add(&drift, shares[i], i, 4);
    assert_true(drift_between_halves(&drift, &difference));
    assert_float_equal(difference, 0.5, 1e-12);
    assert_float_equal(drift.lowest, 0.1, 1e-12);
    assert_float_equal(drift.highest, 0.9, 1e-12);
}

static void a_half_without_a_value_has_no_drift(void **state)
{
    struct drift drift = {0};
    double difference;

    (void)state;
    drift_add(&drift, -0.25, 2, 4);
    assert_false(drift_between_halves(&drift, &difference));
    assert_float_equal(drift.lowest, -0.25, 1e-12);
    assert_float_equal(drift.highest, -0.25, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_halves_of_the_intervals_are_compared),
        cmocka_unit_test(a_half_without_a_value_has_no_drift),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
