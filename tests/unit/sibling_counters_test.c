/* Both threads of a core over the same windows. There is one set of registers here, which both
 * threads use, and the sibling answers at once. The window is replaced: it leaves a fixed counter
 * at 13 + 5 n and notes whether the sibling counts. Expected numbers are worked out by hand. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/machine/interrupt.h"
#include "harness/judge/verdict_core.h"
#include "harness/measure/measure.h"
#include "harness/window/window.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/seams.h"

enum {
    SMI_COUNT = 0x34,
    GLOBAL_CTRL = 0x38f,
    FIXED_CTR_CTRL = 0x38d,
    GLOBAL_STATUS = 0x38e,
    RDPMC_FIXED0 = 0x40000000
};

#define WINDOWS 32
#define ENABLE  (1ull << 32)

static struct {
    unsigned count, smi_in;
    bool counting[WINDOWS]; /* the sibling, when the window began */
} seen;

const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

void window_run(const struct window *window)
{
    uint64_t control = 0, smis = 0;

    assert_true(seen.count < WINDOWS);
    (void)seam_msr_value(GLOBAL_CTRL, &control);
    seen.counting[seen.count++] = control == ENABLE;
    seam_rdpmc(RDPMC_FIXED0, 13 + 5 * window->n);
    if (seen.count == seen.smi_in) {
        (void)seam_msr_value(SMI_COUNT, &smis);
        seam_msr_readonly(SMI_COUNT, smis + 1);
    }
}

void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window, (void)msr, (void)enable, (void)disable;
    fail_msg("a window was run");
}

static void nothing(void)
{
}

static const struct kernel kernel = {.name = "ret.test", .requires = "", .code = nothing};
static const struct event instructions = {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED};
static const struct facts facts = {
    .kind = &intel_kind, .intel = true, .version = 4, .fixed_count = 3, .fixed_width = 48};
static struct pass pass;
static struct plan plan;
static struct core_registers registers[2];
static uint64_t words[2][64];
static struct measurement measured, sibling;
static struct sibling_counters counters;

static void begin(void)
{
    seams_reset();
    memset(&seen, 0, sizeof(seen));
    memset(registers, 0, sizeof(registers));
    memset(&counters, 0, sizeof(counters));
    seam_msr(GLOBAL_CTRL, 0);
    seam_msr(FIXED_CTR_CTRL, 0x77);
    seam_msr(GLOBAL_STATUS, 0);
    seam_msr_readonly(SMI_COUNT, 100);
    guards_probe(&registers[0].guards, &facts);
    pass = (struct pass){
        .setup = {{GLOBAL_CTRL, 0}, {FIXED_CTR_CTRL, 3}},
        .setup_count = 2,
        .enable = {GLOBAL_CTRL, ENABLE},
        .readings = {{&instructions, READING_FIXED, 0, 0}},
        .reading_count = 1,
    };
    plan = (struct plan){.passes = &pass, .pass_count = 1};
    measured = sibling = (struct measurement){.kernel = &kernel,
                                              .facts = &facts,
                                              .plan = &plan,
                                              .registers = &registers[0],
                                              .n = 100,
                                              .repeats = 3,
                                              .warmup = 1,
                                              .sibling_counters = &counters,
                                              .sibling = &sibling};
    sibling.registers = &registers[1];
    measurement_lay_out(&measured, words[0]);
    measurement_lay_out(&sibling, words[1]);
    counters.cores[1] = 1;
    counters.facts = &facts;
}

/* As the corunner does, on the sibling. */
static void open_sibling(void)
{
    assert_true(measurement_keep_plan(&sibling));
    sibling_counters_open(&counters);
}

static int tear_down(void **state)
{
    (void)state;
    sibling_counters_close();
    return 0;
}

