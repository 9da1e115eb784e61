/* A kernel made ready to be judged: its expressions compiled once, its events planned once for all
 * cores that count alike. Pure. */
#ifndef HARNESS_PLAN_EXPERIMENT_H
#define HARNESS_PLAN_EXPERIMENT_H

#include "kernels/kernel.h"
#include "plan_cache.h"

/* An expectation's subject may have several names, separated by " | ": the same event is named
 * differently on different CPUs. */
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

/* Of one window of whatever kernel: more iterations would take hours, a larger arena would need
 * more memory than there is. */
#define ITERATIONS_LIMIT 1e12
#define ARENA_LIMIT      1e12

/* Eleven doses on more kinds of cores than any machine has. */
#define EXPERIMENT_SCALES 64

/* What multiplies a kernel's iterations so that windows last as long as they shall: once for all
 * cores of a kind, since counts of cores that agree are said once. */
struct window_scale {
    uint32_t scale;     /* 0: none was chosen yet */
    uint32_t window_us; /* about what a window of n takes with that scale, without its bracket */
};
struct experiment_scales {
    struct {
        const struct description *description;
        uint64_t dose;
        struct window_scale scale;
    } chosen[EXPERIMENT_SCALES];
    unsigned count;
};

struct experiment {
    const struct kernel *kernel;
    struct formula iterations, most, arena; /* most: only where the kernel states it */
    struct expectation *expectations;
    struct formula beside_low, beside_high; /* only where the kernel states them */
    bool self_check;                        /* cal.*: decides whether a core is trusted */
    const char *family_node; /* the level 1 node that should be the largest, null when the family
                                has none */
    bool sampled;            /* its profile is asked for, if it has a map */
    const char *broken;      /* why the kernel cannot be used at all; null when it can be used */

    struct experiment_scales scales;

    /* The newest plan, and what it was made for. */
    struct plan *plan;
    struct facts plan_facts; /* as they were then */
    const struct description *plan_description;
    enum threads plan_threads;
};

/* Compiles the kernel's expressions. RC_BAD_INPUT with *complaint (file: the kernel's name; line:
 * number of the expectation from 1, 0 for iterations and arena) or RC_NO_SPACE; experiment->broken
 * is set after both. */
enum rc experiment_make(struct experiment *experiment, const struct kernel *kernel,
                        struct pool *pool, struct complaint *complaint);

/* The expectation's first subject whose names are all events or nodes of the CPU, else its first.
 */
const struct subject *experiment_subject(const struct expectation *expectation,
                                         const struct description *description);

/* n of one window (times `scale`, as far as the kernel's most iterations allow) and the bytes of
 * the arena on a core with these extras, to which both are added as `n` and `arena`. False: they
 * have no value on this CPU; size->detail says why. */
struct experiment_size {
    uint64_t n, arena;
    uint32_t most; /* a larger scale changes nothing; at least 1 */
    char detail[128];
};
bool experiment_sizes(const struct experiment *experiment, const struct description *description,
                      struct extra extras[PARAMETERS_MAX], unsigned *extra_count, uint32_t scale,
                      struct experiment_size *size);

/* The scale that was chosen for cores of this description at this dose. */
struct window_scale experiment_scale(const struct experiment *experiment,
                                     const struct description *description, uint64_t dose);
/* Keeps a choice; those for another description are forgotten. */
void experiment_choose_scale(struct experiment *experiment, const struct description *description,
                             uint64_t dose, struct window_scale scale);

/* The events that CPI, the selected nodes and the expectations need, level 1 first. Returns how
 * many, at most PLAN_EVENTS. */
unsigned experiment_events(const struct experiment *experiment, const struct counts *given,
                           const struct selection *selection,
                           const struct event *events[PLAN_EVENTS]);
/* Plans these events for the description and the extras of `given`: a condition over
 * parameters alone needs the events of the arm that it takes, any other condition needs both arms.
 * The experiment's own plan is used again for a core that counts alike, and the cache's plan when
 * the expectations need nothing more than the nodes. RC_OK with experiment->plan, or as
 * plan_make. */
enum rc experiment_plan(struct experiment *experiment, struct plan_cache *cache,
                        const struct facts *facts, const struct counts *given,
                        const struct selection *selection);

#endif
