/* Faults on demand in the firmware: one call that can fail does, and writes to the stick fail. */
#ifndef RIG_FIRMWARE_FAULT_H
#define RIG_FIRMWARE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "service.h"

/* Whether calls of the service can fail. */
bool fault_can(enum service service);
/* Counts the call. The status with which it fails, EFI_SUCCESS when it does not. */
uint64_t fault_of_call(struct firmware *firmware, const struct core *core, enum service service);
/* The bytes for which a stick with STICK_LIMITED still has room. */
uint64_t fault_room(const struct firmware *firmware);
/* The status with which this write of a file fails, EFI_SUCCESS when it does not. */
uint64_t fault_of_write(struct firmware *firmware, uint64_t bytes);

#endif
