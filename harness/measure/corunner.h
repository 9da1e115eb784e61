/* What another core does while one is measured: a kernel's own partner on the same arena, or
 * another kernel on an arena of its own. It goes on, round after round, until the measurement is
 * over, and counts nothing unless it is asked to (watch.h). */
#ifndef HARNESS_CORUNNER_H
#define HARNESS_CORUNNER_H

#include "measure.h"
#include "rendezvous.h"

struct corunner {
    void (*prepare)(void); /* before the first round; null: the measured core does it */
    void (*reset)(void);   /* before every round; may be null */
    void (*routine)(void);
    uint64_t n; /* of one round */
    void *arena;
    uint64_t arena_bytes, dose;
    struct sibling_counters
        *sibling_counters; /* its counters stand by for the measured core; null: they rest */
    uint64_t timeout_us;   /* it ends then, whatever the measured core does */
    /* What came of it. */
    uint64_t rounds;
    bool late; /* it never began, or ended by its deadline */
};

/* One core's part in a measurement with company: either of the two is null. */
struct job {
    struct measurement *measurement;
    struct corunner *corunner;
    struct rendezvous *rendezvous;
};

/* A struct job to work on; for cores_run_all. Null is passed over. */
void corunner_work(void *job);

#endif
