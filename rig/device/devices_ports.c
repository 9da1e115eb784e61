/* The I/O ports: serial lines, PCI configuration, the 8259As, the interval timer, the clock, port
 * 61H, the ACPI power management block, the reset control register, and the debug exit port. */
#include "devices.h"
#include "devices_inside.h"
#include "platform.h"

#define PORT_SYSTEM_B    0x61u
#define PORT_DEBUG_EXIT  0xf4u
#define REFRESH_HZ       66288u /* bit 4 of port 61H toggles at this rate */
#define SYSTEM_B_GATE    0x01u
#define SYSTEM_B_REFRESH 0x10u
#define SYSTEM_B_OUT     0x20u
#define SYSTEM_B_STORED  0x03u
#define RESET_CPU        0x04u

static bool is_within(uint16_t port, uint16_t first)
{
    return first != 0 && port >= first && port < first + 8;
}

/* The UART that answers at the port, NULL: none. */
static struct uart *uart_at(struct devices *devices, uint16_t port)
{
    const enum serial_place place = devices->line.place;

    if (is_within(port, serial_port(place)) && (place != SERIAL_PCI || pci_decodes(&devices->pci)))
        return &devices->uart;
    return devices->has_second && is_within(port, UART_PORT_2) ? &devices->uart_2 : NULL;
}

/* COM1 and COM3 share an interrupt line, and so do COM2 and COM4; a PCI function's is not played.
 */
static void serial_line(struct devices *devices, struct core *core, const struct uart *uart,
                        bool before)
{
    const enum serial_place place = devices->line.place;
    const bool asserted = uart_asks(uart);
    const bool second = uart == &devices->uart_2 || place == SERIAL_COM2 || place == SERIAL_COM4;

    if (asserted == before || (uart == &devices->uart && place > SERIAL_COM4))
        return;
    irq_set(&devices->irq, second ? IRQ_COM2 : IRQ_COM1, asserted, core_now(core));
    devices_changed(devices, core);
}

static uint8_t serial_read(struct devices *devices, struct core *core, struct uart *uart,
                           uint16_t port)
{
    bool before = uart_asks(uart);
    uint8_t value;

    devices_turn_uart(devices, core, uart);
    value = uart_read(uart, port & 7u);
    serial_line(devices, core, uart, before);
    return value;
}

static void serial_write(struct devices *devices, struct core *core, struct uart *uart,
                         uint16_t port, uint8_t value)
{
    bool before = uart_asks(uart);

    devices_turn_uart(devices, core, uart);
    uart_write(uart, port & 7u, value);
    serial_line(devices, core, uart, before);
}

static uint8_t pic_port_read(struct devices *devices, struct core *core, uint16_t port)
{
    uint8_t value;

    devices_catch_up(devices, core);
    value = pic_read(&devices->irq.pic, port);
    devices_changed(devices, core);
    return value;
}

static uint8_t clock_port_read(struct devices *devices, struct core *core, uint16_t port)
{
    bool events = rtc_shows_events(&devices->rtc, port);
    uint8_t value;

    if (events)
        devices_catch_up(devices, core);
    value = rtc_read(&devices->rtc, core, port);
    if (events) /* the read ended the request */
        devices_changed(devices, core);
    return value;
}

static uint8_t system_b_read(const struct devices *devices, const struct core *core)
{
    uint64_t refreshes = machine_count_of(devices->irq.machine, core_ticks(core), REFRESH_HZ);

    return (uint8_t)(devices->port61 | (refreshes & 1 ? SYSTEM_B_REFRESH : 0) |
                     (pit_output(&devices->pit, core) ? SYSTEM_B_OUT : 0));
}

static uint8_t read_byte(struct devices *devices, struct core *core, uint16_t port)
{
    struct uart *uart = uart_at(devices, port);

    if (uart != NULL)
        return serial_read(devices, core, uart, port);
    if (pic_has_port(port))
        return pic_port_read(devices, core, port);
    switch (port) {
    case PORT_PIT_CHANNEL_0:
    case PORT_PIT_CHANNEL_2:
        return pit_read(&devices->pit, core, port);
    case PORT_CLOCK_INDEX:
    case PORT_CLOCK_DATA:
        return clock_port_read(devices, core, port);
    case PORT_SYSTEM_B:
        return system_b_read(devices, core);
    case PORT_RESET_REGISTER:
        return devices->reset_control;
    default:
        return 0xff;
    }
}

