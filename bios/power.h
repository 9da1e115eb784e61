/* Switching a board off by its ACPI tables. The reading is pure; no AML is executed. */
#ifndef BIOS_POWER_H
#define BIOS_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct power {
    uint16_t control[2]; /* ports PM1a_CNT and PM1b_CNT; 0: there is none */
    uint16_t sleep[2];   /* SLP_TYP of S5 for each */
    uint16_t command;    /* port SMI_CMD; 0: none */
    uint8_t enable;      /* written there, it switches ACPI on */
};

/* From the fixed description table (FADT) and the DSDT, whole tables. ACPI specification, "Fixed
 * ACPI Description Table" and "\_Sx (System States)". False: S5 is not to be found there. */
bool power_read(struct power *power, const uint8_t *fadt, size_t fadt_size, const uint8_t *dsdt,
                size_t dsdt_size);

#endif
