/* The processors. Index 0 is the boot processor; indices follow the MADT's order. */
#ifndef BOOT_CORES_H
#define BOOT_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "rc.h"

#define CORES_MAX 256

struct core_place {
    uint32_t apic_id;
    bool online;     /* it came up; one that did not was named in an `error` record */
    const char *why; /* null when online, else "no answer after 100 ms", ... */
};

unsigned cores_count(void); /* found in the MADT (at least 1), after the `cores` option */
const struct core_place *cores_place(unsigned core);
unsigned cores_self(void); /* index of the core this runs on */

/* Runs work(argument) on that core, interrupts off, all other application processors halted, and
 * waits. RC_ABSENT: the core is not online. RC_TIMEOUT: it did not come back; RC_FAULT: it met
 * an unexpected trap, whose register dump was logged. After both it is taken offline and not
 * used again. The boot processor has no deadline, and a trap there ends the run (trap.h). */
enum rc cores_run(unsigned core, void (*work)(void *argument), void *argument, uint64_t timeout_us);
/* The same work on all online cores at once (each with arguments[core]), one deadline. */
enum rc cores_run_all(void (*work)(void *argument), void **arguments, uint64_t timeout_us);

#endif
