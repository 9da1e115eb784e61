/* Serial lines: what arrives at the other end depends on the rate, registers in memory answer
 * accesses of their own width, and a PCI function answers when it decodes its address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "device/devices.h"

static struct devices devices;

/* The bytes that arrive when 'a' is sent with that divisor. */
static int arrives(uint32_t clock_hz, unsigned divisor)
{
    FILE *file = tmpfile();
    struct uart uart;
    int byte;

    uart_new(&uart, file, SERIAL_SOUND, clock_hz, true);
    uart_write(&uart, 3, 0x83);
    uart_write(&uart, 0, (uint8_t)divisor);
    uart_write(&uart, 1, (uint8_t)(divisor >> 8));
    uart_write(&uart, 3, 0x03);
    uart_write(&uart, 0, 'a');
    uart_end(&uart);
    rewind(file);
    byte = fgetc(file);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return byte;
}

static void only_the_terminals_rate_is_understood(void **state)
{
    (void)state;
    assert_int_equal(arrives(1843200, 1), 'a');
    assert_int_equal(arrives(1843200, 2), 0xff);
    assert_int_equal(arrives(48000000, 26), 'a');  /* 115384 */
    assert_int_equal(arrives(48000000, 25), 'a');  /* 120000, 4.2 % off */
    assert_int_equal(arrives(48000000, 24), 0xff); /* 125000 */
    assert_int_equal(arrives(48000000, 1), 0xff);
}

/* "Line Status Register": THRE (20H) when the holding register is empty, TEMT (40H) when the shift
 * register is, too. A divisor that is changed in between spoils the byte. */
static void the_last_byte_is_out_when_the_transmitter_is_empty(void **state)
{
    FILE *file = tmpfile();
    struct uart uart;

    (void)state;
    uart_new(&uart, file, SERIAL_SOUND, UART_PC_CLOCK, true);
    uart_use(&uart);
    uart_write(&uart, 0, 'a');
    assert_int_equal(uart_read(&uart, 5), 0x20);
    assert_int_equal(uart_read(&uart, 5), 0x60);
    uart_write(&uart, 0, 'b');
    uart_write(&uart, 0, 'c');
    assert_int_equal(uart_read(&uart, 5), 0x20);
    uart_write(&uart, 3, 0x83);
    uart_write(&uart, 0, 12);
    uart_write(&uart, 3, 0x03);
    assert_int_equal(uart_read(&uart, 5), 0x60);
    rewind(file);
    assert_int_equal(fgetc(file), 'a');
    assert_int_equal(fgetc(file), 'b');
    assert_int_equal(fgetc(file), 0xff);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
}

static struct uart paced(FILE *file)
{
    struct uart uart;

    uart_new(&uart, file, SERIAL_SOUND, UART_PC_CLOCK, true);
    uart_use(&uart);
    uart.paced = true;
    return uart;
}

static void send_many(struct uart *uart, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        uart_write(uart, 0, (uint8_t)('a' + i));
}

/* How many bytes arrived in order, from 'a' on. */
static int arrived(FILE *file)
{
    int count = 0;

    rewind(file);
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file))
        assert_int_equal(byte, 'a' + count++);
    return count;
}

/* A bit takes 16 periods of the clock, a character ten bits. The FIFO takes 16 behind the one in
 * the shift register, an 18th is lost. THRE: the FIFO is empty; TEMT: so is the shift register. */
static void a_paced_line_takes_the_time_of_its_bits(void **state)
{
    FILE *file = tmpfile();
    struct uart uart = paced(file);

    (void)state;
    uart_turn(&uart, 1000);
    send_many(&uart, 18);
    uart_turn(&uart, 1159);
    assert_int_equal(arrived(file), 0);
    uart_turn(&uart, 1160);
    assert_int_equal(arrived(file), 1);
    uart_turn(&uart, 1000 + 16 * 160 - 1);
    assert_int_equal(uart_read(&uart, 5), 0);
    uart_turn(&uart, 1000 + 16 * 160);
    assert_int_equal(uart_read(&uart, 5), 0x20);
    uart_turn(&uart, 1000 + 17 * 160 - 1);
    assert_int_equal(uart_read(&uart, 5), 0x20);
    uart_turn(&uart, 1000 + 17 * 160);
    assert_int_equal(uart_read(&uart, 5), 0x60);
    assert_int_equal(arrived(file), 17);
    fclose(file);
}

