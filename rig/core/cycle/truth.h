/* Charging slots and cycles. The truth that comes of it is read by model_truth (core/model.h). */
#ifndef RIG_CORE_CYCLE_TRUTH_H
#define RIG_CORE_CYCLE_TRUTH_H

#include "state.h"

static inline void charge(struct model *model, enum truth_node node, uint64_t slots)
{
    model->truth.exact[node] += slots;
}
/* `cycles` cycles are over, in each of which `executed` uops began. Gives their kind. */
enum cycle_kind truth_cycles(struct model *model, enum idle why, unsigned executed,
                             uint64_t cycles);
/* What model_truth_reset and model_truth do, when no cycles are being skipped. */
void truth_reset(struct model *model);
void truth_get(const struct model *model, struct model_truth *truth);

#endif
