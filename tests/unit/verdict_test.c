/* Verdicts: what passes, what fails, what is only skipped, and what the line says. Counts are
 * invented, arithmetic by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/branches/verdict_branch.h"
#include "harness/experiment/topdown/verdict_tree.h"
#include "harness/judge/verdict.h"
#include "harness/judge/verdict_methods.h"
#include "tests/unit/descriptions.h"

static const char text[] =
    "cpu test\n"
    "width 4\n"
    "event INST_RETIRED.ANY - fixed 0\n"
    "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
    "event UOPS_ISSUED.ANY 0x0e umask 0x01\n"
    "event UOPS_RETIRED.RETIRE_SLOTS 0xc2 umask 0x02\n"
    "event LOST.EVENT 0x77 umask 0x01\n"
    "parameter l1_latency 4\n"
    "let slots = 4 * CPU_CLK_UNHALTED.THREAD\n"
    "node tma_retiring level 1 = UOPS_RETIRED.RETIRE_SLOTS / slots above 0.5\n"
    "node tma_backend_bound level 1 = 1 - UOPS_RETIRED.RETIRE_SLOTS / slots\n"
    "node tma_light level 2 parent tma_retiring = UOPS_ISSUED.ANY / 2 / slots\n"
    "node tma_memory_bound level 2 parent tma_backend_bound = tma_backend_bound / 2\n"
    "node tma_rest level 2 parent tma_backend_bound = tma_backend_bound / 2\n"
    "node tma_l1_bound level 3 parent tma_memory_bound = LOST.EVENT / slots\n"
    "node tma_l2_bound level 3 parent tma_memory_bound = UOPS_ISSUED.ANY / slots\n"
    "node tma_l3_bound level 3 parent tma_memory_bound = UOPS_ISSUED.ANY / 4 / slots\n"
    "node tma_divider level 3 parent tma_rest = UOPS_ISSUED.ANY / slots\n"
    "node tma_ports_utilization level 3 parent tma_rest = UOPS_ISSUED.ANY / 2 / slots\n"
    "topdown formula levels 3\n"
    "erratum TST017 UOPS_ISSUED.ANY counts too much\n";

static struct description description;
static struct results results;
static struct experiment experiment;
static struct pool pool;
static struct node_share node_shares[16];
static struct extra extras[2] = {{"n", 1000}, {"arena", 0}};

static void add_tally(const char *event, int64_t low, int64_t median, int64_t high)
{
    struct tally *tally = &results.tallies[results.count];

    *tally = (struct tally){
        .event = description_event(&description, event),
        .measured = true,
        .difference = {low, median, high},
        .lowest = low,
        .highest = high,
        .constant = low == high,
        .most = {high > 0 ? (uint64_t)high : 0, high > 0 ? 2 * (uint64_t)high : 0},
    };
    assert_non_null(tally->event);
    results.counts[results.count++] =
        (struct count){.event = tally->event, .measured = true, .value = (double)median};
}

/* 1000 iterations: 5000 instructions, 2000 cycles = 8000 slots, 6000 of which retire: 0.75 and
 * 0.25. */
