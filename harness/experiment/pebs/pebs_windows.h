/* Windows in which a core makes PEBS records of a kernel whose causes are known. On the core under
 * test; nothing here logs.
 *
 * Without an interrupt a window has as many iterations as make three quarters of the records
 * that the buffer holds, and the records are taken out after it. A window whose buffer was full all
 * the same is thrown away and run again with half of the iterations, since a core drops records
 * then. */
#ifndef HARNESS_EXPERIMENT_PEBS_PEBS_WINDOWS_H
#define HARNESS_EXPERIMENT_PEBS_PEBS_WINDOWS_H

#include "boot/machine/pmi.h"
#include "harness/window/measurement.h"
#include "pebs_tally.h"

#define PEBS_BUFFER_BYTES 65536u
#define PEBS_EVENTS       50000u /* of each use with each threshold, at scale 1 */

/* When the core says that its buffer needs attention: after one record; when it is full; or, of a
 * kernel that makes more records than there is room for, when it is nearly full: then by an
 * interrupt, whose handler ends the window. */
enum pebs_threshold { PEBS_AT_ONE, PEBS_AT_FULL, PEBS_AT_INTERRUPT, PEBS_THRESHOLDS };

struct pebs_sampling {
    /* What to do. */
    const struct kernel_causes *causes;
    const char *absent;       /* why nothing is sampled; null: something is */
    struct ds_area *area;     /* in a page of its own */
    uint8_t *buffer;          /* PEBS_BUFFER_BYTES, 4096-aligned */
    uint64_t events;          /* to be sampled */
    const char *no_interrupt; /* why nothing ends a window with PEBS_AT_INTERRUPT; null */
    struct {
        const char *absent; /* why this is not sampled */
        struct pebs_plan plan;
        /* What came of it. */
        struct pebs_tally tallies[PEBS_THRESHOLDS];
    } uses[PEBS_USES];
    bool done; /* every use that is not absent was sampled with every threshold */
};

/* Samples every use that is not absent. False: a register failed, or too many windows were
 * disturbed; the measurement says which. */
bool pebs_windows_run(struct measurement *measurement, struct pebs_sampling *sampling);

#endif
