/* A run: all that the harness knows while it goes. There is one, made by efi_main and handed down.
 */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include "harness/measure/corunner.h"
#include "harness/configure/config.h"
#include "harness/judge/exactness.h"
#include "harness/plan/experiment.h"
#include "harness/configure/library.h"
#include "harness/measure/measure.h"
#include "harness/judge/results.h"
#include "harness/report/table.h"
#include "harness/judge/verdict.h"
#include "harness/measure/sibling_counters.h"

#define RUN_FAILURES    64
#define RUN_VERDICTS    96
#define RUN_DIFFERENCES 16

struct measured_core {
    unsigned core; /* its index in boot/machine/cores.h */
    struct facts facts;
    const struct description *description; /* null: none fits, `lost` says so */
    bool forced;                           /* `cpu` chose it against CPUID */
    enum threads threads;                  /* what is counted on it now */
    struct exactness exactness;            /* of the description's events */
    struct selection first; /* the nodes to begin with: all, unless the run drills down */
    struct core_registers registers;
    bool lost; /* nothing can run on it (any more), because of `why` */
    char why[128];
    bool untrusted; /* a self-check count was not exact, or none could be taken: `distrust` */
    char distrust[128];
    unsigned proven;    /* self-check counts that were exact */
    uint64_t discarded; /* windows */
    struct {
        uint32_t msr;
        uint64_t was, is;
        bool readable;
    } differences[RUN_DIFFERENCES]; /* registers that did not take their old value back */
    unsigned difference_count;      /* all of them, kept or not */
    bool put_back;                  /* that was tried */
};

struct arena {
    uint8_t *base;
    uint64_t slice; /* bytes for one core, a multiple of 2 MiB */
};

/* Where one core's measurement is done; several in parallel. */
struct lane {
    struct measured_core *core;
    struct measurement measurement;
    bool ready;        /* there is something to run */
    bool idle;         /* it has no part in this step of a drill-down */
    bool failed;       /* the kernel itself did: malformed, trapped, did not come back; `blocked` */
    char blocked[160]; /* why nothing is counted, "" when it is */
    uint64_t *words;
    size_t word_count;
    struct selection asked;          /* the nodes that the plan is for */
    struct drill *drill;             /* null: the plan is made at once */
    struct measured_core *other;     /* the corunner's core, null: it is alone */
    struct rotation *rotation;       /* what follows the passes, null: nothing */
    struct experiment *sibling_load; /* what the sibling thread is loaded with, null: nothing */
    unsigned sibling_dose;
    struct corunner corunner;
    struct rendezvous rendezvous;
    struct dose_point points[DOSE_STEPS]; /* of a kernel with doses: the node's answers so far */
    unsigned point_count;
    double tolerance; /* the largest of those points */
};

struct run {
    struct config config;
    bool refused; /* the configuration or a description is malformed: nothing is measured */
    unsigned complaints;
    struct library library;
    struct pool pool;
    struct plan_cache plan_cache;   /* plans that kernels share */
    struct experiment *experiments; /* the wanted ones, self-check first */
    unsigned experiment_count;
    struct experiment
        *sibling_load; /* what sibling threads are loaded with, null: they are parked */
    struct sibling_counters sibling_counters; /* of the measurement with both threads of a core */
    struct table_row sibling_row; /* not shown: a sibling's results are in its records */
    struct measured_core *cores;  /* the wanted ones that exist */
    unsigned core_count;
    struct arena arenas[2]; /* of 4 KiB and of 2 MiB pages */
    struct lane *lanes;
    unsigned lane_count;
    struct results results;   /* of the kernel being reported */
    struct node_value *nodes; /* its, room for node_count */
    struct node_memo *memos;  /* as many */
    unsigned node_count;
    struct verdict verdicts[RUN_VERDICTS];
    unsigned verdict_count;
    struct multiplexed *multiplexed; /* its events, room for PLAN_EVENTS; null: not asked for */
    struct count *interval_counts;   /* the same */
    struct drift *drifts;            /* its nodes, room for node_count */
    struct table_row *rows;          /* experiment_count rows of core_count */
    char failures[RUN_FAILURES][sizeof(((struct verdict *)0)->text)];
    uint64_t discarded;  /* windows, all cores */
    uint64_t started;    /* TSC */
    const char *at_work; /* the kernel that runs now, null: none */
};

