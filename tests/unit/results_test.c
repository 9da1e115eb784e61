/* From the values of windows to the counts that formulas use; values are stated, no window runs. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/judge/results.h"

static const struct event instructions = {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED};
static struct pass passes[2];
static struct plan plan;
static uint64_t words[256];

/* Two passes with one reading, three repeats. */
static void begin(struct measurement *m)
{
    memset(passes, 0, sizeof(passes));
    for (unsigned i = 0; i < 2; i++) {
        passes[i].readings[0] = (struct reading){&instructions, READING_FIXED, 0, 0};
        passes[i].reading_count = 1;
    }
    memset(&plan, 0, sizeof(plan));
    plan.passes = passes;
    plan.pass_count = 2;
    *m = (struct measurement){.plan = &plan, .n = 100, .repeats = 3};
    measurement_lay_out(m, words);
}

/* The table of hints has the same place for both; each comes twice. */
static void events_that_share_a_hint_have_a_tally_each(void **state)
{
    static struct event events[COUNT_HINTS + 1];
    static struct results results;
    static struct plan nothing;
    const struct event *first = &events[0], *last = &events[COUNT_HINTS];
    const struct measurement m = {.plan = &nothing};

    (void)state;
    nothing.missing[0] = (struct plan_missing){first, "a"};
    nothing.missing[1] = (struct plan_missing){last, "b"};
    nothing.missing[2] = (struct plan_missing){last, "c"};
    nothing.missing[3] = (struct plan_missing){first, "d"};
    nothing.missing_count = 4;
    for (unsigned again = 0; again < 2; again++) {
        results_make(&results, &m);
        assert_int_equal(results.count, 2);
        assert_ptr_equal(results.tallies[0].event, first);
        assert_ptr_equal(results.tallies[1].event, last);
        assert_string_equal(results.counts[0].reason, "a");
        assert_string_equal(results.counts[1].reason, "b");
    }
}

/* Windows of 510 and 1020 slots: a step of 1/255 is two slots of the first and four of the second,
 * where it may be missing, and both shares were rounded to whole slots. The counts of other
 * counters are exact. */
static void bytes_of_perf_metrics_have_an_error(void **state)
{
    static const struct event slots = {.name = "TOPDOWN.SLOTS", .kind = EVENT_SLOTS},
                              retiring = {.name = "PERF_METRICS.RETIRING", .kind = EVENT_METRIC};
    static struct results results;
    struct measurement m;

    (void)state;
    begin(&m);
    passes[0].readings[0] = (struct reading){&slots, READING_SLOTS, 3, 0};
    passes[0].readings[1] = (struct reading){&retiring, READING_METRIC, 0, 0};
    passes[0].reading_count = 2;
    measurement_lay_out(&m, words);
    for (unsigned repeat = 0; repeat < 3; repeat++)
        for (unsigned twice = 0; twice < 2; twice++) {
            pass_values(&m.passes[0], 0, twice != 0, 3)[repeat] = 510u << twice;
            pass_values(&m.passes[0], 1, twice != 0, 3)[repeat] = 255u << twice;
        }
    m.passes[0].complete = true;
    results_make(&results, &m);
    assert_true(results_find(&results, "PERF_METRICS.RETIRING")->error > 4.999999);
    assert_true(results_find(&results, "PERF_METRICS.RETIRING")->error < 5.000001);
    assert_true(results_find(&results, "TOPDOWN.SLOTS")->error <= 0);
}

/* The only count of a measurement with these windows. */
static struct count count_after(struct measurement *m, const uint64_t once[3],
                                const uint64_t twice[3])
{
    static struct results results;
    const char *reason;
    double value = -1;

    memcpy(pass_values(&m->passes[0], 0, false, 3), once, 3 * sizeof(*once));
    memcpy(pass_values(&m->passes[0], 0, true, 3), twice, 3 * sizeof(*twice));
    m->passes[0].complete = true;
    results_make(&results, m);
    assert_true(results_value(&results, "INST_RETIRED.ANY", &value, &reason));
    assert_true(results.counts[0].value >= value && results.counts[0].value <= value);
    return results.counts[0];
}

static double value_after(struct measurement *m, const uint64_t once[3], const uint64_t twice[3])
{
    return count_after(m, once, twice).value;
}

static double error_after(struct measurement *m, const uint64_t once[3], const uint64_t twice[3])
{
    return count_after(m, once, twice).error;
}

