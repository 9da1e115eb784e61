/* To whom cycles belong by TIP's rules, by hand: windows that begin in cycle 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/engine/follow/tip.h"

static struct tip tip;
static double cycles[8]; /* by address */

static void add(void *context, uint64_t address, double more)
{
    (void)context;
    cycles[address] += more;
}
static const struct tip_sink sink = {NULL, add};

static int begin(void **state)
{
    (void)state;
    memset(cycles, 0, sizeof(cycles));
    tip_begin(&tip, 1);
    return 0;
}
static void pass(uint64_t address, uint64_t entered, uint64_t retired, bool holds)
{
    const struct tip_passage passage = {address, entered, retired, holds};

    tip_pass(&tip, &passage, &sink);
}
static void is(uint64_t address, double expected)
{
    assert_float_equal(cycles[address], expected, 1e-9);
}

static void what_retires_together_shares_the_cycle(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 4; i++)
        pass(i, 0, 1, false);
    pass(5, 0, 2, false);
    tip_end(&tip, 3, NULL, &sink);
    is(1, 0.25);
    is(4, 0.25);
    is(5, 1);
}

/* 1 is in the buffer from the begin and retires in cycle 3: two cycles of waiting, one of its own.
 */
static void the_oldest_has_what_it_waits(void **state)
{
    (void)state;
    pass(1, 0, 3, false);
    pass(2, 0, 3, false);
    tip_end(&tip, 4, NULL, &sink);
    is(1, 2.5);
    is(2, 0.5);
}

/* Retired in cycle 5; the next is allocated in cycle 9 and retires in cycle 12. The buffer is empty
 * in 6, 7 and 8. */
static void an_empty_buffer_is_the_flushers_or_the_next_ones(void **state)
{
    (void)state;
    pass(1, 0, 5, true);
    pass(2, 9, 12, false);
    pass(3, 16, 17, false);
    tip_end(&tip, 18, NULL, &sink);
    is(1, 5 + 3);
    is(2, 3 + 1);
    is(3, 3 + 1 + 1); /* 13, 14 and 15 empty, 16 waiting, 17 */
}

/* The window has cycles 1 to 9; the instruction that is under way then retires later. */
static void a_window_ends_in_the_midst(void **state)
{
    const struct tip_passage late = {2, 7, 20, false};

    (void)state;
    pass(1, 0, 4, true);
    tip_end(&tip, 10, &late, &sink);
    is(1, 4 + 2); /* 5 and 6 are empty */
    is(2, 3);     /* 7, 8 and 9 */
}

static void behind_the_last_nobody_has_the_cycles(void **state)
{
    (void)state;
    pass(1, 0, 4, true);
    tip_end(&tip, 10, NULL, &sink);
    is(1, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_retires_together_shares_the_cycle, begin),
        cmocka_unit_test_setup(the_oldest_has_what_it_waits, begin),
        cmocka_unit_test_setup(an_empty_buffer_is_the_flushers_or_the_next_ones, begin),
        cmocka_unit_test_setup(a_window_ends_in_the_midst, begin),
        cmocka_unit_test_setup(behind_the_last_nobody_has_the_cycles, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
