/* What two measurements of a kernel agree on; counts are stated. */
#include "tests/unit/cmocka_all.h"

#include "harness/doubt/second_look.h"

static const struct event uops = {.name = "UOPS_ISSUED.ANY", .kind = EVENT_GENERAL};
static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED};

static bool agree(double first, double second, double of_cycles)
{
    const struct first_count a = {&uops, first, 5};
    const struct count b = {.event = &uops, .measured = true, .value = second, .error = 5};

    return second_look_agree(&a, &b, of_cycles);
}

/* 64, 2 % of the cycles, a tenth of the larger count, and 5 for each. */
static void two_counts_may_differ_by_edges_a_tenth_and_their_errors(void **state)
{
    (void)state;
    assert_true(agree(0, 74, 0));
    assert_false(agree(0, 83, 0)); /* a tenth of 83 is 8.3 */
    assert_true(agree(1000, 1193, 0));
    assert_false(agree(1000, 1194, 0));
    assert_true(agree(0, 300, 10000));
    assert_false(agree(0, 306, 10000));
    assert_false(agree(50000, -50000, 10000));
}

static void give(struct results *results, unsigned place, const struct event *event, double value)
{
    results->tallies[place] = (struct tally){.event = event, .measured = true};
    results->counts[place] = (struct count){.event = event, .measured = true, .value = value};
    results->count = place + 1;
}

static void an_event_on_which_they_disagree_has_no_number(void **state)
{
    static struct second_look look;
    static struct results results;

    (void)state;
    look.count = 1;
    look.first[0] = (struct first_count){&uops, 30000, 2};
    give(&results, 0, &uops, 29000);
    give(&results, 1, &cycles, 9000);
    second_look_apply(&look, &results);
    assert_true(results.counts[0].measured);
    assert_true(results.counts[1].measured); /* the first one had no number for it */
    give(&results, 0, &uops, 53000);
    second_look_apply(&look, &results);
    assert_false(results.counts[0].measured);
    assert_string_equal(results.tallies[0].reason,
                        "it counted otherwise when it was measured again");
}

static void one_measurement_stands_as_it_is(void **state)
{
    static struct second_look look;
    static struct results results;

    (void)state;
    second_look_forget(&look);
    give(&results, 0, &uops, 53000);
    second_look_apply(&look, &results);
    assert_true(results.counts[0].measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_counts_may_differ_by_edges_a_tenth_and_their_errors),
        cmocka_unit_test(an_event_on_which_they_disagree_has_no_number),
        cmocka_unit_test(one_measurement_stands_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
