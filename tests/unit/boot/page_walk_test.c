/* What page tables map to itself. The tables are arrays, whose own addresses are in their entries;
 * the layout is that of SDM 3A, "4-Level Paging and 5-Level Paging". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/firmware/page_walk.h"

#define GIB (1ull << 30)
#define MIB (1ull << 20)

static _Alignas(4096) uint64_t root[512], top[512], directories[512], directory[512], table[512];

static uint64_t entry(const uint64_t *below)
{
    return (uintptr_t)below | 3;
}

/* 512 GiB to 513 GiB: a page of 1 GiB at 2 GiB of them, pages of 2 MiB at 3 GiB, and at its first
 * 2 MiB pages of 4 KiB. */
static void setup(void)
{
    memset(root, 0, sizeof(root));
    memset(top, 0, sizeof(top));
    memset(directories, 0, sizeof(directories));
    root[0] = entry(top);
    top[1] = entry(directories);
    directories[2] = (514 * GIB) | 0x83;
    directories[3] = entry(directory);
    for (uint64_t i = 0; i < 512; i++) {
        directory[i] = (515 * GIB + i * 2 * MIB) | 0x83;
        table[i] = (515 * GIB + i * 4096) | 3;
    }
    directory[0] = entry(table);
}

static bool maps(uint64_t begin, uint64_t bytes)
{
    const bool four = page_walk_maps((uintptr_t)top, 4, begin, bytes);

    assert_int_equal(page_walk_maps((uintptr_t)root | 0x18, 5, begin, bytes), four);
    return four;
}

static void pages_of_every_size_are_found(void **state)
{
    (void)state;
    setup();
    assert_true(maps(514 * GIB, 2 * GIB)); /* all three sizes */
    assert_true(maps(515 * GIB + 5, 1));
    assert_false(maps(514 * GIB - 1, 2));
    assert_false(maps(516 * GIB - 1, 2));
    assert_false(maps(4 * GIB, 1));
    table[7] = 0;
    assert_true(maps(515 * GIB, 0x7000));
    assert_false(maps(515 * GIB, 0x7001));
    assert_true(maps(515 * GIB + 0x8000, 4 * MIB));
    directory[3] &= ~1ull;
    assert_false(maps(515 * GIB + 6 * MIB, 1));
}

static void only_what_is_mapped_to_itself_counts(void **state)
{
    (void)state;
    setup();
    table[7] = (515 * GIB + 0x8000) | 3;
    directory[4] = (515 * GIB + 10 * MIB) | 0x83;
    directories[2] = (515 * GIB) | 0x83;
    assert_false(maps(515 * GIB + 0x7000, 1));
    assert_false(maps(515 * GIB + 8 * MIB, 1));
    assert_false(maps(514 * GIB, 1));
    assert_true(maps(515 * GIB + 6 * MIB, 1));
}

static void addresses_of_more_than_47_bits_are_never_mapped(void **state)
{
    (void)state;
    setup();
    assert_false(maps(1ull << 47, 1));
    assert_false(maps((1ull << 47) - 1, 2));
    assert_false(maps(UINT64_MAX, 1));
    assert_false(maps(514 * GIB, UINT64_MAX));
    top[1] = (1ull << 51) | 3; /* a table where no program's address is */
    assert_false(maps(514 * GIB, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_every_size_are_found),
        cmocka_unit_test(only_what_is_mapped_to_itself_counts),
        cmocka_unit_test(addresses_of_more_than_47_bits_are_never_mapped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
