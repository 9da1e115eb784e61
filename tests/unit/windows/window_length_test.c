/* How many iterations a window gets: the kernel here takes a known time, on a clock that the test
 * holds. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/measure/window_length.h"
#include "harness/window/window.h"
#include "tests/unit/seams.h"

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

static struct {
    uint64_t now;
    uint64_t ticks; /* an iteration takes */
    uint64_t extra; /* every third run takes longer by so much: an SMI came */
    uint64_t most;  /* iterations of a run so far */
    unsigned runs, prepared;
} kernel_state;

static void pass_time(uint64_t ticks)
{
    kernel_state.now += ticks;
    seam_clock(kernel_state.now, 0);
}

static void code(uint64_t n)
{
    kernel_state.runs++;
    if (n > kernel_state.most)
        kernel_state.most = n;
    pass_time(n * kernel_state.ticks + (kernel_state.runs % 3 == 1 ? kernel_state.extra : 0));
}

static void reset(uint64_t n)
{
    pass_time(n * 1000000); /* is no part of the window */
}

static void prepare(void)
{
    kernel_state.prepared++;
}

/* The calling convention of kernels has n where a C function has its first argument. */
static const struct kernel kernel = {.name = "ret.test",
                                     .requires = "",
                                     .code = (void (*)(void))code,
                                     .reset = (void (*)(void))reset,
                                     .prepare = prepare};

static struct window_length found;

static uint32_t find(uint64_t n, uint64_t ticks, uint64_t extra, uint32_t wanted_us, uint32_t most)
{
    static struct core_registers registers;
    struct measurement m = {.kernel = &kernel, .registers = &registers, .n = n};

    found = (struct window_length){.wanted_us = wanted_us, .most = most};
    seams_reset();
    memset(&registers, 0, sizeof(registers));
    registers.guards.absent[GUARD_FREQUENCY] = "the test has none";
    memset(&kernel_state, 0, sizeof(kernel_state));
    kernel_state.ticks = ticks;
    kernel_state.extra = extra;
    pass_time(0);
    window_length_find(&found, &m);
    assert_int_equal(kernel_state.prepared, 1);
    return found.scale;
}

/* 100 us and an eighth are 112,500 ticks: 113 times 1000. */
static void a_window_lasts_as_long_as_wanted_and_an_eighth_more(void **state)
{
    (void)state;
    assert_int_equal(find(1000, 1, 0, 100, 1000000), 200);
    assert_int_equal(find(1000, 2, 0, 100, 1000000), 100); /* 200,000 ticks; 50 take 100,000 */
    assert_int_equal(find(500, 225, 0, 100, 1000000), 1);  /* exactly 112,500 */
    assert_int_equal(kernel_state.most, 500);
    assert_int_equal(find(1, 1, 0, 10000, 1000000), 1000000); /* 11,250,000 are not reached */
}

static void a_kernel_that_would_come_round_its_memory_stays_shorter(void **state)
{
    (void)state;
    assert_int_equal(find(1000, 1, 0, 100, 137), 137);
    assert_true(kernel_state.most <= 137000);
    assert_int_equal(find(1000, 1, 0, 100, 1), 1);
}

/* Of three runs two are as fast as the kernel is. */
static void a_run_that_something_slowed_down_decides_nothing(void **state)
{
    (void)state;
    assert_int_equal(find(1000, 1, 50000000, 100, 1000000), 200);
}

/* 200,000 ticks of 1000 a microsecond, rounded up by less than one. */
static void how_long_the_window_took_is_known(void **state)
{
    (void)state;
    find(1000, 1, 0, 100, 1000000);
    assert_int_equal(found.took_us, 201);
    find(1000, 1, 0, 100, 137);
    assert_int_equal(found.took_us, 138);
    find(1000, 7000, 0, 100, 1); /* longer than wanted with the kernel's own n */
    assert_int_equal(found.took_us, 7001);
}

/* 20 passes of 101 pairs of 10 ms and 20 ms, and a pair before: 30 ms times 2021. */
static void a_measurement_takes_three_windows_of_n_a_repeat(void **state)
{
    (void)state;
    assert_int_equal(window_length_total(10000, 20, 101, 1), 60630000);
    assert_int_equal(window_length_total(UINT32_MAX, 1, 1, 0), 12884901885);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_lasts_as_long_as_wanted_and_an_eighth_more),
        cmocka_unit_test(a_kernel_that_would_come_round_its_memory_stays_shorter),
        cmocka_unit_test(a_run_that_something_slowed_down_decides_nothing),
        cmocka_unit_test(how_long_the_window_took_is_known),
        cmocka_unit_test(a_measurement_takes_three_windows_of_n_a_repeat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
