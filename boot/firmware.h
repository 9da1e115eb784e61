/* The firmware as boot/ sees it. Every call of a service or protocol stands between
 * firmware_enter and firmware_leave. */
#ifndef BOOT_FIRMWARE_H
#define BOOT_FIRMWARE_H

#include <efi.h>
#include <stdbool.h>

#include "rc.h"

struct firmware {
    EFI_HANDLE image;
    EFI_SYSTEM_TABLE *table;
    EFI_BOOT_SERVICES *boot; /* null after ExitBootServices */
    EFI_RUNTIME_SERVICES *runtime;
    EFI_LOADED_IMAGE *loaded; /* null when the firmware does not tell */
};

void firmware_start(void *image, void *system_table);
const struct firmware *firmware(void);

/* Puts back the firmware's GDT, IDT, segments, page tables, CR4 and interrupt flag, and takes
 * ours again. Boot processor only. The calls nest; before firmware_own and after
 * firmware_release they do nothing. */
void firmware_enter(void);
void firmware_leave(void);

/* Takes the processor: from here on our context, interrupts off, is what runs outside
 * firmware_enter .. firmware_leave. */
void firmware_own(void);
/* Gives it back for good. */
void firmware_release(void);

/* An ACPI table of the firmware's configuration tables: the RSDP, or null. */
const void *firmware_rsdp(void);
/* ExitBootServices. RC_FIRMWARE: refused; boot services may then be half gone, but are still
 * called alive. */
enum rc firmware_exit_boot_services(void);
/* Ends the image through the Exit service; returns when there is none. */
void firmware_exit(void);
/* Waits, by the firmware's Stall while there is one. */
void firmware_wait(uint64_t microseconds);

#endif
