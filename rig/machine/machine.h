/* The machine as a whole: construction, and whose turn it is. */
#ifndef RIG_MACHINE_MACHINE_H
#define RIG_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/devices.h"
#include "machine/engine/interrupt_way.h"
#include "pmu/host.h"

struct faults;
struct machine;
struct personality;

struct hardware {
    const struct personality *personality;
    unsigned cores, threads; /* physical cores, threads per core */
    unsigned sockets;        /* packages, with an equal part of the cores each */
    unsigned far_percent;    /* time to another package's memory, of the time to near memory */
    bool x2apic;             /* the firmware switches the local APICs to x2APIC mode */
    bool tsc_deadline;       /* the firmware uses a local APIC's timer in TSC-deadline mode */
    bool cet;                /* control-flow enforcement is announced */
    bool full;               /* no functional warming: all is simulated in full */
    enum interrupt_way interrupt;
    struct pmi_delay delay;
    bool at_length; /* no shortcuts of the core model (model_at_length) */
    unsigned memory_mib;
    unsigned seconds; /* of host time that the run may take */
    struct device_options devices;
    struct faults *faults; /* used during the run, and changed by it */
};

/* False, with a line in `why`, when the host lacks memory or cannot build that hardware.
 * Call machine_free in either case. */
bool machine_new(struct machine *machine, const struct hardware *hardware, char *why,
                 size_t why_size);
void machine_free(struct machine *machine);
/* Runs until something ends the run. machine->firmware must be set. */
void machine_run(struct machine *machine);

#endif