/* Logs a complaint as an `error` record with its place. */
void run_complain(struct run *run, const struct complaint *complaint);
/* Marks the core as one that nothing can run on any more. */
void core_lose(struct measured_core *core, const char *why);

/* survey.c: reads the facts of every wanted core, chooses its description, says both. */
void survey_cores(struct run *run);
/* arena.c: one piece of memory for each page size, large enough for what the wanted kernels ask on
 * these cores. */
void arenas_take(struct run *run);
/* The arena of a kernel that asks for `bytes`; false when there is none that large. */
bool arena_of(const struct run *run, const struct kernel *kernel, unsigned lane, uint64_t bytes,
              void **arena);
/* selection of nodes for the core: config's levels or nodes. */
void nodes_choose(struct run *run, struct measured_core *core);
/* After that: nodes and levels that no core's description has are a complaint. */
void nodes_check(struct run *run);
/* drill.c: the plan for the first nodes; RC_OK, or why there is none. */
enum rc drill_begin(struct lane *lane, struct experiment *experiment, const struct counts *given);
/* Adds the passes for the children of what is over its threshold. False: there is nothing more to
 * measure. */
bool drill_deeper(struct run *run, struct lane *lane, struct experiment *experiment);
/* rotation.c: room for what the configuration asks for; false: no memory. */
bool rotation_take(struct run *run, struct lane *lane);
/* Cleared for the next kernel, whose plan is made; null: nothing is to follow its passes. */
struct rotation *rotation_begin(const struct run *run, struct lane *lane);
/* Records and the verdict of what followed the passes; there are results. */
void rotation_report(struct run *run, const struct lane *lane, const struct trial *trial);
/* pair.c: what the sibling thread is to do beside this experiment; null: nothing. */
struct experiment *pair_load(struct run *run, const struct lane *lane,
                             const struct experiment *experiment);
/* Finds the core that the measurement needs beside its own and says what it will do; true also when
 * it needs none, false with lane->blocked when there is none. */
bool pair_invite(struct run *run, struct lane *lane, const struct experiment *experiment);
/* Runs both. RC_OK, or as cores_run_all. */
enum rc pair_run(struct lane *lane, uint64_t timeout_us);
/* core_wide.c: after the thread alone was measured beside its loaded sibling, both over the same
 * windows; `other` is a lane that is free. */
void core_wide_measure(struct run *run, struct lane *lane, struct lane *other,
                       struct experiment *experiment);
/* series.c: room for so many words; false: no memory. Runs what is ready in these lanes; a core
 * that did not come back is lost. */
bool lane_take_words(struct lane *lane, size_t words);
void run_lanes(struct run *run, struct lane *lanes, unsigned count, const char *kernel);
/* The kernels on every core, and each core's registers put back. */
void measure_cores(struct run *run);
/* restore.c: puts the core's registers back and says whether they hold. */
void restore_core(struct measured_core *core);
/* The same after a trap on the boot processor, of all cores that still have ours. */
void restore_cores(struct run *run);
/* On core `index` itself, whose work a trap ended; restore_core tells of it later. */
void restore_after_trap(void *run, unsigned index);
/* outcome.c: records and verdicts of one kernel on one core. */
void outcome_report(struct run *run, struct lane *lane, struct experiment *experiment,
                    struct table_row *row);
/* The same of a kernel with doses, at dose number `step` of its kernel->doses: verdicts that hold
 * at every dose are logged when they fail, all of them at the last, and then the answer to the
 * dose. */
void outcome_dose(struct run *run, struct lane *lane, struct experiment *experiment, unsigned step,
                  struct table_row *row);
/* Of both threads of a core, over the same windows. */
void outcome_core_wide(struct run *run, struct lane *lane, struct experiment *experiment);
/* The dose of that step, 0..100. */
unsigned outcome_dose_of(const struct kernel *kernel, unsigned step);
/* summary.c: the tables and the list of failures; the `end` record, of a null run too. */
void summary_print(struct run *run);
void summary_end(struct run *run, const char *reason);

#endif