/* Without FIFOs one character waits behind the one in the shift register. */
static void a_paced_line_without_fifos_holds_two(void **state)
{
    FILE *file = tmpfile();
    struct uart uart = paced(file);

    (void)state;
    uart_write(&uart, 2, 0);
    send_many(&uart, 3);
    uart_turn(&uart, 2 * 160);
    uart_end(&uart);
    assert_int_equal(arrived(file), 2);
    fclose(file);
}

/* FCR bit 2 empties the FIFO; "the shift register is not cleared". */
static void what_has_not_left_a_paced_line_is_lost(void **state)
{
    FILE *file = tmpfile();
    struct uart uart = paced(file);

    (void)state;
    send_many(&uart, 3);
    uart_write(&uart, 2, 0x85);
    uart_turn(&uart, 1000);
    assert_int_equal(arrived(file), 1);
    uart_write(&uart, 0, 'b');
    uart_end(&uart);
    assert_int_equal(arrived(file), 1);
    fclose(file);
}

/* The lines that a report has. */
static unsigned reported(const struct uart *uart)
{
    FILE *file = tmpfile();
    unsigned lines = 0;

    uart_report(uart, "a line", file);
    rewind(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        lines += c == '\n';
    fclose(file);
    return lines;
}

/* Each of the registers that keep what is written; of the FIFO's the bits that do not clear
 * themselves. */
static void what_is_left_changed_is_reported(void **state)
{
    static const unsigned registers[] = {1, 2, 3, 4, 7};
    struct uart uart;

    (void)state;
    for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++) {
        uart_new(&uart, NULL, SERIAL_SOUND, UART_PC_CLOCK, true);
        assert_int_equal(reported(&uart), 0);
        uart_write(&uart, registers[i], 0x05);
        assert_int_equal(reported(&uart), 1);
    }
    uart_use(&uart);
    uart_write(&uart, 2, 0x87);
    assert_int_equal(reported(&uart), 0);
    uart_write(&uart, 2, 0x01); /* another trigger */
    assert_int_equal(reported(&uart), 1);
    uart_write(&uart, 2, 0x81);
    uart_write(&uart, 3, 0x83);
    uart_write(&uart, 1, 1); /* the divisor's upper half */
    uart_write(&uart, 3, 0x03);
    assert_int_equal(reported(&uart), 1);
}

static void modem_inputs_are_set_by_the_other_end(void **state)
{
    struct uart uart;

    (void)state;
    uart_new(&uart, NULL, SERIAL_SOUND, UART_PC_CLOCK, true);
    assert_int_equal(uart_read(&uart, 6) & 0xf0, 0xb0);
    uart_new(&uart, NULL, SERIAL_SOUND, UART_PC_CLOCK, false);
    assert_int_equal(uart_read(&uart, 6), 0);
    uart_write(&uart, 4, 0x10 | 0x0a); /* loop mode: RTS and OUT2 */
    assert_int_equal(uart_read(&uart, 6) & 0xf0, 0x90);
}

static void start(enum serial_place place)
{
    const struct device_options options = {.line = {.place = place, .table = TABLE_NONE}};

    devices_reset(&devices, NULL, &options);
}

/* Whether the scratch register keeps a value by accesses of that size at that offset. */
static bool keeps(uint64_t offset, unsigned size)
{
    devices_write_uart(&devices, NULL, offset, size, 0x5a);
    return (devices_read_uart(&devices, NULL, offset, size) & 0xff) == 0x5a;
}

