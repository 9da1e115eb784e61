/* The UEFI firmware of the virtual machine: boot and runtime services as host functions behind
 * guest entry points. */
#ifndef RIG_FIRMWARE_H
#define RIG_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct core;
struct machine;
struct firmware;

struct firmware_options {
    const char *esp;       /* host folder */
    const char *arguments; /* load options, may be NULL */
    const char *keys;      /* pressed in turn, each as soon as it is asked for; may be NULL */
    FILE *text;            /* console text goes there as UTF-8; may be NULL */
};

/* Builds the tables, loads \EFI\BOOT\BOOTX64.EFI and points the boot processor at it. False with a
 * line in `why` when there is no image or it is not one this machine can run. */
bool firmware_new(struct machine *machine, const struct firmware_options *options, char *why,
                  size_t why_size);
void firmware_free(struct firmware *firmware);
/* The address is a firmware entry point, not code. */
bool firmware_owns(const struct firmware *firmware, uint64_t address);
/* core->rip is an entry point: do what it does and go back to the caller. */
void firmware_call(struct core *core);
/* The core cycle at which a timer's notification function interrupts the program on this core,
 * NEVER when none can now. */
uint64_t firmware_tick_due(struct core *core);
/* Enters the function that is due, between two instructions; false when there is none. */
bool firmware_tick(struct core *core);
/* The time of day as an EFI_TIME. */
void time_of_day(struct core *core, uint8_t efi_time[16]);
/* The watchdog ran out; `ticks` is the boot processor's time. */
bool firmware_watchdog(const struct firmware *firmware, uint64_t ticks);

#endif