static int set_up(void **state)
{
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    memset(&results, 0, sizeof(results));
    add_tally("INST_RETIRED.ANY", 5000, 5000, 5000);
    add_tally("CPU_CLK_UNHALTED.THREAD", 1990, 2000, 2020);
    add_tally("UOPS_RETIRED.RETIRE_SLOTS", 6000, 6000, 6010);
    results.tallies[results.count] =
        (struct tally){.event = description_event(&description, "LOST.EVENT"),
                       .reason = "no counter can count it"};
    results.counts[results.count] = (struct count){.event = results.tallies[results.count].event,
                                                   .reason = "no counter can count it"};
    results.count++;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static struct trial trial_of(const struct kernel *kernel)
{
    struct complaint complaint = {.line = 0};

    pool = (struct pool){.allocate = tests_allocate};
    assert_int_equal(experiment_make(&experiment, kernel, &pool, &complaint), RC_OK);
    memset(node_shares, 0, sizeof(node_shares));
    return (struct trial){
        .nodes = node_shares,
        .core = 3,
        .experiment = &experiment,
        .description = &description,
        .results = &results,
        .counts = {&description, results.counts, results.count, extras, 2},
    };
}

static struct verdict judge_expectation(const char *subject, const char *low, const char *high)
{
    const struct kernel_expectation expectation = {subject, low, high};
    const struct kernel kernel = {.name = "ret.test",
                                  .iterations = "1000",
                                  .arena = "0",
                                  .expectations = &expectation,
                                  .expectation_count = 1};
    struct trial trial = trial_of(&kernel);
    struct verdict verdict;

    verdict_expectation(&verdict, &trial, 0);
    return verdict;
}

static void assert_verdict(struct verdict verdict, enum outcome outcome, const char *line)
{
    assert_string_equal(verdict.text, line);
    assert_int_equal(verdict.outcome, outcome);
}

/* "(INST_RETIRED.ANY + 0) + 0 ...", 300 characters of it, counts 5000, and not the 4000 that it
 * should: 279 characters, of which the last are the number and its range. */
static void a_subject_that_is_too_long_is_cut_and_never_the_numbers(void **state)
{
    static char subject[301] = "INST_RETIRED.ANY";
    struct verdict verdict;
    size_t length;

    (void)state;
    for (length = strlen(subject); length + 4 <= 300; length += 4)
        memcpy(subject + length, " + 0", 5);
    verdict = judge_expectation(subject, "4000", "4500");
    length = strlen(verdict.text);
    assert_int_equal(length, sizeof(verdict.text) - 1);
    assert_string_equal(verdict.text + length - strlen("... 5000 in [4000, 4500]"),
                        "... 5000 in [4000, 4500]");
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    verdict_append(&verdict, ", but %u", 12345u);
    assert_string_equal(verdict.text + length - 3, "...");
    verdict = judge_expectation("INST_RETIRED.ANY", "4000", "4500");
    verdict_append(&verdict, ", but %u", 12345u);
    assert_string_equal(verdict.text,
                        "core 3 ret.test INST_RETIRED.ANY 5000 in [4000, 4500], but 12345");
}

static void an_exact_count_is_exact_in_every_repeat(void **state)
{
    (void)state;
    assert_verdict(judge_expectation("INST_RETIRED.ANY", "n * 5", "n * 5"), VERDICT_PASS,
                   "core 3 ret.test INST_RETIRED.ANY 5000 in [5000, 5000]");
    assert_verdict(judge_expectation("INST_RETIRED.ANY", "n * 5 + 1", "n * 5 + 1"), VERDICT_FAIL,
                   "core 3 ret.test INST_RETIRED.ANY 5000 in [5001, 5001]");
    assert_verdict(
        judge_expectation("CPU_CLK_UNHALTED.THREAD", "n * 2", "n * 2"), VERDICT_FAIL,
        "core 3 ret.test CPU_CLK_UNHALTED.THREAD 1990..2020 in [2000, 2000]"); /* though the median
                                                                                  is right */
}

static void ranges_take_the_median_and_their_bounds_are_inside(void **state)
{
    (void)state;
    assert_verdict(judge_expectation("CPU_CLK_UNHALTED.THREAD", "n * l1_latency / 2", "n * 2.5"),
                   VERDICT_PASS, "core 3 ret.test CPU_CLK_UNHALTED.THREAD 2000 in [1880, 2620]");
    assert_verdict(
        judge_expectation("CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY", "0.405", "1"), VERDICT_FAIL,
        "core 3 ret.test CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY 0.400 in [0.405, 1.000]");
}

/* 1000 * 1.1 is 1100.0000000000002 in doubles; 2/3 would be printed as 0.667; a bound has six
 * digits at most; a number that the log cannot print is "-". */
static void all_numbers_of_a_range_have_the_same_decimals(void **state)
{
    (void)state;
    assert_verdict(judge_expectation("UOPS_RETIRED.RETIRE_SLOTS", "n * 1.1", "n * 6.6"),
                   VERDICT_PASS, "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS 6000 in [1100, 6600]");
    assert_verdict(judge_expectation("UOPS_RETIRED.RETIRE_SLOTS", "n * 5.9999", "n * 6.5"),
                   VERDICT_PASS,
                   "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS 6000.0 in [5999.9, 6500.0]");
    assert_verdict(judge_expectation("UOPS_RETIRED.RETIRE_SLOTS / 9000", "0.5", "1"), VERDICT_PASS,
                   "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS / 9000 0.667 in [0.500, 1.000]");
    assert_verdict(judge_expectation("UOPS_RETIRED.RETIRE_SLOTS / 9000", "0.667", "1"),
                   VERDICT_FAIL,
                   "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS / 9000 0.6667 in [0.6670, 1.0000]");
    assert_verdict(judge_expectation("INST_RETIRED.ANY * 1000000000000 * 1000000000000", "0", "1"),
                   VERDICT_FAIL,
                   "core 3 ret.test INST_RETIRED.ANY * 1000000000000 * 1000000000000 - in [0, 1]");
    assert_verdict(judge_expectation("INST_RETIRED.ANY", "n / 3", "n / 3"), VERDICT_FAIL,
                   "core 3 ret.test INST_RETIRED.ANY 5000.000 in [333.333, 333.333]");
    assert_verdict(
        judge_expectation("UOPS_RETIRED.RETIRE_SLOTS", "n * 4.48431", "n * 13.484956212"),
        VERDICT_PASS, "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS 6000.00 in [4484.31, 13484.96]");
}

/* The edges are 120 of 2000 cycles: either window may have a misprediction at the loop's end. */
static void ranges_of_cycles_leave_room_for_the_edges(void **state)
{
    (void)state;
    assert_verdict(judge_expectation("CPU_CLK_UNHALTED.THREAD", "n * 2.12", "n * 3"), VERDICT_PASS,
                   "core 3 ret.test CPU_CLK_UNHALTED.THREAD 2000 in [2000, 3120]");
    assert_verdict(judge_expectation("CPU_CLK_UNHALTED.THREAD", "n * 2.121", "n * 3"), VERDICT_FAIL,
                   "core 3 ret.test CPU_CLK_UNHALTED.THREAD 2000 in [2001, 3120]");
    assert_verdict(
        judge_expectation("UOPS_RETIRED.RETIRE_SLOTS", "n * 6.001", "n * 7"), VERDICT_FAIL,
        "core 3 ret.test UOPS_RETIRED.RETIRE_SLOTS 6000 in [6001, 7000]"); /* no cycles */
    assert_verdict(judge_expectation("tma_retiring", "0.5", "1"), VERDICT_PASS,
                   "core 3 ret.test tma_retiring 0.750 in [0.500, 1.061]");
    description.method = TOPDOWN_PERF_METRICS; /* 0.060 of the cycles, 0.012 of the bytes */
    assert_verdict(judge_expectation("tma_retiring", "0.5", "1"), VERDICT_PASS,
                   "core 3 ret.test tma_retiring 0.750 in [0.500, 1.073]");
}

static void nodes_are_shares(void **state)
{
    (void)state;
    assert_verdict(judge_expectation("tma_retiring", "0.5", "1"), VERDICT_PASS,
                   "core 3 ret.test tma_retiring 0.750 in [0.500, 1.061]");
    assert_verdict(judge_expectation("tma_memory_bound", "0.125", "1"), VERDICT_PASS,
                   "core 3 ret.test tma_memory_bound 0.125 in [0.125, 1.061]");
    assert_verdict(judge_expectation("tma_memory_bound", "0.1251", "1"), VERDICT_FAIL,
                   "core 3 ret.test tma_memory_bound 0.1250 in [0.1251, 1.0610]");
}

/* A bound of exactly 1 claims nothing: 120 cycles of edges in 2000 are 0.060, one thousandth more
 * by rounding up; bytes of PERF_METRICS add 3/255. A bound that claims something stays as it is. */
static void bounds_of_0_and_1_have_a_tolerance_and_claims_have_none(void **state)
{
    (void)state;
    results.counts[2].value = 8480;
    assert_verdict(judge_expectation("tma_retiring", "0.5", "1"), VERDICT_PASS,
                   "core 3 ret.test tma_retiring 1.060 in [0.500, 1.061]");
    assert_verdict(judge_expectation("tma_retiring", "0.5", "0.999"), VERDICT_FAIL,
                   "core 3 ret.test tma_retiring 1.060 in [0.500, 0.999]");
    results.counts[2].value = 8512; /* 1.064 */
    assert_int_equal(judge_expectation("tma_retiring", "0.5", "1").outcome, VERDICT_FAIL);
    description.method = TOPDOWN_PERF_METRICS;
    assert_verdict(judge_expectation("tma_retiring", "0.5", "1"), VERDICT_PASS,
                   "core 3 ret.test tma_retiring 1.064 in [0.500, 1.073]");
    results.counts[2].value = 8592; /* 1.074 */
    assert_int_equal(judge_expectation("tma_retiring", "0.5", "1").outcome, VERDICT_FAIL);
    /* Below level 1 the byte is off, too, not only the sum: 0.060 and twice 0.012. */
    add_tally("UOPS_ISSUED.ANY", 8672, 8672, 8672);
    assert_int_equal(judge_expectation("tma_divider", "0.5", "1").outcome, VERDICT_PASS);
    results.counts[results.count - 1].value = 8688;
    assert_int_equal(judge_expectation("tma_divider", "0.5", "1").outcome, VERDICT_FAIL);
}

static void assert_skip(const char *subject, const char *low, const char *high, const char *reason)
{
    struct verdict verdict = judge_expectation(subject, low, high);

    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_non_null(strstr(verdict.reason, reason));
}

static void what_this_cpu_lacks_is_a_skip_that_says_why(void **state)
{
    (void)state;
    assert_skip("LOST.EVENT", "0", "0", "no counter can count it");
    assert_skip("UOPS_ISSUED.ANY", "0", "1", "UOPS_ISSUED.ANY"); /* described, not planned */
    assert_skip("NO.SUCH_EVENT", "0", "0", "NO.SUCH_EVENT");
    assert_skip("tma_core_bound", "0", "1", "tma_core_bound");
    assert_skip("INST_RETIRED.ANY", "n * l9_latency", "n * 9", "l9_latency");
    assert_skip("n / (n - 1000)", "0", "1", "division by zero");
}

/* Instructions that stood still are no count of n iterations; but of the self-check they are what
 * it asks for. */
static void a_count_that_is_refused_is_a_skip_but_fails_a_self_check(void **state)
{
    const char *still = "it counted nothing while cycles went by";
    const struct kernel_expectation expectation = {"INST_RETIRED.ANY", "n * 5", "n * 5"};
    struct kernel kernel = {.name = "ret.test",
                            .iterations = "1000",
                            .arena = "0",
                            .expectations = &expectation,
                            .expectation_count = 1};
    struct verdict verdict;
    struct trial trial;
    struct pin pin;

    (void)state;
    results.tallies[0].difference = results.tallies[0].kept = (struct signed_spread){0, 0, 0};
    results.tallies[0].lowest = results.tallies[0].highest = 0;
    results.counts[0].measured = false;
    results.counts[0].reason = still;
    trial = trial_of(&kernel);
    verdict_expectation(&verdict, &trial, 0);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_non_null(strstr(verdict.reason, still));
    assert_false(verdict_pin(&trial, 0, &pin));
    kernel.name = "cal.test";
    trial = trial_of(&kernel);
    verdict_expectation(&verdict, &trial, 0);
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    assert_true(verdict_pin(&trial, 0, &pin));
}

static void of_several_names_the_first_that_the_cpu_has_is_judged(void **state)
{
    (void)state;
    assert_verdict(
        judge_expectation("NO.SUCH_EVENT | INST_RETIRED.ANY | LOST.EVENT", "n * 5", "n * 5"),
        VERDICT_PASS, "core 3 ret.test INST_RETIRED.ANY 5000 in [5000, 5000]");
    assert_verdict(judge_expectation("LOST.EVENT | INST_RETIRED.ANY", "n * 5", "n * 5"),
                   VERDICT_SKIP, "core 3 ret.test LOST.EVENT");
    assert_verdict(judge_expectation("NO.SUCH_EVENT | NOR.THIS_ONE", "0", "0"), VERDICT_SKIP,
                   "core 3 ret.test NO.SUCH_EVENT");
}

static void a_core_that_cannot_count_skips_everything_with_its_reason(void **state)
{
    const struct kernel_expectation expectation = {"INST_RETIRED.ANY", "n", "n"};
    const struct kernel kernel = {.name = "ret.test",
                                  .iterations = "1",
                                  .arena = "0",
                                  .expectations = &expectation,
                                  .expectation_count = 1,
                                  .leaf = ""};
    struct trial trial = trial_of(&kernel);
    struct verdict verdict;

    (void)state;
    trial.results = NULL;
    trial.blocked = "no counters";
    verdict_expectation(&verdict, &trial, 0);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "no counters");
    verdict_family(&verdict, &trial);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.text, "core 3 ret.test tma_retiring is the largest of level 1");
}

