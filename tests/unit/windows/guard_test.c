/* The guards: what disturbs a window, and what a core lacks. Register addresses are the manual's
 * (SDM volume 4). */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/clock.h"
#include "harness/window/guard.h"
#include "tests/unit/seams.h"

enum {
    SMI_COUNT = 0x34,
    MPERF = 0xe7,
    APERF = 0xe8,
    MCG_CAP = 0x179,
    THERM_STATUS = 0x19c,
    PACKAGE_THERM_STATUS = 0x1b1,
    MC0_STATUS = 0x401,
    MC1_STATUS = 0x405,
};

static const struct facts intel = {
    .kind = &intel_kind, .intel = true, .aperf_mperf = true, .thermal = true};

static void all_present(struct core_guards *guards)
{
    seams_reset();
    seam_msr_readonly(SMI_COUNT, 5);
    seam_msr_readonly(APERF, 0);
    seam_msr_readonly(MPERF, 0);
    seam_msr_readonly(THERM_STATUS, 0);
    seam_msr_readonly(PACKAGE_THERM_STATUS, 0);
    seam_msr_readonly(MCG_CAP, 2);
    seam_msr_readonly(MC0_STATUS, 0);
    seam_msr_readonly(MC1_STATUS, 1ull << 63 | 0x17);
    seam_clock(0, 1000); /* a reading takes a microsecond */
    guards_probe(guards, &intel);
    guards_begin(guards);
}

/* A window in which the core ran `aperf` cycles at its own and `mperf` at the nominal rate, and
 * `msr` became `value`. */
static enum guard window(struct core_guards *guards, uint64_t aperf, uint64_t mperf, uint32_t msr,
                         uint64_t value)
{
    struct guard_bracket bracket;
    uint64_t was_aperf = 0, was_mperf = 0;

    (void)seam_msr_value(APERF, &was_aperf);
    (void)seam_msr_value(MPERF, &was_mperf);
    guards_open(guards, &bracket);
    seam_msr_readonly(APERF, was_aperf + aperf);
    seam_msr_readonly(MPERF, was_mperf + mperf);
    if (msr != 0)
        seam_msr_readonly(msr, value);
    return guards_close(guards, &bracket, 0);
}

static void an_undisturbed_window_is_clean(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        assert_null(guards.absent[i]);
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 60000, 40000, 0, 0), GUARD_CLEAN);
}

static void an_smi_disturbs_one_window(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    assert_int_equal(window(&guards, 30000, 20000, SMI_COUNT, 6), GUARD_SMI);
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_CLEAN);
}

/* The first window ran at 1.5 times the nominal rate. 1 % more is allowed, 3 % more or less is not.
 */
static void the_frequency_may_move_by_two_percent(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 3030000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 3090000, 2000000, 0, 0), GUARD_FREQUENCY);
    assert_int_equal(window(&guards, 2910000, 2000000, 0, 0), GUARD_FREQUENCY);
}

/* SDM 3B, "Thermal Status Information": bit 1 logs that bit 0 was set; bit 11 logs a power limit,
 * which is none of the guard's. It stays set, so a window in which it was set before does not tell
 * whether the core was throttled in it. */
static void a_log_bit_that_was_set_already_is_known_to_hide_throttling(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    seam_msr_readonly(PACKAGE_THERM_STATUS, 1u << 11);
    assert_int_equal(window(&guards, 3000000, 2000000, THERM_STATUS, 2), GUARD_THERMAL);
    assert_int_equal(guards.logged, 0);
    assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(guards.logged, 1u << GUARD_THERMAL);
    assert_int_equal(window(&guards, 3000000, 2000000, PACKAGE_THERM_STATUS, 2),
                     GUARD_PACKAGE_THERMAL);
    assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(guards.logged, 1u << GUARD_THERMAL | 1u << GUARD_PACKAGE_THERMAL);
}

static void a_short_window_is_not_blamed_for_readings_within_their_tolerance(void **state)
{
    (void)state;
    assert_false(
        guard_frequency_moved(&(struct guard_clock){300, 200}, &(struct guard_clock){320, 200}));
    assert_true(guard_frequency_moved(&(struct guard_clock){300000, 200000},
                                      &(struct guard_clock){320000, 200000}));
}

