/* Entry points and structures of SMBIOS. Offsets are those of DMTF's "System Management BIOS
 * Reference Specification". */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "boot/smbios.h"
#include "tests/unit/boot/table_maker.h"

static void entry_points_say_where_the_table_is(void **state)
{
    uint8_t wide[32] = "_SM3_", old[32] = "_SM_";
    uint64_t address;
    size_t size;

    (void)state;
    wide[6] = 24;
    put(wide + 12, 0x1234, 4);
    put(wide + 16, 0x123456789000, 8);
    seal(wide, 24, 5);
    assert_int_equal(smbios_table(wide, &address, &size), RC_OK);
    assert_int_equal(address, 0x123456789000);
    assert_int_equal(size, 0x1234);
    wide[5]++;
    assert_int_equal(smbios_table(wide, &address, &size), RC_BAD_INPUT);
    put(wide + 12, (1u << 20) + 1, 4); /* longer than any table */
    seal(wide, 24, 5);
    assert_int_equal(smbios_table(wide, &address, &size), RC_BAD_INPUT);

    old[5] = 31;
    put(old + 22, 0x345, 2);
    put(old + 24, 0xf0000, 4);
    seal(old, 31, 4);
    assert_int_equal(smbios_table(old, &address, &size), RC_OK);
    assert_int_equal(address, 0xf0000);
    assert_int_equal(size, 0x345);
    old[0] = '-';
    assert_int_equal(smbios_table(old, &address, &size), RC_BAD_INPUT);
}

/* Type 1 with two strings, type 38 without any, the end. */
static const uint8_t table[] = {1,   6, 0, 0, 1, 2, 'a', 'b', 0, 'c', 0, 0, /* two strings */
                                38,  5, 1, 0, 9, 0, 0,                      /* none */
                                127, 4, 2, 0, 0, 0,                         /* end */
                                11,  4, 3, 0, 0, 0};

static void structures_are_found_behind_strings_and_before_the_end(void **state)
{
    (void)state;
    assert_true(smbios_has(table, sizeof(table), 1));
    assert_true(smbios_has(table, sizeof(table), 38));
    assert_false(smbios_has(table, sizeof(table), 39));
    assert_false(smbios_has(table, sizeof(table), 11)); /* behind the end */
}

/* Each length ends at the end of its memory, where the sanitizer sees a read beyond it. */
static void damaged_tables_do_no_harm(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof(table); size++) {
        uint8_t *copy = malloc(size + !size);

        memcpy(copy, table, size);
        assert_false(smbios_has(copy, size, 39));
        assert_int_equal(smbios_has(copy, size, 38), size > 12 + 4);
        for (size_t at = 0; at < size; at++) {
            copy[at] = 0;
            smbios_has(copy, size, 38);
            copy[at] = 0xff;
            smbios_has(copy, size, 38);
            copy[at] = table[at];
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_points_say_where_the_table_is),
        cmocka_unit_test(structures_are_found_behind_strings_and_before_the_end),
        cmocka_unit_test(damaged_tables_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