static void the_family_is_the_largest_of_level_one(void **state)
{
    const struct kernel_expectation expectation = {"INST_RETIRED.ANY", "n", "n"};
    struct kernel kernel = {.name = "ret.test",
                            .iterations = "1",
                            .arena = "0",
                            .expectations = &expectation,
                            .expectation_count = 1,
                            .leaf = ""};
    struct trial trial = trial_of(&kernel);
    struct verdict verdict;

    (void)state;
    verdict_family(&verdict, &trial);
    assert_verdict(verdict, VERDICT_PASS,
                   "core 3 ret.test tma_retiring 0.750 is the largest of level 1");
    kernel.name = "be.test";
    trial = trial_of(&kernel);
    verdict_family(&verdict, &trial);
    assert_verdict(
        verdict, VERDICT_FAIL,
        "core 3 be.test tma_backend_bound 0.250 is the largest of level 1, not tma_retiring 0.750");
    kernel.name = "ret.test";
    kernel.leaf = "tma_nowhere | tma_divider"; /* which is under tma_backend_bound here */
    trial = trial_of(&kernel);
    verdict_family(&verdict, &trial);
    assert_verdict(verdict, VERDICT_FAIL,
                   "core 3 ret.test tma_backend_bound 0.250 is the largest of level 1, not "
                   "tma_retiring 0.750");
    kernel.name = "fe.test";
    kernel.leaf = "tma_nowhere";
    trial = trial_of(&kernel);
    verdict_family(&verdict, &trial);
    assert_int_equal(verdict.outcome,
                     VERDICT_SKIP); /* this description has no tma_frontend_bound */
    kernel.name = "ret.test";
    kernel.leaf = "";
    results.counts[2].value = 8800; /* of 8000 slots; 120 of 2000 cycles are 0.06 */
    trial = trial_of(&kernel);
    verdict_family(&verdict, &trial);
    assert_verdict(verdict, VERDICT_FAIL,
                   "core 3 ret.test tma_retiring 1.100 is the largest of level 1, "
                   "but no share: outside of 0 to 1 by more than its error of 0.061");
    assert_ptr_equal(verdict.no_share, description_node(&description, "tma_retiring"));
    kernel.name = "be.test";
    trial = trial_of(&kernel);
    verdict_family(&verdict, &trial);
    assert_verdict(verdict, VERDICT_FAIL,
                   "core 3 be.test tma_backend_bound -0.100 is the largest of level 1, "
                   "not tma_retiring 1.100, which is no share");
}

