/* Multiplexed counts: which windows are run, how counts are scaled, and which errors are judged.
 * Numbers by hand; where they are many, what chance does to them by a simulation. */
#include "tests/unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "harness/experiment/multiplex/estimate.h"
#include "harness/window/measured_window.h"

static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD"},
                          reference = {.name = "CPU_CLK_UNHALTED.REF_TSC"};
static const struct event first = {.name = "A"}, second = {.name = "B"};

static struct pass passes[2] = {
    {.readings = {{&cycles, READING_FIXED, 1, 0},
                  {&first, READING_GENERAL, 0, 0},
                  {&reference, READING_FIXED, 2, 0}},
     .reading_count = 3},
    {.readings = {{&cycles, READING_FIXED, 1, 0},
                  {&second, READING_GENERAL, 0, 0},
                  {&reference, READING_FIXED, 2, 0}},
     .reading_count = 3},
};
static const struct plan plan = {.passes = passes, .pass_count = 2};
static struct rotated readings[2 * PLAN_COUNTERS], whole[2 * PLAN_COUNTERS];

/* --- the windows --- */

static struct {
    unsigned windows;
    unsigned fails; /* the number of the window that fails; 0: none */
    unsigned overflows;
    char passes[64]; /* of each window, '0' or '1' */
    bool rehearsed;  /* all of them */
    uint64_t
        uncounted[32]; /* iterations before the first window, between windows and behind them */
    unsigned uncounted_count;
} ran;

void kernel_run_once(const struct measurement *measurement, uint64_t n)
{
    (void)measurement;
    ran.uncounted[ran.uncounted_count++] = n;
}

/* The window with number k takes 100 + k cycles, and counts k of its event. */
bool measured_window_count(struct measurement *measurement, const struct pass *pass, uint64_t n,
                           struct raw_counts *raw, unsigned *retries)
{
    (void)n;
    (void)retries;
    ran.rehearsed &= measurement->rehearsed;
    ran.passes[ran.windows++] = pass == passes ? '0' : '1';
    raw->value[0] = 100 + ran.windows;
    raw->value[1] = ran.windows;
    memset(raw->overflowed, 0, sizeof(raw->overflowed));
    raw->overflowed[1] = ran.windows == ran.overflows;
    return ran.windows != ran.fails;
}

static bool run(struct rotation *rotation, struct interval *interval)
{
    struct core_registers registers = {0};
    struct measurement measurement = {.plan = &plan, .registers = &registers};
    bool succeeded;

    ran.windows = 0;
    ran.uncounted_count = 0;
    ran.rehearsed = true;
    memset(ran.passes, 0, sizeof(ran.passes));
    memset(readings, 0, sizeof(readings));
    memset(whole, 0, sizeof(whole));
    *interval = (struct interval){.readings = readings};
    rotation->interval = interval;
    rotation->whole = whole;
    rotation->intervals = 1;
    succeeded = rotation_run(&measurement, rotation);
    assert_false(measurement.rehearsed);
    return succeeded;
}

static void assert_rotated(const struct rotated *rotated, double sum, double least, double most)
{
    assert_true(rotated->sum == sum && rotated->least == least && rotated->most == most);
}

/* Two turns of two passes: windows 1 and 2 rotate, 3 to 6 count each pass alone, 7 and 8 rotate. */
static void each_turn_is_followed_by_windows_of_each_pass_alone(void **state)
{
    struct rotation rotation = {.turns = 2, .alone = 2};
    struct interval interval;

    (void)state;
    assert_true(run(&rotation, &interval));
    assert_true(rotation.compared && ran.rehearsed);
    assert_string_equal(ran.passes, "010011010011");
    assert_rotated(&readings[1], 1 + 7, 1, 7);
    assert_rotated(&readings[PLAN_COUNTERS + 1], 2 + 8, 2, 8);
    assert_rotated(&whole[1], 3 + 4 + 9 + 10, 3, 10);
    assert_rotated(&whole[PLAN_COUNTERS], 400 + 5 + 6 + 11 + 12, 105, 112);
    assert_true(interval.cycles == 400 + 1 + 2 + 7 + 8);
    assert_true(interval.pass_cycles[0] == 200 + 1 + 7);
}

