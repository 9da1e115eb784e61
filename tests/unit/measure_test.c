/* The order of a measurement: windows of n and 2n side by side, their numbers, what guards do to
 * them, registers kept. The window itself is replaced here: it lets a fixed counter stand at 13 + 5
 * n. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/measure/measure.h"
#include "harness/judge/results.h"
#include "harness/measure/window.h"
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
} seen;

const char window_return[1];

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
    seen.count++;
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
    .name = "ret.test", .code = code, .prepare = prepare, .reset = reset};
static const struct event instructions = {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED};
static const struct facts facts = {
    .intel = true, .version = 4, .fixed_count = 3, .fixed_width = 48};
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
    assert_int_equal(measure_words(&plan, 3),
                     24); /* 2 passes x (1 reading + 1 list of windows) x 2 x 3 */
    measure_lay_out(m, words);
}

static void windows_of_n_and_2n_alternate_and_are_numbered_from_1(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    measure_work(&m);
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
    measure_work(&m);
    assert_null(m.what);
    assert_int_equal(m.discarded[GUARD_SMI], 1);
    assert_int_equal(m.kept, 12);
    assert_int_equal(registers.windows, 15);
    assert_int_equal(pass_windows(&m.passes[0], true, 3)[0], 5); /* window 4 was thrown away */
    assert_int_equal(seen.n[4], 200);
}

/* 3 repeats x 4 retries = 12 second chances a pass: the 13th dirty window ends it. The first pass
 * is kept. */
static void endless_smis_end_a_pass_with_an_error(void **state)
{
    static struct results results;
    struct measurement m;

    (void)state;
    begin(&m);
    seen.smi_always_from = 8;
    measure_work(&m);
    assert_int_equal(m.rc, RC_TIMEOUT);
    assert_string_equal(m.where, "guard smi");
    assert_int_equal(m.discarded[GUARD_SMI], 13);
    assert_true(m.passes[0].complete);
    assert_false(m.passes[1].complete);
    results_make(&results, &m);
    assert_true(results.tallies[0].measured && results.tallies[0].constant);
    assert_int_equal(results.tallies[0].difference.median, 500);
}

/* Their places are alike to the table of hints; each is asked for twice. */
static void events_that_share_a_hint_have_a_tally_each(void **state)
{
    static struct event events[COUNT_HINTS + 1];
    static struct results results;
    static struct plan nothing;
    const struct event *first = &events[0], *last = &events[COUNT_HINTS];
    const struct measurement m = {.plan = &nothing};

    (void)state;
    nothing.missing[0] = (struct plan_missing){first, "a"};
    nothing.missing[1] = (struct plan_missing){last, "b"};
    nothing.missing[2] = (struct plan_missing){last, "c"};
    nothing.missing[3] = (struct plan_missing){first, "d"};
    nothing.missing_count = 4;
    for (unsigned again = 0; again < 2; again++) {
        results_make(&results, &m);
        assert_int_equal(results.count, 2);
        assert_ptr_equal(results.tallies[0].event, first);
        assert_ptr_equal(results.tallies[1].event, last);
        assert_string_equal(results.counts[0].reason, "a");
        assert_string_equal(results.counts[1].reason, "b");
    }
}

static void a_register_that_faults_is_named(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    seam_msr_readonly(FIXED_CTR_CTRL, 0x77);
    measure_work(&m);
    assert_int_equal(m.rc, RC_FAULT);
    assert_string_equal(m.where, "IA32_FIXED_CTR_CTRL");
    assert_int_equal(seen.count, 0);
}

static void registers_are_kept_before_they_are_written(void **state)
{
    struct measurement m;
    uint64_t value;

    (void)state;
    begin(&m);
    measure_work(&m);
    assert_true(seam_msr_value(FIXED_CTR_CTRL, &value) && value == 3);
    saved_restore(&registers.saved, NULL, NULL);
    assert_true(seam_msr_value(FIXED_CTR_CTRL, &value) && value == 0x77);
}

