/* The ACPI power management block: event, control and timer registers. ACPI specification, "ACPI
 * Hardware Specification". The timer's carry is the only event; its line is the SCI. */
#ifndef RIG_PM_H
#define RIG_PM_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;

struct pm {
    uint16_t status, enable;
    uint64_t half; /* periods of 2^23 counts that have been looked at */
};

bool pm_has_port(uint16_t port);
uint32_t pm_read(struct core *core, uint16_t port, unsigned size);
void pm_write(struct core *core, uint16_t port, unsigned size, uint32_t value);
uint64_t pm_due(struct machine *machine); /* tick of the next event that is observed */
void pm_turn(struct machine *machine, uint64_t ticks, uint64_t now);

#endif
