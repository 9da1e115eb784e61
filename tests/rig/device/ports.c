/* I/O ports: COM1 and COM2, the ACPI power management block, the reset register, the interval
 * timer, the clock, and the debug exit port. A port where nothing is reads ones. */
#include "irq.h"
#include "machine/machine.h"
#include "pm.h"
#include "ports.h"

#define PORT_SYSTEM_B    0x61u
#define PORT_DEBUG_EXIT  0xf4u
#define REFRESH_HZ       66288u /* bit 4 of port 61h toggles at this rate */
#define SYSTEM_B_GATE    0x01u
#define SYSTEM_B_REFRESH 0x10u
#define SYSTEM_B_OUT     0x20u
#define RESET_CPU        0x04u

static uint64_t count(struct core *core, uint64_t hz)
{
    return machine_count_of(core->machine, core_ticks(core), hz);
}

/* QEMU's isa-debug-exit: the status of the process is twice the value and one, so never 0. */
static void debug_exit(struct machine *machine, uint32_t value)
{
    machine_end(machine, (int)(((value << 1) | 1) & 0xff), "the debug exit port was written: 0x%x",
                (unsigned)value);
    machine->exit_by_port = machine->status != 0;
}

static bool is_serial(uint16_t port)
{
    return (port >= UART_PORT && port < UART_PORT + 8) ||
           (port >= UART_PORT_2 && port < UART_PORT_2 + 8);
}

static struct uart *uart_at(struct core *core, uint16_t port)
{
    return port >= UART_PORT ? &core->machine->uart : &core->machine->uart_2;
}

static void serial_line(struct core *core, uint16_t port, bool before)
{
    bool asks = uart_asks(uart_at(core, port));

    if (asks == before)
        return;
    irq_set(core->machine, port >= UART_PORT ? IRQ_COM1 : IRQ_COM2, asks, core_now(core));
    irq_changed(core);
}

static uint8_t serial_read(struct core *core, uint16_t port)
{
    struct uart *uart = uart_at(core, port);
    bool before = uart_asks(uart);
    uint8_t value = uart_read(uart, port & 7u);

    serial_line(core, port, before);
    return value;
}

static void serial_write(struct core *core, uint16_t port, uint8_t value)
{
    struct uart *uart = uart_at(core, port);
    bool before = uart_asks(uart);

    uart_write(uart, port & 7u, value);
    serial_line(core, port, before);
}

static uint8_t controller_read(struct core *core, uint16_t port)
{
    uint8_t value;

    irq_catch_up(core);
    value = pic_read(&core->machine->pic, port);
    irq_changed(core);
    return value;
}

static uint8_t read_byte(struct core *core, uint16_t port)
{
    struct machine *machine = core->machine;

    if (is_serial(port))
        return serial_read(core, port);
    if (pic_has_port(port))
        return controller_read(core, port);
    switch (port) {
    case PORT_PIT_CHANNEL_0:
    case PORT_PIT_CHANNEL_2:
        return pit_read(core, port);
    case PORT_CLOCK_INDEX:
    case PORT_CLOCK_DATA:
        return rtc_read(core, port);
    case PORT_SYSTEM_B:
        return (uint8_t)((machine->port61 & 3) |
                         (count(core, REFRESH_HZ) & 1 ? SYSTEM_B_REFRESH : 0) |
                         (pit_output(core) ? SYSTEM_B_OUT : 0));
    case PORT_RESET_REGISTER:
        return machine->reset_control;
    default:
        return 0xff;
    }
}

static void write_byte(struct core *core, uint16_t port, uint8_t value)
{
    struct machine *machine = core->machine;

    if (is_serial(port)) {
        serial_write(core, port, value);
        return;
    }
    if (pic_has_port(port)) {
        irq_catch_up(core);
        pic_write(&machine->pic, port, value);
        irq_changed(core);
        return;
    }
    switch (port) {
    case PORT_PIT_CHANNEL_0:
    case PORT_PIT_CHANNEL_2:
    case PORT_PIT_CONTROL:
        pit_write(core, port, value);
        break;
    case PORT_CLOCK_INDEX:
    case PORT_CLOCK_DATA:
        rtc_write(core, port, value);
        break;
    case PORT_SYSTEM_B:
        pit_gate(core, value & SYSTEM_B_GATE);
        machine->port61 = value & 3;
        break;
    case PORT_RESET_REGISTER:
        machine->reset_control = value & (uint8_t)~RESET_CPU;
        if (value & RESET_CPU)
            machine_end(machine, 0, "reset by the reset control register");
        break;
    default:
        break;
    }
}

uint32_t port_read(struct core *core, uint16_t port, unsigned size)
{
    uint32_t value = 0;

    if (pm_has_port(port))
        return pm_read(core, port, size);
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)read_byte(core, (uint16_t)(port + i)) << 8 * i;
    return value;
}

void port_write(struct core *core, uint16_t port, unsigned size, uint32_t value)
{
    if (port == PORT_DEBUG_EXIT) {
        debug_exit(core->machine, value);
        core_attend(core, ATTENTION_YIELD);
        return;
    }
    if (pm_has_port(port)) {
        pm_write(core, port, size, value);
        return;
    }
    for (unsigned i = 0; i < size; i++)
        write_byte(core, (uint16_t)(port + i), (uint8_t)(value >> 8 * i));
    if (core->machine->ended)
        core_attend(core, ATTENTION_YIELD);
}
