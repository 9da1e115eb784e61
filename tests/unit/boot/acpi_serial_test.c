/* The serial lines of SPCR and DBG2. Offsets and codes are those of Microsoft's pages "Serial Port
 * Console Redirection Table" and "Debug Port Table 2". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/serial/acpi_serial.h"

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* A Generic Address Structure. */
static void address(uint8_t *at, unsigned space, unsigned bits, unsigned access, uint64_t value)
{
    at[0] = (uint8_t)space;
    at[1] = (uint8_t)bits;
    at[2] = 0;
    at[3] = (uint8_t)access;
    put(at + 4, value, 8);
}

static void assert_memory(const struct serial_place *place, uint64_t at, unsigned width,
                          unsigned stride)
{
    assert_true(place->memory);
    assert_int_equal(place->address, at);
    assert_int_equal(place->width, width);
    assert_int_equal(place->stride, stride);
}

static void spcr_gives_port_and_baud(void **state)
{
    uint8_t table[80] = {0};
    struct acpi_serial serial;

    (void)state;
    table[8] = 2;
    address(table + 40, 1, 8, 1, 0x2f8);
    table[58] = 7; /* 115200 */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
    assert_false(serial.place.memory);
    assert_int_equal(serial.place.address, 0x2f8);
    assert_int_equal(serial.place.clock_hz, 1843200);
    assert_int_equal(serial.baud, 115200);
    table[58] = 0; /* as the firmware left it */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
    assert_int_equal(serial.baud, 0);
    table[36] = 3; /* an Arm UART */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_NO_SPACE);
    put(table + 44, 0, 8); /* no address: redirection is switched off */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_ABSENT);
    assert_int_equal(acpi_spcr(table, 58, &serial), RC_BAD_INPUT);
}

static void registers_in_memory_have_width_and_distance(void **state)
{
    /* Bit width, access size; bytes of an access, bytes from register to register. The last three
     * were seen in tables: no access size, one in bits, and one that is smaller. */
    static const unsigned rows[][4] = {
        {8, 1, 1, 1},  {16, 2, 2, 2},    {32, 3, 4, 4}, {64, 3, 4, 8},
        {32, 0, 4, 4}, {32, 0x20, 4, 4}, {32, 2, 2, 4}, {0, 0, 1, 1},
    };
    uint8_t table[80] = {0};
    struct acpi_serial serial;

    (void)state;
    table[36] = 0x12;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        address(table + 40, 0, rows[i][0], rows[i][1], 0xfedc9000);
        assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
        assert_memory(&serial.place, 0xfedc9000, rows[i][2], rows[i][3]);
        assert_int_equal(serial.place.clock_hz, 0);
    }
}

static void what_cannot_be_reached_is_refused(void **state)
{
    uint8_t table[80] = {0};
    struct acpi_serial serial;

    (void)state;
    address(table + 40, 0, 24, 1, 0xfedc9000); /* registers of three bytes */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_NO_SPACE);
    address(table + 40, 0, 32, 3, 0xfedc9002); /* across a boundary */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_NO_SPACE);
    address(table + 40, 0, 32, 3, 0x4017000000); /* above 4 GiB */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
    assert_memory(&serial.place, 0x4017000000, 4, 4);
    address(table + 40, 0, 32, 3, 0x7fffffffffe0); /* the last that fits in 47 bits */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
    address(table + 40, 0, 32, 3, 0x7fffffffffe4);
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_NO_SPACE);
    address(table + 40, 1, 8, 1, 0xfff8); /* the last eight ports */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
    address(table + 40, 1, 8, 1, 0xfff9);
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_NO_SPACE);
    address(table + 40, 2, 8, 1, 0x3f8); /* PCI configuration space */
    assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_NO_SPACE);
}

/* The clock came with revision 3, the precise rate with revision 4: before that the bytes are
 * reserved. */
static void newer_spcrs_say_clock_and_precise_rate(void **state)
{
    uint8_t table[90] = {0};
    struct acpi_serial serial;

    (void)state;
    address(table + 40, 0, 32, 3, 0xfe030000);
    table[36] = 0x12;
    table[58] = 7;
    put(table + 76, 48000000, 4);
    put(table + 80, 1500000, 4);
    for (unsigned revision = 1; revision <= 4; revision++) {
        table[8] = (uint8_t)revision;
        assert_int_equal(acpi_spcr(table, sizeof(table), &serial), RC_OK);
        assert_int_equal(serial.place.clock_hz, revision >= 3 ? 48000000 : 0);
        assert_int_equal(serial.baud, revision >= 4 ? 1500000 : 115200);
    }
    assert_int_equal(acpi_spcr(table, 79, &serial), RC_OK); /* cut off: nothing is read beyond */
    assert_int_equal(serial.place.clock_hz, 0);
    assert_int_equal(serial.baud, 115200);
}

#define DEVICE 44

/* Two devices of 40 bytes: an Ethernet controller, and a 16550 of 32 bits. */
static size_t dbg2_of(uint8_t table[124])
{
    memset(table, 0, 124);
    put(table + 36, DEVICE, 4);
    put(table + 40, 2, 4);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *device = table + DEVICE + 40 * i;

        put(device + 1, 40, 2);
        device[3] = 1;
        put(device + 12, i ? 0x8000 : 0x8003, 2);
        put(device + 14, i ? 0x12 : 0x8086, 2);
        put(device + 18, 22, 2);
        put(device + 20, 34, 2);
        address(device + 22, 0, 32, 3, 0xfe030000);
    }
    return 124;
}

static void dbg2_gives_its_first_16550(void **state)
{
    uint8_t table[124];
    struct acpi_serial serial;
    const size_t size = dbg2_of(table);

    (void)state;
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_OK);
    assert_memory(&serial.place, 0xfe030000, 4, 4);
    assert_int_equal(serial.baud, 0);
    put(table + DEVICE + 40 + 14, 3, 2); /* an Arm UART */
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_NO_SPACE);
    put(table + 40, 1, 4); /* only the Ethernet controller */
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_ABSENT);
}

static void damaged_dbg2s_do_no_harm(void **state)
{
    uint8_t table[124];
    struct acpi_serial serial;
    const size_t size = dbg2_of(table);

    (void)state;
    for (size_t cut = 36; cut < size; cut++)
        assert_int_equal(acpi_dbg2(table, cut, &serial), RC_BAD_INPUT);
    put(table + DEVICE + 1, 0, 2); /* a device without a length */
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_BAD_INPUT);
    dbg2_of(table);
    put(table + DEVICE + 40 + 18, 29, 2); /* an address that ends beyond its device */
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_BAD_INPUT);
    dbg2_of(table);
    put(table + 36, UINT32_MAX, 4);
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_BAD_INPUT);
    dbg2_of(table);
    put(table + 40, UINT32_MAX, 4); /* more devices than there is room for, behind a good one */
    assert_int_equal(acpi_dbg2(table, size, &serial), RC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spcr_gives_port_and_baud),
        cmocka_unit_test(registers_in_memory_have_width_and_distance),
        cmocka_unit_test(what_cannot_be_reached_is_refused),
        cmocka_unit_test(newer_spcrs_say_clock_and_precise_rate),
        cmocka_unit_test(dbg2_gives_its_first_16550),
        cmocka_unit_test(damaged_dbg2s_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
