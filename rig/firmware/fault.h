/* Faults on demand in the firmware: calls that can fail do, writes to the stick fail or are
 * lost, memory is spoilt. */
#ifndef RIG_FIRMWARE_FAULT_H
#define RIG_FIRMWARE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "service.h"

/* Whether calls of the service can fail. */
bool fault_can(enum service service);
/* Counts the call. The status with which it fails, EFI_SUCCESS when it does not. */
uint64_t fault_of_call(struct firmware *firmware, const struct core *core, enum service service);
/* A call has ended: spoils a bit of the firmware's memory if that is asked for behind this call. */
void fault_spoil(struct firmware *firmware, const struct core *core);
/* The bytes for which a stick with STICK_LIMITED still has room. */
uint64_t fault_room(const struct firmware *firmware);
/* A file grows or shrinks, or a file of so many bytes is deleted: takes or gives its blocks. False:
 * it may not be so large, or there is no room, and nothing is taken. */
bool fault_resizes(struct firmware *firmware, uint64_t from, uint64_t to);
/* Counts a write of a file. The status with which it fails, EFI_SUCCESS when it does not; `taken`
 * has how many of its bytes come to the stick then. */
uint64_t fault_of_write(struct firmware *firmware, const struct core *core, uint64_t bytes,
                        uint64_t *taken);

#endif
