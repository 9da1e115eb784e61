/* The order of a measurement: windows of n and 2n side by side, their numbers, what guards do to
 * them, registers kept. The window itself is replaced here: it leaves a fixed counter at 13 + 5 n.
 */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/clock.h"
#include "harness/judge/results.h"
#include "harness/measure/measure.h"
#include "harness/window/kernel_run.h"
#include "harness/window/window.h"
#include "tests/unit/seams.h"

enum {
    SMI_COUNT = 0x34,
    GLOBAL_CTRL = 0x38f,
    FIXED_CTR_CTRL = 0x38d,
    GLOBAL_STATUS = 0x38e,
    RDPMC_FIXED0 = 0x40000000
};

#define WINDOWS 64

static struct {
    uint64_t n[WINDOWS];
    unsigned count, prepared, reset, uncounted;
    bool smi_in[WINDOWS]; /* an SMI comes in that window */
    unsigned smi_always_from;
    unsigned step_in;      /* the TSC is written in that window, unless it is 0 */
    uint64_t window_ticks; /* each takes, of the seams' clock, which else stands still */
} seen;

const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

void window_run(const struct window *window)
{
    uint64_t smis = 0;

    assert_int_equal(window->msr, GLOBAL_CTRL);
    assert_true(window->enable == 1ull << 32 && window->disable == 0);
    assert_true(seen.count < WINDOWS);
    seen.n[seen.count] = window->n;
    seam_rdpmc(RDPMC_FIXED0, 13 + 5 * window->n);
    if (seen.smi_in[seen.count] || seen.count >= seen.smi_always_from) {
        (void)seam_msr_value(SMI_COUNT, &smis);
        seam_msr_readonly(SMI_COUNT, smis + 1);
    }
    if (seen.step_in > 0 && seen.count == seen.step_in)
        seam_clock(clock_now() + 60000000000, 0);
    seen.count++;
    if (seen.window_ticks > 0)
        seam_clock(clock_now() + seen.window_ticks, 0);
}

/* No kernel of these tests lists branches. */
void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window, (void)msr, (void)enable, (void)disable;
    fail();
}

static void prepare(void)
{
    seen.prepared++;
}

static void reset(void)
{
    seen.reset++;
}

static void code(void)
{
    seen.uncounted++;
}

static const struct kernel kernel = {
    .name = "ret.test", .requires = "", .code = code, .prepare = prepare, .reset = reset};
static const struct event instructions = {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED};
static const struct facts facts = {
    .kind = &intel_kind, .intel = true, .version = 4, .fixed_count = 3, .fixed_width = 48};
static struct pass passes[2];
static struct plan plan;
static struct core_registers registers;
static uint64_t words[256];

static void begin(struct measurement *m)
{
    seams_reset();
    memset(&seen, 0, sizeof(seen));
    seen.smi_always_from = WINDOWS;
    memset(&registers, 0, sizeof(registers));
    seam_msr(GLOBAL_CTRL, 0);
    seam_msr(FIXED_CTR_CTRL, 0x77);
    seam_msr(GLOBAL_STATUS, 0);
    seam_msr_readonly(SMI_COUNT, 100);
    guards_probe(&registers.guards, &facts);
    for (unsigned i = 0; i < 2; i++) {
        passes[i] = (struct pass){
            .setup = {{GLOBAL_CTRL, 0}, {FIXED_CTR_CTRL, 3}},
            .setup_count = 2,
            .enable = {GLOBAL_CTRL, 1ull << 32},
            .readings = {{&instructions, READING_FIXED, 0, 0}},
            .reading_count = 1,
        };
    }
    memset(&plan, 0, sizeof(plan));
    plan.passes = passes;
    plan.pass_count = 2;
    memset(m, 0, sizeof(*m));
    *m = (struct measurement){.kernel = &kernel,
                              .facts = &facts,
                              .plan = &plan,
                              .registers = &registers,
                              .n = 100,
                              .repeats = 3,
                              .warmup = 1};
    assert_int_equal(measurement_words(&plan, 3),
                     24); /* 2 passes x (1 reading + 1 list of windows) x 2 x 3 */
    measurement_lay_out(m, words);
}

static void measure(struct measurement *m)
{
    kernel_run_begin(m);
    measure_passes(m);
}

static void windows_of_n_and_2n_alternate_and_are_numbered_from_1(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    measure(&m);
    assert_null(m.what);
    assert_int_equal(seen.count, 14); /* two of them warm up */
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(seen.n[i], i % 2 == 0 ? 100 : 200);
    assert_int_equal(seen.prepared, 1);
    assert_int_equal(seen.uncounted, 0);
    assert_int_equal(seen.reset, 14);
    assert_int_equal(m.kept, 12);
    assert_int_equal(registers.windows, 14);
    for (unsigned repeat = 0; repeat < 3; repeat++) {
        assert_int_equal(pass_windows(&m.passes[0], false, 3)[repeat], 3 + 2 * repeat);
        assert_int_equal(pass_windows(&m.passes[0], true, 3)[repeat], 4 + 2 * repeat);
        assert_int_equal(pass_windows(&m.passes[1], false, 3)[repeat], 9 + 2 * repeat);
        assert_int_equal(pass_values(&m.passes[0], 0, false, 3)[repeat], 513);
        assert_int_equal(pass_values(&m.passes[0], 0, true, 3)[repeat], 1013);
    }
}

