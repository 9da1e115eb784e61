#include "pass_turn.h"

#include "boot/text.h"

/* The events that change places: which reading and which write of the setup belong to each. */
struct ring {
    unsigned count;
    unsigned reading[PLAN_COUNTERS], write[PLAN_COUNTERS];
};

/* Sets *write to the one that selects what the general counter counts. False: none does, as where
 * counters have other registers and where version 1 selects by the enabling write. */
static bool find_selector(const struct pass *pass, unsigned counter, unsigned *write)
{
    bool found = false;

    for (unsigned i = 0; i < pass->setup_count; i++) {
        if (!pass_selects(pass, counter, pass->setup[i].msr) || pass->setup[i].value == 0)
            continue;
        *write = i; /* the last one: before it there may be others, that prime the counters */
        found = true;
    }
    return found;
}

static bool may_be_counted_by(const struct event *event, uint32_t counters)
{
    return event->by == NULL && !event->alone && (event->counters & counters) == counters;
}

static uint32_t counters_of(const struct pass *pass, const struct ring *ring)
{
    uint32_t counters = 0;

    for (unsigned i = 0; i < ring->count; i++)
        counters |= 1u << pass->readings[ring->reading[i]].counter;
    return counters;
}

static unsigned bits(uint32_t word)
{
    unsigned count = 0;

    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

/* Takes out the event that the fewest counters count, of those that cannot take every place. False:
 * all can. */
static bool take_out(const struct pass *pass, struct ring *ring)
{
    const uint32_t counters = counters_of(pass, ring);
    unsigned out = ring->count;

    for (unsigned i = 0; i < ring->count; i++) {
        const struct event *event = pass->readings[ring->reading[i]].event;

        if (may_be_counted_by(event, counters))
            continue;
        if (out == ring->count ||
            bits(event->counters) < bits(pass->readings[ring->reading[out]].event->counters))
            out = i;
    }
    if (out == ring->count)
        return false;
    ring->count--;
    for (unsigned i = out; i < ring->count; i++) {
        ring->reading[i] = ring->reading[i + 1];
        ring->write[i] = ring->write[i + 1];
    }
    return true;
}

static void find_ring(const struct pass *pass, struct ring *ring)
{
    ring->count = 0;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        unsigned write = 0;

        if (pass->readings[i].kind != READING_GENERAL ||
            !find_selector(pass, pass->readings[i].counter, &write))
            continue;
        ring->reading[ring->count] = i;
        ring->write[ring->count++] = write;
    }
    while (take_out(pass, ring))
        ;
}

unsigned pass_turns(const struct pass *pass)
{
    struct ring ring;

    find_ring(pass, &ring);
    return ring.count;
}

void pass_turn(struct pass *turned, const struct pass *pass, unsigned by)
{
    struct ring ring;

    find_ring(pass, &ring);
    *turned = *pass;
    for (unsigned i = 0; i < ring.count; i++) {
        const unsigned to = (i + by) % ring.count;

        turned->readings[ring.reading[i]].counter = pass->readings[ring.reading[to]].counter;
        turned->setup[ring.write[to]].value = pass->setup[ring.write[i]].value;
    }
}
