/* How often blocks run, from the texts of a map: what chance decides is not known. */
#include "tests/unit/cmocka_all.h"

#include "harness/plan/block_counts.h"
#include "tests/unit/descriptions.h"

#define BLOCKS 3

/* The counts of a window of 20 iterations on a core whose lines have 64 bytes, where the core's own
 * n is 7. */
static bool executed_of(double executed[BLOCKS], const char *a, const char *b, const char *c)
{
    const struct map_block stated[BLOCKS] = {{.count = a}, {.count = b}, {.count = c}};
    const struct kernel_map map = {.blocks = stated, .block_count = BLOCKS};
    const struct extra extras[] = {{"n", 7}, {"line", 64}};
    struct description description;
    struct counts given = {.description = &description, .extras = extras, .extra_count = 2};
    bool any;

    tests_builtin(&description, "skylakex");
    any = block_counts(executed, &map, &given, 20, &tests_pool);
    tests_free();
    return any;
}

static void a_count_is_that_of_the_window(void **state)
{
    double executed[BLOCKS];

    (void)state;
    assert_true(executed_of(executed, "1", "n * 3 - 1", "n * line"));
    assert_true(executed[0] == 1);
    assert_true(executed[1] == 59);
    assert_true(executed[2] == 1280);
}

static void what_chance_decides_is_below_0_and_what_has_no_value_too(void **state)
{
    double executed[BLOCKS];

    (void)state;
    assert_true(executed_of(executed, "n", "-1", "n * no_such_name"));
    assert_true(executed[0] == 20);
    assert_true(executed[1] < 0);
    assert_true(executed[2] < 0);
}

static void where_chance_decides_all_nothing_is_known(void **state)
{
    double executed[BLOCKS];

    (void)state;
    assert_false(executed_of(executed, "-1", "-1", "-1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_is_that_of_the_window),
        cmocka_unit_test(what_chance_decides_is_below_0_and_what_has_no_value_too),
        cmocka_unit_test(where_chance_decides_all_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
