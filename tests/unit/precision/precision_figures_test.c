/* Two readings of SLOTS and PERF_METRICS: shares of what ran between them, and how far these may be
 * off. Numbers by hand. */
#include "tests/unit/cmocka_all.h"

#include <math.h>

#include "harness/experiment/precision/precision_figures.h"

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-9);
}

/* 25,500 slots before the region and 2,550 in it. Byte 0 goes from 100 to 110 steps: 100 / 255 *
 * 25,500 = 10,000 slots become 110 / 255 * 28,050 = 12,100. Byte 1 stays at 155. */
static const struct precision_reading reading = {25500, 0x9b64, 28050, 0x9b6e};

static void bytes_are_scaled_by_the_slots_of_their_own_reading(void **state)
{
    (void)state;
    assert_near(precision_share(&reading, 0), 2100.0 / 2550);
    assert_near(precision_share(&reading, 1), 155.0 / 255);
    assert_near(precision_share(&reading, 2), 0);
}

/* A step of the first reading is 100 slots, of the second 110, of the region's 2,550. (2 x 10 + 1)
 * / 255 is the same. */
static void the_bound_is_a_step_of_all_slots_since_the_reset_at_either_reading(void **state)
{
    (void)state;
    assert_near(precision_ratio(&reading), 10);
    assert_near(precision_bound(&reading), 210.0 / 2550);
    assert_near(precision_bound(&reading), 21.0 / 255);
}

static void after_127_regions_the_steps_are_the_whole_region(void **state)
{
    const struct precision_reading late = {127000, 0, 128000, 0};

    (void)state;
    assert_near(precision_bound(&late), 1);
}

/* However a core rounds: the truth of both readings for any shares before and in the region, the
 * bytes rounded down, up or to the nearest. */
static unsigned rounded(double slots, double all, int how)
{
    const double exact = slots * 255 / all;

    return (unsigned)(how < 0 ? floor(exact) : how > 0 ? ceil(exact) : floor(exact + 0.5));
}

static void no_rounding_makes_an_error_above_the_bound(void **state)
{
    const double region = 10000;
    double worst = 0;

    (void)state;
    for (int how = -1; how <= 1; how++)
        for (unsigned before = 0; before <= 100; before += 7)
            for (unsigned in = 0; in <= 100; in += 9)
                for (double ratio = 0; ratio < 300; ratio = ratio * 1.7 + 1) {
                    const double slots = floor(ratio * region);
                    const double a = before / 100.0 * slots, b = a + in / 100.0 * region;
                    const struct precision_reading made = {
                        (uint64_t)slots, slots > 0 ? rounded(a, slots, how) : 0,
                        (uint64_t)(slots + region), rounded(b, slots + region, how)};
                    const double error = fabs(precision_share(&made, 0) - in / 100.0);

                    assert_true(error <= precision_bound(&made) + 1e-9);
                    worst = fmax(worst, error / precision_bound(&made));
                }
    assert_true(worst > 0.9); /* without a reset between, one step is all */
}

static void the_four_bytes_of_level_1_add_up(void **state)
{
    (void)state;
    assert_int_equal(precision_sum(0xffffffff40404040), 256);
    assert_int_equal(precision_sum(0x00ff00003f3f3f3f), 252);
}

static void a_region_without_slots_was_not_counted(void **state)
{
    const struct precision_reading none = {5, 0, 5, 0}, back = {6, 0, 5, 0};

    (void)state;
    assert_true(precision_counted(&reading));
    assert_false(precision_counted(&none) || precision_counted(&back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_scaled_by_the_slots_of_their_own_reading),
        cmocka_unit_test(the_bound_is_a_step_of_all_slots_since_the_reset_at_either_reading),
        cmocka_unit_test(after_127_regions_the_steps_are_the_whole_region),
        cmocka_unit_test(no_rounding_makes_an_error_above_the_bound),
        cmocka_unit_test(the_four_bytes_of_level_1_add_up),
        cmocka_unit_test(a_region_without_slots_was_not_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