/* From 1.5 times the nominal rate to 1.4, in the middle of a window. */
static void another_frequency_that_holds_is_that_of_the_later_windows(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 2900000, 2000000, 0, 0), GUARD_FREQUENCY);
    assert_int_equal(window(&guards, 2800000, 2000000, 0, 0), GUARD_FREQUENCY);
    assert_int_equal(window(&guards, 2800000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 2800000, 2000000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_FREQUENCY);
}

/* Two windows of that frequency do not hold it when one of the first frequency is between them. */
static void one_that_comes_and_goes_is_a_disturbance_each_time(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_CLEAN);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(window(&guards, 2800000, 2000000, 0, 0), GUARD_FREQUENCY);
        assert_int_equal(window(&guards, 3000000, 2000000, 0, 0), GUARD_CLEAN);
    }
}

/* ---- A core that was halted: the clock of the test has 1000 ticks a microsecond ---- */

#define MS 1000000u

static uint64_t halted_until; /* then the frequency rises for half a millisecond */
static unsigned changes_us;   /* it changes that often; 0: it does not */

/* What APERF has counted: per tick half a cycle more with each fifth of the half millisecond, up to
 * three; or three and two by turns. */
static uint64_t aperf_at(uint64_t now)
{
    uint64_t count = 0;

    for (uint64_t at = 0; at < now; at += 1000)
        if (changes_us != 0)
            count += at / 1000 / changes_us % 2 ? 3000 : 2000;
        else if (at < halted_until || at - halted_until >= MS / 2)
            count += 3000;
        else
            count += 500 + 500 * ((at - halted_until) / (MS / 10));
    return count;
}

static bool clocks_at(uint32_t msr, uint64_t now, uint64_t *value)
{
    if (msr == MPERF)
        *value = 2 * now;
    else if (msr == APERF)
        *value = aperf_at(now);
    else
        return false;
    return true;
}

/* The time that guards_begin takes, in microseconds; a reading of the clock takes one. */
static uint64_t begun_in(struct core_guards *guards, uint64_t halted, unsigned changes)
{
    const uint64_t begin = 100 * MS;

    changes_us = changes;
    halted_until = begin - MS * 10 + (halted ? MS * 10 : 0);
    seam_clock(begin, 1000);
    seam_msr_at(clocks_at);
    guards_begin(guards);
    return (clock_now() - begin) / 1000;
}

static void check_between(uint64_t time, uint64_t least, uint64_t most)
{
    if (time < least || time > most)
        fail_msg("%llu us, not %llu to %llu", (unsigned long long)time, (unsigned long long)least,
                 (unsigned long long)most);
}

/* A look of 50 us takes up to 3 us longer. */
static void the_first_kernel_waits_for_two_steady_milliseconds(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    memset(&guards.steady, 0, sizeof(guards.steady));
    check_between(begun_in(&guards, 0, 0), 2000, 2150);
    check_between(begun_in(&guards, 0, 0), 100, 110);
}

static void a_frequency_that_rises_is_waited_for(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    memset(&guards.steady, 0, sizeof(guards.steady));
    check_between(begun_in(&guards, 1, 0), 2500, 2750);
    assert_true(guards.is_steady);
    check_between(begun_in(&guards, 1, 0), 600, 720);
}

static void one_that_is_never_steady_is_given_up(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    memset(&guards.steady, 0, sizeof(guards.steady));
    check_between(begun_in(&guards, 0, 700), 20000, 20100);
    assert_false(guards.is_steady);
    assert_int_equal(guards.steady.mperf, 0);
}

static void a_core_without_the_clocks_waits_for_nothing(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    guards.absent[GUARD_FREQUENCY] = "none";
    check_between(begun_in(&guards, 0, 0), 0, 5);
}

