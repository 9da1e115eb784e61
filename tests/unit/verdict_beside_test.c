/* Verdicts on a thread beside a loaded sibling, on the core, and on a sibling that halts. Counts
 * are invented, arithmetic by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/judge/verdict_beside.h"
#include "harness/judge/verdict_duty.h"
#include "tests/unit/descriptions.h"

/* The formulas of TMA 5.2 as Skylake has them for one of two threads. */
static const char text[] =
    "cpu test\n"
    "width 4\n"
    "event INST_RETIRED.ANY - fixed 0\n"
    "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
    "event UOPS_ISSUED.ANY 0x0e umask 0x01\n"
    "event UOPS_RETIRED.RETIRE_SLOTS 0xc2 umask 0x02\n"
    "event IDQ_UOPS_NOT_DELIVERED.CORE 0x9c umask 0x01\n"
    "event INT_MISC.RECOVERY_CYCLES_ANY 0x0d umask 0x01 any\n"
    "let tma_info_thread_slots = 4 * CPU_CLK_UNHALTED.THREAD / 2\n"
    "let #Recovered = 4 * INT_MISC.RECOVERY_CYCLES_ANY / 2\n"
    "node tma_retiring level 1 = UOPS_RETIRED.RETIRE_SLOTS / tma_info_thread_slots above 0.7\n"
    "node tma_frontend_bound level 1 = IDQ_UOPS_NOT_DELIVERED.CORE / tma_info_thread_slots\n"
    "node tma_bad_speculation level 1 = ( UOPS_ISSUED.ANY - UOPS_RETIRED.RETIRE_SLOTS + #Recovered "
    ") / tma_info_thread_slots\n"
    "node tma_backend_bound level 1 = 1 - ( IDQ_UOPS_NOT_DELIVERED.CORE + UOPS_ISSUED.ANY + "
    "#Recovered ) / tma_info_thread_slots\n"
    "topdown formula levels 1\n";

enum { RETIRING, FRONT, SPECULATION, BACK }; /* the order of the verdicts */

static struct description description;
static struct results results;
static struct experiment experiment, load;
static struct pool pool;
static struct node_share node_shares[16];
static struct extra extras[2] = {{"n", 1000}, {"arena", 0}};

static const struct kernel_expectation twelve = {"INST_RETIRED.ANY", "n * 12", "n * 12"};
static const struct kernel_expectation sixty_one = {"INST_RETIRED.ANY", "n * 61", "n * 61"};
/* Loses slots to the back end alone, as be.core.chain does. */
static const struct kernel waits = {.name = "be.waits",
                                    .iterations = "1000",
                                    .arena = "0",
                                    .expectations = &twelve,
                                    .expectation_count = 1,
                                    .beside_low = "n * 11",
                                    .beside_high = "n * 12",
                                    .beside_spared =
                                        SPARED_FRONTEND_BOUND | SPARED_BAD_SPECULATION};
/* And to the front end alone, as ret.nop and fe.icache do. */
static const struct kernel starves = {.name = "fe.starves",
                                      .iterations = "1000",
                                      .arena = "0",
                                      .expectations = &sixty_one,
                                      .expectation_count = 1,
                                      .beside_low = "n * 60",
                                      .beside_high = "n * 61",
                                      .beside_spared =
                                          SPARED_BAD_SPECULATION | SPARED_BACKEND_BOUND};
/* May lose slots to all three nodes. */
static const struct kernel tosses = {.name = "bs.tosses",
                                     .iterations = "1000",
                                     .arena = "0",
                                     .expectations = &twelve,
                                     .expectation_count = 1,
                                     .beside_low = "n * 10",
                                     .beside_high = "n * 12"};

static void add(const char *event, int64_t count)
{
    struct tally *tally = &results.tallies[results.count];

    *tally = (struct tally){
        .event = description_event(&description, event),
        .measured = true,
        .difference = {count, count, count},
        .lowest = count,
        .highest = count,
        .constant = true,
        .most = {(uint64_t)count, 2 * (uint64_t)count},
    };
    assert_non_null(tally->event);
    results.counts[results.count++] =
        (struct count){.event = tally->event, .measured = true, .value = (double)count};
}

/* 1000 iterations of `kernel` beside `other`, in 30,000 cycles, which are 60,000 slots for each
 * thread. */
