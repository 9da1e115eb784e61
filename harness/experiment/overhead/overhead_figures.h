/* How much slower: from times of windows to slowdowns, and to the cycles that a sample costs. Pure.
 */
#ifndef HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_FIGURES_H
#define HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/window/stats.h"

/* Claims about slowdowns allow for so much of what measuring adds. */
#define OVERHEAD_NOISE 0.001
/* Counting slows down by at most so much, with an operating system that reads the counters: the
 * upper end of the usual figures (doc/sampling.md). */
#define OVERHEAD_OF_COUNTING 0.02
/* What a sample costs by the time stamp counter and by the counter of core cycles differ by at most
 * this part of it. */
#define OVERHEAD_CLOCKS_DIFFER 0.05
/* What a sample costs is at least and at most so many times what an INT to the handler costs: an
 * interrupt in the midst of a kernel makes it wait and refill the pipeline, which an INT between
 * fences does not. The factors are guesses. */
#define OVERHEAD_LEAST_OF_INT 0.75
#define OVERHEAD_MOST_OF_INT  1.5

/* As parts of the time without: 0.01 is 1 %. */
struct slowdown {
    double minimum, median, maximum;
};

/* (with - without) / without: `median` of the medians, the others over all pairs of a window with
 * and a window without. No value of `without` is 0. */
struct slowdown overhead_slowdown(const struct spread *without, const struct spread *with);
/* Whether the slowdown can be what it says: at least one pair is not faster with than without, but
 * for the noise. */
bool overhead_is_possible(const struct slowdown *slowdown);
/* Whether the slowdown of the longer period is not above that of the shorter one, except by the
 * spread of both. */
bool overhead_falls(const struct slowdown *shorter_period, const struct slowdown *longer_period);
/* Core cycles that a sample costs, where a window of `cycles` core cycles has `samples` samples. */
double overhead_cost(double slowdown, double cycles, double samples);
/* Whether two costs agree: the one by the time stamp counter, which may be off by `spread`, and the
 * one by a counter of core cycles. */
bool overhead_costs_agree(double by_time, double spread, double by_counter);

/* Samples of a window at this period: as many as OVERHEAD_CYCLES_WANTED make room for, from
 * OVERHEAD_SAMPLES_LEAST to OVERHEAD_SAMPLES. */
#define OVERHEAD_CYCLES_WANTED 500000u
#define OVERHEAD_SAMPLES_LEAST 1u
#define OVERHEAD_SAMPLES       100u
unsigned overhead_samples(uint32_t period);
/* Iterations of a window that is a little longer than these samples need (0 samples:
 * OVERHEAD_CYCLES_WANTED), where n iterations take `cycles` core cycles, more than 0. */
uint64_t overhead_iterations(unsigned samples, uint32_t period, uint64_t n, double cycles);
/* After how many of an event a sample comes that comes every `period` core cycles, where `events`
 * of it take `cycles`, more than 0; 0: nobody can tell, of an event that lies, too. */
uint64_t overhead_every(uint32_t period, double events, double cycles);

#endif
