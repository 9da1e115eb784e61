/* Running work on the cores (logical processors). Core 0 is the boot processor; the others follow
 * in the MADT's order. */
#ifndef BOOT_MACHINE_CORES_H
#define BOOT_MACHINE_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"
#include "core_place.h"

/* The cores in the MADT, at least 1 and at most the `cores` option. */
unsigned cores_count(void);
/* Null: there is no such core. */
const struct core_place *cores_place(unsigned core);

/* Runs work(argument) on that core and waits for its end: interrupts off, all application
 * processors without work halted. RC_ABSENT: the core is not online. RC_TIMEOUT: the work did not
 * end in time. RC_FAULT: an unexpected trap ended it, and an `error` record has the registers.
 * After the last two the core is offline for good. On core 0 both a trap and a timeout end the run
 * (machine.h); its watchdog is the last other core, and without another core it has none. */
enum rc cores_run(unsigned core, void (*work)(void *argument), void *argument, uint64_t timeout_us);
/* Runs the same work on all online cores at once, on each with arguments[core], with one timeout.
 * Returns the last code that is not RC_OK. */
enum rc cores_run_all(void (*work)(void *argument), void **arguments, uint64_t timeout_us);
/* Waits until no application processor works any more: after a trap on the boot processor, which
 * has not waited for the work that it began. A core whose work does not end in time is taken
 * offline, with an `error` record. */
void cores_settle(uint64_t timeout_us);
/* Takes a core offline that can be given no more work, with an `error` record; not core 0. */
void cores_lose(unsigned core, const char *why);
/* Whether the boot processor could not halt in some wait for another core, which an `error` record
 * says. Its loop takes slots of its core's other thread. */
bool cores_wait_in_loop(void);
/* Names the work that is run from now on, for records of what came into it; null: none. */
void cores_name_work(const char *name);
/* As it was named last. */
const char *cores_work_name(void);
/* Logs the NMIs and interrupts that nobody asked for and that are not logged yet, of all cores.
 * What came into a core's work is logged when that is over; this is for the end of the run. */
void cores_tell_interrupts(void);
/* Sets what an application processor runs after an unexpected trap ended its work, before it halts
 * for good: it can be given no more work. A trap in the aftermath itself halts it at once. The boot
 * processor runs the aftermath, as core 0, before cores_settle waits for cores that work. */
void cores_set_aftermath(void (*aftermath)(void *context, unsigned core), void *context);

#endif
