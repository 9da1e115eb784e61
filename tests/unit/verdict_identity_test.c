/* Identities between the counts of a window: windows are stated, arithmetic by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/topdown/verdict_identity.h"
#include "tests/unit/descriptions.h"

enum { SLOTS_OF_CYCLES, BYTES, BY_CAUSE, BUT_BAD, TAKEN, RETIRED };
enum { REPEATS = 2, READINGS = 5 };

static const char text[] = "cpu test\nwidth 4\nevent INST_RETIRED.ANY - fixed 0\n";

static const struct kernel kernel = {
    .name = "ret.test", .iterations = "1000", .arena = "0", .leaf = ""};
static struct description description;
static struct experiment experiment;
static struct results results;
static struct event events[READINGS];
static struct pass passes[1];
static struct plan plan;
static struct pool pool;
static struct measurement measurement;
static struct trial trial;
static uint64_t words[256];

static int set_up(void **state)
{
    struct complaint complaint = {.line = 0};

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    pool = (struct pool){.allocate = tests_allocate};
    assert_int_equal(experiment_make(&experiment, &kernel, &pool, &complaint), RC_OK);
    memset(passes, 0, sizeof(passes));
    memset(&plan, 0, sizeof(plan));
    plan.passes = passes;
    plan.pass_count = 1;
    measurement = (struct measurement){.plan = &plan, .n = 1000, .repeats = REPEATS};
    trial = (struct trial){
        .core = 3, .experiment = &experiment, .description = &description, .results = &results};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

/* The pass also counts this event: so much in the first window of 2n, and so much in the second. */
static void count(const char *name, enum reading_kind kind, unsigned field, uint64_t first,
                  uint64_t second)
{
    static uint64_t kept[READINGS][REPEATS];
    const unsigned reading = passes[0].reading_count++;

    events[reading] = (struct event){0};
    strncpy((char *)(uintptr_t)&events[reading].name, name, sizeof(events[reading].name) - 1);
    passes[0].readings[reading] = (struct reading){&events[reading], kind, 0, (uint8_t)field};
    kept[reading][0] = first;
    kept[reading][1] = second;
    measurement_lay_out(&measurement, words);
    measurement.passes[0].complete = true;
    for (unsigned i = 0; i <= reading; i++)
        memcpy(pass_values(&measurement.passes[0], i, true, REPEATS), kept[i], sizeof(kept[i]));
}

static void judge(unsigned index, enum outcome outcome, const char *line)
{
    struct verdict verdict;

    assert_true(verdict_identity(&verdict, &trial, &measurement, index));
    assert_string_equal(verdict.text, line);
    assert_int_equal(verdict.outcome, outcome);
}

static void silent(unsigned index)
{
    struct verdict verdict;

    assert_false(verdict_identity(&verdict, &trial, &measurement, index));
}

/* Width 4: 1000 cycles have 4000 slots. The second window has 2 % too many. */
static void slots_are_width_times_cycles(void **state)
{
    (void)state;
    silent(SLOTS_OF_CYCLES);
    count("CPU_CLK_UNHALTED.THREAD", READING_FIXED, 0, 1000, 2000);
    silent(SLOTS_OF_CYCLES);
    count("TOPDOWN.SLOTS:perf_metrics", READING_SLOTS, 0, 4020, 8000);
    judge(SLOTS_OF_CYCLES, VERDICT_PASS,
          "core 3 ret.test slots, of width x cycles 1.005 in [0.990, 1.010]");
    pass_values(&measurement.passes[0], 1, true, REPEATS)[1] = 8160;
    judge(SLOTS_OF_CYCLES, VERDICT_FAIL,
          "core 3 ret.test slots, of width x cycles 1.020 in [0.990, 1.010]");
    trial.corunner = "ret.test"; /* the two threads share the slots */
    silent(SLOTS_OF_CYCLES);
}

