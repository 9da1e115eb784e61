#include "irq.h"

#include "apic_inside.h"
#include "machine/machine.h"
#include "pm.h"
#include "rtc.h"

static unsigned pin_of(unsigned line)
{
    return line == IRQ_TIMER ? PIN_OF_TIMER : line;
}

/* The INTR pin changed, or what it is connected to: LINT0 of every processor and pin 0 of the I/O
 * APIC. */
static void drive_intr(struct machine *machine, uint64_t now)
{
    bool asks = pic_asks(&machine->pic);

    if (asks == machine->intr)
        return;
    machine->intr = asks;
    ioapic_line(machine, PIN_OF_PIC, asks, now);
    for (unsigned i = 0; asks && i < machine->cores; i++)
        apic_lint0(&machine->core[i], now);
}

void irq_set(struct machine *machine, unsigned line, bool asks, uint64_t now)
{
    if (line < IRQ_ISA_LINES)
        pic_line(&machine->pic, line, asks);
    ioapic_line(machine, pin_of(line), asks, now);
    drive_intr(machine, now);
}

void irq_pulse(struct machine *machine, unsigned line, uint64_t now)
{
    irq_set(machine, line, false, now);
    irq_set(machine, line, true, now);
}

bool irq_is_observed(const struct machine *machine, unsigned line)
{
    const struct pic_chip *chip = &machine->pic.chip[line / 8 & 1];
    bool wanted = line < IRQ_ISA_LINES && !(chip->mask >> line % 8 & 1) && !chip->awaits;

    return wanted || ioapic_observed(&machine->ioapic) >> pin_of(line) & 1;
}

static bool nobody_subscribes(const struct machine *machine)
{
    return machine->pic.chip[0].mask == 0xff && machine->pic.chip[1].mask == 0xff &&
           ioapic_observed(&machine->ioapic) == 0 && !hpet_sends(machine);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t irq_due(struct machine *machine)
{
    uint64_t ticks;

    if (nobody_subscribes(machine))
        return NEVER;
    ticks =
        least(least(pit_due(machine), hpet_due(machine)), least(rtc_due(machine), pm_due(machine)));
    return ticks == NEVER ? NEVER : machine_cycles(machine, ticks);
}

void irq_turn(struct machine *machine, uint64_t now)
{
    uint64_t ticks = machine_ticks(machine, now);

    pit_turn(machine, ticks, now);
    hpet_turn(machine, ticks, now);
    rtc_turn(machine, ticks, now);
    pm_turn(machine, ticks, now);
}

void irq_catch_up(struct core *core)
{
    irq_turn(core->machine, core_now(core));
}

void irq_changed(struct core *core)
{
    drive_intr(core->machine, core_now(core));
    if (irq_due(core->machine) != NEVER)
        core_attend(core, ATTENTION_YIELD); /* the slice must end at the new event */
}

bool irq_external(const struct core *core)
{
    return core->external || (core->machine->intr && apic_passes_intr(&core->apic));
}

unsigned irq_acknowledge(struct core *core)
{
    unsigned vector = pic_acknowledge(&core->machine->pic);

    core->external = false;
    /* What still asks is a new edge of INTR. */
    core->machine->intr = false;
    ioapic_line(core->machine, PIN_OF_PIC, false, core_now(core));
    drive_intr(core->machine, core_now(core));
    return vector;
}

bool irq_may_wake(struct machine *machine)
{
    if (irq_due(machine) == NEVER)
        return false;
    for (unsigned i = 0; i < machine->cores; i++) {
        const struct core *core = &machine->core[i];

        if (core->state == CORE_MWAIT ||
            (core->state == CORE_HALTED && core_takes_interrupts(core)))
            return true;
    }
    return ioapic_has_nmi(&machine->ioapic) || hpet_sends(machine);
}