static void a_count_within_the_noise_of_edges_is_0(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    /* -7, -3, 32: no cost is negative. */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 10, 10}, (uint64_t[]){7, 42, 3}), 0);
    /* -2, 1, 3 */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){8, 13, 12}), 0);
    /* -2, 3, 5: the median is further from 0 than the lowest */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){8, 15, 14}), 3);
    /* -2, -1, -1: not on both sides of 0 */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){8, 11, 8}), -1);
    /* 0, 1, 9: none is below */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){10, 13, 18}), 1);
    /* -65, 20, 40: further below than the 64 counts of edges */
    assert_int_equal(value_after(&m, (uint64_t[]){100, 70, 60}, (uint64_t[]){35, 90, 100}), 20);
}

/* One window of n of the three counts 3 times what it should: 100000, 100010 and -100000. */
static void one_bad_window_changes_neither_the_count_nor_what_it_may_be_off_by(void **state)
{
    const uint64_t once[] = {100000, 100000, 300000}, twice[] = {200000, 200010, 200000};
    struct measurement m;

    (void)state;
    begin(&m);
    assert_int_equal(value_after(&m, once, twice), 100000);
    assert_int_equal(error_after(&m, once, twice), 5);
}

/* Two bad windows of ten, which both make a difference too large: 130000, 150000, 100000, 100010,
 * 100020. The median of all would be the largest of the three good ones. With one more, of what is
 * left nobody knows what is true. */
static void bad_windows_of_most_repeats_leave_no_count(void **state)
{
    static const uint64_t once[] = {70000, 100000, 100000, 100000, 100000},
                          twice[] = {200000, 250000, 200000, 200010, 200020};
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED},
                              stalls = {.name = "STALLS", .kind = EVENT_GENERAL};
    static struct results results;
    struct measurement m;

    (void)state;
    begin(&m);
    m.repeats = 5;
    measurement_lay_out(&m, words);
    memcpy(pass_values(&m.passes[0], 0, false, 5), once, sizeof(once));
    memcpy(pass_values(&m.passes[0], 0, true, 5), twice, sizeof(twice));
    m.passes[0].complete = true;
    results_make(&results, &m);
    assert_true(results.counts[0].measured);
    assert_int_equal(results.counts[0].value, 100010);
    assert_int_equal(results.counts[0].error, 10);
    assert_int_equal(results.tallies[0].difference.maximum, 150000);
    pass_values(&m.passes[0], 0, false, 5)[2] = 70000;
    results_make(&results, &m);
    assert_false(results.counts[0].measured);
    assert_string_equal(results.counts[0].reason, "of most of its repeats a window lies apart");
    /* 10 or 100 in each window, beside 100,000 cycles: no count of it is far from another. */
    passes[0].readings[0] = (struct reading){&stalls, READING_GENERAL, 0, 0};
    passes[0].readings[1] = (struct reading){&cycles, READING_FIXED, 1, 0};
    passes[0].reading_count = 2;
    measurement_lay_out(&m, words);
    m.passes[0].complete = true;
    for (unsigned repeat = 0; repeat < 5; repeat++) {
        pass_values(&m.passes[0], 0, false, 5)[repeat] = repeat < 2 ? 100 : 10;
        pass_values(&m.passes[0], 0, true, 5)[repeat] = repeat > 2 ? 100 : 10;
        pass_values(&m.passes[0], 1, false, 5)[repeat] = 100100;
        pass_values(&m.passes[0], 1, true, 5)[repeat] = 200100;
    }
    results_make(&results, &m);
    assert_true(results.tallies[0].scattered && results.counts[0].measured);
    assert_int_equal(results.counts[0].value, 0);
    assert_int_equal(results.counts[0].error, 90); /* -90 to 90 */
}

static void
a_count_may_be_off_by_half_the_range_of_its_repeats_and_by_an_event_a_window(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    /* 30, 31, 42 */
    assert_int_equal(error_after(&m, (uint64_t[]){10, 10, 10}, (uint64_t[]){40, 41, 52}), 6);
    assert_int_equal(error_after(&m, (uint64_t[]){10, 10, 10}, (uint64_t[]){40, 40, 40}), 2);
    /* 0, 5 and 8: there may be none of them. Of 3, 5 and 9 there are some. */
    assert_int_equal(error_after(&m, (uint64_t[]){10, 10, 10}, (uint64_t[]){10, 15, 18}), 5);
    assert_int_equal(error_after(&m, (uint64_t[]){10, 10, 10}, (uint64_t[]){13, 15, 19}), 3);
}

