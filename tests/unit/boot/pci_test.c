/* The walk over PCI functions, and which of them is a UART. Configuration space is the test's own.
 */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/pci.h"
#include "boot/serial/pci_serial.h"
#include "boot/pci_tco.h"

#define FUNCTIONS 16

static struct {
    uint16_t where;
    uint32_t registers[64];
} functions[FUNCTIONS];
static unsigned count, reads;

uint32_t pci_read(uint16_t where, unsigned offset)
{
    reads++;
    for (unsigned i = 0; i < count; i++)
        if (functions[i].where == where)
            return functions[i].registers[offset / 4];
    return PCI_NOBODY;
}

void pci_write(uint16_t where, unsigned offset, uint32_t value)
{
    (void)where, (void)offset, (void)value;
    fail_msg("nothing is written");
}

static uint32_t *add(unsigned bus, unsigned device, unsigned function, uint32_t id, uint32_t class)
{
    uint32_t *registers = functions[count].registers;

    memset(registers, 0, sizeof(functions[count].registers));
    functions[count++].where = (uint16_t)(bus << 8 | device << 3 | function);
    registers[0] = id;
    registers[2] = class << 8; /* class, subclass, interface */
    return registers;
}

static void add_bridge(unsigned bus, unsigned device, unsigned secondary)
{
    uint32_t *registers = add(bus, device, 0, 0x12348086, 0x060400);

    registers[3] = 1u << 16;
    registers[6] = bus | secondary << 8 | 255u << 16;
}

static unsigned found[64], found_count, wanted;

static bool take(void *context, uint16_t where)
{
    (void)context;
    found[found_count++] = where;
    return found_count < wanted;
}

static void walk(unsigned most)
{
    found_count = reads = 0;
    wanted = most;
    pci_walk(take, NULL);
}

static void the_walk_goes_through_bridges_once(void **state)
{
    (void)state;
    count = 0;
    add(0, 0, 0, 0x29c08086, 0x060000);
    add_bridge(0, 1, 5);
    add(5, 0, 0, 0x00021b36, 0x070002);
    add_bridge(5, 1, 0); /* back to bus 0 */
    add_bridge(5, 2, 5); /* and to itself */
    walk(64);
    assert_int_equal(found_count, 5);
    assert_int_equal(found[0], 0);
    assert_int_equal(found[2], 5 << 8);
    assert_true(reads < 200); /* two buses of 32 devices, each asked for its id first */
    walk(3);                  /* it stops when told so */
    assert_int_equal(found_count, 3);
}

static void other_functions_only_where_the_header_says_so(void **state)
{
    uint32_t *first;

    (void)state;
    count = 0;
    first = add(0, 22, 0, 0xa13a8086, 0x078000);
    add(0, 22, 3, 0xa13d8086, 0x070002);
    walk(64);
    assert_int_equal(found_count, 1);
    first[3] = 1u << 23;
    walk(64);
    assert_int_equal(found_count, 2);
    assert_int_equal(found[1], 22 << 3 | 3);
}

static void a_machine_without_pci_is_no_harm(void **state)
{
    (void)state;
    count = 0;
    walk(64);
    assert_int_equal(found_count, 0);
    assert_int_equal(reads, 32);
}

static bool place_of(uint32_t id, uint32_t class, const uint32_t *bars, struct serial_place *place)
{
    count = 0;
    memcpy(add(0, 3, 0, id, class) + 4, bars, 2 * sizeof(*bars));
    return pci_serial(3 << 3, place);
}

