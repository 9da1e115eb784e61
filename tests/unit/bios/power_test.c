/* Where a board is switched off: tables by the ACPI specification, "Fixed ACPI Description Table"
 * and "AML Grammar". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "bios/power.h"

static uint8_t fadt[116], dsdt[128];

static int begin(void **state)
{
    (void)state;
    memset(fadt, 0, sizeof(fadt));
    memset(dsdt, 0, sizeof(dsdt));
    fadt[48] = 0xb2; /* SMI_CMD */
    fadt[52] = 0xf1; /* ACPI_ENABLE */
    fadt[64] = 0x04; /* PM1a_CNT_BLK: 0604H */
    fadt[65] = 0x06;
    return 0;
}

static void name_s5(size_t at, const uint8_t *package, size_t size)
{
    memcpy(dsdt + at, "\x08_S5_", 5);
    memcpy(dsdt + at + 5, package, size);
}

static void ports_and_numbers_are_found(void **state)
{
    static const uint8_t package[] = {0x12, 0x08, 0x04, 0x0a, 0x05, 0x0a, 0x07, 0x00, 0x00};
    struct power power;

    (void)state;
    name_s5(60, package, sizeof(package));
    assert_true(power_read(&power, fadt, sizeof(fadt), dsdt, sizeof(dsdt)));
    assert_int_equal(power.control[0], 0x604);
    assert_int_equal(power.control[1], 0);
    assert_int_equal(power.sleep[0], 5);
    assert_int_equal(power.sleep[1], 7);
    assert_int_equal(power.command, 0xb2);
    assert_int_equal(power.enable, 0xf1);
}

/* Zero and One have opcodes of their own; a length of 64 and more has a second byte. */
static void constants_may_be_opcodes_and_lengths_have_more_bytes(void **state)
{
    static const uint8_t package[] = {0x12, 0x46, 0x00, 0x04, 0x01, 0x00};
    struct power power;

    (void)state;
    name_s5(36, package, sizeof(package));
    assert_true(power_read(&power, fadt, sizeof(fadt), dsdt, sizeof(dsdt)));
    assert_int_equal(power.sleep[0], 1);
    assert_int_equal(power.sleep[1], 0);
}

static void a_name_that_is_no_package_is_passed_over(void **state)
{
    static const uint8_t method[] = {0x14, 0x08, 0x04, 0x0a, 0x05, 0x0a, 0x07};
    struct power power;

    (void)state;
    name_s5(60, method, sizeof(method));
    assert_false(power_read(&power, fadt, sizeof(fadt), dsdt, sizeof(dsdt)));
}

static void a_package_at_the_end_is_not_read_beyond_it(void **state)
{
    static const uint8_t package[] = {0x12, 0x08, 0x04, 0x0a, 0x05, 0x0a, 0x07};
    struct power power;

    (void)state;
    name_s5(60, package, sizeof(package));
    for (size_t size = 36; size < 72; size++)
        assert_false(power_read(&power, fadt, sizeof(fadt), dsdt, size));
    assert_true(power_read(&power, fadt, sizeof(fadt), dsdt, 72));
}

static void without_a_port_there_is_no_way(void **state)
{
    static const uint8_t package[] = {0x12, 0x08, 0x04, 0x0a, 0x05, 0x0a, 0x07};
    struct power power;

    (void)state;
    name_s5(60, package, sizeof(package));
    fadt[64] = fadt[65] = 0;
    assert_false(power_read(&power, fadt, sizeof(fadt), dsdt, sizeof(dsdt)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(ports_and_numbers_are_found, begin),
        cmocka_unit_test_setup(constants_may_be_opcodes_and_lengths_have_more_bytes, begin),
        cmocka_unit_test_setup(a_name_that_is_no_package_is_passed_over, begin),
        cmocka_unit_test_setup(a_package_at_the_end_is_not_read_beyond_it, begin),
        cmocka_unit_test_setup(without_a_port_there_is_no_way, begin),
    };

    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
