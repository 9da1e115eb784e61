/* The command line of the rig. */
#ifndef RIG_MACHINE_OPTIONS_H
#define RIG_MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "device/apic_left.h"
#include "device/serial_place.h"
#include "found.h"
#include "machine/engine/fault.h"
#include "machine/engine/interrupt_way.h"

struct personality;

#define STATUS_USAGE 2 /* of the process when the run could not begin */

struct options {
    const char *cpu, *cpuid, *esp;
    unsigned long cores, sockets, memory, seconds; /* cores; packages; MiB; seconds of host time */
    unsigned long remote; /* percent of the time to near memory; 0: as when not given */
    unsigned long pmi_cycles, pmi_spread;         /* core cycles; 0: the processor's own, none */
    unsigned long console_row_us, stick_flush_us; /* microseconds */
    unsigned lies;                                /* a set of enum acpi_lie */
    unsigned ideals;                              /* of enum ideal */
    enum interrupt_way interrupt;
    const char *apic, *mp_services;
    enum apic_left apic_left; /* what these say */
    enum mp_services mp;
    bool smt, x2apic, cet, low_used, special, full, at_length, text_mode_unset;
    const char *arguments, *keys, *keys_before;
    const char *truth, *profile, *processors, *trace, *screen, *serial_2,
        *fault_points; /* names of files, or NULL */
    unsigned trace_core;
    uint64_t trace_window, trace_last; /* the first and last window */
    struct faults faults;
    struct found found;
    const char *serial, *serial_table, *serial_state, *pci;
    struct serial_line line; /* what these and the two below say */
    bool serial_unwired, serial_paced;
    bool stats, list, lengthy, help;
    const struct personality *personality;
};

/* True when the run can begin. False when the process is to end with `*status`: 0 after --help and
 * --list, STATUS_USAGE after a line on standard error. */
bool options_read(struct options *options, int count, char **words, int *status);

#endif
