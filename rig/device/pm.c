#include "pm.h"

#include "irq.h"
#include "platform.h"

#define PM_TIMER_HZ     3579545u
#define HALF_PERIOD     0x800000u /* the status bit is set when bit 23 changes, either way */
#define STATUS_TIMER    1u
#define SLEEP_ENABLE    0x2000u
#define REGISTERS_BYTES 12u

void pm_reset(struct pm *pm, struct irq *irq)
{
    *pm = (struct pm){.irq = irq};
}

static uint64_t count_at(const struct pm *pm, uint64_t ticks)
{
    return machine_count_of(pm->irq->machine, ticks, PM_TIMER_HZ);
}

bool pm_has_port(uint16_t port)
{
    return port >= PORT_PM_STATUS && port < PORT_PM_STATUS + REGISTERS_BYTES;
}

bool pm_shows_events(uint16_t port)
{
    return port < PORT_PM_TIMER;
}

static void drive(struct pm *pm, uint64_t now)
{
    irq_set(pm->irq, IRQ_SCI, pm->status & pm->enable, now);
}

uint64_t pm_due(const struct pm *pm)
{
    if (!(pm->enable & STATUS_TIMER) || pm->status & STATUS_TIMER ||
        !irq_is_observed(pm->irq, IRQ_SCI))
        return NEVER;
    return machine_ticks_of(pm->irq->machine, (pm->half + 1) * HALF_PERIOD, PM_TIMER_HZ);
}

void pm_turn(struct pm *pm, uint64_t ticks, uint64_t now)
{
    uint64_t half = count_at(pm, ticks) / HALF_PERIOD;

    if (half <= pm->half)
        return;
    pm->half = half;
    pm->status |= STATUS_TIMER;
    if (pm->enable & STATUS_TIMER)
        drive(pm, now);
}

static uint32_t ones(unsigned size)
{
    return size == 4 ? UINT32_MAX : (1u << 8 * size) - 1;
}

uint32_t pm_read(const struct pm *pm, const struct core *core, uint16_t port, unsigned size)
{
    uint64_t value;

    if (port >= PORT_PM_TIMER) {
        value = count_at(pm, core_ticks(core)) & PM_TIMER_MASK;
        return (uint32_t)(value >> 8 * (port - PORT_PM_TIMER)) & ones(size);
    }
    value = pm->status | (uint64_t)pm->enable << 16 | (uint64_t)PM_CONTROL_SCI << 32;
    return (uint32_t)(value >> 8 * (port - PORT_PM_STATUS)) & ones(size);
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

bool pm_powers_off(uint32_t value)
{
    return value & SLEEP_ENABLE && (value >> 10 & 7) == PM_SLEEP_TYPE_S5;
}

void pm_write(struct pm *pm, const struct core *core, uint16_t port, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++)
        write_byte(pm, (uint16_t)(port + i), (uint8_t)(value >> 8 * i));
    drive(pm, core_now(core));
}
