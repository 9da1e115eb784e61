/* The memory map of a board without UEFI; ranges and pages by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "bios/pages.h"

#define MIB (1ull << 20)

static struct pages pages;

static int begin(void **state)
{
    (void)state;
    memset(&pages, 0, sizeof(pages));
    return 0;
}

static void range_is(unsigned n, uint64_t from, uint64_t to, uint32_t type)
{
    assert_true(n < pages.count);
    assert_true(pages.ranges[n].begin == from);
    assert_true(pages.ranges[n].end == to);
    assert_int_equal(pages.ranges[n].type, type);
}

static void memory_that_is_in_use_is_cut_out_of_what_is_free(void **state)
{
    (void)state;
    assert_true(pages_set(&pages, MIB, 16 * MIB, PAGES_FREE));
    assert_true(pages_set(&pages, 4 * MIB, 5 * MIB, PAGES_RESERVED));
    assert_int_equal(pages.count, 3);
    range_is(0, MIB, 4 * MIB, PAGES_FREE);
    range_is(1, 4 * MIB, 5 * MIB, PAGES_RESERVED);
    range_is(2, 5 * MIB, 16 * MIB, PAGES_FREE);
}

static void neighbours_of_one_type_become_one_range(void **state)
{
    (void)state;
    assert_true(pages_set(&pages, 2 * MIB, 3 * MIB, PAGES_FREE));
    assert_true(pages_set(&pages, MIB, 2 * MIB, PAGES_FREE));
    assert_true(pages_set(&pages, 3 * MIB, 4 * MIB, PAGES_FREE));
    assert_int_equal(pages.count, 1);
    range_is(0, MIB, 4 * MIB, PAGES_FREE);
    /* A range over all of them takes their place. */
    assert_true(pages_set(&pages, 0, 8 * MIB, PAGES_NVS));
    assert_int_equal(pages.count, 1);
    range_is(0, 0, 8 * MIB, PAGES_NVS);
}

static void free_memory_is_whole_pages_and_the_rest_is_not_free(void **state)
{
    (void)state;
    assert_true(pages_set(&pages, 0x1001, 0x9fc00, PAGES_FREE));
    range_is(0, 0x2000, 0x9f000, PAGES_FREE);
    assert_true(pages_set(&pages, 0x9e001, 0x9e002, PAGES_RESERVED));
    range_is(1, 0x9e000, 0x9f000, PAGES_RESERVED);
}

static void pages_come_from_the_top_and_not_from_low_memory(void **state)
{
    (void)state;
    assert_true(pages_set(&pages, 0, 640 << 10, PAGES_FREE));
    assert_true(pages_set(&pages, MIB, 2 * MIB, PAGES_FREE));
    assert_true(pages_take(&pages, 1, PAGES_REACH - 1, PAGES_LOADER_DATA) == 2 * MIB - 4096);
    assert_true(pages_take(&pages, 255, PAGES_REACH - 1, PAGES_LOADER_DATA) == MIB);
    /* What is left is below 1 MiB, which only those get that ask for it. */
    assert_true(pages_take(&pages, 1, PAGES_REACH - 1, PAGES_LOADER_DATA) == 0);
    assert_true(pages_take(&pages, 1, MIB - 1, PAGES_LOADER_DATA) == (640 << 10) - 4096);
    assert_true(pages_take(&pages, 1, 0x8fff, PAGES_LOADER_DATA) == 0x8000);
    /* Page 0 is never given: its address says that there is none. */
    assert_true(pages_take(&pages, 1, 0x0fff, PAGES_LOADER_DATA) == 0);
}

static void memory_above_4_gib_is_in_the_map_and_never_given(void **state)
{
    (void)state;
    assert_true(pages_set(&pages, PAGES_REACH, 2 * PAGES_REACH, PAGES_FREE));
    assert_true(pages_take(&pages, 1, UINT64_MAX, PAGES_LOADER_DATA) == 0);
    assert_int_equal(pages.count, 1);
}

static void what_was_taken_can_be_given_back_and_nothing_else(void **state)
{
    uint64_t at;

    (void)state;
    assert_true(pages_set(&pages, MIB, 2 * MIB, PAGES_FREE));
    at = pages_take(&pages, 4, PAGES_REACH - 1, PAGES_LOADER_DATA);
    assert_false(pages_give(&pages, at + 1, 1));
    assert_false(pages_give(&pages, at - 4096, 1));
    assert_false(pages_give(&pages, at, 5));
    assert_true(pages_give(&pages, at + 4096, 1)); /* one from the middle */
    assert_false(pages_give(&pages, at, 4));
    assert_true(pages_give(&pages, at, 1));
    assert_true(pages_give(&pages, at + 2 * 4096, 2));
    assert_int_equal(pages.count, 1);
    range_is(0, MIB, 2 * MIB, PAGES_FREE);
}

static void a_map_with_too_many_ranges_is_refused_and_stays(void **state)
{
    unsigned i = 0;

    (void)state;
    while (pages_set(&pages, i * 2 * 4096, (i * 2 + 1) * 4096, PAGES_FREE))
        i++;
    assert_int_equal(i, PAGES_RANGES);
    assert_int_equal(pages.count, PAGES_RANGES);
    range_is(PAGES_RANGES - 1, (PAGES_RANGES - 1) * 2 * 4096, ((PAGES_RANGES - 1) * 2 + 1) * 4096,
             PAGES_FREE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(memory_that_is_in_use_is_cut_out_of_what_is_free, begin),
        cmocka_unit_test_setup(neighbours_of_one_type_become_one_range, begin),
        cmocka_unit_test_setup(free_memory_is_whole_pages_and_the_rest_is_not_free, begin),
        cmocka_unit_test_setup(pages_come_from_the_top_and_not_from_low_memory, begin),
        cmocka_unit_test_setup(memory_above_4_gib_is_in_the_map_and_never_given, begin),
        cmocka_unit_test_setup(what_was_taken_can_be_given_back_and_nothing_else, begin),
        cmocka_unit_test_setup(a_map_with_too_many_ranges_is_refused_and_stays, begin),
    };

    return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
