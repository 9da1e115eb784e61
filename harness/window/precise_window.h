/* One window in which the core writes PEBS records of a kernel. On the core under test. */
#ifndef HARNESS_WINDOW_PRECISE_WINDOW_H
#define HARNESS_WINDOW_PRECISE_WINDOW_H

#include "measurement.h"
#include "pmu/sampling/pebs.h"

struct precise_memory {
    struct ds_area *area; /* in a page of its own */
    uint8_t *buffer;      /* 4096-aligned */
    size_t bytes;         /* of the buffer */
};

/* How many of the plan's records the buffer holds. */
unsigned precise_window_room(const struct precise_memory *memory, const struct pebs_plan *plan);
/* Saves every register that such a window changes. False: one failed, and the measurement says
 * which. */
bool precise_window_keep(struct measurement *measurement, const struct pebs_plan *plan);
/* Empties the buffer, which takes `room` records, and runs one window of n iterations; behind
 * `threshold` records the buffer says that it is full enough. *guard is what disturbed the window.
 * False: a register failed, and the measurement says which. */
bool precise_window_run(struct measurement *measurement, const struct pebs_plan *plan,
                        const struct precise_memory *memory, unsigned room, unsigned threshold,
                        uint64_t n, enum guard *guard);
/* The records of the window; *full: no further one would have fitted, so some may be lost. False:
 * the index is not between records, as the measurement says. */
bool precise_window_records(struct measurement *measurement, const struct pebs_plan *plan,
                            const struct precise_memory *memory, unsigned *records, bool *full);
/* Writes what is to be written after such a window. False: a register failed, and the measurement
 * says which. */
bool precise_window_end(struct measurement *measurement, const struct pebs_plan *plan);
struct precise_sample {
    uint64_t address; /* of the record's instruction; where the format has none, of the next one */
    bool timed;       /* the record has a latency of retirement: */
    uint64_t latency; /* core cycles since the instruction before retired */
};
/* What a record says of its instruction. False: the decoder refuses the record. */
bool precise_window_sample(const struct pebs_plan *plan, const uint8_t *record,
                           struct precise_sample *sample);

#endif
