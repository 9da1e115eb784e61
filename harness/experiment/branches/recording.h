/* Extra windows of a kernel whose branches are known, in which the last-branch stack records: one
 * recording for each way to filter, to freeze, to follow calls. recordings_begin is pure;
 * recordings_take runs on the core under test. */
#ifndef HARNESS_EXPERIMENT_BRANCHES_RECORDING_H
#define HARNESS_EXPERIMENT_BRANCHES_RECORDING_H

#include "harness/window/measurement.h"
#include "pmu/sampling/lbr.h"

/* What the stack should hold after the window. */
enum recording_kind {
    RECORDING_LAST,         /* the last branches of the kinds that are recorded */
    RECORDING_NOTHING,      /* no record */
    RECORDING_OPEN_CALLS,   /* the calls that are open */
    RECORDING_FROZEN,       /* branches from the midst of the run */
    RECORDING_MISPREDICTED, /* all branches of runs of one iteration, with the mispredicted ones */
};

struct recording_way {
    const char *name; /* "every branch", "calls alone" */
    enum recording_kind kind;
    struct lbr_options options;
};

#define RECORDINGS 11 /* of a kernel, at most */
struct recording {
    const struct recording_way *way;
    bool taken;              /* the members below are valid */
    const char *missing;     /* why it was not; null: it was, or its turn did not come */
    bool disturbed;          /* that is why: an SMI came each time */
    unsigned depth;          /* records of the stack */
    uint32_t types_recorded; /* bit n: enum lbr_type n */
    bool flags;              /* the stack records which branches were mispredicted */
    struct lbr_stack stack;
    /* Of RECORDING_MISPREDICTED, over all of its runs. */
    bool whole;       /* the stack held each run from its CALL to its last RET */
    uint64_t flagged; /* records of the run that say mispredicted */
    uint64_t counted; /* mispredicted branches that a counter counted */
    bool frozen;      /* of RECORDING_FROZEN: the stack stopped before the run ended */
};

/* Fills in the recordings that this kernel asks for, not taken yet. Returns how many, at most
 * RECORDINGS. */
unsigned recordings_begin(struct recording *recordings, const struct kernel *kernel, bool ring_3);
/* Takes all recordings of the measurement that were not taken. A fault is the measurement's. */
void recordings_take(struct measurement *measurement);

#endif