/* The description's tree has three levels: a kernel that needs four says nothing of shares, and
 * still counts. */
static void a_kernel_of_a_deeper_level_makes_no_claim_about_shares(void **state)
{
    static const struct kernel_expectation expectations[] = {
        {"tma_retiring", "0.9", "1"}, {"INST_RETIRED.ANY", "n * 5", "n * 5"}};
    struct kernel kernel = {.name = "be.test",
                            .iterations = "1000",
                            .arena = "0",
                            .expectations = expectations,
                            .expectation_count = 2,
                            .leaf = ""};

    (void)state;
    for (kernel.level = 3; kernel.level <= 4; kernel.level++) {
        struct trial trial = trial_of(&kernel);
        const enum outcome expected = kernel.level == 3 ? VERDICT_FAIL : VERDICT_SKIP;
        struct verdict verdict;

        verdict_family(&verdict, &trial);
        assert_int_equal(verdict.outcome, expected);
        verdict_expectation(&verdict, &trial, 0);
        assert_int_equal(verdict.outcome, expected);
        verdict_expectation(&verdict, &trial, 1);
        assert_int_equal(verdict.outcome, VERDICT_PASS);
    }
}

static struct verdict judge_leaf(const char *leaf, int64_t issued)
{
    const struct kernel_expectation expectation = {"INST_RETIRED.ANY", "n", "n"};
    const struct kernel kernel = {.name = "be.test",
                                  .iterations = "1",
                                  .arena = "0",
                                  .expectations = &expectation,
                                  .expectation_count = 1,
                                  .leaf = leaf};
    struct trial trial;
    struct verdict verdict;

