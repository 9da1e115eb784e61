/* Topdown tables for people. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/report/table.h"
#include "tests/unit/descriptions.h"

static const char text[] = "cpu test\n"
                           "width 4\n"
                           "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
                           "node tma_backend_bound level 1 = 1\n"
                           "node tma_memory_bound level 2 parent tma_backend_bound = 0.5\n"
                           "node tma_bad_speculation level 1 = 0\n"
                           "node tma_l1_bound level 3 parent tma_memory_bound = 0.5\n"
                           "topdown formula levels 2\n";

static void level_one_comes_first_and_what_is_missing_is_a_dash(void **state)
{
    struct description description;
    struct complaint complaint;
    struct table_row row = {.filled = true,
                            .core = 12,
                            .levels = 2,
                            .nodes = {0.9126, 0, 0.5},
                            .known = {true, false, true}};
    char line[TABLE_LINE];

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    row.description = &description;
    table_heading(line, &row, 0);
    assert_string_equal(line, "core  backend      bad   memory      CPI");
    table_heading(line, &row, 1);
    assert_string_equal(line, "        bound speculat    bound");
    table_line(line, &row);
    assert_string_equal(line, "  12    0.913        -    0.500        -");
    row.cpi = 4.016;
    row.cpi_known = true;
    row.levels = 1;
    table_line(line, &row);
    assert_string_equal(line, "  12    0.913        -     4.02");
    tests_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_one_comes_first_and_what_is_missing_is_a_dash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
