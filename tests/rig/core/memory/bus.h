/* The way to memory: one line in every `memory_interval` cycles, for all cores together.
 *
 * Every core books cycles of its own clock: the clocks of cores that take turns are never quite
 * equal, and a core must not wait for a transfer that another core booked in the future. The
 * bandwidth is shared by another rule: with n cores that used memory lately, each transfer of any
 * of them takes n intervals. */
#ifndef RIG_CORE_BUS_H
#define RIG_CORE_BUS_H

#include <stdint.h>

#define BUS_SLOTS 4096u /* intervals, a power of two; older ones are forgotten */

struct bus {
    uint32_t interval;         /* 0: no limit */
    uint64_t last;             /* cycle of the latest transfer */
    uint64_t taken[BUS_SLOTS]; /* number + 1 of the interval booked here */
};

void bus_init(struct bus *bus, uint32_t interval);
/* Books the transfer of one line for a core that wants it at `cycle`, which may be before cycles
 * booked already; `sharers`, at least 1, cores use memory. Gives the cycle in which the transfer
 * begins. */
uint64_t bus_book(struct bus *bus, uint64_t cycle, unsigned sharers);

#endif