static void a_uart_has_class_07_00_and_an_address(void **state)
{
    struct serial_place place;

    (void)state;
    assert_true(place_of(0x00021b36, 0x070002, (uint32_t[]){0xd001, 0}, &place));
    assert_false(place.memory);
    assert_int_equal(place.address, 0xd000);
    assert_int_equal(place.clock_hz, 1843200);
    assert_true(place_of(0x1, 0x070002, (uint32_t[]){0, 0xfe030000}, &place));
    assert_true(place.memory);
    assert_int_equal(place.address, 0xfe030000);
    assert_int_equal(place.stride, 1);
    assert_true(place_of(0x1, 0x070002, (uint32_t[]){0xfe03000c, 0}, &place)); /* 64 bits, low */
    assert_false(place_of(0x1, 0x070002, (uint32_t[]){0xfe030004, 0x40}, &place)); /* and high */
    assert_false(place_of(0x1, 0x070002, (uint32_t[]){0, 0}, &place));      /* no address yet */
    assert_false(place_of(0x1, 0x070002, (uint32_t[]){0x1, 0}, &place));    /* nor here */
    assert_false(place_of(0x1, 0x070080, (uint32_t[]){0xd001, 0}, &place)); /* another interface */
    assert_false(place_of(0x1, 0x070101, (uint32_t[]){0xd001, 0}, &place)); /* a parallel port */
}

/* "Intel 6 Series Chipset Family Platform Controller Hub": the KT function behind ports, HECI in
 * memory. */
static void of_intels_07_80_only_what_is_behind_ports(void **state)
{
    struct serial_place place;

    (void)state;
    assert_true(place_of(0x1c3d8086, 0x078000, (uint32_t[]){0xf0e1, 0xfe028000}, &place));
    assert_int_equal(place.address, 0xf0e0);
    assert_false(place_of(0x1c3a8086, 0x078000, (uint32_t[]){0xfe029004, 0}, &place));
    assert_false(place_of(0x000110de, 0x078000, (uint32_t[]){0xf0e1, 0}, &place));
}

static uint32_t *chipset(unsigned bus, unsigned function, uint32_t id, uint32_t class)
{
    count = 0;
    return add(bus, 31, function, id, class);
}

/* ICH9 as QEMU's firmware sets it up: PMBASE 600H, and the timer 60H above it. */
static void the_tco_timer_is_above_the_acpi_ports_up_to_the_9_series(void **state)
{
    uint32_t *lpc = chipset(0, 0, 0x29188086, 0x060100);
    uint16_t port;

    (void)state;
    lpc[0x40 / 4] = 0x601;
    lpc[0x44 / 4] = 0x80;
    assert_true(pci_tco(31 << 3, &port));
    assert_int_equal(port, 0x660);
    lpc[0x44 / 4] = 0; /* the ports are switched off */
    assert_false(pci_tco(31 << 3, &port));
    lpc[0x44 / 4] = 0x80;
    lpc[0x40 / 4] = 0; /* a newer bridge, which has no such register */
    assert_false(pci_tco(31 << 3, &port));
    lpc[0x40 / 4] = 0x601;
    lpc[0] = 0x29181022; /* not Intel's */
    assert_false(pci_tco(31 << 3, &port));
}

static void the_tco_timer_is_the_smbus_controllers_from_the_100_series_on(void **state)
{
    uint32_t *smbus = chipset(0, 4, 0xa1238086, 0x0c0500);
    uint16_t port;

    (void)state;
    smbus[0x50 / 4] = 0x401;
    smbus[0x54 / 4] = 0x100;
    assert_true(pci_tco(31 << 3 | 4, &port));
    assert_int_equal(port, 0x400);
    smbus[0x54 / 4] = 0;
    assert_false(pci_tco(31 << 3 | 4, &port));
    smbus = chipset(1, 4, 0xa1238086, 0x0c0500); /* not the chipset's */
    smbus[0x50 / 4] = 0x401;
    smbus[0x54 / 4] = 0x100;
    assert_false(pci_tco(1 << 8 | 31 << 3 | 4, &port));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_walk_goes_through_bridges_once),
        cmocka_unit_test(other_functions_only_where_the_header_says_so),
        cmocka_unit_test(a_machine_without_pci_is_no_harm),
        cmocka_unit_test(a_uart_has_class_07_00_and_an_address),
        cmocka_unit_test(of_intels_07_80_only_what_is_behind_ports),
        cmocka_unit_test(the_tco_timer_is_above_the_acpi_ports_up_to_the_9_series),
        cmocka_unit_test(the_tco_timer_is_the_smbus_controllers_from_the_100_series_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
