/* What comes before the first window. A reading of the test's clock takes 1 us. */
#include "tests/unit/cmocka_all.h"

#include "boot/clock.h"
#include "harness/window/settle.h"
#include "harness/window/window.h"
#include "tests/unit/seams.h"

static unsigned runs, resets;

void window_run(const struct window *window)
{
    (void)window;
    fail_msg("no window is counted before the first");
}

static void code(void)
{
    runs++;
}

static void reset(void)
{
    resets++;
}

/* The time that settle takes for a kernel that requires `words`, on a core without the clocks that
 * show the frequency: us. */
static uint64_t settled_in(const char *words)
{
    const struct kernel kernel = {
        .name = "ret.test", .requires = words, .code = code, .reset = reset};
    static struct core_registers registers;
    const struct measurement measurement = {.kernel = &kernel, .n = 10, .registers = &registers};

    seams_reset();
    seam_clock(0, 1000);
    registers.guards.absent[GUARD_FREQUENCY] = "none";
    runs = resets = 0;
    settle(&measurement);
    return clock_now() / 1000;
}

static void wide_vectors_run_for_a_tenth_of_a_millisecond(void **state)
{
    (void)state;
    assert_in_range(settled_in("avx512f"), 100, 105);
    assert_in_range(runs, 98, 101); /* a reading of the clock after each */
    assert_int_equal(resets, runs);
    assert_in_range(settled_in("avx2 fma"), 100, 105);
}

static void others_do_not_run(void **state)
{
    (void)state;
    assert_in_range(settled_in(""), 0, 5);
    assert_int_equal(runs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_vectors_run_for_a_tenth_of_a_millisecond),
        cmocka_unit_test(others_do_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
