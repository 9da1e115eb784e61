/* How much of two names is alike. */
#include "tests/unit/cmocka_all.h"

#include "boot/alike.h"

static void the_case_of_letters_does_not_matter(void **state)
{
    (void)state;
    assert_int_equal(alike("be.mem.L2", "be.mem.l2"), 9);
    assert_int_equal(alike("BE.mem.l2", "be.core.chain"), 3);
}

/* '[' and '{', '@' and '`' differ by the bit that tells the cases of a letter apart. */
static void only_letters_have_a_case(void **state)
{
    (void)state;
    assert_int_equal(alike("a[", "a{"), 1);
    assert_int_equal(alike("@", "`"), 0);
}

static void it_ends_with_the_shorter_one(void **state)
{
    (void)state;
    assert_int_equal(alike("be.mem", "be.mem.l2"), 6);
    assert_int_equal(alike("be.mem.l2", "be.mem"), 6);
    assert_int_equal(alike("", ""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_case_of_letters_does_not_matter),
        cmocka_unit_test(only_letters_have_a_case),
        cmocka_unit_test(it_ends_with_the_shorter_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
