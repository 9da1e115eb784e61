/* The walk over PCI functions, and which of them is a UART. Configuration space is the test's own.
 */
#include "tests/unit/boot/configuration_space.h"

#include "boot/pci/pci_tco.h"
#include "boot/serial/pci_serial.h"

static uint32_t *add(unsigned bus, unsigned device, unsigned function, uint32_t id,
                     uint32_t class_code)
{
    return add_at(bus << 8 | device << 3 | function, id, class_code);
}

static void add_bridge(unsigned bus, unsigned device, unsigned secondary)
{
    uint32_t *registers = add(bus, device, 0, 0x12348086, 0x060400);

    registers[3] = 1u << 16;
    registers[6] = bus | secondary << 8 | 255u << 16;
}

static unsigned found[64], found_count, wanted;

static bool take(void *context, uint32_t where)
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

/* A host bridge on each root of segment 0 (0, 40H and 80H, whose window begins at 7FH) and on bus
 * 10H of segment 5, which has two windows; and a bridge from 80H to 81H. */
static const struct pci_window windows[] = {
    {0x100000000, 0, 0x00, 0x4f},
    {0x200000000, 5, 0x10, 0x10},
    {0x300000000, 0, 0x7f, 0x8f},
    {0x400000000, 5, 0x20, 0x2f},
};