static void the_sibling_counts_in_every_window_and_only_there(void **state)
{
    const struct seam_write *writes;
    unsigned count, starts = 0;
    uint64_t control = 1;

    (void)state;
    begin();
    open_sibling();
    measure_passes(&measured);
    assert_null(measured.what);
    assert_int_equal(seen.count, 8); /* two warm up */
    assert_int_equal(seam_interrupts(), 16);
    for (unsigned i = 0; i < 8; i++)
        assert_true(seen.counting[i]);
    count = seam_writes(&writes);
    for (unsigned i = 0; i < count; i++)
        starts += writes[i].msr == GLOBAL_CTRL && writes[i].value == ENABLE;
    assert_int_equal(starts, 8);
    assert_true(seam_msr_value(GLOBAL_CTRL, &control) && control == 0);
    assert_int_equal(registers[1].saved.count, 2); /* to be put back */
    assert_int_equal(registers[0].windows, 8);
    assert_int_equal(registers[1].windows, 8);
    assert_true(sibling.passes[0].complete);
    for (unsigned repeat = 0; repeat < 3; repeat++) {
        assert_int_equal(pass_windows(&sibling.passes[0], false, 3)[repeat], 3 + 2 * repeat);
        assert_int_equal(pass_values(&sibling.passes[0], 0, false, 3)[repeat], 513);
        assert_int_equal(pass_values(&sibling.passes[0], 0, true, 3)[repeat], 1013);
    }
    measurement_add(&measured, &sibling);
    assert_int_equal(pass_values(&measured.passes[0], 0, false, 3)[2], 1026);
    assert_int_equal(pass_values(&measured.passes[0], 0, true, 3)[2], 2026);
}

static void a_window_that_was_thrown_away_does_not_count_for_the_sibling(void **state)
{
    (void)state;
    begin();
    seen.smi_in = 4;
    open_sibling();
    measure_passes(&measured);
    assert_int_equal(measured.discarded[GUARD_SMI], 1);
    assert_int_equal(registers[1].windows, 9);
    assert_int_equal(pass_windows(&sibling.passes[0], true, 3)[0], 5);
    assert_int_equal(pass_windows(&measured.passes[0], true, 3)[0], 5);
}

/* The measured thread waits for one answer, and does not ask again. */
static void a_sibling_that_does_not_answer_ends_the_measurement(void **state)
{
    (void)state;
    begin();
    open_sibling();
    seam_block_interrupts(true);
    seam_clock(0, 1000000); /* a millisecond a look */
    measure_passes(&measured);
    assert_string_equal(measured.what, "the sibling did not answer an NMI");
    assert_int_equal(seam_interrupts(), 1);
    assert_int_equal(seen.count, 0);
    assert_false(measured.passes[0].complete || sibling.passes[0].complete);
}

static void a_register_of_the_sibling_that_faults_is_named(void **state)
{
    (void)state;
    begin();
    open_sibling();
    seam_msr_absent(GLOBAL_STATUS);
    measure_passes(&measured);
    assert_string_equal(measured.what, "a counter of the sibling failed");
    assert_string_equal(measured.where, "core 1, IA32_PERF_GLOBAL_STATUS");
    assert_false(measured.passes[0].complete || sibling.passes[0].complete);
}

static void a_stray_nmi_is_not_taken_for_a_request(void **state)
{
    const struct seam_write *writes;

    (void)state;
    begin();
    open_sibling();
    assert_int_equal(interrupt_core(1), RC_OK);
    assert_int_equal(seam_writes(&writes), 0);
    measure_passes(&measured);
    assert_null(measured.what);
}

/* Medians of 2n - n: 1000 and 1030 ticks, then 1000 and 1010. */
static void the_largest_difference_of_windows_stays(void **state)
{
    (void)state;
    begin();
    counters.pass = &pass;
    for (unsigned i = 0; i < 3; i++) {
        counters.measured_ticks[0][i] = 1000 + i;
        counters.measured_ticks[1][i] = 2000 + i;
        counters.sibling_ticks[0][i] = 1200;
        counters.sibling_ticks[1][i] = 2230 + (i == 1 ? 500 : 0);
    }
    sibling_counters_complete(&counters, 3);
    assert_float_equal(counters.skew, 0.03, 1e-12);
    counters.sibling_ticks[1][0] = counters.sibling_ticks[1][1] = 2210;
    sibling_counters_complete(&counters, 3);
    assert_float_equal(counters.skew, 0.03, 1e-12);
    counters.sibling_ticks[1][0] = counters.sibling_ticks[1][1] = 2100;
    sibling_counters_complete(&counters, 3);
    assert_float_equal(counters.skew, 0.1, 1e-12);
}

