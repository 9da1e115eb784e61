/* The firmware's own hold on the other processors, its MP services. Firmware may wake them by a
 * word of memory that they look at; one that was started anew does not look there any more, and the
 * firmware would wait for it without an end. */
#ifndef BOOT_FIRMWARE_MP_SERVICES_H
#define BOOT_FIRMWARE_MP_SERVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"

/* Whether the firmware has MP services. Boot services must be alive. */
bool mp_services_there(void);
/* Has the firmware start those enabled processors anew of which `taken` says that they were taken
 * from it; they wait for a start-up message. RC_ABSENT: there are no MP services. RC_FIRMWARE: they
 * refuse a processor. */
enum rc mp_services_give_back(bool (*taken)(uint64_t apic_id));

#endif