static void a_walk_takes_every_bus_of_the_windows_once(void **state)
{
    static const uint32_t expected[] = {0x0000, 0x4000, 0x8008, 0x8100, 0x51000, 0x52000};

    (void)state;
    count = 0;
    add_at(0x0000, 0x29c08086, 0x060000);
    add_at(0x51000, 0x29c08086, 0x060000);
    add_at(0x4000, 0x29c08086, 0x060000);
    add_bridge(0x80, 1, 0x81);
    add_at(0x8100, 0x00021b36, 0x070002);
    add_at(0x52000, 0x00021b36, 0x070002);
    add_at(0x6000, 0x00021b36, 0x070002);  /* in no window */
    add_at(0x53000, 0x00021b36, 0x070002); /* nor this */
    pci_set_windows(windows, 4);
    walk(64);
    assert_int_equal(found_count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(found[i], expected[i]);
    walk(5);
    assert_int_equal(found_count, 5);
    walk(1);
    assert_int_equal(found_count, 1);
    pci_set_windows(NULL, 0);
    walk(64);
    assert_int_equal(found_count, 1); /* without windows: bus 0 of segment 0 */
}

/* "Enhanced Configuration Access Mechanism": bus << 20, device << 15, function << 12. */
static void a_window_counts_from_bus_0_whatever_its_first_bus_is(void **state)
{
    (void)state;
    pci_set_windows(windows, 4);
    assert_int_equal(pci_address(0x0000), 0x100000000);
    assert_int_equal(pci_address(0x8109), 0x300000000 + 0x8100000 + 0x9000);
    assert_int_equal(pci_address(0x51001), 0x200000000 + 0x1000000 + 0x1000);
    assert_int_equal(pci_address(0x52000), 0x400000000 + 0x2000000);
    assert_int_equal(pci_address(0x5000), 0);  /* behind the first window's last bus */
    assert_int_equal(pci_address(0x7eff), 0);  /* before the third's first */
    assert_int_equal(pci_address(0x50000), 0); /* its bus is segment 0's */
    pci_set_windows(NULL, 0);
    assert_int_equal(pci_address(0), 0);
}

static void a_list_of_capabilities_that_has_no_end_is_no_harm(void **state)
{
    uint32_t *registers;

    (void)state;
    count = 0;
    registers = add(0, 3, 0, 0x9d278086, 0x118000);
    registers[0x34 / 4] = 0x80;
    registers[0x80 / 4] = 0x9009;
    registers[0x90 / 4] = 0x8001;
    assert_int_equal(pci_capability(3 << 3, 1), 0); /* the status says that there is no list */
    registers[1] = 1u << 20;
    assert_int_equal(pci_capability(3 << 3, 1), 0x90);
    assert_int_equal(pci_capability(3 << 3, 5), 0);
    registers[0x90 / 4] = 0x3c01; /* leads into the header */
    assert_int_equal(pci_capability(3 << 3, 5), 0);
}

/* Whether it is a UART that has an address. */
static bool place_of(uint32_t id, uint32_t class_code, const uint32_t *bars,
                     struct serial_place *place)
{
    struct pci_uart uart;
    bool is_one;

    count = 0;
    memcpy(add(0, 3, 0, id, class_code) + 4, bars, 2 * sizeof(*bars));
    is_one = pci_serial(3 << 3, &uart) == PCI_SERIAL_UART;
    if (is_one)
        *place = uart.place;
    return is_one;
}

static enum pci_serial kind_of(uint32_t id, uint32_t class_code, const uint32_t *bars)
{
    struct pci_uart uart;

    count = 0;
    memcpy(add(0, 3, 0, id, class_code) + 4, bars, 2 * sizeof(*bars));
    return pci_serial(3 << 3, &uart);
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
    assert_true(place_of(0x1, 0x070002, (uint32_t[]){0xfe03000c, 0}, &place));    /* 64 bits, low */
    assert_true(place_of(0x1, 0x070002, (uint32_t[]){0xfe030004, 0x40}, &place)); /* and high */
    assert_int_equal(place.address, 0x40fe030000);
    assert_true(place_of(0x1, 0x070002, (uint32_t[]){0x00000004, 0x8}, &place));
    assert_int_equal(place.address, 0x800000000);
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

/* Linux's list: 9D27H is a UART behind a divider of 120 MHz, A0A8H of 100; 9D60H is no UART. */
static void of_an_lpss_the_identifier_says_that_it_is_a_uart(void **state)
{
    struct pci_uart uart;

    (void)state;
    count = 0;
    add(0, 30, 0, 0x9d278086, 0x118000)[4] = 0xfe030004;
    add(0, 30, 1, 0xa0a88086, 0x078000)[4] = 0x00030004;
    functions[1].registers[5] = 0x40;
    assert_int_equal(pci_serial(30 << 3, &uart), PCI_SERIAL_UART);
    assert_int_equal(uart.place.address, 0xfe030000);
    assert_int_equal(uart.place.width, 4);
    assert_int_equal(uart.place.stride, 4);
    assert_int_equal(uart.place.clock_hz, 1843200);
    assert_int_equal(uart.lpss_hz, 120000000);
    assert_int_equal(pci_serial(30 << 3 | 1, &uart), PCI_SERIAL_UART);
    assert_int_equal(uart.place.address, 0x4000030000);
    assert_int_equal(uart.lpss_hz, 100000000);
    assert_int_equal(kind_of(0x9d608086, 0x118000, (uint32_t[]){0xfe030004, 0}), PCI_SERIAL_NONE);
    assert_int_equal(kind_of(0x9d2710de, 0x118000, (uint32_t[]){0xfe030004, 0}), PCI_SERIAL_NONE);
}

static void a_uart_without_an_address_is_told_from_what_is_none(void **state)
{
    (void)state;
    assert_int_equal(kind_of(0x9d278086, 0x118000, (uint32_t[]){4, 0}), PCI_SERIAL_NOWHERE);
    assert_int_equal(kind_of(0x00021b36, 0x070002, (uint32_t[]){1, 0}), PCI_SERIAL_NOWHERE);
    assert_int_equal(kind_of(0x00021b36, 0x070002, (uint32_t[]){0, 0}), PCI_SERIAL_NOWHERE);
    /* An engine's function that has no address may be any of them. */
    assert_int_equal(kind_of(0x1c3d8086, 0x078000, (uint32_t[]){1, 0}), PCI_SERIAL_NONE);
    assert_int_equal(kind_of(0x1c3a8086, 0x078000, (uint32_t[]){0, 0}), PCI_SERIAL_NONE);
}

static uint32_t *chipset(unsigned bus, unsigned function, uint32_t id, uint32_t class_code)
{
    count = 0;
    return add(bus, 31, function, id, class_code);
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
        cmocka_unit_test(a_walk_takes_every_bus_of_the_windows_once),
        cmocka_unit_test(a_window_counts_from_bus_0_whatever_its_first_bus_is),
        cmocka_unit_test(a_list_of_capabilities_that_has_no_end_is_no_harm),
        cmocka_unit_test(a_uart_has_class_07_00_and_an_address),
        cmocka_unit_test(of_intels_07_80_only_what_is_behind_ports),
        cmocka_unit_test(of_an_lpss_the_identifier_says_that_it_is_a_uart),
        cmocka_unit_test(a_uart_without_an_address_is_told_from_what_is_none),
        cmocka_unit_test(the_tco_timer_is_above_the_acpi_ports_up_to_the_9_series),
        cmocka_unit_test(the_tco_timer_is_the_smbus_controllers_from_the_100_series_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
