/* Uops that never retire leave room in the bounds of the events that count them, and in no others.
 * The re-order buffer holds 100, and an entry begins twice at most: each mispredicted branch adds
 * up to 200. Counts are invented, arithmetic by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/judge/verdict.h"
#include "tests/unit/descriptions.h"

#define EVENTS                                                                                     \
    "cpu test\n"                                                                                   \
    "width 4\n"                                                                                    \
    "event INST_RETIRED.ANY - fixed 0\n"                                                           \
    "event BR_MISP_RETIRED.ALL_BRANCHES 0xc5 umask 0x00\n"                                         \
    "event UOPS_ISSUED.ANY 0x0e umask 0x01\n"                                                      \
    "event UOPS_RETIRED.RETIRE_SLOTS 0xc2 umask 0x02\n"                                            \
    "speculative UOPS_ISSUED\n"

static struct description description;
static struct results results;
static struct experiment experiment;
static struct pool pool;
static struct node_share node_shares[16];
static struct extra extras[2] = {{"n", 1000}, {"arena", 0}};

static void add_tally(const char *event, int64_t difference, uint64_t once, uint64_t twice)
{
    const struct event *of = description_event(&description, event);

    results.tallies[results.count] =
        (struct tally){.event = of,
                       .measured = true,
                       .difference = {difference, difference, difference},
                       .lowest = difference,
                       .highest = difference,
                       .constant = true,
                       .most = {once, twice}};
    results.counts[results.count++] =
        (struct count){.event = of, .measured = true, .value = (double)difference};
}

/* 5000 instructions retire as 5000 uops; `issued` are issued. */
static void measure(const char *text, int64_t issued, uint64_t once, uint64_t twice)
{
    struct complaint complaint;

    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    memset(&results, 0, sizeof(results));
    add_tally("INST_RETIRED.ANY", 5000, 5000, 10000);
    add_tally("UOPS_RETIRED.RETIRE_SLOTS", 5000, 5000, 10000);
    add_tally("UOPS_ISSUED.ANY", issued, 0, 0);
    add_tally("BR_MISP_RETIRED.ALL_BRANCHES", 1, once, twice);
}

static void assert_judged(const char *subject, const char *low, const char *high,
                          enum outcome outcome, const char *line)
{
    const struct kernel_expectation expectation = {subject, low, high};
    const struct kernel kernel = {.name = "ret.test",
                                  .iterations = "1000",
                                  .arena = "0",
                                  .expectations = &expectation,
                                  .expectation_count = 1};
    struct complaint complaint = {.line = 0};
    struct trial trial = {.nodes = node_shares,
                          .core = 3,
                          .experiment = &experiment,
                          .description = &description,
                          .results = &results,
                          .counts = {&description, results.counts, results.count, extras, 2}};
    struct verdict verdict;

    pool = (struct pool){.allocate = tests_allocate};
    assert_int_equal(experiment_make(&experiment, &kernel, &pool, &complaint), RC_OK);
    verdict_expectation(&verdict, &trial, 0);
    assert_string_equal(outcome == VERDICT_SKIP ? verdict.reason : verdict.text, line);
    assert_int_equal(verdict.outcome, outcome);
}

/* One branch in a window of n, three in one of 2n: 200 below, 600 above. */
static void each_mispredicted_branch_leaves_room_for_two_uops_an_entry(void **state)
{
    (void)state;
    measure(EVENTS "parameter rob 100\n", 5600, 1, 3);
    assert_judged("UOPS_ISSUED.ANY", "n * 5", "n * 5", VERDICT_PASS,
                  "core 3 ret.test UOPS_ISSUED.ANY 5600 in [4800, 5600]");
    measure(EVENTS "parameter rob 100\n", 5601, 1, 3);
    assert_judged("UOPS_ISSUED.ANY", "n * 5", "n * 5", VERDICT_FAIL,
                  "core 3 ret.test UOPS_ISSUED.ANY 5601 in [4800, 5600]");
    measure(EVENTS "parameter rob 100\n", 4799, 1, 3);
    assert_judged("UOPS_ISSUED.ANY", "n * 5", "n * 5", VERDICT_FAIL,
                  "core 3 ret.test UOPS_ISSUED.ANY 4799 in [4800, 5600]");
}

