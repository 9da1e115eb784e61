/* The way to memory: one line at a time in every `memory_interval` cycles, for all cores together.
 *
 * Every core books the cycles of its own clock, because the clocks of cores that take turns are
 * never quite equal and a core must not wait for what another one booked in its own future. The
 * share of a core is fair instead: with n cores that used memory lately, each transfer of one of
 * them takes n intervals. */
#ifndef RIG_MODEL_BUS_H
#define RIG_MODEL_BUS_H

#include <stdint.h>

#define BUS_SLOTS 4096u /* intervals, power of two; what lies further back is forgotten */

struct bus {
    uint32_t interval;         /* 0: no limit */
    uint64_t last;             /* cycle of the latest transfer */
    uint64_t taken[BUS_SLOTS]; /* number + 1 of the interval that was booked here */
};

void bus_init(struct bus *bus, uint32_t interval);
/* Books one line for a core that wants it at `cycle`, which may lie before what was booked already.
 * Gives the cycle in which the transfer begins. `sharers` is at least 1. */
uint64_t bus_book(struct bus *bus, uint64_t cycle, unsigned sharers);

#endif
