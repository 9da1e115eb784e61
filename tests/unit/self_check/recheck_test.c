/* A count that is off is told apart: wrong, noisy, or exact in the end. */
#include "tests/unit/cmocka_all.h"

#include "harness/judge/recheck.h"

static struct recheck made(unsigned measured, unsigned off, int64_t low, int64_t high,
                           double expected)
{
    struct recheck recheck = {.measured = measured};

    recheck.counts[0].off = off;
    recheck.counts[0].low = low;
    recheck.counts[0].high = high;
    recheck.counts[0].expected = expected;
    recheck.counts[0].known = true;
    return recheck;
}

static enum miscount result(unsigned measured, unsigned off, int64_t low, int64_t high,
                            double expected)
{
    const struct recheck recheck = made(measured, off, low, high, expected);

    return recheck_result(&recheck, 0);
}

static void the_same_wrong_value_is_wrong(void **state)
{
    (void)state;
    assert_int_equal(result(4, 4, 4400, 4400, 4000), MISCOUNT_WRONG);
    assert_int_equal(result(4, 4, 0, 0, 4000), MISCOUNT_WRONG);
    /* 20 off at least: two apart is a tenth of it, three is more */
    assert_int_equal(result(4, 4, 4020, 4022, 4000), MISCOUNT_WRONG);
    assert_int_equal(result(4, 4, 4020, 4023, 4000), MISCOUNT_NOISY);
    assert_int_equal(result(4, 4, 3978, 3980, 4000), MISCOUNT_WRONG);
}

static void values_that_differ_are_noise(void **state)
{
    (void)state;
    assert_int_equal(result(4, 4, 3900, 4100, 4000), MISCOUNT_NOISY);
    assert_int_equal(result(4, 4, 0, 1, 0), MISCOUNT_NOISY);
    assert_int_equal(result(4, 4, 4000, 4001, 4000), MISCOUNT_NOISY);
}

static void a_count_that_is_exact_in_the_end_is_used(void **state)
{
    (void)state;
    assert_int_equal(result(1, 0, 4000, 4000, 4000), MISCOUNT_NONE);
    assert_int_equal(result(2, 1, 4000, 4010, 4000), MISCOUNT_PASSING);
    assert_int_equal(result(4, 3, 4000, 4010, 4000), MISCOUNT_PASSING);
}

static void the_verdict_says_what_the_measurements_gave(void **state)
{
    const struct recheck same = made(4, 4, 4400, 4400, 4000), near = made(4, 4, 4400, 4401, 4000),
                         noise = made(4, 4, 3900, 4100, 4000), once = made(2, 1, 4000, 4010, 4000),
                         never = made(1, 0, 4000, 4000, 4000);
    const struct {
        const struct recheck *recheck;
        const char *told;
    } cases[] = {{&same, "X, wrong: the same in 4 measurements"},
                 {&near, "X, wrong: 4400..4401 in 4 measurements"},
                 {&noise, "X, noisy: 3900..4100 in 4 measurements"},
                 {&once, "X, noisy: 4000..4010 in 2 measurements"},
                 {&never, "X"}};

    (void)state;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct verdict verdict = {.text = "X"};

        recheck_tell(cases[i].recheck, 0, &verdict);
        assert_string_equal(verdict.text, cases[i].told);
    }
}

/* Expectations beyond those that are told apart are not taken for exact ones that were off. */
static void expectations_beyond_are_left_alone(void **state)
{
    const struct recheck recheck = made(4, 4, 4400, 4400, 4000);
    struct verdict verdict = {.text = "X"};

    (void)state;
    assert_int_equal(recheck_result(&recheck, RECHECK_COUNTS), MISCOUNT_NONE);
    recheck_tell(&recheck, RECHECK_COUNTS, &verdict);
    assert_string_equal(verdict.text, "X");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_wrong_value_is_wrong),
        cmocka_unit_test(values_that_differ_are_noise),
        cmocka_unit_test(a_count_that_is_exact_in_the_end_is_used),
        cmocka_unit_test(the_verdict_says_what_the_measurements_gave),
        cmocka_unit_test(expectations_beyond_are_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