static void throttling_now_or_newly_logged_is_a_disturbance(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    assert_int_equal(window(&guards, 30000, 20000, THERM_STATUS, 1u << 1),
                     GUARD_THERMAL); /* logged during the window */
    assert_int_equal(window(&guards, 30000, 20000, 0, 0),
                     GUARD_CLEAN); /* an old log is no new event */
    assert_int_equal(window(&guards, 30000, 20000, THERM_STATUS, 1u << 2),
                     GUARD_THERMAL);                                      /* PROCHOT */
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_THERMAL); /* still */
    assert_int_equal(window(&guards, 30000, 20000, THERM_STATUS, 0),
                     GUARD_THERMAL); /* until then */
    assert_int_equal(window(&guards, 30000, 20000, PACKAGE_THERM_STATUS, 1), GUARD_PACKAGE_THERMAL);
    assert_int_equal(window(&guards, 30000, 20000, PACKAGE_THERM_STATUS, 1u << 10),
                     GUARD_PACKAGE_THERMAL);
    assert_int_equal(window(&guards, 30000, 20000, 0, 0),
                     GUARD_CLEAN); /* a power limit alone shows as frequency */
}

static void a_new_machine_check_is_a_disturbance_and_an_old_one_is_not(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards); /* bank 1 holds an old error */
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 30000, 20000, MC0_STATUS, 1ull << 63), GUARD_MACHINE_CHECK);
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 30000, 20000, MC1_STATUS, 1ull << 63 | 1ull << 62 | 0x17),
                     GUARD_MACHINE_CHECK);
}

static void what_a_core_lacks_is_named(void **state)
{
    const struct facts bare = {.kind = &intel_kind, .intel = true};
    struct core_guards guards;

    (void)state;
    seams_reset();
    guards_probe(&guards, &bare);
    assert_string_equal(guards.absent[GUARD_SMI], "MSR_SMI_COUNT faults");
    assert_string_equal(guards.absent[GUARD_FREQUENCY], "CPUID names no IA32_APERF and IA32_MPERF");
    assert_string_equal(guards.absent[GUARD_THERMAL], "CPUID names no thermal sensor");
    assert_string_equal(guards.absent[GUARD_PACKAGE_THERMAL], "CPUID names no thermal sensor");
    assert_string_equal(guards.absent[GUARD_MACHINE_CHECK], "IA32_MCG_CAP faults");
    assert_int_equal(window(&guards, 1, 1000, 0, 0), GUARD_CLEAN);
}

/* turbostat multiplies what these two clocks count by 1024 on Knights Landing, 06_57. */
static void a_clock_of_coarse_steps_is_no_guard(void **state)
{
    struct facts landing = intel;
    struct core_guards guards;

    (void)state;
    seams_reset();
    landing.family = 6;
    landing.model = 0x57;
    guards_probe(&guards, &landing);
    assert_string_equal(guards.absent[GUARD_FREQUENCY],
                        "IA32_APERF and IA32_MPERF count in steps of 1024");
}

static void a_guard_that_starts_to_fault_is_a_disturbance(void **state)
{
    struct guard_bracket bracket;
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    guards_open(&guards, &bracket);
    seam_msr_absent(SMI_COUNT);
    assert_int_equal(guards_close(&guards, &bracket, 0), GUARD_SMI);
}

/* Both samples of a later window read nothing: a guard that is gone saw nothing. */
static void a_guard_that_is_gone_stays_a_disturbance(void **state)
{
    static const struct {
        uint32_t msr;
        enum guard guard;
    } gone[] = {
        {SMI_COUNT, GUARD_SMI},
        {APERF, GUARD_FREQUENCY},
        {MPERF, GUARD_FREQUENCY},
        {THERM_STATUS, GUARD_THERMAL},
        {PACKAGE_THERM_STATUS, GUARD_PACKAGE_THERMAL},
        {MC0_STATUS, GUARD_MACHINE_CHECK},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        struct guard_bracket bracket;
        struct core_guards guards;

        all_present(&guards);
        seam_msr_absent(gone[i].msr);
        for (unsigned k = 0; k < 3; k++) {
            guards_open(&guards, &bracket);
            assert_int_equal(guards_close(&guards, &bracket, 0), gone[i].guard);
        }
    }
}

/* Of two banks the second faults from the start. */
static void a_bank_that_cannot_be_read_is_named_and_the_others_are_watched(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    assert_int_equal(guards.bank_absent, 0);
    seam_msr_absent(MC1_STATUS);
    guards_probe(&guards, &intel);
    assert_int_equal(guards.banks, 2);
    assert_int_equal(guards.bank_absent, 1 << 1);
    assert_null(guards.absent[GUARD_MACHINE_CHECK]);
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_CLEAN);
    assert_int_equal(window(&guards, 30000, 20000, MC0_STATUS, 1ull << 63), GUARD_MACHINE_CHECK);
    seam_msr_absent(MC0_STATUS);
    guards_probe(&guards, &intel);
    assert_string_equal(guards.absent[GUARD_MACHINE_CHECK], "every machine check bank faults");
}