    add_tally("UOPS_ISSUED.ANY", issued, issued, issued);
    trial = trial_of(&kernel);
    verdict_leaf(&verdict, &trial);
    return verdict;
}

/* 4000 of 8000 slots, and half of that. */
static void a_leaf_is_the_largest_of_its_siblings(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_int_divider | tma_divider", 4000), VERDICT_PASS,
                   "core 3 be.test tma_divider 0.500 is the largest of its siblings");
}

static void a_smaller_leaf_fails(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_ports_utilization", 4000), VERDICT_FAIL,
                   "core 3 be.test tma_ports_utilization 0.250 is the largest of its siblings, "
                   "not tma_divider 0.500");
}

/* Of the two, tma_divider is the larger; its formula is UOPS_ISSUED.ANY over the slots. */
static void a_leaf_of_an_event_is_a_node_whose_formula_needs_it(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_divider of UOPS_ISSUED.ANY | tma_ports_utilization", 4000),
                   VERDICT_PASS, "core 3 be.test tma_divider 0.500 is the largest of its siblings");
    assert_verdict(judge_leaf("tma_divider of INST_RETIRED.ANY | tma_ports_utilization", 4000),
                   VERDICT_FAIL,
                   "core 3 be.test tma_ports_utilization 0.250 is the largest of its siblings, "
                   "not tma_divider 0.500");
    assert_verdict(judge_leaf("tma_divider of INST_RETIRED.ANY UOPS_ISSUED.ANY", 4000),
                   VERDICT_PASS, "core 3 be.test tma_divider 0.500 is the largest of its siblings");
    assert_verdict(judge_leaf("tma_int_divider of UOPS_ISSUED.ANY | tma_divider", 4000),
                   VERDICT_PASS, "core 3 be.test tma_divider 0.500 is the largest of its siblings");
    assert_int_equal(judge_leaf("tma_divider of INST_RETIRED.ANY", 4000).outcome, VERDICT_SKIP);
}

/* LOST.EVENT, of tma_l1_bound, is counted by no counter. */
static void siblings_without_a_value_are_said(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_l2_bound", 4000), VERDICT_PASS,
                   "core 3 be.test tma_l2_bound 0.500 is the largest of its siblings; "
                   "1 of 3 have no value");
}

/* Of tma_memory_bound's three nodes, those that are asked for. */
static struct verdict judge_among(const char *const *asked, unsigned count)
{
    const struct kernel kernel = {
        .name = "be.test", .iterations = "1", .arena = "0", .leaf = "tma_l2_bound"};
    struct selection selection = {0};
    struct trial trial;
    struct verdict verdict;

    add_tally("UOPS_ISSUED.ANY", 4000, 4000, 4000);
    trial = trial_of(&kernel);
    for (unsigned i = 0; i < count; i++)
        selection_add(&selection,
                      (unsigned)(description_node(&description, asked[i]) - description.nodes));
    trial.asked = &selection;
    verdict_leaf(&verdict, &trial);
    return verdict;
}

static void a_leaf_that_was_compared_with_nothing_is_not_the_largest(void **state)
{
    static const char *const asked[] = {"tma_l2_bound", "tma_l1_bound", "tma_l3_bound"};
    struct verdict verdict = judge_among(asked, 1);

    (void)state;
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "none of its siblings was to be measured");
    verdict = judge_among(asked, 2);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "none of its siblings has a value");
    assert_int_equal(judge_among(asked, 3).outcome, VERDICT_PASS);
}

static void a_leaf_without_siblings_is_above_0_and_no_more_is_said(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_light", 4000), VERDICT_PASS,
                   "core 3 be.test tma_light 0.250 is above 0, without siblings");
    results.count--;
    assert_verdict(judge_leaf("tma_light", 0), VERDICT_FAIL,
                   "core 3 be.test tma_light 0.000 is above 0, without siblings");
}

static void a_leaf_below_a_node_without_a_value_says_so(void **state)
{
    const struct kernel kernel = {
        .name = "be.test", .iterations = "1", .arena = "0", .leaf = "tma_l2_bound"};
    struct trial trial = trial_of(&kernel);
    struct selection selection;
    struct verdict verdict;

    (void)state;
    selection_levels(&selection, &description, 2);
    trial.asked = &selection;
    verdict_leaf(&verdict, &trial);
    assert_string_equal(verdict.reason, "no node above it was over its threshold");
    results_refuse_event(&results, 2, "no counter counted it"); /* what retires */
    trial = trial_of(&kernel);
    trial.asked = &selection;
    verdict_leaf(&verdict, &trial);
    assert_string_equal(verdict.reason,
                        "a node above it has no value, and may have been over its threshold");
}

static void a_leaf_of_0_is_not_the_largest(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_divider", 0), VERDICT_FAIL,
                   "core 3 be.test tma_divider 0.000 is the largest of its siblings, "
                   "and none of them is above 0");
}

/* A trial of any kernel, with so many uops issued: tma_divider is their share of 8000 slots. */
static struct trial trial_with(int64_t issued)
{
    add_tally("UOPS_ISSUED.ANY", issued, issued, issued);
    return trial_of(&(struct kernel){.name = "be.test", .iterations = "1", .arena = "0"});
}

