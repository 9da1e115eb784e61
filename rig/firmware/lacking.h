/* What an image asks the firmware for in vain: services that the firmware lacks, and protocols that
 * no handle has. They are kept for the end of the run. */
#ifndef RIG_FIRMWARE_LACKING_H
#define RIG_FIRMWARE_LACKING_H

#include <efi.h>
#include <stdint.h>
#include <stdio.h>

#include "service.h"

/* Gives EFI_UNSUPPORTED, the answer of a service that the firmware lacks. */
uint64_t lacking_service(struct call *call, enum service service);
/* `service` looks for a protocol that no handle has. */
void lacking_protocol(struct call *call, enum service service, const EFI_GUID *protocol);
/* A line each. */
void lacking_write(const struct firmware *firmware, FILE *out);

#endif