static struct trial trial_of(const struct kernel *kernel, const struct kernel *other,
                             int64_t retired, int64_t issued, int64_t undelivered, int64_t recovery)
{
    struct complaint complaint = {.line = 0};

    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    memset(&results, 0, sizeof(results));
    add("CPU_CLK_UNHALTED.THREAD", 30000);
    add("UOPS_RETIRED.RETIRE_SLOTS", retired);
    add("UOPS_ISSUED.ANY", issued);
    add("IDQ_UOPS_NOT_DELIVERED.CORE", undelivered);
    add("INT_MISC.RECOVERY_CYCLES_ANY", recovery);
    pool = (struct pool){.allocate = tests_allocate};
    assert_int_equal(experiment_make(&experiment, kernel, &pool, &complaint), RC_OK);
    assert_int_equal(experiment_make(&load, other, &pool, &complaint), RC_OK);
    memset(node_shares, 0, sizeof(node_shares));
    return (struct trial){
        .nodes = node_shares,
        .core = 3,
        .experiment = &experiment,
        .description = &description,
        .results = &results,
        .corunner = other->name,
        .beside = &load,
        .counts = {&description, results.counts, results.count, extras, 2},
    };
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void assert_beside(const struct trial *trial, unsigned node, enum outcome outcome,
                          const char *part)
{
    struct verdict verdict;

    assert_true(verdict_has_beside(trial, node));
    verdict_beside(&verdict, trial, node);
    if (verdict.outcome != outcome || strstr(verdict.text, part) == NULL)
        fail_msg("outcome %d of: %s (%s)", verdict.outcome, verdict.text, verdict.reason);
}

/* 11,000 of 60,000 slots retire: 0.183. All others are the back end's: 0.817. */
static void a_thread_that_waits_for_one_thing_has_four_claims(void **state)
{
    struct trial trial = trial_of(&waits, &tosses, 11000, 11000, 600, 0);

    (void)state;
    assert_beside(&trial, RETIRING, VERDICT_PASS,
                  "core 3 be.waits beside bs.tosses: tma_retiring 0.183");
    assert_beside(&trial, FRONT, VERDICT_PASS, "tma_frontend_bound 0.010 in [-0.050, 0.050]");
    assert_beside(&trial, SPECULATION, VERDICT_PASS,
                  "tma_bad_speculation 0.000 in [-0.050, 0.050]");
    assert_beside(&trial, BACK, VERDICT_PASS, "tma_backend_bound 0.806667 in [0.766667, 0.866667]");
}

/* 9000 cycles of recovery: 4 * 9000 / 2 of 60,000 slots are 0.3. */
static void recoveries_of_the_sibling_are_named(void **state)
{
    const char *why = ": 0.300 are half of the recoveries of bs.tosses, which "
                      "INT_MISC.RECOVERY_CYCLES_ANY / 2 charges to this thread";
    struct trial trial = trial_of(&waits, &tosses, 11000, 11000, 0, 9000);

    (void)state;
    assert_beside(&trial, SPECULATION, VERDICT_FAIL, why);
    assert_beside(&trial, BACK, VERDICT_FAIL, why);
}

/* With 0.1 more that the event does not explain there is no such excuse, nor beside a kernel that
 * mispredicts nothing. */
static void what_the_formula_does_not_explain_is_not_excused(void **state)
{
    struct verdict verdict;
    struct trial trial = trial_of(&waits, &starves, 11000, 11000, 0, 9000);

    (void)state;
    verdict_beside(&verdict, &trial, SPECULATION);
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    assert_string_equal(verdict.text,
                        "core 3 be.waits beside fe.starves: tma_bad_speculation 0.300 in "
                        "[-0.050, 0.050]");
    tests_free();
    trial = trial_of(&waits, &tosses, 11000, 11000, 6000, 0);
    verdict_beside(&verdict, &trial, FRONT);
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    assert_string_equal(verdict.text,
                        "core 3 be.waits beside bs.tosses: tma_frontend_bound 0.100 in "
                        "[-0.050, 0.050]");
}

/* 2400 of 60,000 slots below 0: -0.04, which is within the room of 0.05 and no share. */
static void what_is_no_share_does_not_pass(void **state)
{
    struct trial trial = trial_of(&waits, &tosses, 11000, 8600, 0, 0);
    struct verdict verdict;

    (void)state;
    verdict_beside(&verdict, &trial, SPECULATION);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "its formula gives -0.040, outside of 0 to 1");
}

/* 0.1 is 0.05 too much, and 3100 slots that the count may be off by are 0.052. */
static void a_count_that_may_be_off_by_as_much_denies_nothing(void **state)
{
    struct trial trial = trial_of(&waits, &tosses, 11000, 11000, 6000, 0);

    (void)state;
    results.counts[3].error = 3100;
    assert_beside(&trial, FRONT, VERDICT_SKIP, "tma_frontend_bound");
}

