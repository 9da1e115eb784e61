/* A window in which SLOTS and PERF_METRICS are read twice while they count (precision_window.asm).
 */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_WINDOW_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "precision_figures.h"

struct precision_window {
    void (*code)(void); /* the region */
    uint64_t n;
    void *arena;
    uint64_t arena_bytes;
    uint64_t dose;
    void (*before)(void); /* what runs since the last reset */
    uint64_t before_n;    /* its iterations; 0: nothing runs */
    uint64_t enable;      /* the value of IA32_PERF_GLOBAL_CTRL that starts both */
    uint64_t reset;       /* not 0: both are cleared between `before` and the region */
    struct precision_reading reading;
};

_Static_assert(offsetof(struct precision_window, before) == 40 &&
                   offsetof(struct precision_window, enable) == 56 &&
                   offsetof(struct precision_window, reading) == 72 &&
                   offsetof(struct precision_reading, metrics) == 24,
               "precision_window.asm uses these offsets");

/* Counters are set up and stopped before it, and stopped after it. They start twice where
 * window->reset is set. A fault inside is a trap. */
void precision_window_run(struct precision_window *window);
/* A kernel's CODE that leaves most slots to the core: something else than the region. */
void precision_chain(void);

#endif
