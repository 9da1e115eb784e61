/* Executions and cycles of each instruction, in the unit of the samples: of all samples, and of all
 * but one group. */
#ifndef HARNESS_PROFILE_PROFILE_RAW_H
#define HARNESS_PROFILE_PROFILE_RAW_H

#include "flow.h"
#include "profile_method.h"

#define RAW_ROWS (PROFILE_GROUPS + 1) /* row g is without group g, the last one has all samples */
#define RAW_ALL  PROFILE_GROUPS

struct raw {
    const struct kernel_map *map;
    double *executions, *cycles;         /* [RAW_ROWS][instructions] */
    const struct groups *executed, *ran; /* of the samples behind executions, and behind cycles */
    double *waited; /* [RAW_ROWS][instructions], CYCLES_LATENCIES only: executions that did not
                       retire together with the instruction before; else null */
    double *split;  /* [instructions]: cycles that were shared out by a rule */
    double *blocks, *edges, *moved; /* [blocks], [edges], [instructions]: work */
    bool *observed;                 /* [edges]: work */
};

uint64_t raw_words(const struct kernel_map *map);
/* Null; or why the method's samples say nothing. `words` must hold raw_words. */
const char *raw_make(struct raw *raw, struct flow *flow, const struct kernel_map *map,
                     const struct profile_method *method, struct words *words);
/* Row `row` of executions or cycles. */
const double *raw_row(const struct raw *raw, const double *rows, unsigned row);
/* Sum over all groups except `without` of entry `at` of a table [PROFILE_GROUPS][width]. */
double raw_sum(const uint32_t *table, uint64_t width, uint64_t at, unsigned without);

#endif
