/* The firmware's own hold on the other processors, with --mp-services: EFI_MP_SERVICES_PROTOCOL.
 * They stay where a start-up message finds them; the rig only knows how the firmware would wake
 * them. */
#ifndef RIG_FIRMWARE_MP_SERVICES_H
#define RIG_FIRMWARE_MP_SERVICES_H

#include <stdbool.h>

struct firmware;

/* Puts the protocol on a handle. False: no room. */
bool mp_services_build(struct firmware *firmware);
/* The first image has returned. Ends the run where the firmware would wait for a processor for
 * ever: it wakes them by memory, and an INIT took one out of the loop that looks there. */
void mp_services_look(struct firmware *firmware);

#endif