/* IA32_MCG_CAP[7:0] of AMD's parts may say up to 64. */
static void banks_beyond_those_that_are_read_are_counted(void **state)
{
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    seam_msr_readonly(MCG_CAP, 40);
    guards_probe(&guards, &intel);
    assert_int_equal(guards.banks, 32);
    assert_int_equal(guards.banks_beyond, 8);
    assert_int_equal(guards.bank_absent, 0xfffffffc);
}

static void an_nmi_that_nobody_asked_for_disturbs_one_window(void **state)
{
    struct guard_bracket bracket;
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    guards_open(&guards, &bracket);
    seam_stray_nmis(1);
    assert_int_equal(guards_close(&guards, &bracket, 0), GUARD_NMI);
    assert_int_equal(window(&guards, 30000, 20000, 0, 0), GUARD_CLEAN);
}

/* What runs around the windows takes 1,000 ticks of both clocks at least, so 6,000 and 2 % may pass
 * (4 x 1,000 + 2,000). */
static void cycles_that_the_clocks_did_not_count_are_noticed(void **state)
{
    static const struct {
        uint64_t aperf, mperf, cycles, reference;
        bool miscounted;
    } rows[] = {
        {101000, 101000, 100000, 100000, false},
        {107900, 107900, 100000, 100000, false}, /* 7,900 more: 6,000 and 2,158 */
        {108400, 101000, 100000, 100000, true},  /* 8,400 more: 6,000 and 2,168 */
        {101000, 108400, 100000, 100000, true},
        {101000, 101000, 103071, 100000, true}, /* 2,070 more than the clock: 2 % and 50 */
        {101000, 101000, 103070, 100000, false},
        {101000, 101000, 100000, 103231, true}, /* and a step of 160 */
        {101000, 101000, 100000, 103230, false},
        {101000, 101000, 0, 100000, true}, /* it stood still */
        {101000, 101000, 100000, 50000, true},
    };
    struct core_guards guards = {.absent = {NULL}};

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct guard_bracket bracket = {
            .before = {.aperf = 5, .mperf = 7},
            .after = {.aperf = 5 + rows[i].aperf, .mperf = 7 + rows[i].mperf}};
        const struct guard_counted counted = {true, true, rows[i].cycles, rows[i].reference};

        guards.around = (struct guard_clock){1000, 1000};
        assert_int_equal(guards_miscounted(&guards, &bracket, &counted, true), rows[i].miscounted);
    }
}

/* 5 % and a step of 160, which the self-check allows, and two readings of 50 ticks; however long
 * the bracket is. */
static void reference_cycles_at_another_rate_than_mperf_are_noticed(void **state)
{
    static const struct {
        uint64_t aperf, mperf, cycles, reference;
        bool off;
    } rows[] = {
        {250000, 250000, 100000, 105260, false}, {250000, 250000, 100000, 105261, true},
        {250000, 250000, 100000, 94740, false},  {250000, 250000, 100000, 94739, true},
        {300000, 200000, 90000, 60000, false}, /* at 3/2 of the nominal clock */
        {300000, 200000, 90000, 63261, true},    {300000, 200000, 90000, 120000, true},
        {300000, 200000, 180000, 60000, true},   {0, 200000, 90000, 60000, false},
        {300000, 0, 90000, 60000, false},
    };
    struct core_guards guards = {.rates_agree = true};
    struct guard_counted counted;

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct guard_bracket bracket = {
            .before = {.aperf = 5, .mperf = 7},
            .after = {.aperf = 5 + rows[i].aperf, .mperf = 7 + rows[i].mperf}};

        counted = (struct guard_counted){true, true, rows[i].cycles, rows[i].reference};
        assert_int_equal(guards_ratio_off(&guards, &bracket, &counted), rows[i].off);
        guards.rates_agree = false;
        assert_false(guards_ratio_off(&guards, &bracket, &counted));
        guards.rates_agree = true;
        counted.cycles_known = false;
        assert_false(guards_ratio_off(&guards, &bracket, &counted));
        counted = (struct guard_counted){true, false, rows[i].cycles, rows[i].reference};
        assert_false(guards_ratio_off(&guards, &bracket, &counted));
    }
}