/* 120 of 2000 cycles are 0.06, which is printed as 0.061. */
static void what_is_no_share_is_no_value(void **state)
{
    const struct node *node = description_node(&description, "tma_divider");
    struct trial trial = trial_with(8480);

    (void)state;
    assert_true(trial_node(&trial, node)->finite); /* 1.06 */
    assert_false(trial_is_no_share(&trial, node));
    results.count--;
    trial = trial_with(8496); /* 1.062 */
    assert_false(trial_node(&trial, node)->finite);
    assert_string_equal(trial_node(&trial, node)->reason,
                        "its formula gives 1.062, outside of 0 to 1");
    assert_true(trial_is_no_share(&trial, node));
    assert_true(trial_given(&trial, node)->finite);
    assert_true(__builtin_fabs(trial_given(&trial, node)->value - 1.062) < 1e-9);
}

/* 120 of 200000 cycles are nothing, but a node may be 0.01 beyond. */
static void a_hundredth_beyond_is_a_value_however_long_the_kernel_is(void **state)
{
    const struct node *node = description_node(&description, "tma_divider");
    struct trial trial;

    (void)state;
    results.tallies[1].difference = (struct signed_spread){200000, 200000, 200000};
    results.tallies[1].most[0] = 200000;
    trial = trial_with(8072); /* 1.009 */
    assert_true(trial_tolerance(&trial, node) < 0.002);
    assert_true(trial_node(&trial, node)->finite);
    results.count--;
    trial = trial_with(8088); /* 1.011 */
    assert_false(trial_node(&trial, node)->finite);
}

/* 8800 of 8000 slots retire: that leaves -800 for the back end. */
static void less_than_none_is_no_share_and_fails_a_stated_range(void **state)
{
    const struct node *node = description_node(&description, "tma_backend_bound");
    struct trial trial;

    (void)state;
    results.counts[2].value = 8800;
    trial = trial_with(0);
    assert_string_equal(trial_node(&trial, node)->reason,
                        "its formula gives -0.100, outside of 0 to 1");
    assert_verdict(judge_expectation("tma_retiring", "0.5", "1"), VERDICT_FAIL,
                   "core 3 ret.test tma_retiring 1.100 in [0.500, 1.061]");
}

/* 100000 of 8000 slots: a finding on the formula, with the errata of its events. */
static void a_leaf_that_is_no_share_fails(void **state)
{
    const struct verdict verdict = judge_leaf("tma_divider", 100000);

    (void)state;
    assert_verdict(verdict, VERDICT_FAIL,
                   "core 3 be.test tma_divider 12.500 is the largest of its siblings, but no "
                   "share: outside of 0 to 1 by more than its error of 0.061, "
                   "see erratum TST017");
    assert_ptr_equal(verdict.no_share, description_node(&description, "tma_divider"));
    results.count--;
    assert_null(judge_leaf("tma_divider", 4000).no_share);
}

/* 8800 of 8000 slots, of which the count may be off by 800: 0.1, and the edges' 0.061. */
static void what_may_be_a_share_is_a_skip(void **state)
{
    const struct kernel kernel = {
        .name = "be.test", .iterations = "1", .arena = "0", .leaf = "tma_divider"};
    struct trial trial;
    struct verdict verdict;

    (void)state;
    add_tally("UOPS_ISSUED.ANY", 8800, 8800, 8800);
    results.counts[results.count - 1].error = 800;
    trial = trial_of(&kernel);
    verdict_leaf(&verdict, &trial);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason,
                        "its formula gives 1.100, outside of 0 to 1, and may be off by 0.161");
    results.counts[results.count - 1].error = 300; /* 0.0375 */
    trial = trial_of(&kernel);
    verdict_leaf(&verdict, &trial);
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
}

/* 15200 of 8000 slots, halved: 0.95, of which 0.75 retire; each may be off by 0.061. */
static void a_part_that_is_more_than_the_whole_fails(void **state)
{
    (void)state;
    assert_verdict(judge_leaf("tma_light", 15200), VERDICT_FAIL,
                   "core 3 be.test tma_light 0.950 is above 0, without siblings, but by more than "
                   "its error of 0.122 more than tma_retiring 0.750, see erratum TST017");
    results.count--;
    assert_int_equal(judge_leaf("tma_light", 13920).outcome, VERDICT_PASS); /* 0.87 */
}

static void no_share_fails_a_range_that_would_take_it(void **state)
{
    (void)state;
    results.counts[2].value = 8800;
    assert_verdict(judge_expectation("tma_retiring", "0.5", "2"), VERDICT_FAIL,
                   "core 3 ret.test tma_retiring 1.100 in [0.500, 2.000], but no share: outside "
                   "of 0 to 1 by more than its error of 0.061");
    assert_verdict(judge_expectation("tma_backend_bound", "-1", "1"), VERDICT_FAIL,
                   "core 3 ret.test tma_backend_bound -0.100 in [-1.000, 1.061], but no share: "
                   "outside of 0 to 1 by more than its error of 0.061");
    results.counts[2].value = 8400; /* 1.05 */
    assert_verdict(judge_expectation("tma_retiring", "0.5", "2"), VERDICT_PASS,
                   "core 3 ret.test tma_retiring 1.050 in [0.500, 2.000]");
}

