/* Windows that lie apart; values are stated, no window runs. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/judge/outliers.h"

#define REPEATS 9u

static const struct event uops = {.name = "UOPS_ISSUED.ANY", .kind = EVENT_GENERAL};
static const struct event slots = {.name = "TOPDOWN.SLOTS", .kind = EVENT_SLOTS};
static const struct event byte = {.name = "PERF_METRICS.RETIRING", .kind = EVENT_METRIC};
static struct pass pass;
static struct plan plan;
static uint64_t words[128];

/* One pass, in which all windows of n count `middle` uops, and all of 2n twice as many; their
 * numbers are 101, 103 ... and 102, 104 ... */
static void begin(struct measurement *m, uint64_t middle)
{
    memset(&pass, 0, sizeof(pass));
    pass.readings[0] = (struct reading){&uops, READING_GENERAL, 0, 0};
    pass.reading_count = 1;
    memset(&plan, 0, sizeof(plan));
    plan.passes = &pass;
    plan.pass_count = 1;
    *m = (struct measurement){.plan = &plan, .n = 100, .repeats = REPEATS};
    measurement_lay_out(m, words);
    for (unsigned i = 0; i < REPEATS; i++) {
        for (unsigned twice = 0; twice < 2; twice++) {
            pass_windows(&m->passes[0], twice != 0, REPEATS)[i] = 101 + 2 * i + twice;
            pass_values(&m->passes[0], 0, twice != 0, REPEATS)[i] = middle << twice;
        }
    }
    m->passes[0].complete = true;
}

static void the_window_is_named_with_its_event_and_value(void **state)
{
    struct outliers outliers;
    struct measurement m;

    (void)state;
    begin(&m, 1000);
    pass_values(&m.passes[0], 0, true, REPEATS)[4] = 6000;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 1);
    assert_ptr_equal(outliers.first[0].event, &uops);
    assert_true(outliers.first[0].twice);
    assert_int_equal(outliers.first[0].window, 110);
    assert_int_equal(outliers.first[0].value, 6000);
    assert_int_equal(outliers.first[0].middle, 2000);
}

static unsigned apart_with(uint64_t middle, uint64_t value)
{
    struct outliers outliers;
    struct measurement m;

    begin(&m, middle);
    pass_values(&m.passes[0], 0, false, REPEATS)[0] = value;
    outliers_find(&outliers, &m);
    return outliers.count;
}

static void an_eighth_or_64_counts_do_not_lie_apart(void **state)
{
    (void)state;
    assert_int_equal(apart_with(8000, 9000), 0);
    assert_int_equal(apart_with(8000, 9001), 1);
    assert_int_equal(apart_with(8000, 6999), 1);
    assert_int_equal(apart_with(0, 64), 0);
    assert_int_equal(apart_with(0, 65), 1);
}

/* Of nine values five are within 300 of the median: 1,800 may be apart from it. */
static void values_that_spread_by_themselves_do_not_lie_apart(void **state)
{
    static const uint64_t spread[REPEATS] = {1000, 700, 1300, 700, 1300, 400, 1600, 1000, 2800};
    struct outliers outliers;
    struct measurement m;

    (void)state;
    begin(&m, 1000);
    memcpy(pass_values(&m.passes[0], 0, false, REPEATS), spread, sizeof(spread));
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 0);
    pass_values(&m.passes[0], 0, false, REPEATS)[8] = 2801;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 1);
}

/* Of 255,000 slots a step of the byte is 1,000. */
static void a_byte_of_perf_metrics_may_differ_by_two_steps(void **state)
{
    struct outliers outliers;
    struct measurement m;

    (void)state;
    begin(&m, 0);
    pass.readings[0] = (struct reading){&slots, READING_SLOTS, 3, 0};
    pass.readings[1] = (struct reading){&byte, READING_METRIC, 0, 0};
    pass.reading_count = 2;
    measurement_lay_out(&m, words);
    memset(words, 0, sizeof(words));
    for (unsigned i = 0; i < REPEATS; i++)
        for (unsigned twice = 0; twice < 2; twice++)
            pass_values(&m.passes[0], 0, twice != 0, REPEATS)[i] = 255000;
    m.passes[0].complete = true;
    pass_values(&m.passes[0], 1, false, REPEATS)[3] = 2000;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 0);
    pass_values(&m.passes[0], 1, false, REPEATS)[3] = 3000;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 1);
}

static void more_than_are_kept_are_counted(void **state)
{
    struct outliers outliers;
    struct measurement m;

    (void)state;
    begin(&m, 1000);
    pass.readings[1] = pass.readings[2] = pass.readings[0];
    pass.reading_count = 3;
    measurement_lay_out(&m, words);
    memset(words, 0, sizeof(words));
    for (unsigned reading = 0; reading < 3; reading++)
        for (unsigned i = 0; i < 4; i++)
            pass_values(&m.passes[0], reading, false, REPEATS)[i] = 500;
    m.passes[0].complete = true;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 12);
    m.passes[0].complete = false;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 0);
}

/* The same event in two passes: all windows of the second count half as much. */
static void a_pass_that_counts_otherwise_lies_apart_as_a_whole(void **state)
{
    static struct pass passes[2];
    struct outliers outliers;
    struct measurement m;

    (void)state;
    begin(&m, 1000);
    passes[0] = passes[1] = pass;
    plan.passes = passes;
    plan.pass_count = 2;
    measurement_lay_out(&m, words);
    for (unsigned of = 0; of < 2; of++) {
        for (unsigned i = 0; i < REPEATS; i++)
            for (unsigned twice = 0; twice < 2; twice++) {
                pass_windows(&m.passes[of], twice != 0, REPEATS)[i] = 100 * of + 2 * i + twice;
                pass_values(&m.passes[of], 0, twice != 0, REPEATS)[i] = (1000u >> of) << twice;
            }
        m.passes[of].complete = true;
    }
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 2);
    assert_int_equal(outliers.first[0].window, 100);
    assert_int_equal(outliers.first[0].value, 500);
    assert_int_equal(outliers.first[0].middle, 1000);
    assert_int_equal(outliers.first[1].window, 101);
    m.passes[0].complete = false;
    outliers_find(&outliers, &m);
    assert_int_equal(outliers.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_is_named_with_its_event_and_value),
        cmocka_unit_test(an_eighth_or_64_counts_do_not_lie_apart),
        cmocka_unit_test(values_that_spread_by_themselves_do_not_lie_apart),
        cmocka_unit_test(a_byte_of_perf_metrics_may_differ_by_two_steps),
        cmocka_unit_test(more_than_are_kept_are_counted),
        cmocka_unit_test(a_pass_that_counts_otherwise_lies_apart_as_a_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
