/* Kernels that were given up on a core, and what stays from round to round. */
#include "tests/unit/cmocka_all.h"

#include "harness/judge/measured_core.h"

static void
a_kernel_that_is_given_up_at_several_doses_or_in_several_rounds_counts_once(void **state)
{
    const char *room[3];
    struct measured_core core = {.given_up = room, .given_up_room = 3};
    const char first[] = "be.mem.l1", second[] = "be.mem.l2", again[] = "be.mem.l1";

    (void)state;
    measured_core_give_up(&core, first);
    measured_core_give_up(&core, first);
    measured_core_give_up(&core, second);
    measured_core_give_up(&core, again);
    assert_int_equal(core.given_up_count, 2);
    assert_string_equal(core.given_up[0], "be.mem.l1");
    assert_string_equal(core.given_up[1], "be.mem.l2");
}

static void more_kernels_than_there_is_room_for_are_left_out(void **state)
{
    const char *room[2] = {0}, *beyond = "not touched";
    struct measured_core core = {.given_up = room, .given_up_room = 2};

    (void)state;
    measured_core_give_up(&core, "k.1");
    measured_core_give_up(&core, "k.2");
    measured_core_give_up(&core, beyond);
    assert_int_equal(core.given_up_count, 2);
    assert_string_equal(room[1], "k.2");
}

static void a_core_with_a_fixed_counter_that_is_off_is_untrusted_in_each_round(void **state)
{
    static struct measured_core core;

    (void)state;
    measured_core_distrust(&core, "the self-check");
    measured_core_renew(&core, 2);
    assert_false(core.untrusted);
    measured_core_distrust(&core, "fixed counter 1");
    core.fixed_off = true;
    measured_core_renew(&core, 3);
    assert_true(core.untrusted);
    assert_string_equal(core.distrust, "fixed counter 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_kernel_that_is_given_up_at_several_doses_or_in_several_rounds_counts_once),
        cmocka_unit_test(more_kernels_than_there_is_room_for_are_left_out),
        cmocka_unit_test(a_core_with_a_fixed_counter_that_is_off_is_untrusted_in_each_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
