/* The guards: what disturbs a window, and what a core lacks. Register addresses are the manual's
 * (SDM volume 4). */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/measure/guard.h"
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

static const struct facts intel = {.intel = true, .aperf_mperf = true, .thermal = true};

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
    guards_probe(guards, &intel);
    guards_begin(guards);
}

/* A window in which the core ran `aperf` cycles at its own and `mperf` at the nominal rate, and
 * `msr` became `value`. */
static enum guard window(struct core_guards *guards, uint64_t aperf, uint64_t mperf, uint32_t msr,
                         uint64_t value)
{
    struct guard_sample before, after;
    uint64_t was_aperf = 0, was_mperf = 0;

    (void)seam_msr_value(APERF, &was_aperf);
    (void)seam_msr_value(MPERF, &was_mperf);
    guards_before(guards, &before);
    seam_msr_readonly(APERF, was_aperf + aperf);
    seam_msr_readonly(MPERF, was_mperf + mperf);
    if (msr != 0)
        seam_msr_readonly(msr, value);
    guards_after(guards, &after);
    return guards_judge(guards, &before, &after);
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

static void a_short_window_is_not_blamed_for_readings_within_their_tolerance(void **state)
{
    (void)state;
    assert_false(guard_frequency_moved(300, 200, 320, 200));
    assert_true(guard_frequency_moved(300000, 200000, 320000, 200000));
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
    const struct facts bare = {.intel = true};
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

static void a_guard_that_starts_to_fault_is_a_disturbance(void **state)
{
    struct guard_sample before, after;
    struct core_guards guards;

    (void)state;
    all_present(&guards);
    guards_before(&guards, &before);
    seam_msr_absent(SMI_COUNT);
    guards_after(&guards, &after);
    assert_int_equal(guards_judge(&guards, &before, &after), GUARD_SMI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_undisturbed_window_is_clean),
        cmocka_unit_test(an_smi_disturbs_one_window),
        cmocka_unit_test(the_frequency_may_move_by_two_percent),
        cmocka_unit_test(a_short_window_is_not_blamed_for_readings_within_their_tolerance),
        cmocka_unit_test(throttling_now_or_newly_logged_is_a_disturbance),
        cmocka_unit_test(a_new_machine_check_is_a_disturbance_and_an_old_one_is_not),
        cmocka_unit_test(what_a_core_lacks_is_named),
        cmocka_unit_test(a_guard_that_starts_to_fault_is_a_disturbance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