/* With n = 100 there are up to 800 iterations before the first time slice, then, in each turn, up
 * to 200 before each of the four windows alone, and the rest of 800 behind them. */
static void windows_alone_keep_no_step_and_turns_keep_theirs(void **state)
{
    uint64_t before[2][11] = {{0}};

    (void)state;
    for (unsigned seed = 0; seed < 2; seed++) {
        struct rotation rotation = {.turns = 2, .alone = 2, .n = 100, .random = seed + 1};
        struct interval interval;

        assert_true(run(&rotation, &interval));
        assert_int_equal(ran.uncounted_count, 11);
        assert_in_range(ran.uncounted[0], 1, 799);
        for (unsigned turn = 0; turn < 2; turn++) {
            const uint64_t *of = &ran.uncounted[1 + 5 * turn];

            for (unsigned i = 0; i < 4; i++)
                assert_in_range(of[i], 1, 199);
            assert_int_equal(of[0] + of[1] + of[2] + of[3] + of[4], 800);
        }
        assert_memory_not_equal(&ran.uncounted[1], &ran.uncounted[6], 5 * sizeof(uint64_t));
        memcpy(before[seed], ran.uncounted, sizeof(before[seed]));
    }
    assert_memory_not_equal(before[0], before[1], sizeof(before[0]));
}

static void an_interval_rotates_only(void **state)
{
    struct rotation rotation = {.turns = 2};
    struct interval interval;

    (void)state;
    assert_true(run(&rotation, &interval));
    assert_false(rotation.compared || ran.rehearsed);
    assert_int_equal(ran.uncounted_count, 0);
    assert_string_equal(ran.passes, "0101");
}

/* Windows 7 and 8 rotate, 9 and 10 count the first pass alone. */
static void a_counter_that_overflowed_in_one_window_has_no_estimate(void **state)
{
    static const struct {
        unsigned window;
        bool estimated;
        const char *why;
    } rows[] = {
        {7, false, "its counter overflowed within a window"},
        {8, true, NULL},
        {10, false, "its counter overflowed within a window of its pass alone"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct rotation rotation = {.turns = 2, .alone = 2};
        struct multiplexed multiplexed;
        struct interval interval;

        ran.overflows = rows[i].window;
        assert_true(run(&rotation, &interval));
        ran.overflows = 0;
        assert_int_equal(estimate_compare(&multiplexed, &plan, &rotation, &first),
                         rows[i].estimated);
        if (rows[i].why != NULL)
            assert_string_equal(multiplexed.estimate.why, rows[i].why);
        assert_int_equal(multiplexed.estimate.valid, rows[i].estimated);
    }
}

static void nothing_is_compared_after_a_window_that_failed(void **state)
{
    struct rotation rotation = {.turns = 2, .alone = 2};
    struct interval interval;

    (void)state;
    ran.fails = 12;
    assert_false(run(&rotation, &interval));
    ran.fails = 0;
    assert_false(rotation.compared);
}

/* --- estimates --- */

/* A run of two passes with so many time slices, which took so many cycles. */
static struct interval two_passes(uint32_t slices, double took, uint32_t others, double others_took)
{
    return (struct interval){.cycles = took + others_took,
                             .pass_cycles = {took, others_took},
                             .time_slices = {slices, others},
                             .readings = readings,
                             .complete = true};
}

/* What is compared with the interval: so many turns, each with so many windows of a pass alone. */
static struct rotation rotation_of(struct interval *interval, unsigned turns, unsigned alone)
{
    return (struct rotation){
        .turns = turns, .alone = alone, .interval = interval, .whole = whole, .compared = true};
}

/* Three quarters of 4000 cycles with pass 0, which counted 300 of A in them, in two time slices,
 * 100 and 200; the rest with pass 1 and 50 of B in one time slice. */
static struct interval interval_of(void)
{
    struct interval interval = two_passes(2, 3000, 1, 1000);

    readings[0] = (struct rotated){.sum = 3000, .least = 1500, .most = 1500};
    readings[1] = (struct rotated){.sum = 300, .least = 100, .most = 200};
    readings[PLAN_COUNTERS] = (struct rotated){.sum = 1000, .least = 1000, .most = 1000};
    readings[PLAN_COUNTERS + 1] = (struct rotated){.sum = 50, .least = 50, .most = 50};
    return interval;
}

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9)
        fail_msg("%.12g instead of %.12g", value, expected);
}

