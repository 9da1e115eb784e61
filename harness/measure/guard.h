/* What may disturb a window without the counters saying so: SMIs, a moving frequency, thermal
 * throttling, machine checks. A guard that a core does not have is named with its reason; it is
 * never taken for a silent one. Runs on the core under test. */
#ifndef HARNESS_GUARD_H
#define HARNESS_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/facts.h"

enum guard {
    GUARD_SMI,
    GUARD_FREQUENCY,
    GUARD_THERMAL,
    GUARD_PACKAGE_THERMAL,
    GUARD_MACHINE_CHECK,
    GUARD_KINDS,
    GUARD_CLEAN = GUARD_KINDS, /* no guard speaks against the window */
};

#define GUARD_BANKS 32

struct core_guards {
    const char *absent[GUARD_KINDS];   /* why this core lacks the guard, null when it has it */
    uint64_t first_aperf, first_mperf; /* the first window's, 0 before it: see guards_begin */
    unsigned banks;
    uint64_t bank_status[GUARD_BANKS]; /* as last seen */
};

struct guard_sample {
    uint64_t smi, aperf, mperf, thermal, package;
    bool machine_check; /* a bank holds an error that it did not hold before; only guards_after
                           looks */
};

/* "smi", "frequency", ... */
const char *guard_name(enum guard guard);
/* Finds out what the core has. Once per core. */
void guards_probe(struct core_guards *guards, const struct facts *facts);
/* The next window is the first of a kernel: its frequency becomes the one that must stay. */
void guards_begin(struct core_guards *guards);
void guards_before(const struct core_guards *guards, struct guard_sample *sample);
void guards_after(struct core_guards *guards, struct guard_sample *sample);
/* The guard that speaks against the window between the two, or GUARD_CLEAN. */
enum guard guards_judge(struct core_guards *guards, const struct guard_sample *before,
                        const struct guard_sample *after);
/* Whether the ratio aperf/mperf differs from the first by more than 2 % and by more than reading
 * the pair can blur (about 50 ticks each way). Pure. */
bool guard_frequency_moved(uint64_t first_aperf, uint64_t first_mperf, uint64_t aperf,
                           uint64_t mperf);

#endif