/* No pass; 1000 and 1030 ticks; then windows of 2n that are no longer than windows of n. */
static void a_difference_of_windows_that_were_not_run_is_not_known(void **state)
{
    double skew;

    (void)state;
    begin();
    counters.pass = &pass;
    assert_false(sibling_counters_skew(&counters, &skew));
    for (unsigned i = 0; i < 3; i++) {
        counters.measured_ticks[0][i] = counters.sibling_ticks[0][i] = 1000;
        counters.measured_ticks[1][i] = 2000;
        counters.sibling_ticks[1][i] = 2030;
    }
    sibling_counters_complete(&counters, 3);
    assert_true(sibling_counters_skew(&counters, &skew));
    assert_float_equal(skew, 0.03, 1e-12);
    counters.measured_ticks[1][0] = counters.measured_ticks[1][1] = 1000;
    sibling_counters_complete(&counters, 3);
    assert_false(sibling_counters_skew(&counters, &skew));
}

/* --- verdicts --- */

static const char text[] = "cpu test\n"
                           "width 4\n"
                           "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
                           "event CPU_CLK_UNHALTED.THREAD_ANY 0x3c umask 0x00 any\n"
                           "let tma_info_thread_slots = 4 * CPU_CLK_UNHALTED.THREAD_ANY / 2\n"
                           "node tma_retiring level 1 = tma_info_thread_slots\n"
                           "topdown formula levels 1\n";
static struct description description;
static struct results results;

static struct verdict judge(int64_t cycles, int64_t any, bool slots)
{
    static const struct kernel of = {.name = "ret.test", .requires = ""};
    static struct experiment experiment = {.kernel = &of};
    static struct node_share values[4];
    const int64_t of_events[] = {cycles, any};
    const struct any_thread differ = {&description.events[1], any};
    struct trial trial = {.core = 2,
                          .experiment = &experiment,
                          .description = &description,
                          .results = &results,
                          .both_threads = true,
                          .nodes = values};
    struct verdict verdict;

    memset(values, 0, sizeof(values));
    memset(&results, 0, sizeof(results));
    for (unsigned i = 0; i < 2; i++) {
        results.tallies[i] =
            (struct tally){.event = &description.events[i],
                           .measured = true,
                           .difference = {of_events[i], of_events[i], of_events[i]},
                           .most = {(uint64_t)of_events[i], 2 * (uint64_t)of_events[i]}};
        results.counts[i] = (struct count){
            .event = &description.events[i], .measured = true, .value = (double)of_events[i]};
    }
    results.count = 2;
    trial.counts = (struct counts){&description, results.counts, 2, NULL, 0, NULL};
    if (slots)
        verdict_slots(&verdict, &trial);
    else
        verdict_any(&verdict, &trial, &differ);
    return verdict;
}

/* 2000 cycles of the core, which each thread counts. */
static void slots_of_both_threads_are_width_times_cycles(void **state)
{
    struct complaint complaint;
    struct verdict verdict;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    verdict = judge(4000, 4000, true);
    assert_int_equal(verdict.outcome, VERDICT_PASS);
    verdict = judge(4000, 2000, true); /* an any-thread bit that counts one thread in its turn */
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    assert_string_equal(
        verdict.text,
        "core 2 ret.test both threads: slots, of width x cycles 0.500 in [0.990, 1.010]");
    verdict = judge(150, 150, true);
    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    verdict = judge(4000, 39, false); /* 39 of 2000 cycles */
    assert_int_equal(verdict.outcome, VERDICT_PASS);
    verdict = judge(4000, 41, false);
    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    tests_free();
}

