/* Messages to local APICs: which processors a message addresses, and what it does there. SDM 3A,
 * "Issuing Interprocessor Interrupts" and "Message Signalled Interrupts". */
#ifndef RIG_DEVICE_IPI_H
#define RIG_DEVICE_IPI_H

#include <stdbool.h>
#include <stdint.h>

#include "apic.h"

/* A message of an I/O APIC or a device. The destination is as in xAPIC mode. */
struct interrupt_message {
    enum delivery delivery;
    uint8_t vector, destination;
    bool logical, level;
};

/* Delivers at core cycle `now`; false when no processor has that destination. */
bool ipi_deliver(struct machine *machine, struct interrupt_message message, uint64_t now);
/* `command` was written to the interrupt command register of `sender`. */
void ipi_send(struct apic *sender, uint64_t command);

#endif
