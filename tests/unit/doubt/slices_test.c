/* Slices that lie apart; counts are stated, no window runs. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/multiplex/slices.h"

#define REPEATS 3u

static const struct event uops = {.name = "UOPS_ISSUED.ANY", .kind = EVENT_GENERAL};
static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED};
static struct pass passes[2];
static struct plan plan;
static struct rotated readings[2 * PLAN_COUNTERS];
static uint64_t words[128];

/* Two passes: both count 4000 cycles in each window of n; the second one also 800 uops. */
static void begin(struct measurement *m, struct interval *interval)
{
    memset(passes, 0, sizeof(passes));
    passes[0].readings[0] = passes[1].readings[0] = (struct reading){&cycles, READING_FIXED, 1, 0};
    passes[0].reading_count = 1;
    passes[1].readings[1] = (struct reading){&uops, READING_GENERAL, 0, 0};
    passes[1].reading_count = 2;
    plan = (struct plan){.passes = passes, .pass_count = 2};
    *m = (struct measurement){.plan = &plan, .n = 100, .repeats = REPEATS};
    measurement_lay_out(m, words);
    for (unsigned i = 0; i < REPEATS; i++)
        for (unsigned twice = 0; twice < 2; twice++) {
            pass_values(&m->passes[0], 0, twice != 0, REPEATS)[i] = 4000ull << twice;
            pass_values(&m->passes[1], 0, twice != 0, REPEATS)[i] = 4000ull << twice;
            pass_values(&m->passes[1], 1, twice != 0, REPEATS)[i] = 800ull << twice;
        }
    m->passes[0].complete = m->passes[1].complete = true;
    readings[0] = readings[PLAN_COUNTERS] = (struct rotated){12000, 4000, 4000, false};
    readings[PLAN_COUNTERS + 1] = (struct rotated){2400, 800, 800, false};
    *interval = (struct interval){.readings = readings, .complete = true};
    interval->time_slices[0] = interval->time_slices[1] = 3;
}

/* An eighth of 800 is 100, which is more than 64: 700 to 900 is not apart. */
static void a_slice_is_held_against_the_windows_of_the_measurement(void **state)
{
    static const struct {
        double least, most;
        bool apart;
    } rows[] = {
        {800, 800, false}, {700, 900, false}, {699, 800, true},
        {800, 901, true},  {901, 901, true}, /* all slices: the interval is as long as the fault */
        {0, 0, true},
    };
    struct measurement m;
    struct interval interval;
    struct slices slices;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(&m, &interval);
        readings[PLAN_COUNTERS + 1].least = rows[i].least;
        readings[PLAN_COUNTERS + 1].most = rows[i].most;
        assert_int_equal(slices_apart(&slices, &m, &interval, &uops), rows[i].apart);
        assert_true(slices.least == rows[i].least && slices.most == rows[i].most);
        assert_int_equal(slices.measured, 800);
        assert_false(slices_apart(&slices, &m, &interval, &cycles));
    }
}

static void one_pass_of_several_that_lies_apart_is_enough(void **state)
{
    struct measurement m;
    struct interval interval;
    struct slices slices;

    (void)state;
    begin(&m, &interval);
    readings[PLAN_COUNTERS].most = 5000;
    assert_true(slices_apart(&slices, &m, &interval, &cycles));
    assert_true(slices.least == 4000 && slices.most == 5000);
}

static void without_a_count_nothing_is_said(void **state)
{
    struct measurement m;
    struct interval interval;
    struct slices slices;

    (void)state;
    begin(&m, &interval);
    readings[PLAN_COUNTERS + 1].most = 5000;
    readings[PLAN_COUNTERS + 1].overflowed = true;
    assert_false(slices_apart(&slices, &m, &interval, &uops));
    readings[PLAN_COUNTERS + 1].overflowed = false;
    m.passes[1].complete = false;
    assert_false(slices_apart(&slices, &m, &interval, &uops));
    m.passes[1].complete = true;
    interval.time_slices[1] = 0;
    assert_false(slices_apart(&slices, &m, &interval, &uops));
}

/* Of four windows around 800 an eighth is 100, of four around 80 it is less than 64 counts. */
static void windows_differ_by_more_than_edges_and_an_eighth_of_their_mean(void **state)
{
    static const struct {
        struct rotated rotated;
        double rounding;
        bool differ;
    } rows[] = {
        {{3200, 800, 800, false}, 0, false},   {{3200, 750, 850, false}, 0, false},
        {{3200, 749, 850, false}, 0, true},    {{3200, 740, 860, false}, 0, true},
        {{3200, 749, 850, false}, 101, false}, {{320, 48, 112, false}, 0, false},
        {{320, 47, 112, false}, 0, true},      {{320, 0, 320, true}, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(slices_differ(&rows[i].rotated, 4, rows[i].rounding), rows[i].differ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slice_is_held_against_the_windows_of_the_measurement),
        cmocka_unit_test(one_pass_of_several_that_lies_apart_is_enough),
        cmocka_unit_test(without_a_count_nothing_is_said),
        cmocka_unit_test(windows_differ_by_more_than_edges_and_an_eighth_of_their_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
