/* Topdown tables for people. Expected lines are laid out by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/records/table.h"
#include "tests/unit/descriptions.h"

static const char text[] = "cpu test\n"
                           "width 4\n"
                           "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
                           "node tma_backend_bound level 1 = 1\n"
                           "node tma_memory_bound level 2 parent tma_backend_bound = 0.5\n"
                           "node tma_bad_speculation level 1 = 0\n"
                           "node tma_retiring level 1 = 0\n"
                           "node tma_non_mem_scheduler level 2 parent tma_backend_bound = 0.5\n"
                           "node tma_l1_bound level 3 parent tma_memory_bound = 0.5\n"
                           "topdown formula levels 2\n";

static struct description description;
static struct table_row row;

static int set_up(void **state)
{
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    row = (struct table_row){
        .filled = true,
        .core = 12,
        .description = &description,
        .levels = 2,
        .nodes = {0.9126, 0, 0.0004, -0.0012, 0.5},
        .known = {true, false, true, true, true},
        .cpi = 4.016,
        .cpi_known = true,
    };
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void a_heading_has_a_line_for_each_word_of_the_longest_name(void **state)
{
    struct table table;
    char line[TABLE_LINE];

    (void)state;
    table_begin(&table, &description, 2, 9);
    assert_int_equal(table_level(&table), 1);
    assert_int_equal(table_heading_lines(&table), 2);
    table_heading(line, &table, 0);
    assert_string_equal(line, "           backend          bad");
    table_heading(line, &table, 1);
    assert_string_equal(line, "kernel       bound  speculation  retiring      CPI");
    assert_true(table_next(&table));
    assert_int_equal(table_level(&table), 2);
    assert_int_equal(table_heading_lines(&table), 3);
    table_heading(line, &table, 0);
    assert_string_equal(line, "                         non");
    table_heading(line, &table, 1);
    assert_string_equal(line, "           memory        mem");
    table_heading(line, &table, 2);
    assert_string_equal(line, "kernel      bound  scheduler");
    assert_false(table_next(&table));
}

/* 0.0004 is a 0 without a sign, whatever its own. */
static void a_line_shows_shares_and_what_is_missing_is_a_dash(void **state)
{
    struct table table;
    char line[TABLE_LINE];

    (void)state;
    table_begin(&table, &description, 2, 9);
    table_line(line, &table, "be.mem.l1", &row, "");
    assert_string_equal(line, "be.mem.l1    0.913            -     0.000     4.02");
    row.nodes[2] = -0.0004;
    row.cpi_known = false;
    table_line(line, &table, "be.mem.l1", &row, "core 12");
    assert_string_equal(line, "be.mem.l1    0.913            -     0.000        -  core 12");
    assert_true(table_next(&table));
    table_line(line, &table, "be.mem.l1", &row, "");
    assert_string_equal(line, "be.mem.l1  -0.001      0.500");
}

/* The first table has CPI as well; the second one has the nodes 3 and 4 alone. */
static void a_line_without_a_number_is_known_as_such(void **state)
{
    struct table table;

    (void)state;
    table_begin(&table, &description, 2, 9);
    memset(row.known, 0, sizeof(row.known));
    assert_true(table_has_value(&table, &row));
    row.cpi_known = false;
    assert_false(table_has_value(&table, &row));
    row.known[4] = true;
    assert_false(table_has_value(&table, &row));
    assert_true(table_next(&table));
    assert_true(table_has_value(&table, &row));
    row.cpi_known = true;
    row.known[4] = false;
    assert_false(table_has_value(&table, &row));
}

static void level_1_alone_is_one_table(void **state)
{
    struct table table;

    (void)state;
    table_begin(&table, &description, 1, 9);
    assert_int_equal(table.count, 3);
    assert_false(table_next(&table));
}

/* Two columns of 6 and 9 characters behind a name of 80: with gaps of 2 they end at 99, with gaps
 * of 1 at 97; behind a name of 83 only the first fits. */
static void a_table_that_is_too_wide_is_narrowed_and_then_divided(void **state)
{
    struct table table;

    (void)state;
    table_begin(&table, &description, 2, 80);
    while (table_level(&table) == 1)
        assert_true(table_next(&table));
    assert_true(table.count == 2 && table.gap == 1);
    table_begin(&table, &description, 2, 83);
    while (table_level(&table) == 1)
        assert_true(table_next(&table));
    assert_int_equal(table.count, 1);
    assert_true(table_next(&table));
    assert_int_equal(table.count, 1);
    assert_false(table_next(&table));
}

static void without_nodes_there_is_cpi(void **state)
{
    static const char none[] = "cpu test\nevent CPU_CLK_UNHALTED.THREAD - fixed 1\ntopdown none\n";
    struct complaint complaint;
    struct table table;
    char line[TABLE_LINE];

    (void)state;
    assert_int_equal(tests_parse(&description, none, &complaint), RC_OK);
    table_begin(&table, &description, 2, 7);
    assert_int_equal(table_level(&table), 0);
    table_heading(line, &table, 0);
    assert_string_equal(line, "kernel       CPI");
    table_line(line, &table, "ret.nop", &row, "");
    assert_string_equal(line, "ret.nop     4.02");
    assert_false(table_next(&table));
}

/* 0.01 of the slots, and 5 % of the smaller CPI, which is 0.2; no share is not a share of 0. */
static void rows_agree_within_the_tolerances(void **state)
{
    struct table_row other;

    (void)state;
    row.cpi = 4;
    other = row;
    assert_true(table_agree(&row, &other));
    other.nodes[0] = 0.9225;
    assert_true(table_agree(&row, &other));
    other.nodes[0] = 0.9227;
    assert_false(table_agree(&row, &other));
    other.nodes[0] = row.nodes[0];
    other.cpi = 4.19;
    assert_true(table_agree(&row, &other));
    other.cpi = 4.21;
    assert_false(table_agree(&row, &other));
    other.cpi = 4;
    other.known[2] = false; /* 0.0004 */
    assert_false(table_agree(&row, &other));
    assert_false(table_agree(&other, &row));
    row.known[2] = false;
    assert_true(table_agree(&row, &other));
}

static void cores_are_named_by_ranges(void **state)
{
    const bool one[8] = {[3] = true};
    const bool some[8] = {true, true, true, [4] = true, [6] = true, [7] = true};
    char out[32];

    (void)state;
    table_cores(out, sizeof(out), one, 8);
    assert_string_equal(out, "core 3");
    table_cores(out, sizeof(out), some, 8);
    assert_string_equal(out, "cores 0-2,4,6-7");
    table_cores(out, 15, some, 8);
    assert_string_equal(out, "cores 0-2,...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_heading_has_a_line_for_each_word_of_the_longest_name,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_shows_shares_and_what_is_missing_is_a_dash, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_line_without_a_number_is_known_as_such, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(level_1_alone_is_one_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_that_is_too_wide_is_narrowed_and_then_divided,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_nodes_there_is_cpi, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_agree_within_the_tolerances, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cores_are_named_by_ranges, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
