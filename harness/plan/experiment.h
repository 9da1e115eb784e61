/* A kernel made ready to be judged: its expressions compiled once, its events planned once for all
 * cores that are alike. Pure. */
#ifndef HARNESS_EXPERIMENT_H
#define HARNESS_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "pmu/plan.h"
#include "pmu/pool.h"
#include "pmu/topdown.h"
#include "selection.h"

#define EXPERIMENT_EXTRAS 20

/* What counts are of, as the formulas ask (#SMT_on, #EBS_Mode). */
enum threads {
    ONE_THREAD,   /* alone on its core */
    ONE_OF_TWO,   /* beside a thread that works too */
    BOTH_THREADS, /* the sums over both threads of a core */
};

/* A subject may be said in several ways, apart by " | ": the same event under the names that it has
 * on different CPUs. */
#define SUBJECT_NAMES 4
struct subject {
    const char *text;
    struct formula formula;
};

struct expectation {
    struct subject subjects[SUBJECT_NAMES];
    unsigned subject_count;
    struct formula low, high;
};

/* What the selected nodes of a description ask for, found and planned once for all kernels and for
 * all cores that are alike. Zeroed, it is empty; when it is full the oldest goes. */
#define PLAN_CACHE_PLANS 4
struct plan_cache {
    struct cached {
        const struct facts *facts; /* null: nothing is here */
        const struct description *description;
        enum threads threads;
        struct selection selection;
        const struct event *events[PLAN_EVENTS];
        uint16_t families[PLAN_EVENTS]; /* as plan_make wants them */
        unsigned event_count;
        struct plan *plan; /* of them alone, null: not asked for yet */
    } cached[PLAN_CACHE_PLANS];
    unsigned next;
};

struct experiment {
    const struct kernel *kernel;
    struct plan_cache *plan_cache; /* shared by experiments, null: none is */
    struct formula iterations, arena;
    struct expectation *expectations;
    bool self_check;         /* cal.*: decides whether a core is trusted */
    const char *family_node; /* the level 1 node that should be the largest, null when the family
                                has none */
    const char *broken;      /* why it cannot be used at all, null when it can */

    struct plan *plan;              /* the last one made, */
    const struct facts *plan_facts; /* for a core like this */
    const struct description *plan_description;
    enum threads plan_threads;
};

/* Compiles kernel's expressions. RC_BAD_INPUT with *complaint (file = the kernel's name, line =
 * number of the expectation from 1, 0 for iterations and arena), RC_NO_SPACE; experiment->broken
 * says it then. */
enum rc experiment_make(struct experiment *experiment, const struct kernel *kernel,
                        struct pool *pool, struct complaint *complaint);

/* The first of the subjects whose names the CPU has as events or nodes, else the first of all. */
const struct subject *experiment_subject(const struct expectation *expectation,
                                         const struct description *description);

/* The names that a core adds to its description's parameters: cache sizes as CPUID tells them, the
 * width, what runs beside it. `n`, `arena` and `dose` come last and are set by experiment_size.
 * Returns the count, at most EXPERIMENT_EXTRAS. */
unsigned experiment_extras(struct extra *extras, const struct facts *facts,
                           const struct description *description, enum threads threads);

/* The same formulas on a core without PERF_METRICS: #PERF_METRICS_MSR is 0. As long as `extras`
 * lives. */
struct counts experiment_without_metrics(const struct counts *given,
                                         struct extra extras[EXPERIMENT_EXTRAS]);

/* How the nodes of level 1 are counted with these extras: a description that has PERF_METRICS may
 * be used on a core that does not announce it. */
enum topdown_method experiment_method(const struct counts *given);

/* n of one window (times `scale`) and the bytes of the arena on a core with these extras; their
 * values are added to the extras. False with *reason when this CPU cannot tell (the text lives in
 * `detail`). */
struct experiment_size {
    uint64_t n, arena;
    char detail[128];
};
bool experiment_sizes(const struct experiment *experiment, const struct description *description,
                      struct extra *extras, unsigned *extra_count, uint32_t scale,
                      struct experiment_size *size);

/* The events for cycles, instructions, the selected nodes and whatever the expectations rest on,
 * those of level 1 first. Returns the count, at most PLAN_EVENTS. */
unsigned experiment_events(const struct experiment *experiment, const struct counts *given,
                           const struct selection *selection,
                           const struct event *events[PLAN_EVENTS]);
/* Plans them, for the description and extras `given` (a condition on parameters alone brings the
 * events of the arm it takes, any other those of both); an equal plan made before is used again,
 * from the plan_cache too when the expectations rest on nothing else. Nodes of one parent are
 * compared: the events that they ask for first are counted in one pass where they fit. RC_OK with
 * experiment->plan, or as plan_make. */
enum rc experiment_plan(struct experiment *experiment, const struct facts *facts,
                        const struct counts *given, const struct selection *selection,
                        struct pool *pool, void *(*allocate)(size_t size));
/* The plan for the selected nodes, cycles and instructions alone, which all kernels with this
 * plan_cache share; experiment->plan stays what it is. */
enum rc experiment_plan_nodes(struct plan **plan, struct experiment *experiment,
                              const struct facts *facts, const struct counts *given,
                              const struct selection *selection, struct pool *pool,
                              void *(*allocate)(size_t size));

#endif
