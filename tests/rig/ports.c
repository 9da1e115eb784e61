/* I/O ports: COM1 and COM2, the ACPI power management block, the reset register, the interval
 * timer, the clock, and the debug exit port. A port where nothing is reads ones. */
#include <string.h>

#include "firmware.h"
#include "machine.h"
#include "ports.h"

#define PORT_SYSTEM_B    0x61u
#define PORT_CLOCK_INDEX 0x70u
#define PORT_CLOCK_DATA  0x71u
#define PORT_DEBUG_EXIT  0xf4u
#define CLOCK_DIVIDER    0x26u
#define CLOCK_24_HOURS   0x02u
#define CLOCK_VALID      0x80u
#define PM_TIMER_HZ      3579545u
#define REFRESH_HZ       66288u /* bit 4 of port 61h toggles at this rate */
#define SYSTEM_B_GATE    0x01u
#define SYSTEM_B_REFRESH 0x10u
#define SYSTEM_B_OUT     0x20u
#define SLEEP_ENABLE     0x2000u
#define RESET_CPU        0x04u

static uint64_t count(struct core *core, uint64_t hz)
{
    return machine_count_of(core->machine, core_ticks(core), hz);
}

/* Two decimal digits in a byte. */
static uint8_t packed(unsigned value)
{
    return (uint8_t)(value / 10 % 10 << 4 | value % 10);
}

/* The clock of an MC146818: 24 hours, packed decimal, as PC firmware leaves it; never in an update.
 */
static uint8_t clock_read(struct core *core)
{
    uint8_t now[16];
    uint16_t year;

    time_of_day(core, now);
    memcpy(&year, now, sizeof year);
    switch (core->machine->clock_index) {
    case 0x00:
        return packed(now[6]);
    case 0x02:
        return packed(now[5]);
    case 0x04:
        return packed(now[4]);
    case 0x07:
        return packed(now[3]);
    case 0x08:
        return packed(now[2]);
    case 0x09:
        return packed(year % 100u);
    case 0x32:
        return packed(year / 100u);
    case 0x0a:
        return CLOCK_DIVIDER;
    case 0x0b:
        return CLOCK_24_HOURS;
    case 0x0d:
        return CLOCK_VALID;
    default:
        return 0;
    }
}

/* QEMU's isa-debug-exit: the status of the process is twice the value and one, so never 0. */
static void debug_exit(struct machine *machine, uint32_t value)
{
    machine_end(machine, (int)(((value << 1) | 1) & 0xff), "the debug exit port was written: 0x%x",
                (unsigned)value);
    machine->exit_by_port = machine->status != 0;
}

static uint8_t read_byte(struct core *core, uint16_t port)
{
    struct machine *machine = core->machine;

    if (port >= UART_PORT && port < UART_PORT + 8)
        return uart_read(&machine->uart, port - UART_PORT);
    if (port >= UART_PORT_2 && port < UART_PORT_2 + 8)
        return uart_read(&machine->uart_2, port - UART_PORT_2);
    switch (port) {
    case PORT_PIT_CHANNEL_0:
    case PORT_PIT_CHANNEL_2:
        return pit_read(core, port);
    case PORT_CLOCK_DATA:
        return clock_read(core);
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

    if (port >= UART_PORT && port < UART_PORT + 8) {
        uart_write(&machine->uart, port - UART_PORT, value);
        return;
    }
    if (port >= UART_PORT_2 && port < UART_PORT_2 + 8) {
        uart_write(&machine->uart_2, port - UART_PORT_2, value);
        return;
    }
    switch (port) {
    case PORT_PIT_CHANNEL_0:
    case PORT_PIT_CHANNEL_2:
    case PORT_PIT_CONTROL:
        pit_write(core, port, value);
        break;
    case PORT_CLOCK_INDEX:
        machine->clock_index = value & 0x7f;
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

static uint32_t ones(unsigned size)
{
    return size == 4 ? UINT32_MAX : (1u << 8 * size) - 1;
}

uint32_t port_read(struct core *core, uint16_t port, unsigned size)
{
    uint32_t value = 0;

    if (port == PORT_PM_TIMER && size == 4)
        return (uint32_t)count(core, PM_TIMER_HZ) & PM_TIMER_MASK;
    if (port == PORT_PM_STATUS || port == PORT_PM_ENABLE)
        return 0;
    if (port == PORT_PM_CONTROL)
        return PM_CONTROL_SCI & ones(size);
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
    if (port == PORT_PM_CONTROL && size >= 2) {
        if (value & SLEEP_ENABLE && (value >> 10 & 7) == PM_SLEEP_TYPE_S5)
            machine_end(core->machine, 0, "powered off by ACPI");
        core_attend(core, ATTENTION_YIELD);
        return;
    }
    for (unsigned i = 0; i < size; i++)
        write_byte(core, (uint16_t)(port + i), (uint8_t)(value >> 8 * i));
    if (core->machine->ended)
        core_attend(core, ATTENTION_YIELD);
}
