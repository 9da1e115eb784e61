/* Periods of a program: where the same instructions with the same accesses meet the same state of
 * the core again and again, their cycles are known, and are skipped.
 *
 * That the results of a simulator can be kept and used again where its state repeats is the
 * memoization of E. Schnarr and J. Larus, "Fast Out-Of-Order Processor Simulation Using
 * Memoization", ASPLOS 1998. Here one period is kept at a time, that of the loop that runs. */
#ifndef RIG_CORE_PIPELINE_PERIOD_H
#define RIG_CORE_PIPELINE_PERIOD_H

#include "core/cycle/state.h"
#include "period_inputs.h"

/* The last instruction of a unit was skipped. */
void period_unit_ends(struct model *model);
/* NULL: the host's memory ran out. Only for a sink that says how long it is quiet. */
struct period *period_new(struct model *model);
void period_free(struct memory_hierarchy *memory, struct skipping *skipping);
/* Whether the instruction is the next one of the period that is skipped. If so it is over. */
static inline bool period_skips(struct model *model, const struct executed *executed)
{
    const struct input *input = model->skipping.expected.next;

    if (input == NULL || !inputs_match(model->skipping.expected.inputs, input, executed))
        return false;
    if (++model->skipping.expected.next == model->skipping.expected.end)
        period_unit_ends(model);
    return true;
}
/* One instruction that is observed and not skipped, of a model with a period. */
void period_execute(struct model *model, const struct executed *executed);
/* Ends what goes on, before anything but an instruction comes to the model: skipped cycles are
 * reported, and `now` is the cycle of the instruction that was executed last. Does nothing in a
 * model without periods. */
void period_settle(struct model *model);
/* Cycles by which the clock is above time.now: skipped ones, and those of the instructions that
 * are ahead of the pipeline while cycles are skipped. */
uint64_t period_ahead(const struct skipping *skipping);
/* The cycle in which the instruction executed last retires. */
uint64_t period_retired(const struct retirement *retirement, const struct skipping *skipping,
                        uint64_t now);
/* Instructions that were skipped so far. */
uint64_t period_skipped(const struct skipping *skipping);

#endif
