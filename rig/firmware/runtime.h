/* What runtime services share with the rest of the firmware: the time, and configuration tables. */
#ifndef RIG_FIRMWARE_RUNTIME_H
#define RIG_FIRMWARE_RUNTIME_H

#include <efi.h>
#include <stdbool.h>
#include <stdint.h>

struct firmware;
struct machine;

EFI_TIME runtime_time(const struct machine *machine, uint64_t ticks);
/* Adds or replaces the table of that GUID; `table` 0 removes it. False when there is no room, or
 * nothing to remove. */
bool configuration_install(struct firmware *firmware, const EFI_GUID *guid, uint64_t table);

#endif
