/* The local APIC, in the mode the firmware left it in. Sources: SDM 3A, "Advanced Programmable
 * Interrupt Controller (APIC)". */
#ifndef BOOT_APIC_H
#define BOOT_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "rc.h"

/* Finds the mode of this (the boot) processor. RC_ABSENT: it has no local APIC, or one that is
 * switched off. */
enum rc apic_start(void);
bool apic_is_x2(void);
/* The id of the processor this runs on, from CPUID. */
uint32_t apic_own_id(void);
/* Brings an application processor's APIC into the boot processor's mode and enables it. */
void apic_enable_here(void);
void apic_end_of_interrupt(void);

/* To another processor. RC_TIMEOUT: the interrupt command was not accepted. RC_ABSENT: this mode
 * cannot reach that id. */
enum rc apic_send_init(uint32_t id);
enum rc apic_send_startup(uint32_t id, uint8_t page);
enum rc apic_send_fixed(uint32_t id, uint8_t vector);

#endif