/* 2550 slots, so that a byte's step is 10: bytes 100, 50, 60 and 45 are 255. */
static void bytes_of_level_one_add_up(void **state)
{
    (void)state;
    count("TOPDOWN.SLOTS", READING_SLOTS, 0, 2550, 2550);
    count("PERF_METRICS.RETIRING", READING_METRIC, 0, 1000, 1000);
    count("PERF_METRICS.BAD_SPECULATION", READING_METRIC, 1, 500, 500);
    count("PERF_METRICS.FRONTEND_BOUND", READING_METRIC, 2, 600, 600);
    silent(BYTES); /* one of the four is not read */
    count("PERF_METRICS.BACKEND_BOUND", READING_METRIC, 3, 450, 480);
    judge(BYTES, VERDICT_PASS, "core 3 ret.test bytes of PERF_METRICS, level 1 258 in [252, 258]");
    pass_values(&measurement.passes[0], 4, true, REPEATS)[0] = 410;
    judge(BYTES, VERDICT_FAIL, "core 3 ret.test bytes of PERF_METRICS, level 1 251 in [252, 258]");
}

static void causes_add_up_where_all_are_counted(void **state)
{
    (void)state;
    count("CPU_CLK_UNHALTED.THREAD", READING_FIXED, 0, 1000, 1000);
    count("TOPDOWN_FE_BOUND.ALL", READING_GENERAL, 0, 400, 400);
    count("TOPDOWN_BE_BOUND.ALL", READING_GENERAL, 0, 600, 600);
    count("TOPDOWN_RETIRING.ALL", READING_GENERAL, 0, 2000, 2000);
    judge(BUT_BAD, VERDICT_PASS,
          "core 3 ret.test slots by cause but bad speculation, of width x cycles 0.750 in [0.000, "
          "1.010]");
    silent(BY_CAUSE); /* the published bad speculation is the rest there */
    count("TOPDOWN_BAD_SPECULATION.ALL", READING_GENERAL, 0, 1000, 900);
    judge(BY_CAUSE, VERDICT_FAIL,
          "core 3 ret.test slots by cause, of width x cycles 0.975 in [0.990, 1.010]");
}

static void a_slot_is_not_both_undelivered_and_issued(void **state)
{
    (void)state;
    count("CPU_CLK_UNHALTED.THREAD", READING_FIXED, 0, 1000, 1000);
    count("IDQ_UOPS_NOT_DELIVERED.CORE", READING_GENERAL, 0, 1000, 1000);
    count("UOPS_ISSUED.ANY", READING_GENERAL, 0, 2000, 3040);
    judge(TAKEN, VERDICT_PASS,
          "core 3 ret.test uops undelivered and issued, of width x cycles 1.010 in [0.000, 1.010]");
    pass_values(&measurement.passes[0], 2, true, REPEATS)[1] = 3200;
    judge(TAKEN, VERDICT_FAIL,
          "core 3 ret.test uops undelivered and issued, of width x cycles 1.050 in [0.000, 1.010]");
    measurement.passes[0].overflowed[2] = true;
    silent(TAKEN);
}

static void no_more_uops_retire_than_were_issued(void **state)
{
    (void)state;
    count("UOPS_ISSUED.ANY", READING_GENERAL, 0, 2000, 2000);
    count("UOPS_RETIRED.RETIRE_SLOTS", READING_GENERAL, 0, 1500, 2000);
    judge(RETIRED, VERDICT_PASS,
          "core 3 ret.test uops retired, of those issued 1.000 in [0.000, 1.010]");
    pass_values(&measurement.passes[0], 1, true, REPEATS)[0] = 2200;
    judge(RETIRED, VERDICT_FAIL,
          "core 3 ret.test uops retired, of those issued 1.100 in [0.000, 1.010]");
    measurement.passes[0].complete = false;
    silent(RETIRED);
    trial.blocked = "no counters";
    silent(RETIRED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(slots_are_width_times_cycles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_of_level_one_add_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(causes_add_up_where_all_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slot_is_not_both_undelivered_and_issued, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(no_more_uops_retire_than_were_issued, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
