/* All that the firmware keeps. Tokens, handles and other addresses are of guest memory. */
#ifndef RIG_FIRMWARE_STATE_H
#define RIG_FIRMWARE_STATE_H

#include <efi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "device/apic_left.h"
#include "device/serial_place.h"
#include "fault/point.h"
#include "memory_map.h"
#include "stick.h"
#include "text_screen.h"

struct guest_memory;
struct processor_state;

#define SERVICES_MOST       128 /* at least SERVICE_COUNT */
#define ACPI_PARTS          32
#define HANDLES             128
#define MP_PROCESSORS       512 /* as many as there can be */
#define PROTOCOLS           12
#define EVENTS              256
#define FILES_OPEN          256
#define VARIABLES           64
#define CONFIGURATIONS      32
#define NESTED              8 /* notification functions within notification functions */
#define IMAGES              16
#define PRESERVED           8 /* general registers that a call preserves */
#define FIRST_PRESERVED_XMM 6 /* to XMM15 */
#define PRESERVED_XMM       10
#define LACKS               64
#define NAME_LIMIT          512 /* characters of a path or variable name */

struct handle {
    uint64_t token; /* guest address that is the handle; 0 when unused */
    struct {
        EFI_GUID guid;
        uint64_t interface;
    } protocol[PROTOCOLS];
    unsigned protocols;
};

struct uefi_event {
    uint64_t token;
    uint32_t type;
    uint64_t level, notify, context;
    bool signalled, queued;
    uint64_t due;    /* the tick of its timer, NEVER when the timer is off */
    uint64_t period; /* in ticks, 0 of a timer that fires once */
};

struct open_file {
    uint64_t token; /* guest address of its EFI_FILE_PROTOCOL */
    int descriptor;
    bool directory, writable;
    uint64_t position;
    char path[NAME_LIMIT * 3]; /* from the root of the volume, host form, "" is the root */
};

struct variable {
    EFI_GUID vendor;
    uint16_t name[128];
    uint32_t attributes;
    uint8_t *data;
    uint64_t size;
};

/* An image that LoadImage loaded. */
struct image {
    uint64_t token, protocol; /* the handle, and its loaded-image protocol */
    uint64_t path, rest;      /* copies of the device path: all of it, and the part on the volume */
    uint64_t base, size, entry;
    unsigned subsystem;
    bool started;
    uint64_t caller; /* the handle of the image that started this one, 0 for the first one */
    /* These are of the call that entered the image or its unload function. */
    uint64_t stack, level, exit_size_place, exit_data_place;
    uint64_t general[PRESERVED];
    uint8_t xmm[PRESERVED_XMM][16];
};

/* What the image asks for in vain (lacking.h). */
struct lacks {
    unsigned count;
    uint64_t more; /* calls that found no room below */
    struct lack {
        int service;      /* enum service: the first that was called */
        bool of_protocol; /* for `protocol`; else the service itself is lacking */
        EFI_GUID protocol;
        uint64_t calls;
        uint64_t caller; /* where the first call returns to */
    } lack[LACKS];
};

struct firmware {
    struct machine *machine;
    struct guest_memory *memory;
    struct memory_map map;
    const char *esp;
    struct text_screen screen;
    uint64_t console_row_us, stick_flush_us;
    const char *keys, *keys_before; /* the keys not yet read */
    bool queue_emptied;             /* somebody found no key */
    bool text_mode_unset;
    uint64_t key_event;
    int root; /* the ESP folder */
    uint64_t stubs, idt, gdt, cr3, stack;
    uint64_t system, boot, runtime;
    uint64_t image_handle, device_handle, console_handle;
    uint64_t image_base, image_size, entry;
    uint64_t configuration; /* the guest's table array */
    uint64_t console_mode, graphics_info, file_template;
    unsigned configurations;
    bool left;         /* ExitBootServices has been called */
    bool ticks;        /* a timer with a notification function was made */
    uint64_t level;    /* the task priority level */
    uint64_t watchdog; /* the tick at which it runs out, NEVER when it is off */
    bool waiting;      /* the last service waits, and is entered again */
    uint64_t stalled;  /* the tick at which the present service that takes time ends, 0: none */
    uint64_t monotonic;
    struct handle handle[HANDLES];
    struct uefi_event event[EVENTS];
    struct open_file file[FILES_OPEN];
    struct variable variable[VARIABLES];
    struct image image[IMAGES];
    uint64_t running;   /* the handle of the image that runs, 0 for the first one */
    uint64_t unloading; /* the handle of the image whose unload function runs, or 0 */
    struct processor_state *interrupted[NESTED];
    uint64_t interrupted_rip[NESTED], interrupted_level[NESTED];
    unsigned nested;
    /* Faults on demand. */
    unsigned sockets, far_percent;
    unsigned lies; /* a set of enum acpi_lie */
    enum apic_left apic;
    struct {
        enum mp_services way;
        bool disabled[MP_PROCESSORS];
        unsigned inits[MP_PROCESSORS]; /* of each processor when the firmware got it back */
    } mp;
    bool cet;
    bool full;                     /* the machine estimates no time */
    bool low_used;                 /* all memory below 640 KiB is the firmware's: kept_memory.h */
    bool special;                  /* half of memory is special-purpose: likewise */
    uint64_t shadow;               /* the page of the shadow stack, 0 without cet */
    struct points *points;         /* calls that can fail, and writes, are counted there */
    uint64_t calls[SERVICES_MOST]; /* those of each service */
    struct {
        uint64_t place, bytes;
    } table[ACPI_PARTS]; /* all memory of the ACPI tables */
    unsigned tables;
    bool pulled;                  /* the stick is no longer there */
    struct fault_request *spoils; /* memory is to be spoilt when the call ends; or NULL */
    struct serial_line line;
    enum stick_fault stick;
    uint64_t stick_room;                  /* bytes that are free, with STICK_LIMITED */
    uint64_t stick_largest;               /* bytes that a file has at most; 0: as on a FAT32 */
    uint64_t stick_written, stick_writes; /* bytes, and calls */
    struct lacks lacks;
};

#endif