/* 1000 cycles: the edges of the windows may account for 64 + 20 counts. */
static void an_event_that_windows_of_2n_count_fewer_of_is_unmeasured(void **state)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED},
                              stalls = {.name = "STALLS", .kind = EVENT_GENERAL};
    static const struct {
        uint64_t twice[3];
        bool counted;
        int value;
    } rows[] = {
        {{116, 116, 116}, true, -84},
        {{115, 115, 115}, false, 0},
        {{20, 20, 200}, false, 0}, /* the third lies apart */
        {{200, 200, 20}, true, 0},
    };
    static struct results results;
    struct measurement m;
    const char *reason;
    double value;

    (void)state;
    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        begin(&m);
        passes[0].readings[0] = (struct reading){&cycles, READING_FIXED, 1, 0};
        passes[0].readings[1] = (struct reading){&stalls, READING_GENERAL, 0, 0};
        passes[0].reading_count = 2;
        measurement_lay_out(&m, words);
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            pass_values(&m.passes[0], 0, false, 3)[repeat] = 1100;
            pass_values(&m.passes[0], 0, true, 3)[repeat] = 2100;
            pass_values(&m.passes[0], 1, false, 3)[repeat] = 200;
            pass_values(&m.passes[0], 1, true, 3)[repeat] = rows[row].twice[repeat];
        }
        m.passes[0].complete = true;
        results_make(&results, &m);
        assert_int_equal(results.counts[1].measured, rows[row].counted);
        assert_int_equal(results_value(&results, "STALLS", &value, &reason), rows[row].counted);
        if (rows[row].counted) {
            assert_int_equal(results.counts[1].value, rows[row].value);
        } else {
            assert_string_equal(reason, "windows of 2n iterations counted fewer than windows of n");
            assert_string_equal(results.counts[1].reason, reason);
        }
        /* the log still shows the count, and an exact expectation is still judged by it */
        assert_int_equal(results_find(&results, "STALLS")->measured, true);
    }
}

/* A counter of cycles that stood still, in windows of 3000 and 6000 instructions. */
static void cycles_without_instructions_are_no_cycles(void **state)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED};
    static const struct {
        uint64_t instructions, cycles; /* of a window of n; twice as many of one of 2n */
        const char *no_instructions, *no_cycles;
    } rows[] = {
        {3000, 0, NULL, "it counted nothing while instructions retired"},
        {0, 3000, "it counted nothing while cycles went by", NULL},
        {0, 1, NULL, NULL},
        {3000, 800, NULL, NULL},
    };
    static struct results results;
    struct measurement m;

    (void)state;
    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        begin(&m);
        passes[0].readings[1] = (struct reading){&cycles, READING_FIXED, 1, 0};
        passes[0].reading_count = 2;
        measurement_lay_out(&m, words);
        for (unsigned i = 0; i < 6; i++) {
            pass_values(&m.passes[0], 0, i >= 3, 3)[i % 3] = rows[row].instructions << (i >= 3);
            pass_values(&m.passes[0], 1, i >= 3, 3)[i % 3] = rows[row].cycles << (i >= 3);
        }
        m.passes[0].complete = true;
        results_make(&results, &m);
        assert_int_equal(results.counts[0].reason == NULL, rows[row].no_instructions == NULL);
        assert_int_equal(results.counts[1].reason == NULL, rows[row].no_cycles == NULL);
        if (rows[row].no_instructions != NULL)
            assert_string_equal(results.counts[0].reason, rows[row].no_instructions);
        if (rows[row].no_cycles != NULL)
            assert_string_equal(results.counts[1].reason, rows[row].no_cycles);
    }
}

/* 1000 cycles in the first pass; the second may take 250 more or fewer, and 64 because of the
 * edges.
 */
