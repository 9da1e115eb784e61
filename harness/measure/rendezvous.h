/* Where two cores wait for each other: the measured one, and the corunner's. Every wait has a
 * deadline. */
#ifndef HARNESS_MEASURE_RENDEZVOUS_H
#define HARNESS_MEASURE_RENDEZVOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/clock.h"

/* How long the measured core waits for the corunner to begin, and the corunner for the measured
 * core to have prepared the arena. */
#define RENDEZVOUS_US 5000000

struct rendezvous {
    uint32_t prepared; /* the arena is laid out: the corunner may begin */
    uint32_t begun;    /* the corunner has finished its first round */
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

/* False: the deadline passed first. */
static inline bool rendezvous_wait(const uint32_t *flag, uint64_t microseconds)
{
    struct deadline deadline = clock_deadline(microseconds);

    while (!rendezvous_signalled(flag)) {
        if (clock_passed(&deadline))
            return false;
        __builtin_ia32_pause();
    }
    return true;
}

#endif
