/* The UEFI firmware of the virtual machine: boot and runtime services as host functions behind
 * entry points in guest memory. */
#ifndef RIG_FIRMWARE_FIRMWARE_H
#define RIG_FIRMWARE_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "device/apic_left.h"
#include "device/serial_place.h"
#include "fault/point.h"
#include "stick.h"

struct core;
struct firmware;
struct machine;
struct text_screen;

struct firmware_options {
    const char *esp;         /* host folder */
    const char *arguments;   /* load options; may be NULL */
    const char *keys_before; /* in the queue when the image is started; may be NULL */
    const char *keys; /* pressed in turn, each as soon as the image asks, once it has found none;
                         may be NULL */
    bool text_mode_unset; /* the text console has no mode until SetMode */
    FILE *scrolled;       /* gets the rows that scroll off the console; may be NULL */
    uint64_t console_row_us, stick_flush_us; /* how long these take, as the image sees it */
    unsigned sockets;                        /* 0 and 1: one, and no tables of nodes */
    bool low_used;                           /* no page below 640 KiB is free */
    bool special;                            /* half of memory is special-purpose */
    bool full;             /* the machine estimates no time, which the firmware's revision says */
    enum apic_left apic;   /* of the boot processor */
    enum mp_services mp;   /* how the firmware wakes the others */
    bool cet;              /* the image is called with control-flow enforcement on */
    unsigned far_percent;  /* of the way to another package, for the SLIT */
    unsigned lies;         /* a set of enum acpi_lie: what the ACPI tables say wrongly */
    struct points *points; /* calls and writes are counted there, and some are to fail */
    enum stick_fault stick;
    uint64_t stick_room;     /* bytes, with STICK_LIMITED */
    uint64_t stick_largest;  /* bytes of a file; 0: as on a FAT32 */
    struct serial_line line; /* the first serial line, which a table may name */
};

/* Builds the tables in guest memory, loads \EFI\BOOT\BOOTX64.EFI and points the boot processor at
 * it. NULL, with a line in `why`, when there is no image or this machine cannot run it. */
struct firmware *firmware_new(struct machine *machine, const struct firmware_options *options,
                              char *why, size_t why_size);
/* The number of the service of that name, as "get_memory_map"; -1: there is none that can fail. */
int firmware_service(const char *name);
/* The calls so far of each service, by its number. */
const uint64_t *firmware_calls(const struct firmware *firmware);
/* A line of --fault-points for each service of which there were calls that can fail. */
void firmware_points(const struct firmware *firmware, FILE *out);
/* The console's text screen as it is now. */
const struct text_screen *firmware_screen(const struct firmware *firmware);
/* What the image asked for in vain, a line each: services that there are not, and protocols that
 * no handle had. */
void firmware_lacking(const struct firmware *firmware, FILE *out);
void firmware_free(struct firmware *firmware); /* may be NULL */
/* The addresses of the entry points, [*begin, *end). There is no code. */
void firmware_entries(const struct firmware *firmware, uint64_t *begin, uint64_t *end);
/* The core is at an entry point: does what the service there does, and returns to the caller. */
void firmware_call(struct firmware *firmware, struct core *core);
/* Whether the core's exceptions go to the firmware's handlers. */
bool firmware_has_interrupts(const struct firmware *firmware, const struct core *core);
/* The core cycle at which a timer's notification function interrupts the program on this core,
 * NEVER when none can. */
uint64_t firmware_tick_due(const struct firmware *firmware, const struct core *core);
/* The core cycle of the firmware's next timer interrupt after now, which ends a HLT of this core;
 * NEVER when the core would not take it. */
uint64_t firmware_next_tick(const struct firmware *firmware, const struct core *core);
/* Enters the notification function that is due, between two instructions; false when none is. */
bool firmware_tick(struct firmware *firmware, struct core *core);
/* The memory that a table calls registers of a serial line was written at the address: ends the run
 * while that memory is free. */
void firmware_line_written(const struct firmware *firmware, uint64_t address);
/* Whether the image has ended boot services. */
bool firmware_has_left(const struct firmware *firmware);
/* Whether the watchdog timer has run out at `ticks`, the boot processor's time. */
bool firmware_watchdog(const struct firmware *firmware, uint64_t ticks);

#endif