/* cal.empty: a few cycles of noise, whose slots mean nothing. */
static void too_few_cycles_have_no_shares(void **state)
{
    const struct kernel_expectation expectation = {"tma_retiring", "0", "1"};
    const struct kernel kernel = {.name = "cal.test",
                                  .iterations = "1",
                                  .arena = "0",
                                  .expectations = &expectation,
                                  .expectation_count = 1};
    struct trial trial = trial_of(&kernel);
    struct verdict verdict;

    (void)state;
    assert_null(experiment.family_node);
    assert_true(experiment.self_check);
    results.tallies[1].difference.median = 3;
    results.counts[1].value = 3;
    verdict_expectation(&verdict, &trial, 0);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
}

static const char code[64];
static const char after_window[1];

static struct lbr_entry entry(const void *from, const void *to)
{
    return (struct lbr_entry){.from = (uint64_t)(uintptr_t)from, .to = (uint64_t)(uintptr_t)to};
}

static void branches_follow_the_return(void **state)
{
    const struct kernel_expectation expectation = {"INST_RETIRED.ANY", "n", "n"};
    const struct kernel_branch branches[] = {{code + 8, code + 20}, {code + 30, code + 2}};
    struct kernel kernel = {.name = "cal.test",
                            .iterations = "1",
                            .arena = "0",
                            .expectations = &expectation,
                            .expectation_count = 1,
                            .branches = branches,
                            .branch_count = 2};
    struct lbr_stack stack = {.count = 3};
    struct verdict verdict;
    struct trial trial;

    (void)state;
    memcpy(&kernel.code, &(const char *const){code}, sizeof(kernel.code));
    trial = trial_of(&kernel);
    stack.entries[0] = entry(code + 40, after_window);
    stack.entries[1] = entry(code + 8, code + 20);
    stack.entries[2] = entry(code + 31, code + 2);
    verdict_branch(&verdict, &trial, 0, &stack, NULL, after_window);
    assert_verdict(verdict, VERDICT_PASS, "core 3 cal.test branch record 1 is code+8 to code+20");
    verdict_branch(&verdict, &trial, 1, &stack, NULL, after_window);
    assert_verdict(verdict, VERDICT_FAIL,
                   "core 3 cal.test branch record 2 is code+30 to code+2, found code+31 to code+2");
    stack.count = 2;
    verdict_branch(&verdict, &trial, 1, &stack, NULL, after_window);
    assert_verdict(verdict, VERDICT_FAIL,
                   "core 3 cal.test branch record 2 is code+30 to code+2, only 2 were recorded");
    stack.entries[0].to++;
    verdict_branch(&verdict, &trial, 0, &stack, NULL, after_window);
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    verdict_branch(&verdict, &trial, 0, NULL, "no branch records here", after_window);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "no branch records here");
}

static void a_malformed_expectation_names_kernel_and_number(void **state)
{
    const struct kernel_expectation expectations[] = {{"INST_RETIRED.ANY", "n", "n"},
                                                      {"INST_RETIRED.ANY", "n * (2", "n"}};
    const struct kernel kernel = {.name = "ret.test",
                                  .iterations = "1",
                                  .arena = "0",
                                  .expectations = expectations,
                                  .expectation_count = 2};
    struct complaint complaint = {.line = 0};

    (void)state;
    pool = (struct pool){.allocate = tests_allocate};
    assert_int_equal(experiment_make(&experiment, &kernel, &pool, &complaint), RC_BAD_INPUT);
    assert_string_equal(complaint.file, "kernel ret.test");
    assert_int_equal(complaint.line, 2);
    assert_non_null(experiment.broken);
}

/* 10 of 40 by the byte, all of which may be its rounding. */
static void a_byte_that_may_be_no_divisor_gives_no_bound(void **state)
{
    static const char text_of[] =
        "cpu test\nevent INST_RETIRED.ANY - fixed 0\nevent CPU_CLK_UNHALTED.THREAD - fixed 1\n"
        "event UOPS_RETIRED.SLOTS 0xc2 umask 0x02\nslots TOPDOWN.SLOTS\n"
        "metric PERF_METRICS.RETIRING 0\nparameter #PERF_METRICS_MSR 1\n"
        "node tma_retiring level 1 = 10 / PERF_METRICS.RETIRING if #PERF_METRICS_MSR "
        "else UOPS_RETIRED.SLOTS / 8000\n"
        "topdown perf_metrics levels 1\n";
    const struct kernel kernel = {.name = "ret.test", .iterations = "1000", .arena = "0"};
    struct complaint complaint;
    struct verdict verdict;
    struct two_methods two;
    struct trial trial;

    (void)state;
    assert_int_equal(tests_parse(&description, text_of, &complaint), RC_OK);
    memset(&results, 0, sizeof(results));
    add_tally("CPU_CLK_UNHALTED.THREAD", 2000, 2000, 2000);
    add_tally("PERF_METRICS.RETIRING", 40, 40, 40);
    results.tallies[results.count - 1].error = 40;
    add_tally("UOPS_RETIRED.SLOTS", 2000, 2000, 2000);
    trial = trial_of(&kernel);
    verdict_compare(&trial, description_node(&description, "tma_retiring"), &two);
    assert_string_equal(two.reason, "within its bytes' rounding the node may have no value");
    assert_true(two.metrics_valid && !two.formula_valid);
    verdict_methods(&verdict, &trial, description_node(&description, "tma_retiring"));
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
}

