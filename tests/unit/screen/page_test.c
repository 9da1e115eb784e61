/* The page that the screen shows. Expected rows are laid out by hand. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "harness/records/page.h"
#include "tests/unit/descriptions.h"

#define GREEN 0x20
#define CYAN  0x30

static struct description description;
static struct screen_page page;

static void describe(const char *text)
{
    struct complaint complaint;

    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

/* The row without the blanks at its end. */
static const char *row_text(unsigned row)
{
    static char text[SCREEN_COLUMNS + 1];
    size_t length = 0;

    for (unsigned i = 0; i < SCREEN_COLUMNS; i++) {
        text[i] = page.text[row][i] ? page.text[row][i] : ' ';
        if (text[i] != ' ')
            length = i + 1;
    }
    text[length] = '\0';
    return text;
}

/* How many cells of the row have this colour. */
static unsigned cells(unsigned row, uint8_t attribute)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SCREEN_COLUMNS; i++)
        count += page.attributes[row][i] == attribute;
    return count;
}

static void rows_say_where_the_run_is(void **state)
{
    const struct page_facts facts = {
        .brand = "A Processor",
        .core = "core 2 (3 of 4), test",
        .kernel = "be.mem.l1",
        .number = 34,
        .kernels = 112,
        .passes = 12,
        .repeats = 3,
        .elapsed_us = 72000000,
        .left_known = true,
        .left_us = 190000000,
        .totals = {812, 0, 14},
        .discarded = 3,
        .keeps = "the stick",
    };

    (void)state;
    page_fill(&page, &facts);
    assert_string_equal(row_text(0), " slotscope  A Processor");
    assert_string_equal(row_text(2), " core 2 (3 of 4), test");
    assert_string_equal(row_text(3), " kernel 34 of 112: be.mem.l1, 12 passes of 3 repeats");
    assert_string_equal(row_text(4), " 72 s so far, about 3 min left");
    assert_string_equal(row_text(5),
                        " verdicts: 812 ok, 0 not ok, 14 skipped; windows thrown away: 3");
    assert_string_equal(row_text(24), " ESC ends the run. The log: the stick");
}

static void times_are_in_the_unit_that_fits(void **state)
{
    struct page_facts facts = {.elapsed_us = 9940000};

    (void)state;
    page_fill(&page, &facts);
    assert_string_equal(row_text(4), " 9.94 s so far");
    facts.elapsed_us = 119999999;
    page_fill(&page, &facts);
    assert_string_equal(row_text(4), " 119 s so far");
    facts.elapsed_us = 150000000; /* two and a half minutes */
    page_fill(&page, &facts);
    assert_string_equal(row_text(4), " 3 min so far");
}

static void a_run_that_is_over_has_no_time_left_and_no_key(void **state)
{
    const struct page_facts facts = {.ended = "complete",
                                     .core = "core 1",
                                     .elapsed_us = 5000000,
                                     .left_known = true,
                                     .keeps = "the stick"};

    (void)state;
    page_fill(&page, &facts);
    assert_string_equal(row_text(2), " the run is over: complete");
    assert_string_equal(row_text(4), " 5.00 s");
    assert_string_equal(row_text(24), " The log: the stick");
}

/* A bar has 40 columns: 0.5 of them are 20, 0.26 are 10.4, so 10, and 0.012 less than a half. */
static void a_bar_is_as_long_as_its_share(void **state)
{
    struct table_row row = {
        .filled = true,
        .core = 12,
        .description = &description,
        .levels = 2,
        .nodes = {0.5, 0.26, 1.2, -0.1, 0.012, 0.24},
        .known = {true, true, true, true, true, true},
        .cpi = 4.016,
        .cpi_known = true,
    };
    const struct page_facts facts = {.last_kernel = "be.core.div", .last = &row};

    (void)state;
    describe("cpu test\nwidth 4\nevent CPU_CLK_UNHALTED.THREAD - fixed 1\n"
             "node tma_frontend_bound level 1 = 1\n"
             "node tma_backend_bound level 1 = 1\n"
             "node tma_retiring level 1 = 1\n"
             "node tma_bad_speculation level 1 = 1\n"
             "node tma_memory_bound level 2 parent tma_backend_bound = 1\n"
             "node tma_core_bound level 2 parent tma_backend_bound = 1\n"
             "topdown formula levels 2\n");
    page_fill(&page, &facts);
    assert_string_equal(row_text(7), " be.core.div on core 12: CPI 4.02, shares of the slots");
    assert_string_equal(row_text(8), " tma_frontend_bound       0.500");
    assert_int_equal(cells(8, GREEN), 20);
    assert_string_equal(row_text(9), " tma_backend_bound        0.260");
    assert_int_equal(cells(9, GREEN), 10);
    /* The children of a node come below it. */
    assert_string_equal(row_text(10), "  tma_memory_bound        0.012");
    assert_int_equal(cells(10, CYAN), 0);
    assert_string_equal(row_text(11), "  tma_core_bound          0.240");
    assert_int_equal(cells(11, CYAN), 10);
    /* What cannot be a share is shown as it is; its bar ends at the ends. */
    assert_string_equal(row_text(12), " tma_retiring             1.200");
    assert_int_equal(cells(12, GREEN), 40);
    assert_string_equal(row_text(13), " tma_bad_speculation      -0.100");
    assert_int_equal(cells(13, GREEN), 0);
}

