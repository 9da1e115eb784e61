/* Branch prediction of one core. */
#ifndef RIG_MODEL_BRANCH_H
#define RIG_MODEL_BRANCH_H

#include "core/model.h"
#include "core/parameters.h"

struct branch_outcome {
    bool mispredicted; /* direction, indirect target or return target wrong: found at execution */
    bool unknown; /* the BTB did not know a taken branch whose target decode can tell: a front-end
                     resteer only */
};

struct predictor;
struct predictor *predictor_new(const struct model_parameters *parameters);
void predictor_free(struct predictor *predictor);
/* Predicts, compares with what happened, and learns. `fallthrough` is the address after the branch
 * (pushed by calls). */
struct branch_outcome predictor_resolve(struct predictor *predictor, uint64_t from, uint64_t to,
                                        uint64_t fallthrough, enum branch_kind kind, bool taken);

#endif