static void registers_in_memory_answer_their_own_width(void **state)
{
    static const struct {
        enum serial_place place;
        unsigned width;
    } rows[] = {{SERIAL_MMIO8, 1}, {SERIAL_MMIO16, 2}, {SERIAL_MMIO32, 4}, {SERIAL_COM1, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        start(rows[i].place);
        for (unsigned stride = 1; stride <= 4; stride *= 2)
            for (unsigned size = 1; size <= 4; size *= 2)
                assert_int_equal(keeps(7 * stride, size),
                                 stride == rows[i].width && size == rows[i].width);
    }
}

static void start_line(struct serial_line line)
{
    struct device_options options = {.line = line};

    options.line.table = TABLE_NONE;
    devices_reset(&devices, NULL, &options);
}

static uint32_t configuration(uint16_t where, unsigned offset)
{
    pci_port_write(&devices.pci, PORT_PCI_ADDRESS, 4, 0x80000000u | (uint32_t)where << 8 | offset);
    return pci_port_read(&devices.pci, PORT_PCI_DATA, 4);
}

static void a_pci_line_is_behind_a_bridge_and_decodes_when_told(void **state)
{
    (void)state;
    start(SERIAL_PCI_MEMORY);
    assert_int_equal(configuration(0x00e0, 0x18) >> 8 & 0xff, 1); /* 00:1c.0 leads to bus 1 */
    assert_int_equal(configuration(0x0100, 0x08) >> 8, 0x070002);
    assert_int_equal(configuration(0x0100, 0x10), UART_MEMORY_BASE);
    assert_int_equal(configuration(0x0108, 0x00), UINT32_MAX);
    assert_int_equal(pci_read(&devices.pci, 0x100000, 4), 0x00021b36); /* the same in memory */
    assert_false(keeps(7, 1));
    configuration(0x0100, 0x04);
    pci_port_write(&devices.pci, PORT_PCI_DATA, 4, 2);
    assert_true(keeps(7, 1));
    start(SERIAL_COM1);
    assert_int_equal(configuration(0, 0), UINT32_MAX);
}

/* Only windows in memory reach a segment, and a machine whose ports do not answer. */
static void a_line_can_be_where_ports_do_not_reach(void **state)
{
    (void)state;
    start_line((struct serial_line){.place = SERIAL_PCI, .pci = PCI_ECAM});
    assert_int_equal(configuration(0x0100, 0), UINT32_MAX);
    assert_int_equal(pci_port_read(&devices.pci, PORT_PCI_ADDRESS, 4), UINT32_MAX);
    assert_int_equal(pci_read(&devices.pci, 0x100000, 4), 0x00021b36);
    start_line((struct serial_line){.place = SERIAL_PCI, .pci = PCI_ROOT});
    assert_int_equal(configuration(0x0100, 0), UINT32_MAX);
    assert_int_equal(configuration(0x80e0, 0x18) >> 8 & 0xff, 0x81);
    assert_int_equal(configuration(0x8100, 0), 0x00021b36);
    start_line((struct serial_line){.place = SERIAL_PCI, .pci = PCI_SEGMENT});
    assert_int_equal(configuration(0x4100, 0), UINT32_MAX);
    assert_int_equal(pci_read(&devices.pci, 0x14100000, 4), 0x00021b36);
}

static uint32_t lpss(uint64_t offset)
{
    return (uint32_t)devices_read_uart(&devices, NULL, offset, 4);
}

static void set_lpss(uint64_t offset, uint32_t value)
{
    devices_write_uart(&devices, NULL, offset, 4, value);
}

static void command(uint32_t value)
{
    configuration(30 << 3, 0x04);
    pci_port_write(&devices.pci, PORT_PCI_DATA, 4, value);
}

static void power(uint32_t value)
{
    configuration(30 << 3, 0x84);
    pci_port_write(&devices.pci, PORT_PCI_DATA, 4, value);
}

/* coreboot: 3 in 204H ends the reset; 200H: M << 1 | N << 16, bit 31 takes them over, bit 0 lets
 * the clock through. 120 MHz * 30H / C35H = 1843200 Hz, 100 MHz * 25AH / 7FFFH = 1837214 Hz. */
static void an_lpss_has_a_reset_and_a_divider(void **state)
{
    (void)state;
    start(SERIAL_LPSS_120);
    assert_int_equal(configuration(30 << 3, 0x08) >> 16, 0x1180);
    assert_int_equal(lpss(0x2fc), UINT32_MAX);
    command(2);
    assert_int_equal(lpss(0x2fc), 0x10);
    assert_false(keeps(0x1c, 4));
    set_lpss(0x204, 3);
    assert_true(keeps(0x1c, 4));
    assert_false(keeps(0x1c, 1));
    set_lpss(0x200, 0xc35u << 16 | 0x30u << 1 | 1);
    assert_int_equal(devices.uart.clock_hz, 0);
    set_lpss(0x200, 1u << 31 | 0xc35u << 16 | 0x30u << 1);
    assert_int_equal(devices.uart.clock_hz, 0);
    set_lpss(0x200, 0xc35u << 16 | 0x30u << 1 | 1);
    assert_int_equal(devices.uart.clock_hz, 1843200);
    set_lpss(0x204, 0);
    set_lpss(0x204, 3);
    assert_int_equal(lpss(0x1c), 0);
    start_line((struct serial_line){.place = SERIAL_LPSS_100, .state = STATE_USED});
    assert_int_equal(configuration(30 << 3, 0x08) >> 16, 0x0780);
    assert_int_equal(devices.uart.clock_hz, 1837214);
    assert_true(keeps(0x1c, 4));
}

static void an_lpss_that_falls_asleep_loses_its_registers(void **state)
{
    (void)state;
    start_line((struct serial_line){.place = SERIAL_LPSS_120, .state = STATE_ASLEEP});
    assert_int_equal(configuration(30 << 3, 0x04) >> 16 & 0x10, 0x10); /* a list, */
    assert_int_equal(configuration(30 << 3, 0x34), 0x80);              /* and what is first in it */
    assert_int_equal(configuration(30 << 3, 0x80) & 0xff, 1);
    assert_int_equal(configuration(30 << 3, 0x84), 0xb);
    command(2);
    assert_int_equal(lpss(0x2fc), UINT32_MAX);
    power(8);
    assert_int_equal(lpss(0x2fc), 0x10);
    set_lpss(0x204, 3);
    set_lpss(0x200, 0x80020003);
    power(1); /* no state of it */
    assert_int_equal(lpss(0x204), 3);
    power(3);
    power(0);
    assert_int_equal(lpss(0x204), 0);
    assert_int_equal(lpss(0x200), 0);
}

static unsigned lines_of_report(void)
{
    FILE *file = tmpfile();
    unsigned lines = 0;

    devices_report(&devices, file);
    rewind(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        lines += c == '\n';
    fclose(file);
    return lines;
}

static void what_is_left_changed_around_the_uart_is_reported(void **state)
{
    (void)state;
    start(SERIAL_LPSS_120);
    assert_int_equal(lines_of_report(), 0);
    command(2);
    assert_int_equal(lines_of_report(), 1);
    set_lpss(0x204, 3);
    assert_int_equal(lines_of_report(), 2);
    set_lpss(0x200, 2);
    assert_int_equal(lines_of_report(), 3);
    set_lpss(0x200, 0x80020002); /* CLOCKS and the divider */
    assert_int_equal(lines_of_report(), 4);
    configuration(30 << 3, 0x10);
    pci_port_write(&devices.pci, PORT_PCI_DATA, 4, 0xfe020000);
    assert_int_equal(lines_of_report(), 5);
    start(SERIAL_LPSS_120);
    power(3);
    assert_int_equal(lines_of_report(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_terminals_rate_is_understood),
        cmocka_unit_test(the_last_byte_is_out_when_the_transmitter_is_empty),
        cmocka_unit_test(a_paced_line_takes_the_time_of_its_bits),
        cmocka_unit_test(a_paced_line_without_fifos_holds_two),
        cmocka_unit_test(what_has_not_left_a_paced_line_is_lost),
        cmocka_unit_test(what_is_left_changed_is_reported),
        cmocka_unit_test(modem_inputs_are_set_by_the_other_end),
        cmocka_unit_test(registers_in_memory_answer_their_own_width),
        cmocka_unit_test(a_pci_line_is_behind_a_bridge_and_decodes_when_told),
        cmocka_unit_test(a_line_can_be_where_ports_do_not_reach),
        cmocka_unit_test(an_lpss_has_a_reset_and_a_divider),
        cmocka_unit_test(an_lpss_that_falls_asleep_loses_its_registers),
        cmocka_unit_test(what_is_left_changed_around_the_uart_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
