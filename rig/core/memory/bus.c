/* Booking the way to memory, interval by interval. */
#include "bus.h"

#include <stdbool.h>
#include <string.h>

void bus_init(struct bus *bus, uint32_t interval)
{
    memset(bus, 0, sizeof(*bus));
    bus->interval = interval;
    bus->mhz = bus->first_mhz = 1;
}

/* Of a cycle before the clock last changed: the interval that was under way then. */
static uint64_t number_at(const struct bus *bus, uint64_t cycle)
{
    if (cycle < bus->since)
        return bus->since_number;
    return bus->since_number +
           (cycle - bus->since) * bus->first_mhz / ((uint64_t)bus->interval * bus->mhz);
}

/* The first cycle that lies wholly in the interval. */
static uint64_t begin_of(const struct bus *bus, uint64_t number)
{
    const uint64_t spans = (number - bus->since_number) * bus->interval * bus->mhz;

    return bus->since + (spans + bus->first_mhz - 1) / bus->first_mhz;
}

void bus_clock(struct bus *bus, unsigned mhz, unsigned first_mhz)
{
    if (bus->interval) {
        const uint64_t number = number_at(bus, bus->last);

        bus->since = begin_of(bus, number);
        bus->since_number = number;
    }
    bus->mhz = mhz;
    bus->first_mhz = first_mhz;
}

static bool is_taken(const struct bus *bus, uint64_t number)
{
    return bus->taken[number % BUS_INTERVALS] == number + 1;
}

/* An entry that is booked for a much later interval stays booked for it. */
static void take(struct bus *bus, uint64_t number)
{
    uint64_t *booked = &bus->taken[number % BUS_INTERVALS];

    if (*booked < number + 1)
        *booked = number + 1;
}

uint64_t bus_book(struct bus *bus, uint64_t cycle, unsigned sharers)
{
    uint64_t number, begin;

    if (cycle > bus->last)
        bus->last = cycle;
    if (!bus->interval)
        return cycle;
    number = number_at(bus, cycle);
    while (is_taken(bus, number))
        number++;
    for (unsigned i = 0; i < sharers; i++)
        take(bus, number + i);
    begin = begin_of(bus, number);
    return begin > cycle ? begin : cycle;
}
