/* Interrupt lines: from the devices to the two 8259A and the I/O APIC, and INTR from the first
 * 8259A to the LINT0 pin of every processor and to pin 0 of the I/O APIC. */
#ifndef RIG_DEVICE_IRQ_H
#define RIG_DEVICE_IRQ_H

#include <stdbool.h>
#include <stdint.h>

#include "ioapic.h"
#include "pic.h"

struct apic;
struct machine;

/* ISA interrupts; lines from 16 on are pins of the I/O APIC that only the HPET uses. */
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

struct irq {
    struct machine *machine;
    struct pic pic;
    struct ioapic ioapic;
    bool intr;            /* the level of the first 8259A's INTR pin */
    bool legacy_replaced; /* the HPET drives IRQ_TIMER and IRQ_CLOCK in place of PIT and RTC */
};

void irq_reset(struct irq *irq, struct machine *machine);
/* A line is asserted or not from core cycle `now` on. */
void irq_set(struct irq *irq, unsigned line, bool asserted, uint64_t now);
/* An event on an edge-triggered line: releases the line if it is asserted, then asserts it. */
void irq_pulse(struct irq *irq, unsigned line, uint64_t now);
/* Whether some controller would pass on an event on that line. */
bool irq_is_observed(const struct irq *irq, unsigned line);
/* Whether some controller would pass on an event on any line. */
bool irq_is_any_observed(const struct irq *irq);
/* After the registers of an 8259A were read or written: INTR may have changed. */
void irq_update(struct irq *irq, uint64_t now);
/* Whether this processor has an interrupt to take whose vector an 8259A names; and that vector,
 * with which the 8259A answers the processor's acknowledgement. */
bool irq_external(const struct apic *apic);
unsigned irq_acknowledge(struct apic *apic);

#endif