/* SDM 3B: bits 6 and 7 of DEBUGCTL trace branches into memory, a bit of PEBS_ENABLE samples. */
static void what_the_firmware_records_stands_still_meanwhile(void **state)
{
    struct measurement m;
    uint64_t value;

    (void)state;
    begin(&m);
    seam_msr(0x1d9, 0xc0);
    seam_msr(0x3f1, 1);
    measure_work(&m);
    assert_null(m.what);
    assert_true(seam_msr_value(0x1d9, &value) && value == 0);
    assert_true(seam_msr_value(0x3f1, &value) && value == 0);
    saved_restore(&registers.saved, NULL, NULL);
    assert_true(seam_msr_value(0x1d9, &value) && value == 0xc0);
    assert_true(seam_msr_value(0x3f1, &value) && value == 1);
    begin(&m);
    seam_msr_readonly(0x3f1, 1);
    measure_work(&m);
    assert_int_equal(m.rc, RC_FAULT);
    assert_string_equal(m.where, "IA32_PEBS_ENABLE");
}

static void without_a_plan_the_kernel_runs_once_uncounted(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    m.plan = NULL;
    measure_work(&m);
    assert_int_equal(seen.count, 0);
    assert_true(seen.prepared == 1 && seen.reset == 1 && seen.uncounted == 1);
    assert_int_equal(registers.windows, 0);
}

/* Windows of 510 and 1020 slots: half a step of 1/255 is one slot of the first and two of the
 * second, and both shares were rounded to whole slots. The counts of other counters are exact. */
static void bytes_of_perf_metrics_have_an_error(void **state)
{
    static const struct event slots = {.name = "TOPDOWN.SLOTS", .kind = EVENT_SLOTS},
                              retiring = {.name = "PERF_METRICS.RETIRING", .kind = EVENT_METRIC};
    static struct results results;
    struct measurement m;

    (void)state;
    begin(&m);
    passes[0].readings[0] = (struct reading){&slots, READING_SLOTS, 3, 0};
    passes[0].readings[1] = (struct reading){&retiring, READING_METRIC, 0, 0};
    passes[0].reading_count = 2;
    measure_lay_out(&m, words);
    for (unsigned repeat = 0; repeat < 3; repeat++)
        for (unsigned twice = 0; twice < 2; twice++) {
            pass_values(&m.passes[0], 0, twice != 0, 3)[repeat] = 510u << twice;
            pass_values(&m.passes[0], 1, twice != 0, 3)[repeat] = 255u << twice;
        }
    m.passes[0].complete = true;
    results_make(&results, &m);
    assert_true(results_find(&results, "PERF_METRICS.RETIRING")->error > 3.999999);
    assert_true(results_find(&results, "PERF_METRICS.RETIRING")->error < 4.000001);
    assert_true(results_find(&results, "TOPDOWN.SLOTS")->error <= 0);
}

static double value_after(struct measurement *m, const uint64_t once[3], const uint64_t twice[3])
{
    static struct results results;
    const char *reason;
    double value = -1;

    memcpy(pass_values(&m->passes[0], 0, false, 3), once, 3 * sizeof(*once));
    memcpy(pass_values(&m->passes[0], 0, true, 3), twice, 3 * sizeof(*twice));
    m->passes[0].complete = true;
    results_make(&results, m);
    assert_true(results_value(&results, "INST_RETIRED.ANY", &value, &reason));
    assert_true(results.counts[0].value >= value && results.counts[0].value <= value);
    return value;
}

static void what_is_not_more_than_its_noise_is_nothing(void **state)
{
    struct measurement m;

    (void)state;
    begin(&m);
    /* -7, -3, 32: no cost is negative. */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 10, 10}, (uint64_t[]){7, 42, 3}), 0);
    /* -2, 1, 3 */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){8, 13, 12}), 0);
    /* -2, 3, 5: the median is further from nothing than the noise goes below */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){8, 15, 14}), 3);
    /* -2, -1, -1: not on both sides */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){8, 11, 8}), -1);
    /* 0, 1, 9: none is below */
    assert_int_equal(value_after(&m, (uint64_t[]){10, 12, 9}, (uint64_t[]){10, 13, 18}), 1);
}

