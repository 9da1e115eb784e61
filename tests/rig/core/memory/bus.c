/* Booking the way to memory, interval by interval. */
#include "bus.h"

#include <stdbool.h>
#include <string.h>

void bus_init(struct bus *bus, uint32_t interval)
{
    memset(bus, 0, sizeof(*bus));
    bus->interval = interval;
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
    number = cycle / bus->interval;
    while (is_taken(bus, number))
        number++;
    for (unsigned i = 0; i < sharers; i++)
        take(bus, number + i);
    begin = number * bus->interval;
    return begin > cycle ? begin : cycle;
}