static void a_count_is_scaled_by_time_enabled_over_time_running(void **state)
{
    const struct interval interval = interval_of();
    const struct estimate a = estimate_event(&plan, &interval, &first);
    const struct estimate b = estimate_event(&plan, &interval, &second);

    (void)state;
    assert_true(a.valid && b.valid);
    assert_near(a.running, 0.75);
    assert_near(a.value, 400);
    assert_near(b.running, 0.25);
    assert_near(b.value, 200);
}

static void an_event_of_every_pass_is_not_scaled(void **state)
{
    const struct interval interval = interval_of();
    const struct estimate estimate = estimate_event(&plan, &interval, &cycles);

    (void)state;
    assert_near(estimate.running, 1);
    assert_near(estimate.value, 4000);
}

static void an_event_that_no_time_slice_counted_has_no_estimate(void **state)
{
    static const struct event other = {.name = "C"};
    struct interval interval = interval_of();

    (void)state;
    assert_false(estimate_event(&plan, &interval, &other).valid);
    interval.complete = false;
    assert_false(estimate_event(&plan, &interval, &first).valid);
}

static void cycles_are_found_on_fixed_counter_1_only(void **state)
{
    const struct pass without = {.readings = {{&first, READING_FIXED, 0, 0}}, .reading_count = 1};

    (void)state;
    assert_int_equal(rotation_cycles(&passes[0]), 0);
    assert_int_equal(rotation_cycles(&without), -1);
}

/* --- what is judged --- */

/* Reference cycles are as many as cycles, in every window. */
static bool compare(struct multiplexed *multiplexed, const struct plan *of,
                    const struct rotation *rotation, const struct event *event)
{
    for (unsigned p = 0; p < of->pass_count; p++)
        for (unsigned i = 0; i < of->passes[p].reading_count; i++) {
            const unsigned at = p * PLAN_COUNTERS;

            if (of->passes[p].readings[i].event != &reference)
                continue;
            rotation->interval->readings[at + i] = rotation->interval->readings[at];
            rotation->whole[at + i] = rotation->whole[at];
        }
    return estimate_compare(multiplexed, of, rotation, event);
}

/* Two turns: four time slices of 1000 cycles, two of which count A. Alone, four windows count it.
 */
static struct multiplexed compared(const double *few, const double *many)
{
    struct interval interval = two_passes(2, 2000, 2, 2000);
    const struct rotation rotation = rotation_of(&interval, 2, 2);
    struct multiplexed multiplexed;

    readings[0] = readings[PLAN_COUNTERS] = (struct rotated){2000, 1000, 1000, false};
    whole[0] = (struct rotated){4000, 1000, 1000, false};
    readings[1] =
        (struct rotated){few[0] + few[1], fmin(few[0], few[1]), fmax(few[0], few[1]), false};
    whole[1] = (struct rotated){many[0] + many[1] + many[2] + many[3],
                                fmin(fmin(many[0], many[1]), fmin(many[2], many[3])),
                                fmax(fmax(many[0], many[1]), fmax(many[2], many[3])), false};
    assert_true(compare(&multiplexed, &plan, &rotation, &first));
    return multiplexed;
}

static void assert_unreliable(const struct multiplexed *multiplexed, const char *why)
{
    assert_non_null(multiplexed->unreliable);
    assert_string_equal(multiplexed->unreliable, why);
}

/* 198 and 202 are 1 % around 200, 396 to 404 around 400. The ranges touch at 202 and 0.99 m if the
 * others' mean m is 204.04: 200 is 1.98 % less; and at 198 and 1.01 m: 200 is 2.02 % more, for
 * 1.01 / 0.99 is 1.0202. */
static void chance_is_what_leaves_the_two_ranges_of_counts_overlapping(void **state)
{
    const double few[] = {198, 202}, many[] = {400, 404, 396, 400};
    const struct multiplexed multiplexed = compared(few, many);

    (void)state;
    assert_near(multiplexed.error, -0.5);
    assert_near(multiplexed.uncertainty, 1.01 / 0.99 - 1);
    assert_null(multiplexed.unreliable); /* half of the events were lost: that is no chance */
}

