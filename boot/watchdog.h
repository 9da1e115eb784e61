/* Who ends the boot processor's work when it does not come back: an application processor that has
 * nothing else to do. It sleeps until the deadline in one piece, so nothing of it stirs meanwhile.
 */
#ifndef BOOT_WATCHDOG_H
#define BOOT_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

struct watchdog {
    void (*work)(void *argument); /* of its own, before it sleeps; null: none */
    void *argument;
    uint64_t timeout_us; /* from when it begins */
    uint32_t ready;      /* it has begun: only its own work keeps it from sleeping now */
    uint32_t state;      /* enum guard_state, by both sides */
};

/* On the application processor; the argument is a struct watchdog, all zero but for the first
 * three. At the deadline the boot processor gets an NMI that ends its work as an unexpected trap
 * does. */
void watchdog_work(void *guard);
/* On the boot processor: waits until the guard has begun, a second at most. */
void watchdog_wait(const struct watchdog *guard);
/* On the boot processor, whose work is over. False: it was too late, and the NMI is on its way. The
 * guard's core is to be woken then. */
bool watchdog_release(struct watchdog *guard);

#endif
