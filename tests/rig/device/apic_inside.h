/* Between apic.c (registers) and apic_ipi.c (what is sent to other processors). */
#ifndef RIG_APIC_INSIDE_H
#define RIG_APIC_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct apic;
struct core;
struct machine;

enum delivery {
    DELIVER_FIXED,
    DELIVER_LOWEST,
    DELIVER_SMI,
    DELIVER_RESERVED,
    DELIVER_NMI,
    DELIVER_INIT,
    DELIVER_SIPI,
    DELIVER_EXTERNAL /* ExtINT: the 8259A names the vector */
};

bool apic_is_x2(const struct apic *apic);
/* What an I/O APIC sends: destinations are those of xAPIC mode. */
struct apic_message {
    enum delivery delivery;
    uint8_t vector, destination;
    bool logical, level;
};

/* An interrupt with this vector asks for service on this core. */
void apic_request(struct core *core, unsigned vector, bool level);
/* False when nobody is meant. */
bool apic_message(struct machine *machine, struct apic_message message, uint64_t now);
uint8_t apic_priority(const struct apic *apic);
/* The interrupt command register was written: value is the whole register. */
void apic_send(struct core *core, uint64_t value);

#endif