/* Windows may differ by 0.02; a tenth of 1000 instructions is 100. */
static void sums_that_mean_nothing_are_refused_with_a_reason(void **state)
{
    struct sibling_counters skewed = {.passes = 1};
    char why[120] = "";

    (void)state;
    memset(&results, 0, sizeof(results));
    results.count = 1;
    results.tallies[0] = (struct tally){.event = &instructions,
                                        .measured = true,
                                        .difference = {940, 1000, 1030},
                                        .lowest = 935,
                                        .highest = 1035};
    results.counts[0] = (struct count){.event = &instructions, .measured = true, .value = 1000};
    skewed.skew = 0.02;
    assert_false(verdict_core_refused(&results, &skewed, why, sizeof(why)));
    skewed.skew = 0.021;
    assert_true(verdict_core_refused(&results, &skewed, why, sizeof(why)));
    assert_string_equal(why, "the two threads' windows differ by 0.021 of one");
    skewed.skew = 0;
    skewed.edges_only = true;
    assert_true(verdict_core_refused(&results, &skewed, why, sizeof(why)));
    assert_string_equal(why, "by how much the two threads' windows differ is not known");
    skewed.edges_only = false;
    results.tallies[0].measured = false;
    assert_true(verdict_core_refused(&results, &skewed, why, sizeof(why)));
    assert_string_equal(why, "instructions, which show whether repeats differ, were not counted");
    results.tallies[0].measured = true;
    results.tallies[0].lowest = 934; /* in another pass */
    assert_true(verdict_core_refused(&results, &skewed, why, sizeof(why)));
    assert_string_equal(why, "repeats differ: the two threads retire 934 to 1035 instructions");
    results_refuse(&results, why);
    assert_false(results.counts[0].measured || results.tallies[0].measured);
    assert_string_equal(results.counts[0].reason, why);
}

/* Of two passes' any-thread events the one whose medians differ most: 600 - 590 against 300 - 300.
 */
static void any_thread_events_are_compared_between_the_threads(void **state)
{
    struct event any = {.name = "X_ANY", .any = true}, more = {.name = "Y_ANY", .any = true};
    struct any_thread differ;

    (void)state;
    begin();
    pass.reading_count = 3;
    pass.readings[1] = (struct reading){&any, READING_GENERAL, 0, 0};
    pass.readings[2] = (struct reading){&more, READING_GENERAL, 1, 0};
    measurement_lay_out(&measured, words[0]);
    measurement_lay_out(&sibling, words[1]);
    measured.passes[0].complete = sibling.passes[0].complete = true;
    for (unsigned repeat = 0; repeat < 3; repeat++) {
        pass_values(&measured.passes[0], 0, true, 3)[repeat] = 5000; /* not of any thread */
        pass_values(&measured.passes[0], 1, true, 3)[repeat] = 300;
        pass_values(&sibling.passes[0], 1, true, 3)[repeat] = 300 + (repeat == 2 ? 900 : 0);
        pass_values(&measured.passes[0], 2, false, 3)[repeat] = 100;
        pass_values(&measured.passes[0], 2, true, 3)[repeat] = 690;
        pass_values(&sibling.passes[0], 2, true, 3)[repeat] = 600;
    }
    verdict_compare_any(&measured, &sibling, &differ);
    assert_ptr_equal(differ.event, &more);
    assert_int_equal(differ.difference, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_sibling_counts_in_every_window_and_only_there, tear_down),
        cmocka_unit_test_teardown(a_window_that_was_thrown_away_does_not_count_for_the_sibling,
                                  tear_down),
        cmocka_unit_test_teardown(a_sibling_that_does_not_answer_ends_the_measurement, tear_down),
        cmocka_unit_test_teardown(a_register_of_the_sibling_that_faults_is_named, tear_down),
        cmocka_unit_test_teardown(a_stray_nmi_is_not_taken_for_a_request, tear_down),
        cmocka_unit_test(the_largest_difference_of_windows_stays),
        cmocka_unit_test(a_difference_of_windows_that_were_not_run_is_not_known),
        cmocka_unit_test(slots_of_both_threads_are_width_times_cycles),
        cmocka_unit_test(sums_that_mean_nothing_are_refused_with_a_reason),
        cmocka_unit_test(any_thread_events_are_compared_between_the_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
