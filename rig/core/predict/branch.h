/* Branch prediction of one core. */
#ifndef RIG_CORE_PREDICT_BRANCH_H
#define RIG_CORE_PREDICT_BRANCH_H

#include "core/model.h"
#include "core/parameters.h"
#include "core/snapshot.h"

struct branch_outcome {
    /* the direction, an indirect target or a return target was wrong: found out at execution */
    bool mispredicted;
    /* the BTB lacked a taken branch whose target decode knows: only the front end is resteered */
    bool unknown;
};

struct predictor;
struct predictor *predictor_new(const struct model_parameters *parameters);
void predictor_free(struct predictor *predictor);
/* From now on chance says whether the end of a loop of more than LOOP_TRIPS_MAX turns is predicted,
 * one time in two; `seed` is not 0. */
void predictor_ends_by_chance(struct predictor *predictor, uint32_t seed);
/* Predicts the branch at `from`, compares with what it did (went to `to`, `taken` or not), and
 * learns. `fallthrough` is the address after the branch, which a call pushes. */
struct branch_outcome predictor_resolve(struct predictor *predictor, uint64_t from, uint64_t to,
                                        uint64_t fallthrough, enum branch_kind kind, bool taken);
/* Adds what a branch at `from` is predicted by and no other branch need share. */
void predictor_snapshot_branch(const struct predictor *predictor, uint64_t from,
                               struct snapshot *snapshot);
/* Adds all else that predictions follow from. `targets`: also of indirect branches. */
void predictor_snapshot(const struct predictor *predictor, bool targets, struct snapshot *snapshot);

#endif