/* Writes to these ports may change when or whether a line is asserted. */
static bool changes_lines(uint16_t port)
{
    return pic_has_port(port) || port == PORT_PIT_CHANNEL_0 || port == PORT_PIT_CHANNEL_2 ||
           port == PORT_CLOCK_DATA;
}

static void write_device(struct devices *devices, struct core *core, uint16_t port, uint8_t value)
{
    switch (port) {
    case PORT_PIT_CHANNEL_0:
    case PORT_PIT_CHANNEL_2:
    case PORT_PIT_CONTROL:
        pit_write(&devices->pit, core, port, value);
        break;
    case PORT_CLOCK_INDEX:
    case PORT_CLOCK_DATA:
        rtc_write(&devices->rtc, core, port, value);
        break;
    case PORT_SYSTEM_B:
        pit_gate(&devices->pit, core, value & SYSTEM_B_GATE);
        devices->port61 = value & SYSTEM_B_STORED;
        break;
    case PORT_RESET_REGISTER:
        devices->reset_control = value & (uint8_t)~RESET_CPU;
        if (value & RESET_CPU)
            machine_end(devices->irq.machine, 0, "reset by the reset control register");
        break;
    default:
        if (pic_has_port(port))
            pic_write(&devices->irq.pic, port, value);
        break;
    }
}

static void write_byte(struct devices *devices, struct core *core, uint16_t port, uint8_t value)
{
    struct uart *uart = uart_at(devices, port);
    bool changes = changes_lines(port);

    if (uart != NULL) {
        serial_write(devices, core, uart, port, value);
        return;
    }
    if (changes || port == PORT_PIT_CONTROL)
        devices_catch_up(devices, core);
    write_device(devices, core, port, value);
    if (changes)
        devices_changed(devices, core);
}

uint32_t port_read(struct devices *devices, struct core *core, uint16_t port, unsigned size)
{
    uint32_t value = 0;

    if (pm_has_port(port)) {
        if (pm_shows_events(port))
            devices_catch_up(devices, core);
        return pm_read(&devices->pm, core, port, size);
    }
    if (port != PORT_RESET_REGISTER && pci_has_port(port))
        return pci_port_read(&devices->pci, port, size);
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)read_byte(devices, core, (uint16_t)(port + i)) << 8 * i;
    return value;
}

static void pm_port_write(struct devices *devices, struct core *core, uint16_t port, unsigned size,
                          uint32_t value)
{
    if (port == PORT_PM_CONTROL && size >= 2) {
        if (pm_powers_off(value))
            machine_end(devices->irq.machine, 0, "powered off by ACPI");
        core_end_slice(core);
        return;
    }
    devices_catch_up(devices, core);
    pm_write(&devices->pm, core, port, size, value);
    devices_changed(devices, core);
}

void port_write(struct devices *devices, struct core *core, uint16_t port, unsigned size,
                uint32_t value)
{
    if (port == PORT_DEBUG_EXIT) {
        /* As QEMU's isa-debug-exit: the status of the process is twice the value and one. */
        machine_end(devices->irq.machine, (int)((value << 1 | 1) & 0xff),
                    "the debug exit port was written: 0x%x", (unsigned)value);
        core_end_slice(core);
        return;
    }
    if (pm_has_port(port)) {
        pm_port_write(devices, core, port, size, value);
        return;
    }
    if (port != PORT_RESET_REGISTER && pci_has_port(port)) {
        pci_port_write(&devices->pci, port, size, value);
        return;
    }
    for (unsigned i = 0; i < size; i++)
        write_byte(devices, core, (uint16_t)(port + i), (uint8_t)(value >> 8 * i));
    if (machine_has_ended(devices->irq.machine))
        core_end_slice(core);
}
