/* In which lap of its loop a sample lies. Its address says where in the loop, and nobody promises
 * that an interrupt comes within one lap. Two things tell the lap: the sampled counter, which is 0
 * at the overflow and goes on until the handler stops it; and how late interrupts are by a chain of
 * additions that is longer than any loop (harness/sampler/skid.h). Pure. */
#ifndef HARNESS_EXPERIMENT_SKID_LAPS_H
#define HARNESS_EXPERIMENT_SKID_LAPS_H

#include <stdbool.h>
#include <stdint.h>

struct skid_laps {
    uint32_t length; /* instructions of a lap; 0: the lap does not matter */
    uint64_t events; /* of a lap; 0: the counter does not tell the lap */
    uint64_t own;    /* events that the handler adds until it has stopped the counter */
    double expected; /* the distance that the chain lets expect; 0: nobody knows */
};

#define SKID_NO_LAP UINT32_MAX

/* The whole number of events that a lap of the loop has, where each lap has as many; else 0.
 * `counted`: those of a lap, measured. */
uint64_t skid_laps_events(double counted);
/* The distance from the cause of a sample that is `place` instructions behind it in the loop, below
 * the length; `since`: the counter. SKID_NO_LAP: the two do not tell. */
uint32_t skid_laps_distance(const struct skid_laps *laps, uint32_t place, uint64_t since);
/* Whether counter and chain both tell the lap, and differ about it; `median`: distance. */
bool skid_laps_differ(const struct skid_laps *laps, uint32_t median);

#endif
