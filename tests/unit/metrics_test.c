/* Arithmetic on PERF_METRICS. */
#include "tests/unit/cmocka_all.h"

#include <math.h>

#include "pmu/metrics.h"

/* RETIRING 7:0, BAD_SPECULATION 15:8, FRONTEND_BOUND 23:16, BACKEND_BOUND 31:24, level 2 above. */
#define METRICS 0x0100ff8033cc2255ULL

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-9);
}

static void a_byte_is_a_share_of_the_slots_in_255ths(void **state)
{
    (void)state;
    assert_near(metrics_slots(METRICS, 51000, 0), 17000); /* 0x55 = 85 of 255, a third */
    assert_near(metrics_slots(METRICS, 51000, 1), 6800);  /* 0x22 = 34 of 255 */
    assert_near(metrics_slots(METRICS, 51000, 2), 40800); /* 0xcc = 204 of 255, four fifths */
    assert_near(metrics_slots(METRICS, 51000, 3), 10200); /* 0x33 = 51 of 255, a fifth */
    assert_near(metrics_slots(METRICS, 51000, 5), 51000); /* 0xff, all */
    assert_near(metrics_slots(METRICS, 51000, 6), 0);
    assert_near(metrics_slots(METRICS, 51000, 7), 200);
}

static void no_slots_make_no_shares(void **state)
{
    (void)state;
    assert_near(metrics_slots(METRICS, 0, 0), 0);
}

static void the_error_is_a_step_of_the_8_bit_fraction(void **state)
{
    (void)state;
    assert_near(metrics_error(51000), 200); /* 1/255 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_is_a_share_of_the_slots_in_255ths),
        cmocka_unit_test(no_slots_make_no_shares),
        cmocka_unit_test(the_error_is_a_step_of_the_8_bit_fraction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
