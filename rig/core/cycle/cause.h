/* To which node of the Topdown tree empty slots are charged. */
#ifndef RIG_CORE_CYCLE_CAUSE_H
#define RIG_CORE_CYCLE_CAUSE_H

#include "state.h"

/* Whether memory is why the back end refuses slots in a cycle in which `executed` uops began. */
bool back_waits_for_memory(const struct model *model, enum idle why, unsigned executed);
/* The node of slots that the back end refuses; `memory`: what back_waits_for_memory returned. */
enum truth_node back_node(const struct model *model, enum idle why, unsigned executed, bool memory);
/* The node of slots that the front end left empty in a cycle; `all`: it left all slots empty. */
enum truth_node front_node(const struct model *model, bool all);
/* Of slots that the front end left empty: whether it waits for the sequencer. */
static inline bool front_waits_for_sequencer(const struct model *model)
{
    return idle_slots(model) == model->p->width ? model->starved == NODE_MS_SWITCHES
                                                : model->taken_source == SOURCE_MS;
}
/* Likewise: whether it waits for the first uop behind a mispredict or a clear. */
static inline bool front_refills(const struct model *model)
{
    return model->starved == NODE_MISPREDICTS_RESTEERS || model->starved == NODE_CLEARS_RESTEERS;
}
/* What the commit of a store waits for last: its line (`reach`), the store before it, which lets it
 * commit at `drained`, the second level of the TLB (`translated`) or its retirement at `retired`;
 * NODE_NONE: its retirement. */
enum truth_node commit_node(const struct model *model, const struct reach *reach, uint64_t drained,
                            uint64_t retired, bool split, bool translated);

#endif
