/* What is claimed of two NetBurst counters of which one starts the other, whatever they counted:
 * the counts are invented. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/cascade/cascade.c"
#include "harness/window/window.h"
#include "tests/unit/seams.h"

/* No window runs here. */
const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

void window_run(const struct window *window)
{
    (void)window;
    fail();
}

void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window, (void)msr, (void)enable, (void)disable;
    fail();
}

enum rc cores_run(unsigned number, void (*work)(void *argument), void *argument,
                  uint64_t timeout_us)
{
    (void)number, (void)work, (void)argument, (void)timeout_us;
    fail();
    return RC_FAULT;
}

const struct core_place *cores_place(unsigned number)
{
    (void)number;
    return NULL;
}

void *memory_alloc(size_t size)
{
    (void)size;
    return NULL;
}

static struct measured_core core;
static struct description description;

static void begin(void)
{
    seams_reset();
    log_start(UINT64_MAX);
    description.width = 3;
    core = (struct measured_core){.description = &description};
}

static void log_claim(void *context, bool holds, const char *text)
{
    (void)context;
    log_verdict(holds, "%s", text);
}

/* 2 slots of 3 may be missed in the overflow's own cycle. In n iterations 3 fewer are counted than
 * none, which is no count near 2^64. */
static void counts_below_0_are_said_as_such(void **state)
{
    struct cascade_windows windows = {
        .counted_early = 1000, .counted_late = 1007, .counted_twice = 997};
    const struct cascade_job job = {.core = &core, .expected = -2.6, .verdict = log_claim};

    (void)state;
    begin();
    judge(&job, &windows, CASCADING);
    assert_non_null(strstr(seam_console(), " counts fewer by -7 in ["));
    assert_non_null(strstr(seam_console(), " counts more by -3 in [-5, -1]"));
    assert_null(strstr(seam_console(), "184467440737"));
    assert_int_equal(log_totals().failed, 1);
    assert_int_equal(log_totals().passed, 1);
}

/* "RDPMC": bit 31 of the index asks for bits 31:0. */
static void the_fast_form_must_give_the_low_half(void **state)
{
    struct cascade_windows windows = {.early = {.second = 12},
                                      .full = {false, 0x123456789a, 90},
                                      .fast = {false, 0x3456789a, 30}};
    const struct cascade_job job = {.core = &core, .verdict = log_claim};

    (void)state;
    begin();
    judge_reads(&job, &windows);
    assert_non_null(strstr(seam_console(),
                           "core 0 RDPMC 0x8000000c gives 0x3456789a of 0x123456789a, in 30 "
                           "ticks of the TSC; all 40 bits take 90"));
    assert_int_equal(log_totals().passed, 1);
    windows.fast.value = 0x123456789a;
    judge_reads(&job, &windows);
    assert_int_equal(log_totals().failed, 1);
    windows.fast.faults = true;
    judge_reads(&job, &windows);
    assert_non_null(strstr(seam_console(), "core 0 RDPMC 0x8000000c faults"));
    assert_int_equal(log_totals().failed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_below_0_are_said_as_such),
        cmocka_unit_test(the_fast_form_must_give_the_low_half),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
