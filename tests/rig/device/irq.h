/* Interrupt lines between the devices, the two 8259A and the I/O APIC, and the moments at which
 * devices drive them.
 *
 * A device's event happens when the clock of the core that is furthest behind reaches it, so it is
 * part of the machine's time like a local timer's. As long as nobody listens to a line its events
 * are not played one by one: what they would have left behind is made up when somebody looks. */
#ifndef RIG_IRQ_H
#define RIG_IRQ_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;

/* ISA interrupts, and pins of the I/O APIC that only the HPET uses. */
enum irq_line {
    IRQ_TIMER = 0,
    IRQ_COM2 = 3,
    IRQ_COM1 = 4,
    IRQ_CLOCK = 8,
    IRQ_SCI = 9,
    IRQ_ISA_LINES = 16
};

#define PIN_OF_TIMER 2u /* the MADT says so */
#define PIN_OF_PIC   0u

/* ISA line or, from 16 on, I/O APIC pin: asked for or not from core cycle `now` on. */
void irq_set(struct machine *machine, unsigned line, bool asks, uint64_t now);
/* An event on an edge-triggered line: it falls, if it stood, and rises. */
void irq_pulse(struct machine *machine, unsigned line, uint64_t now);
/* Whether some controller would pass an event on that line on. */
bool irq_is_observed(const struct machine *machine, unsigned line);
/* The core cycle of the next event that is observed, NEVER when there is none. */
uint64_t irq_due(struct machine *machine);
/* Everything that is due at core cycle `now` happens. */
void irq_turn(struct machine *machine, uint64_t now);
/* Before a core looks at a device or controller, and after it has changed one. */
void irq_catch_up(struct core *core);
void irq_changed(struct core *core);
/* The INTR pin as this core sees it, and the acknowledgement. */
bool irq_external(const struct core *core);
unsigned irq_acknowledge(struct core *core);
/* Some sleeping core could be woken by a device. */
bool irq_may_wake(struct machine *machine);

#endif
