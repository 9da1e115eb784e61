/* What every PC has: interrupt controllers, the interval timer, the VGA text screen, the keyboard
 * controller, and ways to end. */
#ifndef BIOS_PC_H
#define BIOS_PC_H

#include <stdbool.h>
#include <stdint.h>

#define PC_ROWS    25u
#define PC_COLUMNS 80u

/* Masks the legacy interrupts, finds the rate of the TSC, by the ACPI power management timer or
 * else by the interval timer, and hides the text cursor. `rsdp` may be null. */
void pc_start(const void *rsdp);
void pc_wait(uint64_t microseconds);
/* One cell of the text screen; attributes are those of VGA. */
void pc_put(unsigned row, unsigned column, char c, uint8_t attribute);
/* The next key that is pressed, as a scan code of set 1. False: none waits. */
bool pc_key(uint8_t *code);
/* Switch off by ACPI, and reset; they return when the board does neither. `rsdp` may be null. */
void pc_power_off(const void *rsdp);
void pc_reset(void);

#endif
