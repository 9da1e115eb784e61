/* Kernels that were given up on a core. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/judge/measured_core.h"

static const char first[] = "be.mem.l1", second[] = "be.mem.l2";

static void a_kernel_that_is_given_up_at_several_doses_counts_once(void **state)
{
    static struct measured_core core;

    (void)state;
    measured_core_give_up(&core, first);
    measured_core_give_up(&core, first);
    measured_core_give_up(&core, second);
    assert_int_equal(core.given_up.count, 2);
    assert_string_equal(core.given_up.names, "be.mem.l1, be.mem.l2");
}

/* 13 names of 11 characters, with commas and blanks between them, are 13 * 11 + 12 * 2 = 167, and
 * there is room for 159. */
static void names_without_room_are_counted_only(void **state)
{
    static const char names[][12] = {"a.0123456.0", "a.0123456.1", "a.0123456.2", "a.0123456.3",
                                     "a.0123456.4", "a.0123456.5", "a.0123456.6", "a.0123456.7",
                                     "a.0123456.8", "a.0123456.9", "b.0123456.0", "b.0123456.1",
                                     "b.0123456.2"};
    static struct measured_core core;

    (void)state;
    for (unsigned i = 0; i < 13; i++)
        measured_core_give_up(&core, names[i]);
    measured_core_give_up(&core, "c"); /* would fit, but not in its order */
    assert_int_equal(core.given_up.count, 14);
    assert_int_equal(core.given_up.named, 12);
    assert_int_equal(strlen(core.given_up.names), 12 * 11 + 11 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_is_given_up_at_several_doses_counts_once),
        cmocka_unit_test(names_without_room_are_counted_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
