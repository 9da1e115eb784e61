/* What a second core runs while one is measured: the kernel's own partner on the same arena, or
 * another kernel on another arena. It repeats, round after round, until the measurement is over. */
#ifndef HARNESS_MEASURE_CORUNNER_H
#define HARNESS_MEASURE_CORUNNER_H

#include "harness/window/measurement.h"
#include "rendezvous.h"

struct corunner {
    void (*prepare)(void); /* before the first round; null: the measured core prepares the arena */
    void (*reset)(void);   /* before every round; may be null */
    void (*routine)(void);
    uint64_t n; /* of one round */
    void *arena;
    uint64_t arena_bytes, dose;
    /* When both threads of a core count: this thread's counters, which the measured thread starts
     * and stops, and the measurement whose plan they follow. Null: the corunner counts nothing. */
    struct sibling_counters *sibling_counters;
    struct measurement *sibling;
    /* For how many per cent of the time it works, 1..99: it halts after its rounds. 0: it never
     * halts. */
    unsigned duty;
    uint64_t nap_ticks;  /* of the TSC: shorter naps are put off */
    unsigned core;       /* its own number */
    uint64_t timeout_us; /* the corunner ends then, whatever the measured core does */
    /* What came of it. */
    uint64_t rounds;
    bool late;     /* it never began, or ended by its deadline */
    bool no_timer; /* there is none to wake it: it did not work at all */
};

/* Runs the corunner, on the core that this is called on, from `prepared` to `over`. */
void corunner_run(struct corunner *corunner, struct rendezvous *rendezvous);

#endif
