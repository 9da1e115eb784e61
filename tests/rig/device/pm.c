#include "pm.h"

#include "irq.h"
#include "machine/machine.h"
#include "ports.h"

#define PM_TIMER_HZ     3579545u
#define HALF_PERIOD     0x800000u /* the status bit is set when bit 23 changes, either way */
#define STATUS_TIMER    1u
#define SLEEP_ENABLE    0x2000u
#define REGISTERS_BYTES 12u

static uint64_t count_at(const struct machine *machine, uint64_t ticks)
{
    return machine_count_of(machine, ticks, PM_TIMER_HZ);
}

bool pm_has_port(uint16_t port)
{
    return port >= PORT_PM_STATUS && port < PORT_PM_STATUS + REGISTERS_BYTES;
}

static void drive(struct machine *machine, uint64_t now)
{
    irq_set(machine, IRQ_SCI, machine->pm.status & machine->pm.enable, now);
}

uint64_t pm_due(struct machine *machine)
{
    if (!(machine->pm.enable & STATUS_TIMER) || machine->pm.status & STATUS_TIMER ||
        !irq_is_observed(machine, IRQ_SCI))
        return NEVER;
    return machine_ticks_of(machine, (machine->pm.half + 1) * HALF_PERIOD, PM_TIMER_HZ);
}

void pm_turn(struct machine *machine, uint64_t ticks, uint64_t now)
{
    uint64_t half = count_at(machine, ticks) / HALF_PERIOD;

    if (half <= machine->pm.half)
        return;
    machine->pm.half = half;
    machine->pm.status |= STATUS_TIMER;
    if (machine->pm.enable & STATUS_TIMER)
        drive(machine, now);
}

static uint32_t ones(unsigned size)
{
    return size == 4 ? UINT32_MAX : (1u << 8 * size) - 1;
}

uint32_t pm_read(struct core *core, uint16_t port, unsigned size)
{
    const struct pm *pm = &core->machine->pm;
    uint64_t timer = count_at(core->machine, core_ticks(core)) & PM_TIMER_MASK, all;

    if (port < PORT_PM_TIMER)
        irq_catch_up(core);
    all = pm->status | (uint64_t)pm->enable << 16 | (uint64_t)PM_CONTROL_SCI << 32;
    if (port >= PORT_PM_TIMER)
        return (uint32_t)(timer >> 8 * (port - PORT_PM_TIMER)) & ones(size);
    return (uint32_t)(all >> 8 * (port - PORT_PM_STATUS)) & ones(size);
}

static void write_byte(struct pm *pm, uint16_t port, uint8_t value)
{
    unsigned shift = 8 * (port & 1u);

    if ((port & ~1u) == PORT_PM_STATUS) /* ones clear */
        pm->status &= (uint16_t) ~(value << shift);
    else if ((port & ~1u) == PORT_PM_ENABLE)
        pm->enable = (uint16_t)(((pm->enable & ~(0xffu << shift)) | (unsigned)value << shift) &
                                STATUS_TIMER);
}

void pm_write(struct core *core, uint16_t port, unsigned size, uint32_t value)
{
    if (port == PORT_PM_CONTROL && size >= 2) {
        if (value & SLEEP_ENABLE && (value >> 10 & 7) == PM_SLEEP_TYPE_S5)
            machine_end(core->machine, 0, "powered off by ACPI");
        core_attend(core, ATTENTION_YIELD);
        return;
    }
    irq_catch_up(core);
    for (unsigned i = 0; i < size; i++)
        write_byte(&core->machine->pm, (uint16_t)(port + i), (uint8_t)(value >> 8 * i));
    drive(core->machine, core_now(core));
    irq_changed(core);
}