/* 1000 cycles: edges make up for 64 + 20 counts. */
static void what_windows_of_2n_counted_less_of_is_no_count(void **state)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED},
                              stalls = {.name = "STALLS", .kind = EVENT_GENERAL};
    static const struct {
        uint64_t twice[3];
        bool counted;
        int value;
    } rows[] = {
        {{116, 116, 116}, true, -84}, {{115, 115, 115}, false, 0},
        {{20, 20, 200}, true, 0}, /* on both sides of nothing: noise */
        {{20, 20, 199}, false, 0},    {{200, 200, 20}, true, 0},
    };
    static struct results results;
    struct measurement m;
    const char *reason;
    double value;

    (void)state;
    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        begin(&m);
        passes[0].readings[0] = (struct reading){&cycles, READING_FIXED, 1, 0};
        passes[0].readings[1] = (struct reading){&stalls, READING_GENERAL, 0, 0};
        passes[0].reading_count = 2;
        measure_lay_out(&m, words);
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            pass_values(&m.passes[0], 0, false, 3)[repeat] = 1100;
            pass_values(&m.passes[0], 0, true, 3)[repeat] = 2100;
            pass_values(&m.passes[0], 1, false, 3)[repeat] = 200;
            pass_values(&m.passes[0], 1, true, 3)[repeat] = rows[row].twice[repeat];
        }
        m.passes[0].complete = true;
        results_make(&results, &m);
        assert_int_equal(results.counts[1].measured, rows[row].counted);
        assert_int_equal(results_value(&results, "STALLS", &value, &reason), rows[row].counted);
        if (rows[row].counted) {
            assert_int_equal(results.counts[1].value, rows[row].value);
        } else {
            assert_string_equal(reason, "windows of 2n iterations counted less than those of n");
            assert_string_equal(results.counts[1].reason, reason);
        }
        /* what was counted stays to be seen, and to be judged */
        assert_int_equal(results_find(&results, "STALLS")->measured, true);
    }
}

/* 1000 cycles in the first pass; the second may take 250 more or fewer, and 64 of the edges. */
static void events_of_passes_that_took_other_times_are_no_shares(void **state)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED},
                              stalls = {.name = "STALLS", .kind = EVENT_GENERAL};
    static const struct {
        uint64_t twice;
        bool counted;
    } rows[] = {{2100 + 314, true}, {2100 + 315, false}, {2100 - 314, true}, {2100 - 315, false}};
    static struct results results;
    struct measurement m;

    (void)state;
    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        begin(&m);
        for (unsigned pass = 0; pass < 2; pass++) {
            passes[pass].readings[0] = (struct reading){&cycles, READING_FIXED, 1, 0};
            passes[pass].readings[1] = (struct reading){&stalls, READING_GENERAL, 0, 0};
            passes[pass].reading_count = pass + 1; /* stalls in the second alone */
        }
        measure_lay_out(&m, words);
        for (unsigned pass = 0; pass < 2; pass++) {
            for (unsigned repeat = 0; repeat < 3; repeat++) {
                pass_values(&m.passes[pass], 0, false, 3)[repeat] = 1100;
                pass_values(&m.passes[pass], 0, true, 3)[repeat] =
                    pass == 0 ? 2100 : rows[row].twice;
            }
            m.passes[pass].complete = true;
        }
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            pass_values(&m.passes[1], 1, false, 3)[repeat] = 10;
            pass_values(&m.passes[1], 1, true, 3)[repeat] = 1010;
        }
        results_make(&results, &m);
        assert_true(results.counts[0].measured);
        assert_int_equal(results.counts[1].measured, rows[row].counted);
        assert_true(results_find(&results, "STALLS")->measured);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_n_and_2n_alternate_and_are_numbered_from_1),
        cmocka_unit_test(a_window_with_an_smi_is_run_again_and_still_numbered),
        cmocka_unit_test(bytes_of_perf_metrics_have_an_error),
        cmocka_unit_test(endless_smis_end_a_pass_with_an_error),
        cmocka_unit_test(events_that_share_a_hint_have_a_tally_each),
        cmocka_unit_test(what_is_not_more_than_its_noise_is_nothing),
        cmocka_unit_test(events_of_passes_that_took_other_times_are_no_shares),
        cmocka_unit_test(what_windows_of_2n_counted_less_of_is_no_count),
        cmocka_unit_test(a_register_that_faults_is_named),
        cmocka_unit_test(registers_are_kept_before_they_are_written),
        cmocka_unit_test(what_the_firmware_records_stands_still_meanwhile),
        cmocka_unit_test(without_a_plan_the_kernel_runs_once_uncounted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