/* 206 is 3 % more than the mean 200, 212 is 9 more than 203, and 192 is 6 less than 198. */
static void counts_that_differ_a_little_are_judged(void **state)
{
    const double steady[] = {200, 200}, few[] = {194, 206};
    const double calm[] = {200, 200, 200, 200}, many[] = {200, 200, 200, 212};
    const double dip[] = {200, 200, 200, 192};
    const struct multiplexed in_rotation = compared(few, calm), alone = compared(steady, many);

    (void)state;
    assert_near(in_rotation.uncertainty, 1 / 0.97 - 1);
    assert_null(in_rotation.unreliable);
    assert_near(compared(steady, dip).uncertainty, 6 / 198.0);
    assert_near(alone.uncertainty, 212 / 203.0 - 1);
    assert_null(alone.unreliable);
}

static void counts_that_differ_too_much_are_not_judged(void **state)
{
    const double steady[] = {200, 200}, few[] = {190, 210};
    const double calm[] = {200, 200, 200, 200}, burst[] = {200, 200, 200, 220};
    const struct multiplexed in_rotation = compared(few, calm), alone = compared(steady, burst);

    (void)state;
    assert_near(in_rotation.uncertainty, 1 / 0.95 - 1);
    assert_unreliable(&in_rotation, "slices differ");
    assert_near(alone.uncertainty, 220 / 205.0 - 1); /* the time slices themselves saw no burst */
    assert_unreliable(&alone, "slices differ");
}

/* Two windows alone count 200 and 204, four time slices would have 808. */
/* Two fixed counters of instructions, of which one window in one pass alone has 3 % more, or 1 %.
 */
static void windows_of_other_instructions_make_nothing_reliable(void **state)
{
    static const struct event instructions = {.name = "INST_RETIRED.ANY"};
    static const struct {
        double most;
        bool differ;
    } rows[] = {{1010, false}, {1030, true}};

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct interval interval = two_passes(2, 2000, 2, 2000);
        const struct rotation rotation = rotation_of(&interval, 2, 2);
        struct pass with[2] = {passes[0], passes[1]};
        const struct plan more = {.passes = with, .pass_count = 2};
        struct multiplexed multiplexed;

        for (unsigned p = 0; p < 2; p++) {
            with[p].readings[with[p].reading_count++] =
                (struct reading){&instructions, READING_FIXED, 0, 0};
            for (unsigned r = 0; r < 3; r++) {
                readings[p * PLAN_COUNTERS + r] = (struct rotated){2000, 1000, 1000, false};
                whole[p * PLAN_COUNTERS + r] = (struct rotated){4000, 1000, 1000, false};
            }
            readings[p * PLAN_COUNTERS + 3] = (struct rotated){2000, 1000, 1000, false};
            whole[p * PLAN_COUNTERS + 3] = (struct rotated){4000, 1000, 1000, false};
        }
        whole[PLAN_COUNTERS + 3].most = rows[i].most;
        assert_true(estimate_compare(&multiplexed, &more, &rotation, &first));
        if (rows[i].differ)
            assert_string_equal(multiplexed.unreliable, "instructions of the slices differ");
        else
            assert_null(multiplexed.unreliable);
    }
}

static void a_count_alone_is_scaled_to_as_many_windows_as_were_multiplexed(void **state)
{
    struct interval interval = two_passes(2, 2000, 2, 2000);
    const struct rotation rotation = rotation_of(&interval, 2, 1);
    struct multiplexed multiplexed;

    (void)state;
    readings[0] = readings[PLAN_COUNTERS] = whole[0] = (struct rotated){2000, 1000, 1000, false};
    readings[1] = (struct rotated){404, 202, 202, false};
    whole[1] = (struct rotated){404, 200, 204, false};
    assert_true(compare(&multiplexed, &plan, &rotation, &first));
    assert_near(multiplexed.count, 808);
    assert_near(multiplexed.error, 0);
    assert_near(multiplexed.uncertainty, 2 / 202.0);
}

