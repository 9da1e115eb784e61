/* Deadlines, over a time stamp counter that is written while something waits. The seam's clock has
 * 1000 ticks in a microsecond. */
#include "tests/unit/cmocka_all.h"

#include "boot/clock.h"
#include "tests/unit/seams.h"

#define TICKS 1000ull

/* How many looks, each `us` after the one before, until a deadline of 1000 us has passed, when the
 * TSC is moved by `jump` ticks before look number `at`. */
static unsigned looks(uint64_t us, unsigned at, int64_t jump)
{
    struct deadline deadline;
    uint64_t now = 1ull << 40;

    seams_reset();
    seam_clock(now, 0);
    deadline = clock_deadline(1000);
    for (unsigned i = 1; i < 1000000; i++) {
        now += us * TICKS + (i == at ? (uint64_t)jump : 0);
        seam_clock(now, 0);
        if (clock_passed(&deadline))
            return i;
    }
    return 0;
}

static void a_deadline_passes_when_its_time_has_passed(void **state)
{
    (void)state;
    assert_int_equal(looks(1, 0, 0), 1000);
    assert_int_equal(looks(10, 0, 0), 100);
}

/* At most a quarter of the wait goes with a step. */
static void a_step_forward_does_not_end_a_wait(void **state)
{
    (void)state;
    assert_int_equal(looks(1, 1, (int64_t)(1ull << 62)), 1000 - 249);
    assert_int_equal(looks(1, 500, (int64_t)(5000 * TICKS)), 1000 - 249);
}

static void a_step_back_does_not_prolong_a_wait(void **state)
{
    (void)state;
    assert_int_equal(looks(1, 1, -(int64_t)(1ull << 39)), 1001);
    assert_int_equal(looks(1, 999, -(int64_t)(5000 * TICKS)), 1001);
}

/* A look that comes late counts a quarter: four of them end any wait. */
static void looks_far_apart_still_end_a_wait(void **state)
{
    (void)state;
    assert_int_equal(looks(1000000, 0, 0), 4);
    assert_int_equal(looks(1000000, 2, -(int64_t)(1ull << 39)), 5);
}

static void a_deadline_of_nothing_has_passed(void **state)
{
    struct deadline deadline;

    (void)state;
    seams_reset();
    seam_clock(5, 0);
    deadline = clock_deadline(0);
    assert_true(clock_passed(&deadline));
}

/* Work between the deadline and the first look: 600 of 1000 us; then a step that is longer than
 * what is left, of which a quarter of the wait counts. */
static void work_counts_in_full_unless_it_seems_longer_than_the_wait(void **state)
{
    struct deadline deadline;

    (void)state;
    seams_reset();
    seam_clock(0, 0);
    deadline = clock_deadline(1000);
    seam_clock(600 * TICKS, 0);
    assert_false(clock_passed_working(&deadline));
    assert_int_equal(deadline.left, 400 * TICKS);
    seam_clock(1ull << 50, 0);
    assert_false(clock_passed_working(&deadline));
    assert_int_equal(deadline.left, 150 * TICKS - 1);
    seam_clock(0, 0);
    assert_false(clock_passed_working(&deadline));
    assert_int_equal(deadline.left, 150 * TICKS - 1);
    seam_clock(150 * TICKS - 1, 0);
    assert_true(clock_passed_working(&deadline));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_passes_when_its_time_has_passed),
        cmocka_unit_test(a_step_forward_does_not_end_a_wait),
        cmocka_unit_test(a_step_back_does_not_prolong_a_wait),
        cmocka_unit_test(looks_far_apart_still_end_a_wait),
        cmocka_unit_test(a_deadline_of_nothing_has_passed),
        cmocka_unit_test(work_counts_in_full_unless_it_seems_longer_than_the_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
