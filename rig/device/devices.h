/* All devices except the local APICs: their I/O ports and memory-mapped registers, and the moments
 * at which they drive interrupt lines.
 *
 * An event of a device happens when the clock of the core that is furthest behind reaches it.
 * Events on a line that no controller observes are not played one by one: what they would have left
 * behind is made up for when a core looks at the device. */
#ifndef RIG_DEVICE_DEVICES_H
#define RIG_DEVICE_DEVICES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "hpet.h"
#include "irq.h"
#include "lpss.h"
#include "pci.h"
#include "pit.h"
#include "pm.h"
#include "rtc.h"
#include "serial_place.h"
#include "uart.h"

struct core;
struct machine;

/* The reset control register: the FADT names the port and the value. */
#define PORT_RESET_REGISTER 0xcf9u
#define RESET_VALUE         0x06u

struct devices {
    struct irq irq;
    struct pit pit;
    struct hpet hpet;
    struct rtc rtc;
    struct pm pm;
    struct uart uart, uart_2; /* the first serial line, and COM2 unless that is the first */
    bool has_second;          /* COM2 is there, wired or not */
    struct pci pci;
    struct lpss lpss; /* around `uart`, when the first serial line is its */
    struct serial_line line;
    uint8_t port61, reset_control;
};

struct device_options {
    FILE *serial, *serial_2; /* for what is sent on the first line and on COM2; may be NULL */
    enum serial_fault serial_fault;
    struct serial_line line; /* the first serial line */
    struct points *points;   /* bytes for it are counted there, and some are to fail */
};

void devices_reset(struct devices *devices, struct machine *machine,
                   const struct device_options *options);

/* The run is over: what the serial lines send still leaves. */
void devices_end(struct devices *devices);
/* A line for each register of a serial line, and of its PCI function, that does not hold what the
 * firmware left. */
void devices_report(const struct devices *devices, FILE *out);

/* The core cycle of the next event on a line that is observed, NEVER when there is none. */
uint64_t devices_due(const struct devices *devices);
/* Plays every event that is due at core cycle `now`. */
void devices_turn(struct devices *devices, uint64_t now);
/* Whether an event could reach a core that takes no maskable interrupts at present. */
bool devices_may_break_in(const struct devices *devices);

/* Accesses by `core`: 1, 2 or 4 bytes of I/O ports; reads where no device is give ones. */
uint32_t port_read(struct devices *devices, struct core *core, uint16_t port, unsigned size);
void port_write(struct devices *devices, struct core *core, uint16_t port, unsigned size,
                uint32_t value);
/* The first line's registers in memory, from serial_base on. Each register answers accesses of
 * its own width at its own address, and no others. `core` may be NULL if the line is not paced. */
uint64_t devices_read_uart(struct devices *devices, struct core *core, uint64_t offset,
                           unsigned size);
void devices_write_uart(struct devices *devices, struct core *core, uint64_t offset, unsigned size,
                        uint64_t value);
/* The same for the registers from HPET_BASE and from IOAPIC_BASE on. */
uint64_t devices_read_hpet(struct devices *devices, struct core *core, uint64_t offset,
                           unsigned size);
void devices_write_hpet(struct devices *devices, struct core *core, uint64_t offset, unsigned size,
                        uint64_t value);
uint64_t devices_read_ioapic(const struct devices *devices, uint64_t offset);
void devices_write_ioapic(struct devices *devices, struct core *core, uint64_t offset,
                          uint64_t value);

#endif