static void an_event_of_some_slices_only_is_not_judged(void **state)
{
    const double few[] = {0, 400}, none[] = {0, 0}, steady[] = {200, 200};
    const double many[] = {200, 200, 200, 200}, burst[] = {0, 0, 0, 800};
    const struct multiplexed in_rotation = compared(few, many), alone = compared(steady, burst);
    const struct multiplexed unseen = compared(none, burst);

    (void)state;
    assert_near(in_rotation.uncertainty, 1);
    assert_unreliable(&in_rotation, "not in every slice");
    assert_unreliable(&alone, "not in every slice");
    assert_unreliable(&unseen, "too rare"); /* it may have happened in the other time slices */
}

/* 10 and 9.99 counts in 1000 cycles. */
static void a_rare_event_is_not_judged(void **state)
{
    const double few[] = {10, 10}, fewer[] = {9.99, 9.99}, many[] = {10, 10, 10, 10};
    const struct multiplexed enough = compared(few, many), rare = compared(fewer, many);

    (void)state;
    assert_null(enough.unreliable);
    assert_unreliable(&rare, "too rare");
}

/* An event of every pass is not scaled, so it may be rare; but of a count of 0 nothing is a part.
 */
static void an_event_of_every_pass_may_be_rare(void **state)
{
    struct pass both[2] = {passes[0], passes[0]};
    const struct plan of_both = {.passes = both, .pass_count = 2};
    struct interval interval = interval_of();
    const struct rotation rotation = rotation_of(&interval, 3, 1);
    struct multiplexed multiplexed;

    (void)state;
    readings[1] = whole[1] = (struct rotated){.sum = 2, .least = 1, .most = 1};
    readings[PLAN_COUNTERS + 1] = (struct rotated){.sum = 1, .least = 1, .most = 1};
    whole[0] = (struct rotated){.sum = 4000, .least = 1300, .most = 1400};
    whole[1] = (struct rotated){.sum = 3, .least = 1, .most = 1};
    assert_true(compare(&multiplexed, &of_both, &rotation, &first));
    assert_near(multiplexed.error, 0);
    assert_null(multiplexed.unreliable);
    readings[1] = readings[PLAN_COUNTERS + 1] = whole[1] = (struct rotated){0};
    assert_true(compare(&multiplexed, &of_both, &rotation, &first));
    assert_false(multiplexed.error_known);
    assert_unreliable(&multiplexed, "too rare");
}

/* Of an event of every pass all time slices are asked: 190 with the one, 210 with the other. */
static void time_slices_of_several_passes_have_one_range(void **state)
{
    struct pass both[2] = {passes[0], passes[0]};
    const struct plan of_both = {.passes = both, .pass_count = 2};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct interval interval = two_passes(2, 2000, 2, 2000);
        const struct rotation rotation = rotation_of(&interval, 2, 2);
        struct multiplexed multiplexed;

        readings[0] = readings[PLAN_COUNTERS] = (struct rotated){2000, 1000, 1000, false};
        readings[i * PLAN_COUNTERS + 1] = (struct rotated){380, 190, 190, false};
        readings[(1 - i) * PLAN_COUNTERS + 1] = (struct rotated){420, 210, 210, false};
        whole[0] = (struct rotated){4000, 1000, 1000, false};
        whole[1] = (struct rotated){800, 200, 200, false};
        assert_true(compare(&multiplexed, &of_both, &rotation, &first));
        assert_near(multiplexed.error, 0);
        assert_near(multiplexed.uncertainty, 1 / 0.95 - 1);
        whole[1].least = 194;
        assert_true(compare(&multiplexed, &of_both, &rotation, &first));
        assert_near(multiplexed.uncertainty, 1 - 0.97 / 1.05);
    }
}

/* One of 21 time slices is 4.76 % of the time. */
static void an_event_of_a_twentieth_of_the_time_is_judged(void **state)
{
    (void)state;
    for (unsigned others = 19; others <= 20; others++) {
        struct interval interval = two_passes(1, 1000, others, 1000 * others);
        const struct rotation rotation = rotation_of(&interval, 1, 1 + others);
        struct multiplexed multiplexed;

        readings[0] = (struct rotated){1000, 1000, 1000, false};
        readings[PLAN_COUNTERS] = (struct rotated){1000 * others, 1000, 1000, false};
        readings[1] = (struct rotated){100, 100, 100, false};
        whole[0] = (struct rotated){1000 * (1 + others), 1000, 1000, false};
        whole[1] = (struct rotated){100 * (1 + others), 100, 100, false};
        assert_true(compare(&multiplexed, &plan, &rotation, &first));
        assert_near(multiplexed.error, 0);
        if (others == 19)
            assert_null(multiplexed.unreliable);
        else
            assert_unreliable(&multiplexed, "counted for too short a time");
    }
}