static void what_retires_stays_exact(void **state)
{
    (void)state;
    measure(EVENTS "parameter rob 100\n", 5600, 1, 3);
    assert_judged("UOPS_RETIRED.RETIRE_SLOTS", "n * 5 + 1", "n * 5 + 1", VERDICT_FAIL,
                  "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS 5000 in [5001, 5001]");
}

static void without_a_mispredicted_branch_bounds_are_what_the_kernel_says(void **state)
{
    (void)state;
    measure(EVENTS "parameter rob 100\n", 5001, 0, 0);
    assert_judged("UOPS_ISSUED.ANY", "n * 5", "n * 5", VERDICT_FAIL,
                  "core 3 ret.test UOPS_ISSUED.ANY 5001 in [5000, 5000]");
}

/* Without the 600 uops of wrong paths nothing was issued, and the ratio has no value: how far it
 * moves nobody knows. */
static void a_formula_that_loses_its_divisor_with_wrong_paths_is_a_skip(void **state)
{
    (void)state;
    measure(EVENTS "parameter rob 100\n", 600, 1, 3);
    assert_judged("INST_RETIRED.ANY / UOPS_ISSUED.ANY", "1", "2", VERDICT_SKIP,
                  "without the uops of wrong paths it may have no value");
}

/* A ratio moves by 200 / 5000 and by 600 / 5000. */
static void a_formula_moves_as_far_as_its_events(void **state)
{
    (void)state;
    measure(EVENTS "parameter rob 100\n", 5000, 1, 3);
    assert_judged("UOPS_ISSUED.ANY / INST_RETIRED.ANY", "1.04", "1.1", VERDICT_PASS,
                  "core 3 ret.test UOPS_ISSUED.ANY / INST_RETIRED.ANY 1.00 in [1.00, 1.22]");
}

static void without_the_size_of_the_buffer_there_is_no_verdict(void **state)
{
    (void)state;
    measure(EVENTS, 5000, 1, 3);
    assert_judged("UOPS_ISSUED.ANY", "n * 5", "n * 5", VERDICT_SKIP,
                  "the description does not state the parameter rob");
}

static void without_the_mispredicted_branches_there_is_no_verdict(void **state)
{
    (void)state;
    measure(EVENTS "parameter rob 100\n", 5000, 1, 3);
    results.tallies[3].measured = false;
    assert_judged("UOPS_ISSUED.ANY", "n * 5", "n * 5", VERDICT_SKIP,
                  "how many branches were mispredicted was not counted");
}

static void a_name_that_is_no_event_is_refused(void **state)
{
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&description, EVENTS "speculative UOPS_ISSUE\n", &complaint),
                     RC_BAD_INPUT);
    assert_string_equal(complaint.message, "unknown event UOPS_ISSUE");
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_mispredicted_branch_leaves_room_for_two_uops_an_entry,
                                  tear_down),
        cmocka_unit_test_teardown(what_retires_stays_exact, tear_down),
        cmocka_unit_test_teardown(without_a_mispredicted_branch_bounds_are_what_the_kernel_says,
                                  tear_down),
        cmocka_unit_test_teardown(a_formula_that_loses_its_divisor_with_wrong_paths_is_a_skip,
                                  tear_down),
        cmocka_unit_test_teardown(a_formula_moves_as_far_as_its_events, tear_down),
        cmocka_unit_test_teardown(without_the_size_of_the_buffer_there_is_no_verdict, tear_down),
        cmocka_unit_test_teardown(without_the_mispredicted_branches_there_is_no_verdict, tear_down),
        cmocka_unit_test_teardown(a_name_that_is_no_event_is_refused, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
