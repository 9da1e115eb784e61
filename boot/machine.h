/* The machine as the harness sees it. Firmware types stay inside boot/. */
#ifndef BOOT_MACHINE_H
#define BOOT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rc.h"

/* Firmware hand-over: watchdog off, console, early serial, the folder the image came from.
 * Arguments are efi_main's. */
void machine_start(void *image, void *system_table);
/* The load options as ASCII words, "" when none. */
const char *machine_arguments(void);

/* What boot/ wants to be told by the configuration (the harness parses it; see README for the
 * keys). */
enum machine_end { END_POWEROFF, END_REBOOT, END_HALT, END_RETURN };
struct machine_options {
    bool serial;          /* false: `serial = none` */
    bool serial_port_set; /* a port was named */
    uint16_t serial_port;
    uint32_t baud; /* 0: as SPCR or the firmware set it up, else 115200 */
    bool screen;
    bool exclusive;       /* ExitBootServices before measuring */
    unsigned cores;       /* at most that many, 0: all */
    unsigned page_shift;  /* 12, 21 or 30: the pages of our identity map outside the arenas */
    const char *log_name; /* file in \slotscope\ on the stick, null: none */
    enum machine_end end;
};
/* ACPI, serial line, clock, own GDT/IDT/page tables, cores. Each part that fails is an `error`
 * record and the run goes on where it can. */
void machine_take(const struct machine_options *options);
/* True once ExitBootServices was called: no file can be written any more. */
bool machine_exclusive(void);

/* Reads `\slotscope\NAME` beside the image into memory from machine_alloc (a 0 byte is
 * appended). RC_ABSENT: no such file or no file system; RC_NO_SPACE: over `limit` bytes;
 * RC_FIRMWARE: unreadable. */
enum rc machine_read_file(const char *name, size_t limit, const char **data, size_t *size);
/* Calls `found` for each file of the folder `\slotscope\NAME` (e.g. "cpu"); RC_ABSENT when there
 * is none. */
enum rc machine_list_folder(const char *name, void (*found)(void *context, const char *file),
                            void *context);

/* Memory for good, 4096-aligned, zeroed; null when there is none. */
void *machine_alloc(size_t size);
/* Memory that kernels work on: executable and writable, mapped by pages of 4 KiB (shift 12) or 2
 * MiB (shift 21), aligned to 2 MiB. Null when there is none. Call before machine_take or after;
 * at most 8 arenas. */
void *machine_arena(size_t size, unsigned page_shift);

/* What is known about the machine for the `machine` record. */
struct machine_facts {
    char firmware_vendor[64];
    uint32_t firmware_revision, uefi_revision;
    char serial[48];       /* "COM1 0x3f8 115200", "none: no UART answers at 0x3f8" */
    char apic_mode[8];     /* "xapic", "x2apic" */
    uint64_t memory_bytes; /* conventional, at start */
    bool boot_services;    /* still alive */
    unsigned cores_found, cores_started;
};
const struct machine_facts *machine_facts(void);

/* Firmware state put back, APs parked, then poweroff/reboot/halt; or returns (END_RETURN) to
 * efi_main's caller. */
void machine_end(void);

#endif