/* A counts 100 in each time slice, which are 900 and 1100 cycles long: in 2000 of 4200 cycles of
 * four time slices 200, so 420 in all where it counts 400. Its slices were 5 % too short, and what
 * is scaled by them is 5 % too much: chance cannot be told from that. */
static void longer_and_shorter_time_slices_are_part_of_the_uncertainty(void **state)
{
    struct interval interval = two_passes(2, 2000, 2, 2200);
    const struct rotation rotation = rotation_of(&interval, 2, 2);
    struct multiplexed multiplexed;

    (void)state;
    readings[0] = (struct rotated){2000, 900, 1100, false};
    readings[1] = (struct rotated){200, 100, 100, false};
    readings[PLAN_COUNTERS] = (struct rotated){2200, 1100, 1100, false};
    whole[0] = (struct rotated){4200, 1050, 1050, false};
    whole[1] = (struct rotated){400, 100, 100, false};
    assert_true(compare(&multiplexed, &plan, &rotation, &first));
    assert_near(multiplexed.error, 0.05);
    assert_near(multiplexed.uncertainty, 0.05);
}

/* Both time slices of A count 1 in 10 cycles: 400 in 4000. Alone, its pass takes so many. */
static struct multiplexed beside(double alone)
{
    struct interval interval = interval_of();
    const struct rotation rotation = rotation_of(&interval, 2, 2);
    struct multiplexed multiplexed;

    interval.time_slices[0] = 3;
    readings[0] = (struct rotated){3000, 1000, 1000, false};
    readings[1] = (struct rotated){300, 100, 100, false};
    whole[0] = (struct rotated){alone, alone / 4, alone / 4, false};
    whole[1] = (struct rotated){400, 100, 100, false};
    assert_true(compare(&multiplexed, &plan, &rotation, &first));
    assert_near(multiplexed.estimate.value, 400);
    assert_near(multiplexed.error, 0);
    return multiplexed;
}

/* 400 are 5 % more than 381: 19 counts, one in each of 19 cycles. */
static void runs_that_differ_by_more_cycles_than_the_error_sought_say_nothing(void **state)
{
    const double alike[] = {4000, 4019, 3981}, apart[] = {4020, 3980};

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        assert_null(beside(alike[i]).unreliable);
    for (unsigned i = 0; i < 2; i++) {
        const struct multiplexed multiplexed = beside(apart[i]);

        assert_unreliable(&multiplexed, "cycles of the two runs differ");
    }
    assert_near(beside(4019).uncertainty, 19.0 / 381);
}

/* A frequency that changed would show in the reference cycles only. */
static void without_reference_cycles_no_error_is_judged(void **state)
{
    const double few[] = {200, 200}, many[] = {200, 200, 200, 200};
    struct multiplexed multiplexed = compared(few, many);

    (void)state;
    assert_true(multiplexed.cycles_known);
    assert_null(multiplexed.unreliable);
    passes[1].reading_count = 2;
    multiplexed = compared(few, many);
    passes[1].reading_count = 3;
    assert_false(multiplexed.cycles_known);
    assert_unreliable(&multiplexed, "cycles of the two runs are not known");
}

/* A byte of PERF_METRICS that is half of the slots, in all time slices: cycles that are added could
 * all be its slots, so 5 % of it are 2.5 % of the cycles, 100 of 4000. */