/* With a rehearsal between the two readings only more cycles than the clock's say something, and
 * cycles in another ratio. */
static void beside_something_else_only_too_many_cycles_are_noticed(void **state)
{
    struct core_guards guards = {.around = {1000, 1000}, .rates_agree = true};
    const struct guard_bracket bracket = {.after = {.aperf = 250000, .mperf = 250000}};
    struct guard_counted counted = {true, true, 100000, 100000};

    (void)state;
    assert_false(guards_miscounted(&guards, &bracket, &counted, false));
    assert_true(guards_miscounted(&guards, &bracket, &counted, true));
    counted.reference = 200000;
    assert_true(guards_miscounted(&guards, &bracket, &counted, false));
    counted = (struct guard_counted){true, true, 300000, 300000};
    assert_true(guards_miscounted(&guards, &bracket, &counted, false));
    guards.absent[GUARD_CYCLES] = "none";
    assert_false(guards_miscounted(&guards, &bracket, &counted, false));
}

/* A core at 3/2 of its nominal clock: 1000 ticks of the TSC are 1500 of its cycles. */
static void ticks_are_cycles_by_the_clocks_of_the_same_time(void **state)
{
    struct core_guards guards = {.absent = {NULL}};
    const struct guard_bracket all = {.before = {.aperf = 5, .mperf = 7},
                                      .after = {.aperf = 5 + 30000, .mperf = 7 + 20000}};
    struct guard_bracket bracket = all;

    (void)state;
    assert_true(guards_cycles_in(&guards, &bracket, 1000) > 1499.999);
    assert_true(guards_cycles_in(&guards, &bracket, 1000) < 1500.001);
    bracket.after.aperf = UINT64_MAX; /* it could not be read */
    assert_true(guards_cycles_in(&guards, &bracket, 1000) <= 0);
    bracket.after = bracket.before;
    assert_true(guards_cycles_in(&guards, &bracket, 1000) <= 0);
    bracket = all;
    guards.absent[GUARD_FREQUENCY] = "none";
    assert_true(guards_cycles_in(&guards, &bracket, 1000) <= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_that_the_clocks_did_not_count_are_noticed),
        cmocka_unit_test(reference_cycles_at_another_rate_than_mperf_are_noticed),
        cmocka_unit_test(beside_something_else_only_too_many_cycles_are_noticed),
        cmocka_unit_test(ticks_are_cycles_by_the_clocks_of_the_same_time),
        cmocka_unit_test(a_clock_of_coarse_steps_is_no_guard),
        cmocka_unit_test(an_undisturbed_window_is_clean),
        cmocka_unit_test(a_log_bit_that_was_set_already_is_known_to_hide_throttling),
        cmocka_unit_test(an_smi_disturbs_one_window),
        cmocka_unit_test(the_frequency_may_move_by_two_percent),
        cmocka_unit_test(a_short_window_is_not_blamed_for_readings_within_their_tolerance),
        cmocka_unit_test(another_frequency_that_holds_is_that_of_the_later_windows),
        cmocka_unit_test(one_that_comes_and_goes_is_a_disturbance_each_time),
        cmocka_unit_test(the_first_kernel_waits_for_two_steady_milliseconds),
        cmocka_unit_test(a_frequency_that_rises_is_waited_for),
        cmocka_unit_test(one_that_is_never_steady_is_given_up),
        cmocka_unit_test(a_core_without_the_clocks_waits_for_nothing),
        cmocka_unit_test(throttling_now_or_newly_logged_is_a_disturbance),
        cmocka_unit_test(a_new_machine_check_is_a_disturbance_and_an_old_one_is_not),
        cmocka_unit_test(what_a_core_lacks_is_named),
        cmocka_unit_test(a_guard_that_starts_to_fault_is_a_disturbance),
        cmocka_unit_test(a_guard_that_is_gone_stays_a_disturbance),
        cmocka_unit_test(a_bank_that_cannot_be_read_is_named_and_the_others_are_watched),
        cmocka_unit_test(banks_beyond_those_that_are_read_are_counted),
        cmocka_unit_test(an_nmi_that_nobody_asked_for_disturbs_one_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
