#include "laps.h"

/* Each lap has as many events where the count is so near to a whole number. */
#define WHOLE 0.02
/* What the chain lets expect is of another event and another loop: so much of a lap it may be off,
 * or two laps are as likely (a guess; the chain's own spread is a few cycles). */
#define SHARE_OF_LAP 4

uint64_t skid_laps_events(double counted)
{
    const uint64_t whole = counted >= 0 ? (uint64_t)(counted + 0.5) : 0;
    const double off = counted - (double)whole;

    return off < WHOLE && off > -WHOLE ? whole : 0;
}

static bool is_near(const struct skid_laps *laps, double distance)
{
    const double off = distance - laps->expected;

    return off < laps->length / SHARE_OF_LAP && -off < laps->length / SHARE_OF_LAP;
}

static uint32_t by_counter(const struct skid_laps *laps, uint32_t place, uint64_t since)
{
    uint64_t passed;

    if (since < laps->own || (since - laps->own) % laps->events != 0)
        return SKID_NO_LAP;
    passed = (since - laps->own) / laps->events;
    if (place == 0 && (passed > 0 || is_near(laps, laps->length)))
        passed++; /* the cause of that lap is the next instruction: it is not counted yet */
    return passed < SKID_NO_LAP / laps->length - 1 ? place + (uint32_t)passed * laps->length
                                                   : SKID_NO_LAP;
}

static uint32_t by_chain(const struct skid_laps *laps, uint32_t place)
{
    const double laps_of_it = (laps->expected - place) / laps->length;
    const uint32_t passed = laps_of_it > 0 ? (uint32_t)(laps_of_it + 0.5) : 0;
    const uint32_t distance = place + passed * laps->length;

    return is_near(laps, distance) ? distance : SKID_NO_LAP;
}

uint32_t skid_laps_distance(const struct skid_laps *laps, uint32_t place, uint64_t since)
{
    if (laps->length == 0)
        return place;
    if (laps->events > 0)
        return by_counter(laps, place, since);
    return laps->expected > 0 ? by_chain(laps, place) : SKID_NO_LAP;
}

bool skid_laps_differ(const struct skid_laps *laps, uint32_t median)
{
    return laps->length > 0 && laps->events > 0 && laps->expected > 0 && !is_near(laps, median);
}
