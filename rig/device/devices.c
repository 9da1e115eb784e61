#include "devices.h"

#include "devices_inside.h"
#include "platform.h"

/* "LPC Interface Specification", Intel: an I/O cycle takes 13 clocks of the bus if the device does
 * not make it wait. A guess: so does an access to a UART that is in memory space. */
#define LPC_CYCLES 13u
#define LPC_HZ     33333333u

void devices_reset(struct devices *devices, struct machine *machine,
                   const struct device_options *options)
{
    struct irq *irq = &devices->irq;

    irq_reset(irq, machine);
    pit_reset(&devices->pit, irq);
    hpet_reset(&devices->hpet, irq);
    rtc_reset(&devices->rtc, irq);
    pm_reset(&devices->pm, irq);
    devices->line = options->line;
    uart_new(&devices->uart, options->serial, options->serial_fault,
             serial_clock(options->line.place), !options->line.unwired);
    devices->uart.paced = options->line.paced;
    devices->uart.points = options->points;
    if (options->line.table == TABLE_SPCR || options->line.table == TABLE_DBG2)
        uart_use(&devices->uart); /* the firmware writes to the line that its table names */
    uart_new(&devices->uart_2, options->serial_2, options->serial_fault, UART_PC_CLOCK,
             options->serial_2 != NULL);
    devices->uart_2.paced = options->line.paced;
    devices->has_second = options->serial_2 != NULL || options->line.place != SERIAL_NONE;
    pci_reset(&devices->pci, machine, &options->line, &devices->lpss, &devices->uart);
    if (serial_is_lpss(options->line.place))
        lpss_reset(&devices->lpss, &devices->uart, serial_clock(options->line.place));
    if (options->line.state == STATE_USED)
        lpss_use(&devices->lpss, &devices->uart);
    devices->port61 = devices->reset_control = 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t devices_due(const struct devices *devices)
{
    uint64_t ticks;

    if (!irq_is_any_observed(&devices->irq) && !hpet_sends(&devices->hpet))
        return NEVER;
    ticks = least(least(pit_due(&devices->pit), hpet_due(&devices->hpet)),
                  least(rtc_due(&devices->rtc), pm_due(&devices->pm)));
    return ticks == NEVER ? NEVER : machine_cycles(devices->irq.machine, ticks);
}

void devices_turn(struct devices *devices, uint64_t now)
{
    uint64_t ticks = machine_ticks(devices->irq.machine, now);

    pit_turn(&devices->pit, ticks, now);
    hpet_turn(&devices->hpet, ticks, now);
    rtc_turn(&devices->rtc, ticks, now);
    pm_turn(&devices->pm, ticks, now);
}

bool devices_may_break_in(const struct devices *devices)
{
    return ioapic_has_nmi(&devices->irq.ioapic) || hpet_sends(&devices->hpet);
}

void devices_catch_up(struct devices *devices, const struct core *core)
{
    devices_turn(devices, core_now(core));
}

void devices_turn_uart(struct devices *devices, struct core *core, struct uart *uart)
{
    struct machine *machine = devices->irq.machine;

    if (uart->points != NULL && uart->points->count > 0)
        uart->clock = core_ticks(core);
    if (!uart->paced)
        return;
    core_wait(core, machine_ticks_of(machine, LPC_CYCLES, LPC_HZ));
    uart_turn(uart, machine_count_of(machine, core_ticks(core), uart->clock_hz));
}

void devices_changed(struct devices *devices, struct core *core)
{
    irq_update(&devices->irq, core_now(core));
    if (devices_due(devices) != NEVER)
        core_end_slice(core);
}

uint64_t devices_read_hpet(struct devices *devices, struct core *core, uint64_t offset,
                           unsigned size)
{
    if (hpet_shows_events(offset))
        devices_catch_up(devices, core);
    return hpet_read(&devices->hpet, core, offset, size);
}

void devices_write_hpet(struct devices *devices, struct core *core, uint64_t offset, unsigned size,
                        uint64_t value)
{
    devices_catch_up(devices, core);
    hpet_write(&devices->hpet, core, offset, size, value);
    devices_changed(devices, core);
}

uint64_t devices_read_ioapic(const struct devices *devices, uint64_t offset)
{
    return ioapic_read(&devices->irq.ioapic, offset);
}

void devices_write_ioapic(struct devices *devices, struct core *core, uint64_t offset,
                          uint64_t value)
{
    devices_catch_up(devices, core);
    ioapic_write(&devices->irq.ioapic, offset, value, core_now(core));
    devices_changed(devices, core);
}

void devices_end(struct devices *devices)
{
    uart_end(&devices->uart);
    uart_end(&devices->uart_2);
}

void devices_report(const struct devices *devices, FILE *out)
{
    uart_report(&devices->uart, "the first serial line", out);
    uart_report(&devices->uart_2, "COM2", out);
    pci_report(&devices->pci, out);
    if (serial_is_lpss(devices->line.place))
        lpss_report(&devices->lpss, out);
}

/* The number of the register that such an access reaches, -1: none. */
static int uart_register(const struct devices *devices, uint64_t offset, unsigned size)
{
    const unsigned width = serial_width(devices->line.place);

    if (size != width || offset % width || offset / width > 7)
        return -1;
    return (int)(offset / width);
}

static bool uart_answers(const struct devices *devices)
{
    return serial_is_memory(devices->line.place) &&
           (!serial_is_pci(devices->line.place) || pci_decodes(&devices->pci));
}

uint64_t devices_read_uart(struct devices *devices, struct core *core, uint64_t offset,
                           unsigned size)
{
    const int number = uart_register(devices, offset, size);

    if (!uart_answers(devices))
        return UINT64_MAX;
    devices_turn_uart(devices, core, &devices->uart);
    if (serial_is_lpss(devices->line.place))
        return lpss_read(&devices->lpss, &devices->uart, offset, size);
    return number < 0 ? UINT64_MAX : uart_read(&devices->uart, (unsigned)number);
}

void devices_write_uart(struct devices *devices, struct core *core, uint64_t offset, unsigned size,
                        uint64_t value)
{
    const int number = uart_register(devices, offset, size);

    if (!uart_answers(devices))
        return;
    devices_turn_uart(devices, core, &devices->uart);
    if (serial_is_lpss(devices->line.place))
        lpss_write(&devices->lpss, &devices->uart, offset, size, value);
    else if (number >= 0)
        uart_write(&devices->uart, (unsigned)number, (uint8_t)value);
}
