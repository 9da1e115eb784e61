/* What a core is given to do: measured, corunner, or neither. Both parts run on this thread, one
 * after the other, so what the other core would do is set beforehand. */
#include "tests/unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "harness/measure/job.h"
#include "harness/window/window.h"
#include "tests/unit/seams.h"

#define TICKS_PER_SECOND 1000000000ull

const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

void window_run(const struct window *window)
{
    (void)window;
    fail_msg("a window was run");
}

void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window, (void)msr, (void)enable, (void)disable;
    fail_msg("a window was run");
}

static struct rendezvous rendezvous;
static struct {
    unsigned prepared, reset, run, last_round;
} seen;

static void prepare(void)
{
    seen.prepared++;
}

static void reset(void)
{
    seen.reset++;
}

static void routine(void)
{
    seen.run++;
    if (seen.run == seen.last_round)
        rendezvous_signal(&rendezvous.over);
}

static const struct kernel kernel = {
    .name = "ret.test", .requires = "", .code = routine, .prepare = prepare, .reset = reset};
static struct measurement measurement;
static struct core_registers registers;
static struct corunner corunner;

static int set_up(void **state)
{
    (void)state;
    seams_reset();
    memset(&rendezvous, 0, sizeof(rendezvous));
    memset(&seen, 0, sizeof(seen));
    measurement = (struct measurement){.kernel = &kernel, .n = 100, .registers = &registers};
    corunner = (struct corunner){
        .prepare = prepare, .reset = reset, .routine = routine, .n = 64, .timeout_us = 60000000};
    return 0;
}

static void a_core_without_a_job_does_nothing(void **state)
{
    (void)state;
    job_work(NULL);
    assert_int_equal(seen.prepared + seen.reset + seen.run, 0);
}

static void the_measured_core_lets_the_corunner_begin_and_end(void **state)
{
    struct job job = {.measurement = &measurement, .rendezvous = &rendezvous};

    (void)state;
    rendezvous.begun = 1;
    job_work(&job);
    assert_int_equal(rendezvous.prepared, 1);
    assert_int_equal(rendezvous.over, 1);
    assert_true(seen.prepared == 1 && seen.run == 1); /* no plan: once, uncounted */
    assert_null(measurement.what);
}

/* 5 s; a look at the clock takes 1 s. */
static void a_corunner_that_does_not_begin_ends_the_measurement(void **state)
{
    struct job job = {.measurement = &measurement, .rendezvous = &rendezvous};

    (void)state;
    seam_clock(0, TICKS_PER_SECOND);
    job_work(&job);
    assert_int_equal(measurement.rc, RC_TIMEOUT);
    assert_string_equal(measurement.what, "the corunner did not begin");
    assert_int_equal(seen.run, 0);
    assert_int_equal(rendezvous.over, 1);
}

static void a_corunner_repeats_until_the_measurement_is_over(void **state)
{
    struct job job = {.corunner = &corunner, .rendezvous = &rendezvous};

    (void)state;
    rendezvous.prepared = 1;
    seen.last_round = 3;
    job_work(&job);
    assert_int_equal(corunner.rounds, 3);
    assert_true(seen.prepared == 1 && seen.reset == 3 && seen.run == 3);
    assert_int_equal(rendezvous.begun, 1);
    assert_false(corunner.late);
}

static void a_corunner_is_late_when_nobody_prepares_the_arena(void **state)
{
    struct job job = {.corunner = &corunner, .rendezvous = &rendezvous};

    (void)state;
    seam_clock(0, TICKS_PER_SECOND);
    job_work(&job);
    assert_true(corunner.late);
    assert_int_equal(corunner.rounds, 0);
}

/* 60 s. The looks at 0 s and 10 s make deadlines; the rounds look at 20, 30, 40, 50 and 60 s. */
static void a_corunner_ends_by_its_own_deadline(void **state)
{
    struct job job = {.corunner = &corunner, .rendezvous = &rendezvous};

    (void)state;
    rendezvous.prepared = 1;
    seam_clock(0, 10 * TICKS_PER_SECOND);
    job_work(&job);
    assert_true(corunner.late);
    assert_int_equal(corunner.rounds, 4);
}

/* A look at the clock takes 100 ticks, and is all that takes time. At 25 % it naps three quarters
 * of the time, but for the last round, for what is too short for a nap, and for the look behind
 * each nap of 3000 ticks or more, which counts as halted. */
static void a_corunner_naps_for_what_its_duty_leaves(void **state)
{
    struct job job = {.corunner = &corunner, .rendezvous = &rendezvous};
    const double nap = 3000;

    (void)state;
    rendezvous.prepared = 1;
    seen.last_round = 1000;
    seam_clock(0, 100);
    corunner.duty = 25;
    corunner.nap_ticks = (uint64_t)nap;
    corunner.timeout_us = UINT32_MAX;
    job_work(&job);
    assert_int_equal(corunner.rounds, 1000);
    assert_false(corunner.late || corunner.no_timer);
    assert_true(seam_napped() > 100 * nap);
    assert_true(fabs((double)seam_napped() / (double)clock_now() - 0.75) < 0.03);
}

static void a_corunner_that_nothing_wakes_does_not_work(void **state)
{
    struct job job = {.corunner = &corunner, .rendezvous = &rendezvous};

    (void)state;
    rendezvous.prepared = 1;
    corunner.duty = 50;
    seam_no_timer(true);
    job_work(&job);
    assert_true(corunner.no_timer);
    assert_int_equal(corunner.rounds + seam_napped(), 0);
    assert_int_equal(rendezvous.begun, 1); /* nobody waits for it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_core_without_a_job_does_nothing, set_up),
        cmocka_unit_test_setup(the_measured_core_lets_the_corunner_begin_and_end, set_up),
        cmocka_unit_test_setup(a_corunner_that_does_not_begin_ends_the_measurement, set_up),
        cmocka_unit_test_setup(a_corunner_repeats_until_the_measurement_is_over, set_up),
        cmocka_unit_test_setup(a_corunner_is_late_when_nobody_prepares_the_arena, set_up),
        cmocka_unit_test_setup(a_corunner_ends_by_its_own_deadline, set_up),
        cmocka_unit_test_setup(a_corunner_naps_for_what_its_duty_leaves, set_up),
        cmocka_unit_test_setup(a_corunner_that_nothing_wakes_does_not_work, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
