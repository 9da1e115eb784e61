/* Cascading counters, put on trial once for each core that has them. On the boot processor. */
#ifndef HARNESS_EXPERIMENT_CASCADE_CASCADE_H
#define HARNESS_EXPERIMENT_CASCADE_CASCADE_H

#include "harness/judge/measured_core.h"

/* What both counters of a cascade count. */
#define CASCADE_EVENT "INST_RETIRED.ANY"

struct cascade_job {
    struct measured_core *core;
    struct measurement *measurement; /* of the kernel, which was counted just now */
    bool counted;                    /* n iterations of it count `expected` of CASCADE_EVENT */
    double expected;
    uint64_t timeout_us; /* after which a core counts as lost */
    void (*verdict)(void *context, bool holds, const char *text);
    void *context;
};

/* Whether this core has cascades, and this is the kernel on which they are put on trial. */
bool cascade_wanted(const struct measured_core *core, const struct kernel *kernel);
/* Both ways of cascading count instructions from an overflow on, and are held against `expected`.
 */
void cascade_check(const struct cascade_job *job);

#endif