static bool is_half_of_the_slots_reliable_beside(double alone)
{
    struct pass with = {.readings = {{&cycles, READING_FIXED, 1, 0},
                                     {&first, READING_METRIC, 3, 2},
                                     {&second, READING_SLOTS, 3, 0},
                                     {&reference, READING_FIXED, 2, 0}},
                        .reading_count = 4};
    struct pass both[2] = {with, passes[1]};
    const struct plan metrics = {.passes = both, .pass_count = 2};
    struct interval interval = interval_of();
    const struct rotation rotation = rotation_of(&interval, 2, 2);
    struct multiplexed multiplexed;

    interval.time_slices[0] = 3;
    readings[0] = (struct rotated){3000, 1000, 1000, false};
    readings[1] = (struct rotated){6000, 2000, 2000, false};
    readings[2] = (struct rotated){12000, 4000, 4000, false};
    whole[0] = (struct rotated){alone, alone / 4, alone / 4, false};
    whole[1] = (struct rotated){8000, 2000, 2000, false};
    assert_true(compare(&multiplexed, &metrics, &rotation, &first));
    assert_near(multiplexed.estimate.value, 8000);
    return multiplexed.unreliable == NULL;
}

static void cycles_that_are_added_may_all_be_slots_of_one_metric(void **state)
{
    (void)state;
    assert_true(is_half_of_the_slots_reliable_beside(4095));
    assert_false(is_half_of_the_slots_reliable_beside(4096));
    assert_true(is_half_of_the_slots_reliable_beside(3905));
    assert_false(is_half_of_the_slots_reliable_beside(3904));
}

/* --- chance --- */

static uint64_t random_state;

