/* The extras: parameters that a core and the run add to the parameters of the core's description
 * (#SMT_on, cache sizes, n ...), for formulas and for the expressions of kernels. Pure. */
#ifndef HARNESS_PLAN_PARAMETERS_H
#define HARNESS_PLAN_PARAMETERS_H

#include "pmu/topdown.h"

/* The most extras of one struct counts, `n`, `arena`, `dose` and the times of a window included. */
#define PARAMETERS_MAX 20

/* 1: the slots in which allocation waits for the recovery from a wrong path are bad speculation. */
#define RECOVERY_IS_BAD "recovery_is_bad"

/* Whether counts are of one thread or of a core, as the formulas ask (#SMT_on, #EBS_Mode). */
enum threads {
    ONE_THREAD,   /* alone on its core */
    ONE_OF_TWO,   /* with a sibling thread that works too */
    BOTH_THREADS, /* the sums over both threads of a core */
};

/* The extras of a core: cache sizes as CPUID states them, the width, #SMT_on, #EBS_Mode and
 * #PERF_METRICS_MSR. What the core does not state is left to the description's parameters; what
 * nearly all processors are like (usual[]) goes for a description that states nothing else. Returns
 * how many, fewer than PARAMETERS_MAX. */
unsigned parameters_of_core(struct extra extras[PARAMETERS_MAX], const struct facts *facts,
                            const struct description *description, enum threads threads);

/* Whether the counts are of one thread or of a core, by #SMT_on and #EBS_Mode of these extras. */
enum threads parameters_threads(const struct counts *given);

/* How the nodes of level 1 are counted with these extras: a description that has PERF_METRICS may
 * be used on a core that does not announce it. */
enum topdown_method parameters_method(const struct counts *given);

/* The value of a parameter that the core, the run or the description states; else 0. */
double parameters_value(const struct counts *given, const char *name);

/* The same counts on a core without PERF_METRICS: #PERF_METRICS_MSR is 0. Valid as long as `extras`
 * lives. */
struct counts parameters_without_metrics(const struct counts *given,
                                         struct extra extras[PARAMETERS_MAX]);

#endif