static void an_event_whose_pass_took_other_cycles_is_unmeasured(void **state)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED},
                              stalls = {.name = "STALLS", .kind = EVENT_GENERAL};
    static const struct {
        uint64_t twice;
        bool counted;
    } rows[] = {{2100 + 314, true}, {2100 + 315, false}, {2100 - 314, true}, {2100 - 315, false}};
    static struct results results;
    struct measurement m;

    (void)state;
    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        begin(&m);
        for (unsigned pass = 0; pass < 2; pass++) {
            passes[pass].readings[0] = (struct reading){&cycles, READING_FIXED, 1, 0};
            passes[pass].readings[1] = (struct reading){&stalls, READING_GENERAL, 0, 0};
            passes[pass].reading_count = pass + 1; /* stalls in the second alone */
        }
        measurement_lay_out(&m, words);
        for (unsigned pass = 0; pass < 2; pass++) {
            for (unsigned repeat = 0; repeat < 3; repeat++) {
                pass_values(&m.passes[pass], 0, false, 3)[repeat] = 1100;
                pass_values(&m.passes[pass], 0, true, 3)[repeat] =
                    pass == 0 ? 2100 : rows[row].twice;
            }
            m.passes[pass].complete = true;
        }
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            pass_values(&m.passes[1], 1, false, 3)[repeat] = 10;
            pass_values(&m.passes[1], 1, true, 3)[repeat] = 1010;
        }
        results_make(&results, &m);
        assert_true(results.counts[0].measured);
        assert_int_equal(results.counts[1].measured, rows[row].counted);
        assert_true(results_find(&results, "STALLS")->measured);
    }
}

/* Two windows may differ by an event at the edge of each; that it is no more, one repeat alone does
 * not show: a cycle's 8. Three that differ by 30 are off by 15. */
static void one_repeat_may_be_off_by_a_cycle(void **state)
{
    static const struct {
        unsigned repeats, spread;
        double error;
    } rows[] = {{1, 0, 8}, {3, 0, 2}, {3, 30, 15}};
    static struct results results;
    struct measurement m;

    (void)state;
    for (unsigned row = 0; row < 3; row++) {
        begin(&m);
        m.repeats = rows[row].repeats;
        plan.pass_count = 1;
        measurement_lay_out(&m, words);
        for (unsigned i = 0; i < m.repeats; i++) {
            pass_values(&m.passes[0], 0, false, m.repeats)[i] = 1000;
            pass_values(&m.passes[0], 0, true, m.repeats)[i] =
                2000 + (i == 1 ? rows[row].spread : 0);
        }
        m.passes[0].complete = true;
        results_make(&results, &m);
        assert_true(results.counts[0].measured);
        assert_true(results.counts[0].error == rows[row].error);
    }
}

/* 64 may be the edges'. */
static void n_more_iterations_take_no_more_than_twice_as_long(void **state)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED};
    static struct results results;
    struct measurement m;

    (void)state;
    begin(&m);
    passes[0].readings[0] = (struct reading){&cycles, READING_FIXED, 1, 0};
    passes[0].readings[1] = (struct reading){&instructions, READING_FIXED, 0, 0};
    passes[0].reading_count = 2;
    measurement_lay_out(&m, words);
    m.passes[0].complete = true;
    for (unsigned repeat = 0; repeat < 3; repeat++) {
        pass_values(&m.passes[0], 0, false, 3)[repeat] = 300;
        pass_values(&m.passes[0], 0, true, 3)[repeat] = 964;
        pass_values(&m.passes[0], 1, false, 3)[repeat] = 1000;
        pass_values(&m.passes[0], 1, true, 3)[repeat] = 2000;
    }
    results_make(&results, &m);
    assert_true(results.counts[0].measured && results.counts[1].measured);
    for (unsigned repeat = 0; repeat < 3; repeat++)
        pass_values(&m.passes[0], 0, true, 3)[repeat] = 965;
    results_make(&results, &m);
    for (unsigned i = 0; i < 2; i++) {
        assert_false(results.counts[i].measured);
        assert_non_null(strstr(results.counts[i].reason, "does not cost the same"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_perf_metrics_have_an_error),
        cmocka_unit_test(events_that_share_a_hint_have_a_tally_each),
        cmocka_unit_test(a_count_within_the_noise_of_edges_is_0),
        cmocka_unit_test(one_bad_window_changes_neither_the_count_nor_what_it_may_be_off_by),
        cmocka_unit_test(bad_windows_of_most_repeats_leave_no_count),
        cmocka_unit_test(cycles_without_instructions_are_no_cycles),
        cmocka_unit_test(
            a_count_may_be_off_by_half_the_range_of_its_repeats_and_by_an_event_a_window),
        cmocka_unit_test(an_event_whose_pass_took_other_cycles_is_unmeasured),
        cmocka_unit_test(an_event_that_windows_of_2n_count_fewer_of_is_unmeasured),
        cmocka_unit_test(one_repeat_may_be_off_by_a_cycle),
        cmocka_unit_test(n_more_iterations_take_no_more_than_twice_as_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
