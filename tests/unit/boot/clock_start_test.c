/* The rate of the time stamp counter, where neither CPUID nor a timer tells it: by the firmware's
 * Stall of 20 ms, in which the seams' clock goes on by as much as a test wants. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/firmware/clock_start.c"
#include "tests/unit/seams.h"

static struct {
    uint64_t stall_ticks; /* that the TSC goes on in a Stall */
    uint64_t ticks_per_us;
    const char *source, *trouble;
} fake;

void firmware_wait(uint64_t microseconds)
{
    assert_int_equal(microseconds, 20000);
    seam_clock(clock_now() + fake.stall_ticks, 0);
}

void clock_set(uint64_t ticks_per_us, const char *source)
{
    fake.ticks_per_us = ticks_per_us;
    fake.source = source;
}

void clock_set_trouble(const char *why)
{
    fake.trouble = why;
}

static void start(uint64_t stall_ticks)
{
    seams_reset();
    log_start(UINT64_MAX);
    seam_clock(1, 0);
    fake.stall_ticks = stall_ticks;
    fake.source = fake.trouble = NULL;
    clock_start(NULL);
}

/* 54,000,100 ticks in 20 ms are 2700.005 a microsecond. */
static void a_rate_that_was_measured_is_said_with_its_source(void **state)
{
    (void)state;
    start(54000100);
    assert_int_equal(fake.ticks_per_us, 2700);
    assert_string_equal(fake.source, "firmware Stall");
    assert_null(fake.trouble);
    start(20000); /* 1 MHz */
    assert_int_equal(fake.ticks_per_us, 1);
    assert_non_null(fake.source);
}

static void a_counter_that_stands_or_creeps_has_no_rate(void **state)
{
    static const uint64_t ticks[] = {0, 1, 19999};

    (void)state;
    for (unsigned i = 0; i < sizeof(ticks) / sizeof(*ticks); i++) {
        start(ticks[i]);
        assert_int_equal(fake.ticks_per_us, 1); /* of which waits can be made */
        assert_null(fake.source);
        assert_non_null(fake.trouble);
        assert_non_null(strstr(seam_console(), "\"error\""));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_that_was_measured_is_said_with_its_source),
        cmocka_unit_test(a_counter_that_stands_or_creeps_has_no_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
