/* A lane: where the measurement of one core is made ready, run and reported. A run has one lane, or
 * one for each core that works in parallel; and a spare one for the sibling thread's turn. */
#ifndef HARNESS_RUN_LANE_H
#define HARNESS_RUN_LANE_H

#include "harness/doubt/second_look.h"
#include "harness/experiment/branches/recording.h"
#include "harness/experiment/timeline/timeline.h"
#include "harness/judge/dose.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/recheck.h"
#include "harness/measure/job.h"

/* The plan of a drill-down, which grows from step to step. */
struct drill {
    struct plan plan;
    struct pass passes[MEASUREMENT_PASSES];
    uint64_t *words;              /* where the next step's values go */
    unsigned passes_of_full_tree; /* what the whole tree would take */
};

struct lane {
    bool spare; /* the sibling's: it has the last piece of its core's arenas */
    struct measured_core *core;
    struct measurement measurement;
    struct job job;   /* of `core` */
    bool in_timeline; /* it runs the timeline in place of `job` */
    struct recording recordings[RECORDINGS];
    struct window_length length;
    uint32_t scale;    /* of this kernel's iterations */
    bool ready;        /* there is something to run */
    bool idle;         /* it has no part in this step of a drill-down or recheck */
    bool failed;       /* the kernel cannot run: malformed, trapped, did not come back */
    bool given_up;     /* it can, and has no counts for a reason that only the run showed */
    char blocked[160]; /* why nothing is counted, "" when it is */
    uint64_t *words;   /* for the measurement's values */
    size_t word_count;
    struct selection asked;     /* the nodes that the plan is for */
    struct drill *drill;        /* null: no drill-down, the plan is made at once */
    struct pebs_sampling *pebs; /* memory for PEBS windows after them; null: none are wanted */
    struct rotation *rotation;  /* memory for a rotation after the passes; null: none is wanted */
    struct timeline *timeline;  /* memory for a timeline; null: none is wanted */
    struct cell *cell;          /* where kernels of the user's own run; null: none did yet */
    /* The corunner's core, and what it runs. */
    struct measured_core *corunner_core; /* null: `core` is alone */
    struct experiment *sibling_load;     /* the kernel for the sibling thread, null: none */
    unsigned sibling_dose;
    struct corunner corunner;
    struct rendezvous rendezvous;
    struct recheck recheck; /* of a kernel of the self-check */
    struct second_look look;
    /* Of a kernel with doses: the node's shares so far. */
    struct dose_point points[DOSE_STEPS];
    unsigned point_count;
    double tolerance; /* the largest of the points' tolerances */
};

/* Makes room for so many words. False: no memory. */
bool lane_take_words(struct lane *lane, size_t words);
/* The lane's measurement as it was, with another plan and nothing counted yet. False: it has no
 * room for the plan. */
bool lane_renew(struct lane *lane, const struct plan *plan);
/* Nothing is counted, for this reason; the first reason stays. */
void lane_block(struct lane *lane, const char *why);
/* The same, for a reason that only the run showed. */
void lane_give_up(struct lane *lane, const char *why);
/* The core has ended what it did, well or not: if its measurement is the lane's, the corunner,
 * which works until it is told, ends its rounds. */
void lane_core_ended(struct lane *lane, unsigned core);
/* Whether the lane has counts to report. */
bool lane_counted(const struct lane *lane);
/* Whether something that was asked for is missing, for a reason that only the run showed: all that
 * the kernel counts, or what some of its windows count. */
bool lane_lost(const struct lane *lane);

#endif
