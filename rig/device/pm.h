/* The ACPI power management block: event, control and timer registers. ACPI specification, "ACPI
 * Hardware Specification". The only event is the timer's carry; its line is the SCI. */
#ifndef RIG_DEVICE_PM_H
#define RIG_DEVICE_PM_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct irq;

/* The ACPI tables name these ports. */
#define PORT_PM_STATUS   0x600u
#define PORT_PM_ENABLE   0x602u
#define PORT_PM_CONTROL  0x604u
#define PORT_PM_TIMER    0x608u
#define PM_TIMER_MASK    0xffffffu /* 24 bits: the FADT does not set TMR_VAL_EXT */
#define PM_CONTROL_SCI   1u        /* ACPI mode is on */
#define PM_SLEEP_TYPE_S5 5u

struct pm {
    struct irq *irq;
    uint16_t status, enable;
    uint64_t half; /* periods of 2^23 counts, as far as played */
};

void pm_reset(struct pm *pm, struct irq *irq);
bool pm_has_port(uint16_t port);
/* Whether a read of that port shows what events left behind. */
bool pm_shows_events(uint16_t port);
/* Whether this value, written to PORT_PM_CONTROL, powers the machine off. */
bool pm_powers_off(uint32_t value);
/* Accesses of 1, 2 or 4 bytes by `core`, whose clock says when. PORT_PM_CONTROL keeps nothing. */
uint32_t pm_read(const struct pm *pm, const struct core *core, uint16_t port, unsigned size);
void pm_write(struct pm *pm, const struct core *core, uint16_t port, unsigned size, uint32_t value);
/* The tick of the next carry, NEVER when none sets the SCI or no controller observes it. */
uint64_t pm_due(const struct pm *pm);
/* Plays what is due at that tick; `now` is the core cycle of the same time. */
void pm_turn(struct pm *pm, uint64_t ticks, uint64_t now);

#endif
