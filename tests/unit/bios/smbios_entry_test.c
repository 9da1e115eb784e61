/* Where the SMBIOS tables are. Offsets are those of DMTF DSP0134, "SMBIOS Entry Point structure".
 */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "bios/smbios_entry.h"
#include "boot/smbios.h"
#include "tests/unit/boot/table_maker.h"

static uint8_t segment[256], built[SMBIOS_BUILT_BYTES];

static void put_old(size_t at, uint32_t address)
{
    uint8_t *entry = segment + at;

    memcpy(entry, "_SM_", 4);
    entry[5] = 31;
    put(entry + 22, 0x300, 2);
    put(entry + 24, address, 4);
    seal(entry, 31, 4);
}

static void put_wide(size_t at, uint64_t address, uint32_t size)
{
    uint8_t *entry = segment + at;

    memcpy(entry, "_SM3_", 5);
    entry[6] = 24;
    put(entry + 12, size, 4);
    put(entry + 16, address, 8);
    seal(entry, 24, 5);
}

static int begin(void **state)
{
    (void)state;
    memset(segment, 0, sizeof(segment));
    return 0;
}

static void a_32_bit_entry_point_is_found_on_a_boundary_of_16_bytes(void **state)
{
    (void)state;
    assert_null(smbios_entry_search(segment, sizeof(segment)));
    put_old(40, 0xe0000);
    assert_null(smbios_entry_search(segment, sizeof(segment)));
    put_old(80, 0xe0000);
    assert_ptr_equal(smbios_entry_search(segment, sizeof(segment)), segment + 80);
    assert_false(smbios_entry_is_wide(segment + 80));
}

static void the_64_bit_entry_point_is_preferred_wherever_it_is(void **state)
{
    (void)state;
    put_old(16, 0xe0000);
    put_wide(192, 0xe0000, 0x300);
    put_old(224, 0xe0000);
    assert_ptr_equal(smbios_entry_search(segment, sizeof(segment)), segment + 192);
    assert_true(smbios_entry_is_wide(segment + 192));
}

static void a_wrong_checksum_is_passed_over(void **state)
{
    (void)state;
    put_wide(16, 0xe0000, 0x300);
    segment[16 + 8]++;
    assert_null(smbios_entry_search(segment, sizeof(segment)));
    put_old(64, 0xe0000);
    segment[64 + 8]++;
    put_old(128, 0xe0000);
    assert_ptr_equal(smbios_entry_search(segment, sizeof(segment)), segment + 128);
}

static void an_entry_point_that_the_segment_cuts_is_passed_over(void **state)
{
    (void)state;
    put_old(224, 0xe0000); /* 31 bytes */
    assert_ptr_equal(smbios_entry_search(segment, 255), segment + 224);
    assert_null(smbios_entry_search(segment, 254));
    assert_null(smbios_entry_search(segment, 0));
}

/* The program maps the first 4 GiB. */
static void tables_that_are_not_mapped_are_passed_over(void **state)
{
    (void)state;
    put_wide(16, 0x100000000, 0x300);
    put_old(64, 0xe0000);
    assert_ptr_equal(smbios_entry_search(segment, sizeof(segment)), segment + 64);
    put_wide(16, 0xfffffd01, 0x300); /* one byte too far */
    assert_ptr_equal(smbios_entry_search(segment, sizeof(segment)), segment + 64);
    put_wide(16, 0xfffffd00, 0x300);
    assert_ptr_equal(smbios_entry_search(segment, sizeof(segment)), segment + 16);
}

/* Type 127 alone: four bytes and two zeros. */
static void tables_of_the_loader_get_an_entry_point(void **state)
{
    static const uint8_t tables[] = {127, 4, 0, 0, 0, 0};
    struct boot_information information = {
        .smbios = tables, .smbios_size = sizeof(tables), .smbios_major = 2, .smbios_minor = 8};
    uint64_t address;
    size_t size;

    (void)state;
    assert_ptr_equal(smbios_entry_of_loader(&information, built), built);
    assert_true(smbios_entry_is_wide(built));
    assert_int_equal(smbios_table(built, &address, &size), RC_OK);
    assert_true(address == (uintptr_t)tables);
    assert_int_equal(size, 6);
    assert_int_equal(built[7], 2);
    assert_int_equal(built[8], 8);
    information.smbios_size = 3;
    assert_null(smbios_entry_of_loader(&information, built));
    information.smbios = NULL;
    assert_null(smbios_entry_of_loader(&information, built));
}

static void a_copied_entry_point_of_the_loader_is_handed_on(void **state)
{
    struct boot_information information = {.smbios = segment, .smbios_size = 31};

    (void)state;
    put_old(0, 0xe0000);
    assert_ptr_equal(smbios_entry_of_loader(&information, built), segment);
    information.smbios_size = 30;
    assert_null(smbios_entry_of_loader(&information, built));
    segment[8]++;
    information.smbios_size = 31;
    assert_null(smbios_entry_of_loader(&information, built));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_32_bit_entry_point_is_found_on_a_boundary_of_16_bytes, begin),
        cmocka_unit_test_setup(the_64_bit_entry_point_is_preferred_wherever_it_is, begin),
        cmocka_unit_test_setup(a_wrong_checksum_is_passed_over, begin),
        cmocka_unit_test_setup(an_entry_point_that_the_segment_cuts_is_passed_over, begin),
        cmocka_unit_test_setup(tables_that_are_not_mapped_are_passed_over, begin),
        cmocka_unit_test_setup(tables_of_the_loader_get_an_entry_point, begin),
        cmocka_unit_test_setup(a_copied_entry_point_of_the_loader_is_handed_on, begin),
    };

    return cmocka_run_group_tests_name("smbios_entry", tests, NULL, NULL);
}