static void a_share_that_was_not_measured_is_a_dash_without_a_bar(void **state)
{
    struct table_row row = {
        .filled = true,
        .description = &description,
        .levels = 1,
        .nodes = {0.5},
    };
    const struct page_facts facts = {.last_kernel = "ret.nop", .last = &row};

    (void)state;
    describe("cpu test\nwidth 4\nevent CPU_CLK_UNHALTED.THREAD - fixed 1\n"
             "node tma_retiring level 1 = 1\ntopdown formula levels 1\n");
    page_fill(&page, &facts);
    assert_string_equal(row_text(7), " ret.nop on core 0: CPI -, shares of the slots");
    assert_string_equal(row_text(8), " tma_retiring                 -");
    assert_int_equal(cells(8, GREEN), 0);
    row.filled = false;
    page_fill(&page, &facts);
    assert_string_equal(row_text(7), " ret.nop: nothing was counted");
    assert_string_equal(row_text(8), "");
}

/* Rows 8 to 19 are for bars. With 16 columns, of which the last of level 1 has no children, four
 * children of the first node have no room. */
static void every_node_of_level_1_has_a_bar_and_failures_have_room(void **state)
{
    static char text[2048];
    struct table_row row = {.filled = true, .description = &description, .levels = 2};
    const struct page_facts facts = {
        .last_kernel = "ret.nop", .last = &row, .troubles = {"newest", "older", "oldest", "gone"}};
    size_t length = (size_t)sprintf(text, "cpu test\nwidth 4\n"
                                          "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
                                          "node tma_backend_bound level 1 = 1\n"
                                          "node tma_retiring level 1 = 1\n");

    (void)state;
    for (unsigned i = 0; i < 14; i++)
        length += (size_t)sprintf(text + length,
                                  "node tma_child_%u level 2 parent tma_backend_bound = 1\n", i);
    (void)sprintf(text + length, "topdown formula levels 2\n");
    describe(text);
    page_fill(&page, &facts);
    assert_string_equal(row_text(8), " tma_backend_bound            -");
    assert_string_equal(row_text(18), "  tma_child_9                 -");
    assert_string_equal(row_text(19), " tma_retiring                 -");
    assert_string_equal(row_text(20), "");
    assert_string_equal(row_text(21), " newest");
    assert_string_equal(row_text(22), " older");
    assert_string_equal(row_text(23), " oldest");
    assert_string_equal(row_text(24), " ESC ends the run. The log:");
}

static void long_texts_are_cut_at_the_last_column(void **state)
{
    static char text[400];
    const struct page_facts facts = {.brand = text,
                                     .core = text,
                                     .kernel = text,
                                     .number = 1,
                                     .last_kernel = text,
                                     .troubles = {text, text},
                                     .keeps = text};

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    page_fill(&page, &facts);
    for (unsigned row = 0; row < SCREEN_ROWS; row++)
        assert_true(strlen(row_text(row)) <= SCREEN_COLUMNS);
    assert_int_equal(page.text[0][SCREEN_COLUMNS - 1], 'x');
    assert_int_equal(page.text[1][0], 0);
}

/* The first row holds 78 characters, the second, which is indented by 3, 76. */
static void a_long_failure_goes_on_in_a_second_row(void **state)
{
    static char text[200];
    const struct page_facts facts = {.troubles = {text, "older"}};

    (void)state;
    memset(text, 'a', 78);
    memset(text + 78, 'b', 76);
    memset(text + 154, 'c', 10);
    page_fill(&page, &facts);
    assert_string_equal(row_text(7) + 70, "aaaaaaaaa");
    assert_int_equal(strlen(row_text(7)), 79);
    assert_memory_equal(row_text(8), "   bbb", 6);
    assert_int_equal(page.text[8][78], 'b');
    assert_string_equal(row_text(9), " older");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rows_say_where_the_run_is, tear_down),
        cmocka_unit_test_teardown(times_are_in_the_unit_that_fits, tear_down),
        cmocka_unit_test_teardown(a_run_that_is_over_has_no_time_left_and_no_key, tear_down),
        cmocka_unit_test_teardown(a_bar_is_as_long_as_its_share, tear_down),
        cmocka_unit_test_teardown(a_share_that_was_not_measured_is_a_dash_without_a_bar, tear_down),
        cmocka_unit_test_teardown(every_node_of_level_1_has_a_bar_and_failures_have_room,
                                  tear_down),
        cmocka_unit_test_teardown(a_long_failure_goes_on_in_a_second_row, tear_down),
        cmocka_unit_test_teardown(long_texts_are_cut_at_the_last_column, tear_down),
    };

    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
