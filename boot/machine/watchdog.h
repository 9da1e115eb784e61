/* The watchdog: an application processor that ends the boot processor's work at its deadline. It
 * sleeps until then without waking, so that it does not disturb what is measured. Its clock is the
 * timer of its local APIC: a TSC that is written, its own or the boot processor's, ends nothing. */
#ifndef BOOT_MACHINE_WATCHDOG_H
#define BOOT_MACHINE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

struct watchdog {
    void (*work)(void *argument); /* run before the watchdog sleeps; null: none */
    void *argument;
    uint64_t timeout_us; /* from when the watchdog begins */
    uint32_t apic_id;    /* of the boot processor */
    uint32_t ready;      /* it has begun: only `work` keeps it from sleeping now */
    uint32_t state;      /* enum watchdog_state; both processors write it */
};

/* Runs on the application processor; the argument is a struct watchdog, all zero except for its
 * first four members. At the deadline the boot processor gets an NMI that ends its work as an
 * unexpected trap does. */
void watchdog_work(void *watchdog);
/* Runs on the boot processor: waits until the watchdog has begun, at most so long. */
void watchdog_wait(const struct watchdog *watchdog, uint64_t microseconds);
/* Runs on the boot processor when its work is over; the caller then wakes the watchdog's core.
 * False: the deadline passed first, and the NMI is on its way. */
bool watchdog_release(struct watchdog *watchdog);

#endif
