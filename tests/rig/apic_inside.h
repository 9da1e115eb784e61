/* Between apic.c (registers) and apic_ipi.c (what is sent to other processors). */
#ifndef RIG_APIC_INSIDE_H
#define RIG_APIC_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct apic;
struct core;

enum delivery {
    DELIVER_FIXED,
    DELIVER_LOWEST,
    DELIVER_SMI,
    DELIVER_RESERVED,
    DELIVER_NMI,
    DELIVER_INIT,
    DELIVER_SIPI
};

bool apic_is_x2(const struct apic *apic);
/* An interrupt with this vector asks for service on this core. */
void apic_request(struct core *core, unsigned vector);
/* The interrupt command register was written: value is the whole register. */
void apic_send(struct core *core, uint64_t value);

#endif