static void a_window_with_an_smi_is_run_again_and_still_numbered(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seen.smi_in[3] = true;
    measure(&m);
    assert_null(m.what);
    assert_int_equal(m.discarded[GUARD_SMI], 1);
    assert_int_equal(m.kept, 12);
    assert_int_equal(registers.windows, 15);
    assert_int_equal(pass_windows(&m.passes[0], true, 3)[0], 5); /* window 4 was thrown away */
    assert_int_equal(seen.n[4], 200);
}

/* 3 repeats x 4 retries = 12 more windows a pass: the 13th disturbed one ends the pass. The first
 * pass is kept. */
static void endless_smis_end_a_pass_with_an_error(void **state)
{
    static struct results results;
    struct measurement m;

    (void)state;
    begin(&m);
    seen.smi_always_from = 8;
    measure(&m);
    assert_int_equal(m.rc, RC_TIMEOUT);
    assert_string_equal(m.where, "guard smi");
    assert_int_equal(m.discarded[GUARD_SMI], 13);
    assert_true(m.passes[0].complete);
    assert_false(m.passes[1].complete);
    results_make(&results, &m);
    assert_true(results.tallies[0].measured && results.tallies[0].constant);
    assert_int_equal(results.tallies[0].difference.median, 500);
}

/* 0.7 s each, of which two may be thrown away: the third makes 2.1 s. The second pass is tried, and
 * its first window that is disturbed ends it. */
static void disturbed_windows_take_two_seconds_at_most(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seen.smi_always_from = 3;
    seen.window_ticks = 700000000; /* the seams' clock: 1000 a microsecond */
    measure(&m);
    assert_int_equal(m.rc, RC_TIMEOUT);
    assert_string_equal(m.what, "disturbed windows took more than 2 s");
    assert_int_equal(m.discarded[GUARD_SMI], 4);
    assert_false(m.passes[0].complete || m.passes[1].complete);
}

/* The clock stands still, but the TSC is written in the first disturbed window: 60 s on. */
static void a_tsc_that_was_written_is_not_the_time_that_windows_took(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seen.smi_in[3] = true;
    seen.step_in = 3;
    measure(&m);
    assert_null(m.what);
    assert_int_equal(m.discarded[GUARD_SMI], 1);
    assert_true(m.passes[0].complete && m.passes[1].complete);
}

static void a_register_that_faults_is_named(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seam_msr_readonly(FIXED_CTR_CTRL, 0x77);
    measure(&m);
    assert_int_equal(m.rc, RC_FAULT);
    assert_string_equal(m.where, "IA32_FIXED_CTR_CTRL");
    assert_int_equal(seen.count, 0);
}

/* A register that only the second pass writes. */
static void use_in_second_pass(uint32_t msr)
{
    passes[1].setup[2] = (struct msr_value){msr, 1};
    passes[1].setup_count = 3;
}

static void a_register_that_faults_costs_its_own_pass_and_no_other(void **state)
{
    static struct results results;
    struct measurement m;

    (void)state;
    for (unsigned absent = 0; absent < 2; absent++) {
        begin(&m);
        use_in_second_pass(0x3f7);
        if (absent == 0)
            seam_msr_readonly(0x3f7, 0);
        measure(&m);
        assert_null(m.what);
        assert_int_equal(m.rc, RC_OK);
        assert_true(m.passes[0].complete);
        assert_null(m.passes[0].why);
        assert_false(m.passes[1].complete);
        assert_string_equal(m.passes[1].why,
                            absent ? "reading a register to keep its value" : "writing a register");
        assert_string_equal(m.passes[1].where, "MSR_PEBS_FRONTEND");
        assert_int_equal(seen.count, 8); /* two warm up, then n and 2n three times */
        results_make(&results, &m);
        assert_true(results.tallies[0].measured);
    }
}

/* The warm-up, too, takes a pass that works. */
static void the_first_pass_may_be_the_one_that_fails(void **state)
{
    struct measurement m;
    struct pass first;

    (void)state;
    begin(&m);
    use_in_second_pass(0x3f7);
    first = passes[0];
    passes[0] = passes[1];
    passes[1] = first;
    seam_msr_readonly(0x3f7, 0);
    measure(&m);
    assert_null(m.what);
    assert_string_equal(m.passes[0].where, "MSR_PEBS_FRONTEND");
    assert_true(m.passes[1].complete);
    assert_int_equal(seen.count, 8);
}

static void registers_are_kept_before_they_are_written(void **state)
{
    struct measurement m;
    uint64_t value;

    (void)state;
    begin(&m);
    measure(&m);
    assert_true(seam_msr_value(FIXED_CTR_CTRL, &value) && value == 3);
    saved_restore(&registers.saved, NULL, NULL);
    assert_true(seam_msr_value(FIXED_CTR_CTRL, &value) && value == 0x77);
}