/* 11,000 to 12,000 uops are 0.183 to 0.200 of the slots; the edges of the windows, 120 of 30,000
 * cycles, add 0.005 at both ends. */
static void a_thread_retires_its_kernels_uops(void **state)
{
    struct trial trial = trial_of(&waits, &tosses, 12600, 12600, 0, 0);

    (void)state;
    assert_beside(&trial, RETIRING, VERDICT_FAIL, "tma_retiring 0.210000 in [0.178333, 0.205000]");
    tests_free();
    trial = trial_of(&waits, &tosses, 10500, 10500, 0, 0);
    assert_beside(&trial, RETIRING, VERDICT_FAIL, "tma_retiring 0.175000 in [0.178333, 0.205000]");
}

/* 60 uops an iteration in 20 cycles: 60,000 of the 40,000 slots of half a core. */
static void more_than_half_of_the_slots_is_no_share(void **state)
{
    const char *why =
        ": the formula takes half of the core's slots for this thread's, and it had more";
    struct trial trial = trial_of(&starves, &waits, 60000, 60000, 0, 0);

    (void)state;
    results.tallies[0].difference = (struct signed_spread){20000, 20000, 20000};
    results.counts[0].value = 20000;
    assert_beside(&trial, RETIRING, VERDICT_FAIL, "tma_retiring 1.500 in [1.000, 1.050]");
    assert_beside(&trial, RETIRING, VERDICT_FAIL, why);
    assert_beside(&trial, BACK, VERDICT_FAIL, why);
    assert_beside(&trial, FRONT, VERDICT_PASS, "tma_frontend_bound 0.000 in [-0.050, 0.050]");
}

/* 60,000 of 120,000 slots retire, so the front end has 0.5; it is shown 0.1. */
static void what_is_not_counted_while_the_sibling_is_served(void **state)
{
    const char *why = ": IDQ_UOPS_NOT_DELIVERED.CORE does not count";
    struct trial trial = trial_of(&starves, &waits, 60000, 60000, 12000, 0);

    (void)state;
    results.tallies[0].difference = (struct signed_spread){60000, 60000, 60000};
    results.counts[0].value = 60000;
    assert_beside(&trial, FRONT, VERDICT_FAIL, "tma_frontend_bound 0.100 in [0.450, 0.550]");
    assert_beside(&trial, FRONT, VERDICT_FAIL, why);
    assert_beside(&trial, BACK, VERDICT_FAIL, why);
}

/* A node that several share is a SKIP, unless it is more than all that they can have, or less than
 * nothing: 0.183 retire, so 0.817 is the most. */
static void what_is_not_known_is_a_skip_unless_it_cannot_be(void **state)
{
    struct trial trial = trial_of(&tosses, &waits, 11000, 30000, 6000, 3000);
    struct verdict verdict;

    (void)state;
    verdict_beside(&verdict, &trial, SPECULATION);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.text, "core 3 bs.tosses beside be.waits: tma_bad_speculation");
    assert_string_equal(verdict.reason,
                        "how many slots this thread loses to it beside another is not known");
    tests_free();
    trial = trial_of(&tosses, &waits, 11000, 50000, 6000, 9000); /* 0.95 + 0.1 + 0.183 */
    assert_beside(&trial, SPECULATION, VERDICT_FAIL,
                  "tma_bad_speculation 0.950000 in [-0.050000, 0.866667]");
    assert_beside(&trial, BACK, VERDICT_FAIL, "tma_backend_bound -0.233");
}

/* 11,000 uops for 12,000 instructions, and 60,000 to 61,000 for 61,000. The two have other nodes
 * for what they lose, and neither mispredicts. */
static void a_core_is_the_mix_of_both_kernels(void **state)
{
    static const struct beside_work work = {{12000, 61000}};
    struct trial trial = trial_of(&waits, &starves, 71500, 71500, 0, 0);
    struct verdict verdict;

    (void)state;
    results.tallies[0].difference = (struct signed_spread){60000, 60000, 60000};
    results.counts[0].value = 60000; /* of both threads: 120,000 slots */
    verdict_beside_core(&verdict, &trial, &work, RETIRING);
    assert_int_equal(verdict.outcome, VERDICT_PASS);
    assert_non_null(
        strstr(verdict.text, "core 3 be.waits both threads: tma_retiring 0.595833 in [0.568"));
    verdict_beside_core(&verdict, &trial, &work, SPECULATION);
    assert_int_equal(verdict.outcome, VERDICT_PASS);
    verdict_beside_core(&verdict, &trial, &work, BACK);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason,
                        "what be.waits and fe.starves lose to it together is not known");
}

