/* Two cores at one kernel: the one that is measured, and another that keeps it company until the
 * measurement is over. All waits have a deadline. */
#ifndef HARNESS_RENDEZVOUS_H
#define HARNESS_RENDEZVOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/clock.h"

/* How long the measured core waits for the other to begin, and the other for the measured one to
 * have prepared the arena. */
#define RENDEZVOUS_US 5000000

struct rendezvous {
    uint32_t prepared; /* the arena is laid out: the company may begin */
    uint32_t begun;    /* the company has gone through its first round */
    uint32_t over;     /* the measurement ended, well or not */
};

static inline void rendezvous_signal(uint32_t *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static inline bool rendezvous_signalled(const uint32_t *flag)
{
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

/* False when the deadline passed first. */
static inline bool rendezvous_wait(const uint32_t *flag, uint64_t microseconds)
{
    const uint64_t deadline = clock_deadline(microseconds);

    while (!rendezvous_signalled(flag)) {
        if (clock_passed(deadline))
            return false;
        __builtin_ia32_pause();
    }
    return true;
}

#endif
