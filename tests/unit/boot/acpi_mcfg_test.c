/* The MCFG. Offsets are those of "PCI Firmware Specification", "MCFG Table Description". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/pci/acpi_mcfg.h"
#include "tests/unit/boot/table_maker.h"

static uint8_t table[44 + 2 * 16];

static void window(unsigned index, uint64_t base, unsigned segment, unsigned first, unsigned last)
{
    uint8_t *at = table + 44 + 16 * index;

    put(at, base, 8);
    put(at + 8, segment, 2);
    at[10] = (uint8_t)first;
    at[11] = (uint8_t)last;
}

static void each_window_has_segment_buses_and_address(void **state)
{
    struct pci_window found;

    (void)state;
    window(0, 0xe0000000, 0, 0, 255);
    window(1, 0x3ffc0000000, 0x1234, 0x40, 0x40);
    assert_int_equal(acpi_mcfg(table, sizeof(table), 0, &found), RC_OK);
    assert_int_equal(found.base, 0xe0000000);
    assert_int_equal(found.last, 255);
    assert_int_equal(acpi_mcfg(table, sizeof(table), 1, &found), RC_OK);
    assert_int_equal(found.base, 0x3ffc0000000);
    assert_int_equal(found.segment, 0x1234);
    assert_int_equal(found.first, 0x40);
    assert_int_equal(found.last, 0x40);
    assert_int_equal(acpi_mcfg(table, sizeof(table), 2, &found), RC_ABSENT);
    assert_int_equal(acpi_mcfg(table, 44, 0, &found), RC_ABSENT);
}

static void what_can_be_no_window_is_damage(void **state)
{
    static const struct {
        uint64_t base;
        unsigned first, last;
    } rows[] = {
        {0, 0, 255}, {0xe0001000, 0, 255}, {0xe0000000, 1, 0}, {0xfffffffffff00000, 0, 255}};
    struct pci_window found;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        window(0, rows[i].base, 0, rows[i].first, rows[i].last);
        assert_int_equal(acpi_mcfg(table, sizeof(table), 0, &found), RC_BAD_INPUT);
    }
    window(0, 0xe0000000, 0, 0, 0);
    assert_int_equal(acpi_mcfg(table, 44 + 15, 0, &found), RC_BAD_INPUT);
    assert_int_equal(acpi_mcfg(table, 44 + 16, 0, &found), RC_OK);
    assert_int_equal(acpi_mcfg(table, 43, 0, &found), RC_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_window_has_segment_buses_and_address),
        cmocka_unit_test(what_can_be_no_window_is_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