static void a_kernel_that_says_nothing_of_itself_has_no_claims(void **state)
{
    struct kernel silent = waits;
    struct trial trial;

    (void)state;
    silent.beside_low = silent.beside_high = NULL;
    trial = trial_of(&silent, &tosses, 11000, 11000, 0, 0);
    for (unsigned i = 0; i < BESIDE_NODES; i++)
        assert_false(verdict_has_beside(&trial, i));
    tests_free();
    trial = trial_of(&waits, &tosses, 11000, 11000, 0, 0);
    trial.beside = NULL; /* parallel = yes */
    assert_false(verdict_has_beside(&trial, RETIRING));
}

/* ---- a sibling that halts ---- */

static struct verdict judge_duty(double at_50)
{
    struct trial trial = trial_of(&waits, &tosses, 11000, 11000, 0, 0);
    const struct dose_point points[] = {{30, 0.3}, {40, 0.4}, {50, at_50}, {60, 0.6}, {70, 0.7}};
    struct dose_line line;
    struct verdict verdict;

    dose_fit(&line, points, 5);
    verdict_duty(&verdict, &trial, points, 5, 5, &line);
    return verdict;
}

/* Both work in every cycle: the core has half a cycle for each. One alone: a whole one. */
static void half_a_cycle_is_the_siblings(void **state)
{
    (void)state;
    assert_true(verdict_duty_share(500, 1000) == 1);
    assert_true(verdict_duty_share(1000, 1000) == 0);
    assert_true(verdict_duty_share(750, 1000) == 0.5);
}

/* The middle one off by 0.02: 0.8 x 0.02^2 = 0.00032 are left of 0.1 + 0.00032, so R squared is
 * 0.9968. Off by 0.06: 0.972. */
static void cycles_of_the_core_answer_to_the_duty(void **state)
{
    struct verdict verdict = judge_duty(0.52);

    (void)state;
    assert_int_equal(verdict.outcome, VERDICT_PASS);
    assert_string_equal(
        verdict.text,
        "core 3 be.waits beside bs.tosses: cycles of the core answer to the duty: at 50 % "
        "the sibling works in 0.520 of the cycles, slope 1.000, intercept 0.004, R "
        "squared 0.9968");
    tests_free();
    assert_int_equal(judge_duty(0.56).outcome, VERDICT_FAIL);
}

static void a_duty_without_a_value_is_a_skip(void **state)
{
    struct trial trial = trial_of(&waits, &tosses, 11000, 11000, 0, 0);
    const struct dose_line line = {.valid = false};
    const struct dose_point point = {10, 0.3};
    struct verdict verdict;

    (void)state;
    verdict_duty(&verdict, &trial, &point, 1, 9, &line);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, "they have a value at 1 of 9 duties");
    verdict_duty(&verdict, &trial, &point, 1, 1, &line);
    assert_int_equal(verdict.outcome, VERDICT_FAIL); /* off by 0.2 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_thread_that_waits_for_one_thing_has_four_claims, tear_down),
        cmocka_unit_test_teardown(recoveries_of_the_sibling_are_named, tear_down),
        cmocka_unit_test_teardown(what_the_formula_does_not_explain_is_not_excused, tear_down),
        cmocka_unit_test_teardown(what_is_no_share_does_not_pass, tear_down),
        cmocka_unit_test_teardown(a_count_that_may_be_off_by_as_much_denies_nothing, tear_down),
        cmocka_unit_test_teardown(a_thread_retires_its_kernels_uops, tear_down),
        cmocka_unit_test_teardown(more_than_half_of_the_slots_is_no_share, tear_down),
        cmocka_unit_test_teardown(what_is_not_counted_while_the_sibling_is_served, tear_down),
        cmocka_unit_test_teardown(what_is_not_known_is_a_skip_unless_it_cannot_be, tear_down),
        cmocka_unit_test_teardown(a_core_is_the_mix_of_both_kernels, tear_down),
        cmocka_unit_test_teardown(a_kernel_that_says_nothing_of_itself_has_no_claims, tear_down),
        cmocka_unit_test_teardown(half_a_cycle_is_the_siblings, tear_down),
        cmocka_unit_test_teardown(cycles_of_the_core_answer_to_the_duty, tear_down),
        cmocka_unit_test_teardown(a_duty_without_a_value_is_a_skip, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
