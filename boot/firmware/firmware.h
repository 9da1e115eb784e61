/* The calls into the firmware. Each call of a service or protocol is made between firmware_enter
 * and firmware_leave. */
#ifndef BOOT_FIRMWARE_FIRMWARE_H
#define BOOT_FIRMWARE_FIRMWARE_H

#include <efi.h>
#include <stdbool.h>

#include "boot/rc.h"
#include "boot/context/context.h"

struct firmware {
    EFI_HANDLE image;
    EFI_SYSTEM_TABLE *table;
    EFI_BOOT_SERVICES *boot; /* null after ExitBootServices */
    EFI_RUNTIME_SERVICES *runtime;
    EFI_LOADED_IMAGE *loaded; /* null when the image's handle has no such protocol */
};

/* Takes efi_main's arguments and switches the firmware's watchdog timer off. */
void firmware_start(void *image, void *system_table);
const struct firmware *firmware(void);

/* firmware_enter loads the firmware's context (GDT, IDT, segments, page tables, CR4, XCR0) and
 * interrupt flag; firmware_leave loads this program's again, interrupts off. Before firmware_own
 * and after firmware_release they only switch the firmware's control-flow enforcement (cet.asm).
 * Boot processor only. The calls nest; a function that calls one of them also calls the other. */
void firmware_enter(void);
void firmware_leave(void);

/* Takes the processor over: from here on *own is the context outside firmware_enter ..
 * firmware_leave, with interrupts off. */
void firmware_own(const struct context *own);
/* Gives the processor back to the firmware for good. */
void firmware_release(void);

/* The ACPI root pointer (RSDP) from the firmware's configuration tables, or null. */
const void *firmware_rsdp(void);
/* The entry point of the SMBIOS tables, the 64-bit one where there is one; null: none. */
const void *firmware_smbios(void);
/* Calls ExitBootServices once, with the key of the memory map that was read last. RC_FIRMWARE: the
 * firmware refused, for a stale key or another reason; boot services are still called, though the
 * firmware may have shut some of them down. */
enum rc firmware_exit_boot_services(UINTN key);
/* Ends the image through the Exit service. Returns only when boot services are gone or Exit
 * fails. */
void firmware_exit(void);
/* Waits that long: by the firmware's Stall, or by the TSC when boot services are gone. */
void firmware_wait(uint64_t microseconds);

#endif