/* SDM 3B: bits 6 and 7 of DEBUGCTL trace branches into memory, a bit of PEBS_ENABLE samples. */
static void what_the_firmware_records_is_switched_off_while_measuring(void **state)
{
    struct measurement m;
    uint64_t value;

    (void)state;
    begin(&m);
    seam_msr(0x1d9, 0xc0);
    seam_msr(0x3f1, 1);
    measure(&m);
    assert_null(m.what);
    assert_true(seam_msr_value(0x1d9, &value) && value == 0);
    assert_true(seam_msr_value(0x3f1, &value) && value == 0);
    saved_restore(&registers.saved, NULL, NULL);
    assert_true(seam_msr_value(0x1d9, &value) && value == 0xc0);
    assert_true(seam_msr_value(0x3f1, &value) && value == 1);
    begin(&m);
    seam_msr_readonly(0x3f1, 1);
    measure(&m);
    assert_int_equal(m.rc, RC_FAULT);
    assert_string_equal(m.where, "IA32_PEBS_ENABLE");
}

static void without_a_plan_the_kernel_runs_once_uncounted(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    m.plan = NULL;
    measure(&m);
    assert_int_equal(seen.count, 0);
    assert_true(seen.prepared == 1 && seen.reset == 1 && seen.uncounted == 1);
    assert_int_equal(registers.windows, 0);
}

/* Two trials, then the windows. */
/* Twice in ring 3, and twice to see whether it writes the counters' registers. */
#define TRIALS (2 + 2)

static void a_kernel_of_the_users_own_is_tried_and_then_measured_in_its_cell(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seam_rdpmc(RDPMC_FIXED0, 13);
    m.cell = seam_cell(0);
    measure(&m);
    assert_null(m.what);
    assert_int_equal(seen.count, 0);
    assert_int_equal(seam_cell_calls(), TRIALS + 14);
    assert_int_equal(m.kept, 12);
    assert_true(m.passes[0].complete && m.passes[1].complete);
}

/* The first window behind the trials and the warm-up is the first that counts. A pass ends as with
 * endless SMIs. */
static void windows_with_an_interrupt_are_counted_and_end_a_pass(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seam_rdpmc(RDPMC_FIXED0, 13);
    m.cell = seam_cell(0);
    seam_cell_interrupts(TRIALS + 2 + 1);
    measure(&m);
    assert_int_equal(m.rc, RC_TIMEOUT);
    assert_string_equal(m.what, "too many windows were disturbed");
    assert_string_equal(m.where, "guard interrupt");
    assert_int_equal(m.kept, 0);
    assert_int_equal(m.discarded[GUARD_INTERRUPT], 13 + 13);
    assert_false(m.passes[0].complete || m.passes[1].complete);
}

static void after_a_failed_trial_nothing_is_measured(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seam_rdpmc(RDPMC_FIXED0, 13);
    m.cell = seam_cell(2);
    measure(&m);
    assert_non_null(m.what);
    assert_int_equal(seam_cell_calls(), 2);
    assert_int_equal(registers.windows, 0);
    assert_false(m.passes[0].complete);
}

static void a_kernel_that_does_not_come_back_from_a_window_does_not_run_again(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seam_rdpmc(RDPMC_FIXED0, 13);
    m.cell = seam_cell(TRIALS + 5);
    measure(&m);
    assert_non_null(m.what);
    assert_int_equal(seam_cell_calls(), TRIALS + 5);
    assert_int_equal(registers.windows, 1 + 5); /* its counters had started */
    assert_false(m.passes[0].complete || m.passes[1].complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_n_and_2n_alternate_and_are_numbered_from_1),
        cmocka_unit_test(a_window_with_an_smi_is_run_again_and_still_numbered),
        cmocka_unit_test(disturbed_windows_take_two_seconds_at_most),
        cmocka_unit_test(endless_smis_end_a_pass_with_an_error),
        cmocka_unit_test(a_tsc_that_was_written_is_not_the_time_that_windows_took),
        cmocka_unit_test(a_register_that_faults_is_named),
        cmocka_unit_test(a_register_that_faults_costs_its_own_pass_and_no_other),
        cmocka_unit_test(the_first_pass_may_be_the_one_that_fails),
        cmocka_unit_test(registers_are_kept_before_they_are_written),
        cmocka_unit_test(what_the_firmware_records_is_switched_off_while_measuring),
        cmocka_unit_test(without_a_plan_the_kernel_runs_once_uncounted),
        cmocka_unit_test(a_kernel_of_the_users_own_is_tried_and_then_measured_in_its_cell),
        cmocka_unit_test(windows_with_an_interrupt_are_counted_and_end_a_pass),
        cmocka_unit_test(after_a_failed_trial_nothing_is_measured),
        cmocka_unit_test(a_kernel_that_does_not_come_back_from_a_window_does_not_run_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