/* 8000 slots, half of them by the byte; the byte is off by up to 48 slots: 0.006. The windows'
 * edges are 8 of 2000 cycles: 0.004. */
static void perf_metrics_and_formula_differ_by_no_more_than_their_errors(void **state)
{
    static const char both[] =
        "cpu test\nevent INST_RETIRED.ANY - fixed 0\nevent CPU_CLK_UNHALTED.THREAD - fixed 1\n"
        "event UOPS_RETIRED.SLOTS 0xc2 umask 0x02\nslots TOPDOWN.SLOTS\n"
        "metric PERF_METRICS.RETIRING 0\nparameter #PERF_METRICS_MSR 1\n"
        "node tma_retiring level 1 = PERF_METRICS.RETIRING / TOPDOWN.SLOTS if #PERF_METRICS_MSR "
        "else UOPS_RETIRED.SLOTS / 8000\n"
        "node tma_backend_bound level 1 = 1 - tma_retiring\n"
        "node tma_memory_bound level 2 parent tma_backend_bound = 0.5\n"
        "topdown perf_metrics levels 2\n";
    static const struct {
        int64_t counted;
        enum outcome outcome;
        const char *line;
    } rows[] = {
        {4520, VERDICT_PASS,
         "core 3 ret.test tma_retiring perf_metrics 0.5000 formula 0.5650, may differ by "
         "0.0660"},
        {4536, VERDICT_FAIL,
         "core 3 ret.test tma_retiring perf_metrics 0.5000 formula 0.5670, may differ by "
         "0.0660"},
        {3464, VERDICT_FAIL,
         "core 3 ret.test tma_retiring perf_metrics 0.5000 formula 0.4330, may differ by "
         "0.0660"},
    };
    const struct kernel kernel = {.name = "ret.test", .iterations = "1000", .arena = "0"};
    struct complaint complaint;
    struct selection selection;
    struct verdict verdict;
    struct two_methods two;
    struct trial trial;

    (void)state;
    assert_int_equal(tests_parse(&description, both, &complaint), RC_OK);
    selection_levels(&selection, &description, 2);
    for (unsigned i = 0; i < 3; i++) {
        memset(&results, 0, sizeof(results));
        add_tally("CPU_CLK_UNHALTED.THREAD", 2000, 2000, 2000);
        add_tally("TOPDOWN.SLOTS", 8000, 8000, 8000);
        add_tally("PERF_METRICS.RETIRING", 4000, 4000, 4000);
        results.tallies[results.count - 1].error = 48;
        add_tally("UOPS_RETIRED.SLOTS", rows[i].counted, rows[i].counted, rows[i].counted);
        trial = trial_of(&kernel);
        trial.asked = &selection;
        verdict_methods(&verdict, &trial, description_node(&description, "tma_retiring"));
        assert_verdict(verdict, rows[i].outcome, rows[i].line);
        verdict_compare(&trial, description_node(&description, "tma_backend_bound"), &two);
        assert_true(two.error > 0.00599 && two.error < 0.00601 && two.metrics_valid);
    }
    /* the repeat that is furthest from the median, 80 of 8000 slots, not half of the range, 45 */
    results.tallies[2].difference = (struct signed_spread){3990, 4000, 4080};
    verdict_compare(&trial, description_node(&description, "tma_retiring"), &two);
    assert_true(two.error > 0.00999 && two.error < 0.01001);
    assert_true(verdict_has_methods(&trial, description_node(&description, "tma_retiring")));
    assert_false(verdict_has_methods(&trial, description_node(&description, "tma_memory_bound")));
    verdict_methods(&verdict, &trial, NULL);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "no PERF_METRICS on this core");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_subject_that_is_too_long_is_cut_and_never_the_numbers,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_exact_count_is_exact_in_every_repeat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ranges_take_the_median_and_their_bounds_are_inside, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(all_numbers_of_a_range_have_the_same_decimals, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(ranges_of_cycles_leave_room_for_the_edges, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nodes_are_shares, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_of_0_and_1_have_a_tolerance_and_claims_have_none,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_this_cpu_lacks_is_a_skip_that_says_why, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_count_that_is_refused_is_a_skip_but_fails_a_self_check,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_several_names_the_first_that_the_cpu_has_is_judged,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_core_that_cannot_count_skips_everything_with_its_reason,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kernel_of_a_deeper_level_makes_no_claim_about_shares,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_family_is_the_largest_of_level_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_is_the_largest_of_its_siblings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_smaller_leaf_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_of_an_event_is_a_node_whose_formula_needs_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(siblings_without_a_value_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_below_a_node_without_a_value_says_so, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_of_0_is_not_the_largest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hundredth_beyond_is_a_value_however_long_the_kernel_is,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_share_is_no_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(less_than_none_is_no_share_and_fails_a_stated_range, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_that_is_no_share_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_may_be_a_share_is_a_skip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_part_that_is_more_than_the_whole_fails, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(no_share_fails_a_range_that_would_take_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_that_was_compared_with_nothing_is_not_the_largest,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leaf_without_siblings_is_above_0_and_no_more_is_said,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_few_cycles_have_no_shares, set_up, tear_down),
        cmocka_unit_test_setup_teardown(branches_follow_the_return, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_byte_that_may_be_no_divisor_gives_no_bound, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            perf_metrics_and_formula_differ_by_no_more_than_their_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_malformed_expectation_names_kernel_and_number, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