/* xorshift64, evenly from 0 to 1. */
static double chance(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

enum series { STEADY, SKEWED, BURSTS, SERIES };

/* What a slice of such a series counts, 10000 where nothing happens: a sum of four even values, 1 %
 * of it apart; with a tail that has no variance; with bursts of that height in such a share. */
static double count_of(enum series series, double height, double share)
{
    const double bell = 10000 + 100 * (chance() + chance() + chance() + chance() - 2);

    switch (series) {
    case SKEWED:
        return bell + 10000 * height * 0.01 / (chance() + 0.001);
    case BURSTS:
        return bell + (chance() < share ? 10000 * height : 0);
    default:
        return bell;
    }
}

static void add_count(struct rotated *rotated, double count)
{
    rotated->least = rotated->sum == 0 ? count : fmin(rotated->least, count);
    rotated->most = fmax(rotated->most, count);
    rotated->sum += count;
}

/* Eight turns of two passes over a series, as many windows of the first pass alone. A slice takes
 * 50,000 cycles, and one more for each count. */
static struct multiplexed simulated(enum series series)
{
    const double height = exp(4 * chance() - 3), share = exp(-4 * chance());
    struct interval interval = {.time_slices = {8, 8}, .readings = readings, .complete = true};
    const struct rotation rotation = rotation_of(&interval, 8, 2);
    struct multiplexed multiplexed;

    memset(readings, 0, sizeof(readings));
    memset(whole, 0, sizeof(whole));
    for (unsigned i = 0; i < 16; i++) {
        const double alone = count_of(series, height, share),
                     rotated = count_of(series, height, share);

        add_count(&whole[0], 50000 + alone);
        add_count(&whole[1], alone);
        add_count(&readings[i % 2 * PLAN_COUNTERS], 50000 + rotated);
        add_count(&readings[i % 2 * PLAN_COUNTERS + 1], rotated);
        interval.pass_cycles[i % 2] += 50000 + rotated;
    }
    interval.cycles = interval.pass_cycles[0] + interval.pass_cycles[1];
    assert_true(compare(&multiplexed, &plan, &rotation, &first));
    return multiplexed;
}

/* A value that is judged and off is expected in 2 of 735,471 series at most, so 0.08 times here. */
static void no_error_of_chance_is_judged(void **state)
{
    const unsigned tries = 10000;
    unsigned judged[SERIES] = {0}, off[SERIES] = {0};

    (void)state;
    random_state = 88172645463325252u;
    for (enum series series = STEADY; series < SERIES; series++) {
        for (unsigned i = 0; i < tries; i++) {
            const struct multiplexed multiplexed = simulated(series);
            const bool is_off = fabs(multiplexed.error) > 0.05;

            off[series] += is_off;
            judged[series] += multiplexed.unreliable == NULL;
            if (is_off && multiplexed.unreliable == NULL)
                fail_msg("series %d number %u: error %f", (int)series, i, multiplexed.error);
        }
    }
    assert_true(judged[STEADY] > tries * 99 / 100 && off[STEADY] == 0);
    assert_true(off[SKEWED] > tries / 10 && off[BURSTS] > tries / 10);
    assert_true(judged[BURSTS] > tries / 100); /* not so large or so many that they matter */
}

/* Of nine counts any three may be those of the time slices: 84 ways, equally likely by chance. */
static unsigned judged_and_off(const double *counts)
{
    unsigned found = 0;

    for (unsigned chosen = 0; chosen < 1u << 9; chosen++) {
        struct interval interval = two_passes(3, 3000, 3, 3000);
        const struct rotation rotation = rotation_of(&interval, 3, 2);
        struct multiplexed multiplexed;

        if (__builtin_popcount(chosen) != 3)
            continue;
        readings[0] = readings[PLAN_COUNTERS] = (struct rotated){3000, 1000, 1000, false};
        whole[0] = (struct rotated){6000, 1000, 1000, false};
        readings[1] = whole[1] = (struct rotated){0};
        for (unsigned i = 0; i < 9; i++)
            add_count(chosen >> i & 1 ? &readings[1] : &whole[1], counts[i]);
        assert_true(compare(&multiplexed, &plan, &rotation, &first));
        found += multiplexed.unreliable == NULL && fabs(multiplexed.error) > 0.05;
    }
    return found;
}

/* Whatever the counts are, only two ways have all of the three above or below all others. */
static void
an_error_that_is_judged_is_one_of_two_in_all_ways_to_choose_the_time_slices(void **state)
{
    unsigned most = 0;

    (void)state;
    random_state = 362436069362436069u;
    for (unsigned i = 0; i < 2000; i++) {
        const double height = exp(4 * chance() - 4), share = chance();
        double counts[9];
        unsigned found;

        for (unsigned j = 0; j < 9; j++)
            counts[j] = count_of((enum series)(i % SERIES), height, share);
        found = judged_and_off(counts);
        most = found > most ? found : most;
    }
    assert_in_range(most, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_turn_is_followed_by_windows_of_each_pass_alone),
        cmocka_unit_test(windows_alone_keep_no_step_and_turns_keep_theirs),
        cmocka_unit_test(an_interval_rotates_only),
        cmocka_unit_test(a_counter_that_overflowed_in_one_window_has_no_estimate),
        cmocka_unit_test(nothing_is_compared_after_a_window_that_failed),
        cmocka_unit_test(a_count_is_scaled_by_time_enabled_over_time_running),
        cmocka_unit_test(an_event_of_every_pass_is_not_scaled),
        cmocka_unit_test(an_event_that_no_time_slice_counted_has_no_estimate),
        cmocka_unit_test(cycles_are_found_on_fixed_counter_1_only),
        cmocka_unit_test(chance_is_what_leaves_the_two_ranges_of_counts_overlapping),
        cmocka_unit_test(counts_that_differ_a_little_are_judged),
        cmocka_unit_test(counts_that_differ_too_much_are_not_judged),
        cmocka_unit_test(windows_of_other_instructions_make_nothing_reliable),
        cmocka_unit_test(a_count_alone_is_scaled_to_as_many_windows_as_were_multiplexed),
        cmocka_unit_test(an_event_of_some_slices_only_is_not_judged),
        cmocka_unit_test(a_rare_event_is_not_judged),
        cmocka_unit_test(an_event_of_every_pass_may_be_rare),
        cmocka_unit_test(time_slices_of_several_passes_have_one_range),
        cmocka_unit_test(an_event_of_a_twentieth_of_the_time_is_judged),
        cmocka_unit_test(longer_and_shorter_time_slices_are_part_of_the_uncertainty),
        cmocka_unit_test(runs_that_differ_by_more_cycles_than_the_error_sought_say_nothing),
        cmocka_unit_test(without_reference_cycles_no_error_is_judged),
        cmocka_unit_test(cycles_that_are_added_may_all_be_slots_of_one_metric),
        cmocka_unit_test(no_error_of_chance_is_judged),
        cmocka_unit_test(
            an_error_that_is_judged_is_one_of_two_in_all_ways_to_choose_the_time_slices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
