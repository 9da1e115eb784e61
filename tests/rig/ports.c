/* I/O ports: COM1, the ACPI power management block, the reset register, and the timer channel that
 * calibration loops use. A port where nothing is reads ones. */
#include "machine.h"
#include "ports.h"

#define PORT_PIT_CHANNEL_2 0x42u
#define PORT_PIT_CONTROL   0x43u
#define PORT_SYSTEM_B      0x61u
#define PIT_HZ             1193182u
#define PM_TIMER_HZ        3579545u
#define REFRESH_HZ         66288u /* bit 4 of port 61h toggles at this rate */
#define SYSTEM_B_GATE      0x01u
#define SYSTEM_B_REFRESH   0x10u
#define SYSTEM_B_OUT       0x20u
#define SLEEP_ENABLE       0x2000u
#define RESET_CPU          0x04u

static uint64_t count(struct core *core, uint64_t hz)
{
    return machine_count_of(core->machine, core_ticks(core), hz);
}

static uint64_t pit_elapsed(struct core *core)
{
    return core->machine->port61 & SYSTEM_B_GATE ? count(core, PIT_HZ) - core->machine->pit_start
                                                 : 0;
}

static uint32_t pit_period(const struct machine *machine)
{
    return machine->pit_reload ? machine->pit_reload : 0x10000;
}

static bool pit_output(struct core *core)
{
    unsigned mode = core->machine->pit_control >> 1 & 7;
    uint64_t elapsed = pit_elapsed(core);
    uint32_t period = pit_period(core->machine);

    if (mode == 0 || mode == 1)
        return elapsed >= period;
    return elapsed % period < (period + 1) / 2;
}

static uint8_t pit_read(struct core *core)
{
    struct machine *machine = core->machine;
    uint32_t now = (uint32_t)(pit_period(machine) - pit_elapsed(core) % (uint64_t)0x10000);

    machine->pit_phase ^= 1;
    return (uint8_t)(machine->pit_phase ? now : now >> 8);
}

static void pit_write(struct core *core, uint8_t value)
{
    struct machine *machine = core->machine;
    unsigned access = machine->pit_control >> 4 & 3;
    bool high = access == 2 || (access == 3 && machine->pit_phase);

    machine->pit_reload = (uint16_t)(high ? (machine->pit_reload & 0xff) | value << 8
                                          : (machine->pit_reload & 0xff00) | value);
    if (access == 3)
        machine->pit_phase ^= 1;
    if (high || access == 1)
        machine->pit_start = count(core, PIT_HZ);
}

static uint8_t read_byte(struct core *core, uint16_t port)
{
    struct machine *machine = core->machine;

    if (port >= UART_PORT && port < UART_PORT + 8)
        return uart_read(&machine->uart, port - UART_PORT);
    switch (port) {
    case PORT_PIT_CHANNEL_2:
        return pit_read(core);
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
    switch (port) {
    case PORT_PIT_CHANNEL_2:
        pit_write(core, value);
        break;
    case PORT_PIT_CONTROL:
        if (value >> 6 == 2 && value & 0x30) {
            machine->pit_control = value;
            machine->pit_phase = 0;
        }
        break;
    case PORT_SYSTEM_B:
        if (value & ~machine->port61 & SYSTEM_B_GATE)
            machine->pit_start = count(core, PIT_HZ);
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
