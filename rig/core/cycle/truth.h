/* Charging slots and cycles. The truth that comes of it is read by model_truth (core/model.h). */
#ifndef RIG_CORE_CYCLE_TRUTH_H
#define RIG_CORE_CYCLE_TRUTH_H

#include "state.h"

static inline void charge(struct model_truth *truth, enum truth_node node, uint64_t slots)
{
    truth->exact[node] += slots;
}
/* `cycles` cycles are over, in each of which `executed` uops began. Gives their kind. */
enum cycle_kind truth_cycles(const struct window *window, struct model_truth *truth, enum idle why,
                             unsigned executed, uint64_t cycles);
/* What model_truth_reset and model_truth do, when no cycles are being skipped. */
void truth_reset(struct previous *previous, struct output *output, struct model_truth *truth);
void truth_get(const struct model *model, struct model_truth *truth);

#endif
