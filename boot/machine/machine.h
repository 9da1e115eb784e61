/* The machine as the harness sees it. Firmware types stay inside boot/. */
#ifndef BOOT_MACHINE_H
#define BOOT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/firmware/console.h"

/* Firmware hand-over: watchdog off, console, early serial, the folder the image came from.
 * Arguments are efi_main's. */
void machine_start(void *image, void *system_table);
/* The load options as ASCII words, "" when none. */
const char *machine_arguments(void);

/* What boot/ wants to be told by the configuration (the harness parses it; see README for the
 * keys). */
enum machine_end { END_POWEROFF, END_REBOOT, END_HALT, END_RETURN };
struct machine_options {
    struct console_options console;
    bool exclusive;      /* ExitBootServices before measuring */
    unsigned cores;      /* at most that many, 0: all */
    unsigned page_shift; /* 12, 21 or 30: the pages of our identity map outside the arenas */
    enum machine_end end;
};
/* ACPI, serial line, clock, own GDT/IDT/page tables, cores. Each part that fails is an `error`
 * record and the run goes on where it can. */
void machine_take(const struct machine_options *options);

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

/* Sets what logs the end of a run that an unexpected trap on the boot processor ends: last_words is
 * called once, after the trap's `error` record and before the plan. timed_out: the trap was the
 * watchdog's NMI at the deadline of cores_run. */
void machine_set_last_words(void (*last_words)(void *context, bool timed_out), void *context);

/* Firmware state put back, APs parked, then poweroff/reboot/halt; or returns (END_RETURN) to
 * efi_main's caller. */
void machine_end(void);

#endif
