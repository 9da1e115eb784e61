/* The range of a node over the repeats; the windows' values are stated, the shares worked out by
 * hand. */
#include "tests/unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "harness/judge/repeats.h"
#include "tests/unit/descriptions.h"

#define REPEATS 3
#define BASE    50000 /* a window of n; an eighth of it is no window that lies apart */

/* What n iterations count in each repeat. Of 4 slots a cycle 0.5, 0.6 and 0.25 retire; the cycles
 * of recovery are on both sides of 0. */
static const struct {
    const char *event;
    int64_t counts[REPEATS];
} given[] = {
    {"CPU_CLK_UNHALTED.THREAD", {1000, 1000, 2000}},
    {"UOPS_RETIRED.RETIRE_SLOTS", {2000, 2400, 2000}},
    {"UOPS_ISSUED.ANY", {2000, 2400, 2000}},
    {"INT_MISC.RECOVERY_CYCLES", {-2, 0, 2}},
};
#define EVENTS (sizeof(given) / sizeof(given[0]))

static struct description description;
static struct pass pass;
static struct plan plan;
static uint64_t words[256];
static struct measurement m;
static struct results results;
static struct trial trial;
static struct repeats room;

static int begin(void **state)
{
    (void)state;
    tests_builtin(&description, "skylakex");
    memset(&pass, 0, sizeof(pass));
    for (unsigned i = 0; i < EVENTS; i++)
        pass.readings[i].event = description_event(&description, given[i].event);
    pass.reading_count = EVENTS;
    memset(&plan, 0, sizeof(plan));
    plan.passes = &pass;
    plan.pass_count = 1;
    m = (struct measurement){.plan = &plan, .n = 100, .repeats = REPEATS};
    measurement_lay_out(&m, words);
    for (unsigned i = 0; i < EVENTS; i++)
        for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
            pass_values(&m.passes[0], i, false, REPEATS)[repeat] = BASE;
            pass_values(&m.passes[0], i, true, REPEATS)[repeat] =
                (uint64_t)(BASE + given[i].counts[repeat]);
        }
    m.passes[0].complete = true;
    results_make(&results, &m);
    trial = (struct trial){.description = &description, .results = &results};
    trial.counts = (struct counts){
        .description = &description, .counts = results.counts, .count_count = results.count};
    room.memos = tests_allocate(sizeof(*room.memos) * description.node_count);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static struct node_range range_of(const char *name)
{
    const struct node *node = description_node(&description, name);
    struct node_range range;

    assert_non_null(node);
    repeats_ranges(&room, &trial, &m, &node, 1, &range);
    return range;
}

static void each_repeat_is_evaluated_with_its_own_counts(void **state)
{
    const struct node_range range = range_of("tma_retiring");

    (void)state;
    assert_true(range.known);
    assert_true(fabs(range.lowest - 0.25) < 1e-12);
    assert_true(fabs(range.highest - 0.6) < 1e-12);
}

static void noise_counts_nothing_in_any_repeat(void **state)
{
    const struct node_range range = range_of("tma_bad_speculation");

    (void)state;
    assert_true(range.known);
    assert_true(fabs(range.lowest) < 1e-12 && fabs(range.highest) < 1e-12);
}

/* Cycles of 1000, 1000 and 2000 that may be off by 1500 are a divisor in the last repeat only. */
static void repeats_without_a_value_are_counted(void **state)
{
    const struct node_range range = range_of("tma_retiring");

    (void)state;
    assert_int_equal(range.missing, 0);
    results.counts[0].error = 1500;
    assert_int_equal(range_of("tma_retiring").missing, 2);
    assert_true(fabs(range_of("tma_retiring").highest - 0.25) < 1e-12);
}

/* In the last repeat's window of 2n 10,000 more slots retire: more than an eighth of its fellows'
 * 52,400. 0.5 and 0.6 stay, and the median of what is left, the lower of the two, is 2000 of 4000
 * slots. */
static void a_repeat_that_lies_apart_is_neither_in_the_range_nor_in_the_value(void **state)
{
    struct node_range range;
    const char *reason;
    double value;

    (void)state;
    pass_values(&m.passes[0], 1, true, REPEATS)[2] += 10000;
    results_make(&results, &m);
    trial.counts.counts = results.counts;
    assert_true(results_value(&results, "UOPS_RETIRED.RETIRE_SLOTS", &value, &reason));
    assert_true(fabs(value - 2000) < 1e-12);
    assert_int_equal(results.tallies[1].apart, 1);
    range = range_of("tma_retiring");
    assert_true(range.known);
    assert_true(fabs(range.lowest - 0.5) < 1e-12 && fabs(range.highest - 0.6) < 1e-12);
    assert_int_equal(range.missing, 0);
    assert_int_equal(range.apart, 1);
}

/* The other repeats' windows lie apart for the cycles, so that none is left. */
static void a_node_of_which_no_repeat_is_left_says_so(void **state)
{
    struct node_range range;

    (void)state;
    results.tallies[0].apart = 2;
    pass_values(&m.passes[0], 0, false, REPEATS)[0] = 2 * BASE;
    pass_values(&m.passes[0], 0, true, REPEATS)[1] = 2 * BASE;
    pass_values(&m.passes[0], 1, true, REPEATS)[2] += 10000;
    results.tallies[1].apart = 1;
    range = range_of("tma_retiring");
    assert_false(range.known);
    assert_int_equal(range.missing, REPEATS);
}

static void a_node_without_its_events_has_no_range(void **state)
{
    (void)state;
    assert_false(range_of("tma_frontend_bound").known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_repeat_that_lies_apart_is_neither_in_the_range_nor_in_the_value, begin, end),
        cmocka_unit_test_setup_teardown(a_node_of_which_no_repeat_is_left_says_so, begin, end),
        cmocka_unit_test_setup_teardown(each_repeat_is_evaluated_with_its_own_counts, begin, end),
        cmocka_unit_test_setup_teardown(noise_counts_nothing_in_any_repeat, begin, end),
        cmocka_unit_test_setup_teardown(repeats_without_a_value_are_counted, begin, end),
        cmocka_unit_test_setup_teardown(a_node_without_its_events_has_no_range, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
