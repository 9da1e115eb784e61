#include "irq.h"

#include <stddef.h>

#include "apic.h"
#include "platform.h"

void irq_reset(struct irq *irq, struct machine *machine)
{
    *irq = (struct irq){.machine = machine, .ioapic.machine = machine};
    pic_reset(&irq->pic);
}

static unsigned pin_of(unsigned line)
{
    return line == IRQ_TIMER ? PIN_OF_TIMER : line;
}

void irq_update(struct irq *irq, uint64_t now)
{
    bool asserted = pic_asks(&irq->pic);
    struct apic *apic;

    if (asserted == irq->intr)
        return;
    irq->intr = asserted;
    ioapic_line(&irq->ioapic, PIN_OF_PIC, asserted, now);
    for (unsigned i = 0; asserted && (apic = machine_apic(irq->machine, i)) != NULL; i++)
        apic_lint0(apic, now);
}

void irq_set(struct irq *irq, unsigned line, bool asserted, uint64_t now)
{
    if (line < IRQ_ISA_LINES)
        pic_line(&irq->pic, line, asserted);
    ioapic_line(&irq->ioapic, pin_of(line), asserted, now);
    irq_update(irq, now);
}

void irq_pulse(struct irq *irq, unsigned line, uint64_t now)
{
    irq_set(irq, line, false, now);
    irq_set(irq, line, true, now);
}

bool irq_is_observed(const struct irq *irq, unsigned line)
{
    const struct pic_chip *chip = &irq->pic.chip[line / 8 & 1];
    bool unmasked = line < IRQ_ISA_LINES && !(chip->mask >> line % 8 & 1) && !chip->awaits;

    return unmasked || ioapic_observed(&irq->ioapic) >> pin_of(line) & 1;
}

bool irq_is_any_observed(const struct irq *irq)
{
    return irq->pic.chip[0].mask != 0xff || irq->pic.chip[1].mask != 0xff ||
           ioapic_observed(&irq->ioapic) != 0;
}

bool irq_external(const struct apic *apic)
{
    return apic->external || (apic->irq->intr && apic_passes_intr(apic));
}

unsigned irq_acknowledge(struct apic *apic)
{
    struct irq *irq = apic->irq;
    unsigned vector = pic_acknowledge(&irq->pic);

    apic->external = false;
    /* If the 8259As still have a request, it is a new edge of INTR. */
    irq->intr = false;
    ioapic_line(&irq->ioapic, PIN_OF_PIC, false, core_now(apic->core));
    irq_update(irq, core_now(apic->core));
    return vector;
}
