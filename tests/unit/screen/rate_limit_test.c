/* Slow work is held back; times by hand. */
#include "tests/unit/cmocka_all.h"

#include "boot/rate_limit.h"

static void what_was_never_done_may_be_done(void **state)
{
    const struct rate_limit limit = {0};

    (void)state;
    assert_true(rate_limit_allows(&limit, 0, 1000));
}

static void slow_work_takes_at_most_an_eleventh_of_the_time(void **state)
{
    struct rate_limit limit = {0};

    (void)state;
    rate_limit_done(&limit, 1000, 1020); /* 20 ticks */
    assert_false(rate_limit_allows(&limit, 1219, 0));
    assert_true(rate_limit_allows(&limit, 1220, 0));
}

static void quick_work_waits_for_the_least_time(void **state)
{
    struct rate_limit limit = {0};

    (void)state;
    rate_limit_done(&limit, 1000, 1001);
    assert_false(rate_limit_allows(&limit, 1250, 250));
    assert_true(rate_limit_allows(&limit, 1251, 250));
    /* Work that took no time at all needs no rest. */
    rate_limit_done(&limit, 2000, 2000);
    assert_true(rate_limit_allows(&limit, 2000, 0));
}

static void the_clock_may_run_over(void **state)
{
    struct rate_limit limit = {0};

    (void)state;
    rate_limit_done(&limit, UINT64_MAX - 10, UINT64_MAX - 5); /* 5 ticks: rests 50 */
    assert_false(rate_limit_allows(&limit, 40, 0));           /* 46 ticks later */
    assert_true(rate_limit_allows(&limit, 44, 0));            /* 50 ticks later */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_never_done_may_be_done),
        cmocka_unit_test(slow_work_takes_at_most_an_eleventh_of_the_time),
        cmocka_unit_test(quick_work_waits_for_the_least_time),
        cmocka_unit_test(the_clock_may_run_over),
    };

    return cmocka_run_group_tests_name("rate_limit", tests, NULL, NULL);
}
