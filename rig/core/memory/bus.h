/* The way to memory: one line in every `memory_interval` cycles, for all cores together.
 *
 * Every core books transfers by its own clock and on its own bus. The clocks of cores that take
 * turns are never quite equal, and a core must not wait for a transfer that another core booked in
 * the future. So the bandwidth is divided by a rule: while n cores use memory, each transfer of any
 * of them takes n intervals. An interval is a time: in cycles of another clock it is another number
 * of them. */
#ifndef RIG_CORE_MEMORY_BUS_H
#define RIG_CORE_MEMORY_BUS_H

#include <stdint.h>

#define BUS_INTERVALS 4096u /* intervals, a power of two; older ones are forgotten */

struct bus {
    uint32_t interval;             /* cycles of the first clock; 0: no limit */
    unsigned mhz, first_mhz;       /* of the clock now, and at first */
    uint64_t since, since_number;  /* the interval that was under way when the clock last changed,
                                      and the cycle in which it began */
    uint64_t last;                 /* cycle of the latest transfer */
    uint64_t taken[BUS_INTERVALS]; /* number + 1 of the interval booked here */
};

void bus_init(struct bus *bus, uint32_t interval);
/* From the latest transfer on the core's clock has `mhz`; it had `first_mhz` at first. Both are not
 * 0. What is booked stays booked. */
void bus_clock(struct bus *bus, unsigned mhz, unsigned first_mhz);
/* Books the transfer of one line for a core that wants it at `cycle`, which may be before cycles
 * booked already; `sharers`, at least 1, cores use memory. Gives the cycle in which the transfer
 * begins. */
uint64_t bus_book(struct bus *bus, uint64_t cycle, unsigned sharers);

#endif
