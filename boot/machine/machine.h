/* Taking the machine over from the firmware, and giving it back. */
#ifndef BOOT_MACHINE_MACHINE_H
#define BOOT_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/firmware/console.h"
#include "boot/smbios_texts.h"

/* Begins with efi_main's arguments: the firmware's watchdog timer off, the log's lines kept for the
 * sinks, load options and the firmware's facts read. */
void machine_start(void *image, void *system_table);
/* Calls run(argument) on a stack with a guard (stacks.h), and gives all memory back to the firmware
 * when the function returns, which it does as machine_end does. Returns its result. After
 * machine_start. */
uint64_t machine_run(uint64_t (*run)(void *argument), void *argument);
/* The load options in ASCII; "" when there are none or other characters in them. */
const char *machine_arguments(void);

/* The part of the configuration that boot/ needs. The harness parses it; README.md explains the
 * keys. */
enum machine_end { END_POWEROFF, END_REBOOT, END_HALT, END_RETURN };
struct machine_options {
    struct console_options console;
    bool exclusive;      /* ExitBootServices before measuring */
    unsigned cores;      /* starts at most that many, 0: all */
    unsigned page_shift; /* 12, 21 or 30: log2 of the size of pages outside the arenas */
    bool ring_3;         /* kernels may run in ring 3, see ring_3.h */
    enum machine_end end;
};
/* Reads the ACPI tables, finds the clock's rate, starts the log's sinks and the local APIC, loads
 * own GDT, IDT and page tables, starts the cores. A part that fails is an `error` record, and the
 * run goes on without it where it can. */
void machine_take(const struct machine_options *options);

/* Facts for the `machine` record. */
struct machine_facts {
    char firmware_vendor[64];
    uint32_t firmware_revision, uefi_revision;
    struct smbios_texts smbios;
    char serial[64];       /* "COM1 0x3f8 115200", "none: no UART answers at 0x3f8" */
    char apic_mode[8];     /* "xapic", "x2apic" */
    bool memory_known;     /* the firmware gave a memory map */
    uint64_t memory_bytes; /* free memory (EfiConventionalMemory) at start */
    bool boot_services;    /* still alive */
    unsigned cores_found;  /* that the MADT names; 0: there is none that can be read */
    unsigned cores_started;
};
const struct machine_facts *machine_facts(void);

/* Sets what logs the end of a run that an unexpected trap on the boot processor ends: last_words is
 * called once, after the trap's `error` record and before the plan. timed_out: the trap was the
 * watchdog's NMI at the deadline of cores_run. */
void machine_set_last_words(void (*last_words)(void *context, bool timed_out), void *context);

/* Writes the last of the log, stops the other cores, gives the processor back to the firmware, then
 * powers off, reboots or halts; when no sink kept the log it halts in place of the first two. The
 * firmware is told whether the run did what it was for: EFI_SUCCESS, or EFI_ABORTED, also of a run
 * whose log nothing took, not even a line that may lead nowhere. Returns that status, and only with
 * END_RETURN and boot services alive, for efi_main to return it to the firmware. */
uint64_t machine_end(bool complete);

#endif
