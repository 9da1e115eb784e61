/* A run: all that the harness knows while it measures. There is one, made by efi_main and handed
 * down. */
#ifndef HARNESS_RUN_RUN_H
#define HARNESS_RUN_RUN_H

#include "arena.h"
#include "complaints.h"
#include "harness/configure/config.h"
#include "harness/configure/library.h"
#include "harness/experiment/cpi/sampling.h"
#include "harness/experiment/multiplex/drift.h"
#include "harness/experiment/multiplex/estimate.h"
#include "harness/experiment/overhead/overhead.h"
#include "harness/experiment/precision/precision.h"
#include "harness/experiment/skid/skid.h"
#include "harness/judge/repeats.h"
#include "harness/judge/verdict.h"
#include "harness/own/own_kernel.h"
#include "harness/records/progress_state.h"
#include "harness/records/records_settings.h"
#include "harness/records/table.h"
#include "harness/rounds/rounds.h"
#include "lane.h"
#include "pmu/cpuid_answers.h"

#define RUN_FAILURES 64
#define RUN_VERDICTS 96

/* The wanted kernels, self-check first. */
struct run_experiments {
    struct experiment *of;
    unsigned count;
    struct experiment *sibling_load; /* the kernel for sibling threads, null: they are parked */
    struct experiment *timeline;     /* the kernel observed cycle by cycle, null: none */
};

/* Those of `cores` that exist. */
struct run_cores {
    struct measured_core *of;
    unsigned count;
};

struct run_lanes {
    struct lane *of; /* one more than count: the sibling's */
    unsigned count;
};

/* Of each node of the cores, at most one for each core. */
struct run_arenas {
    struct arenas *of;
    unsigned count;
};

/* What the run did not measure. */
struct losses {
    const char
        *nothing;    /* why no core is measured; null: the machine has none of the wanted ones */
    bool unmeasured; /* a wanted core measured nothing, or there is none */
    unsigned cores_unmeasured;
    unsigned cores_lost;   /* of the others: lost before the run was over */
    unsigned kernels_lost; /* given up on the rest of them, each kernel once for each core */
};

/* Of a log file that had no room for all of the log. */
struct cut {
    bool happened;
    bool stops;      /* nothing else keeps the log: the run ends */
    char behind[80]; /* the last kernel of which the file has everything; "": none */
};

/* Of the kernel that is being reported. */
struct judged {
    struct results results;
    struct node_share *nodes; /* room for node_count */
    struct node_memo *memos;  /* room for node_count */
    unsigned node_count;
    struct repeats *repeats;         /* null: there is no memory for it */
    struct multiplexed *multiplexed; /* room for PLAN_EVENTS; null: not asked for */
    struct count *interval_counts;   /* room for PLAN_EVENTS; null: not asked for */
    struct drift *drifts;            /* room for node_count; null: not asked for */
};

struct run_verdicts {
    struct verdict of[RUN_VERDICTS]; /* of the kernel that is being reported */
    unsigned count;
    char failures[RUN_FAILURES][sizeof(((struct verdict *)0)->text)]; /* for the end of the log */
};

/* The lines of the tables at the end of the log. */
struct run_rows {
    struct table_row *of; /* `cores` of them for each experiment; null: nothing is measured */
    unsigned cores;
    struct table_row sibling; /* not shown: a sibling's results are in its records */
};

/* What was logged last, and is not logged again of a core that is alike. */
struct run_logged {
    struct settings settings; /* none: settings_logged is false */
    bool settings_logged;
    struct cpuid_answers cpuid; /* none: count 0 */
};

/* For holding the counters of a core against each other. */
struct run_comparison {
    const struct kernel *kernel;           /* null: it cannot run */
    struct every_counter_windows *windows; /* null: there is no memory for them */
};

struct run {
    struct config config;
    struct complaints complaints;
    struct library library;       /* the CPU descriptions */
    struct pool pool, round_pool; /* the second for what each round makes anew */
    struct plan_cache plan_cache;

    struct own_kernel *own; /* the user's own kernels, by name; null: none */
    struct run_experiments experiments;
    struct run_cores cores;
    struct run_lanes lanes;
    struct run_arenas arenas;
    struct losses losses;
    struct cut cut;
    struct sibling_counters sibling_counters; /* of the measurement of both threads of a core */

    struct judged judged;
    struct run_verdicts verdicts;

    struct run_logged logged;
    struct run_comparison comparison;
    bool time_estimated;         /* while nothing counts: no overhead table can be measured */
    struct overhead *overhead;   /* memory for overhead tables; null: there are none */
    struct sampling *sampling;   /* memory for it; null: nothing is sampled */
    struct precision *precision; /* memory for a curve; null: there are none */
    struct skid *skid;           /* memory for it; null: no skid is measured */

    struct progress progress; /* for the screen */
    struct rounds rounds;
    struct run_rows rows;
};

/* Whether anything is measured: not where the run is refused, nor with `help = yes`. */
static inline bool run_measures(const struct run *run)
{
    return !run->complaints.refused && !run->config.help;
}

#endif
