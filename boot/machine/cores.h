/* The processors. Index 0 is the boot processor; indices follow the MADT's order. */
#ifndef BOOT_CORES_H
#define BOOT_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"
#include "core_place.h"

unsigned cores_count(void); /* found in the MADT (at least 1), after the `cores` option */
const struct core_place *cores_place(unsigned core);

/* Runs work(argument) on that core, interrupts off, all other application processors halted, and
 * waits. RC_ABSENT: the core is not online. RC_TIMEOUT: it did not come back; RC_FAULT: it met
 * an unexpected trap, whose register dump was logged. After both it is taken offline and not
 * used again. A trap on the boot processor ends the run (trap.h), and so does its deadline, which
 * the last other core watches over halted (guard.h); where there is none, nobody does. */
enum rc cores_run(unsigned core, void (*work)(void *argument), void *argument, uint64_t timeout_us);
/* Waits until no application processor works: after a trap on the boot processor, which could not
 * wait for what it had begun. One that does not come back is named and taken offline. */
void cores_settle(uint64_t timeout_us);
/* What an application processor does by itself after an unexpected trap ended its work, before it
 * halts for good: it cannot be given work any more. A trap in that is the end of it. */
void cores_set_aftermath(void (*aftermath)(void *context, unsigned core), void *context);
/* The same work on all online cores at once (each with arguments[core]), one deadline. */
enum rc cores_run_all(void (*work)(void *argument), void **arguments, uint64_t timeout_us);

#endif
