/* Two cores at one kernel: the one that is measured, and another that keeps it company until the
 * measurement is over. All waits have a deadline. */
#ifndef HARNESS_MEETING_H
#define HARNESS_MEETING_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/clock.h"

/* How long the measured core waits for the other to begin, and the other for the measured one to
 * have prepared the arena. */
#define MEETING_US 5000000

struct meeting {
    uint32_t prepared; /* the arena is laid out: the company may begin */
    uint32_t begun;    /* the company has gone through its first round */
    uint32_t over;     /* the measurement ended, well or not */
};

static inline void meeting_tell(uint32_t *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static inline bool meeting_told(const uint32_t *flag)
{
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

/* False when the deadline passed first. */
static inline bool meeting_wait(const uint32_t *flag, uint64_t microseconds)
{
    const uint64_t deadline = clock_deadline(microseconds);

    while (!meeting_told(flag)) {
        if (clock_passed(deadline))
            return false;
        __builtin_ia32_pause();
    }
    return true;
}

#endif
