/* The counts of an interval's time slices, beside those of n iterations. */
#include "tests/unit/cmocka_all.h"

#include "harness/outcome/outcome_rotation.c"
#include "harness/window/window.h"

/* No window runs here. */
const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

void window_run(const struct window *window)
{
    (void)window;
    fail();
}

void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window, (void)msr, (void)enable, (void)disable;
    fail();
}

static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED},
                          loads = {.name = "LOADS"};
static struct pass passes[1];
static struct plan plan;
static struct rotated readings[PLAN_COUNTERS];
static struct run run;
static struct lane lane;

/* Four time slices of one pass: 1000 cycles, all of the interval's, and 60 loads. */
static struct interval begin(void)
{
    struct interval interval = {.complete = true, .cycles = 1000, .readings = readings};

    passes[0] = (struct pass){.readings = {{.event = &cycles, .kind = READING_FIXED, .counter = 1},
                                           {.event = &loads, .kind = READING_GENERAL}},
                              .reading_count = 2};
    plan = (struct plan){.passes = passes, .pass_count = 1};
    lane.measurement.plan = &plan;
    run.judged.results.count = 1;
    run.judged.results.counts[0] =
        (struct count){.event = &loads, .measured = true, .value = 15, .error = 3};
    interval.pass_cycles[0] = 1000;
    interval.time_slices[0] = 4;
    readings[0] = (struct rotated){.sum = 1000, .least = 250, .most = 250};
    readings[1] = (struct rotated){.sum = 60, .least = 15, .most = 15};
    return interval;
}

static void a_count_may_be_off_in_each_of_its_time_slices(void **state)
{
    const struct interval interval = begin();
    struct count count;

    (void)state;
    count = count_in(&run.judged, &lane, &interval, 0);
    assert_true(count.measured);
    assert_true(count.value > 59.999 && count.value < 60.001);
    assert_true(count.error > 11.999 && count.error < 12.001);
}

static void an_event_that_was_refused_has_no_count_in_an_interval_either(void **state)
{
    const struct interval interval = begin();
    struct count count;

    (void)state;
    results_refuse_event(&run.judged.results, 0, "it counted otherwise when it was measured again");
    count = count_in(&run.judged, &lane, &interval, 0);
    assert_false(count.measured);
    assert_string_equal(count.reason, "it counted otherwise when it was measured again");
}

static void a_counter_that_overflowed_in_a_slice_has_no_count(void **state)
{
    struct interval interval = begin();
    struct count count;

    (void)state;
    interval.readings[1].overflowed = true;
    count = count_in(&run.judged, &lane, &interval, 0);
    assert_false(count.measured);
    assert_string_equal(count.reason, "its counter overflowed within a window");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_may_be_off_in_each_of_its_time_slices),
        cmocka_unit_test(an_event_that_was_refused_has_no_count_in_an_interval_either),
        cmocka_unit_test(a_counter_that_overflowed_in_a_slice_has_no_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
