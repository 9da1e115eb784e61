/* To which node of the Topdown tree empty slots are charged. */
#ifndef RIG_CORE_CYCLE_CAUSE_H
#define RIG_CORE_CYCLE_CAUSE_H

#include "state.h"

/* Whether memory is why the back end refuses slots in a cycle in which `executed` uops began. */
bool back_waits_for_memory(const struct model *model, enum idle why, unsigned executed);
/* The node of slots that the back end refuses; `memory`: what back_waits_for_memory returned. */
enum truth_node back_node(const struct model *model, enum idle why, unsigned executed, bool memory);
/* The node of slots that the front end left empty in a cycle; `all`: it left all slots empty. */
enum truth_node front_node(const struct model_parameters *p, const struct allocator *allocator,
                           bool all);
/* Of slots that the front end left empty: whether it waits for the sequencer. */
static inline bool front_waits_for_sequencer(const struct model_parameters *p,
                                             const struct allocator *allocator)
{
    return idle_slots(p, allocator) == p->width ? allocator->starved == NODE_MS_SWITCHES
                                                : allocator->taken_source == SOURCE_MS;
}
/* Likewise: whether it waits for the first uop behind a mispredict or a clear. */
static inline bool front_refills(const struct allocator *allocator)
{
    return allocator->starved == NODE_MISPREDICTS_RESTEERS ||
           allocator->starved == NODE_CLEARS_RESTEERS;
}
/* What the commit of a store waits for last: its line (`reach`), the store before it, which lets it
 * commit at `drained`, the second level of the TLB (`translated`) or its retirement at `retired`;
 * NODE_NONE: its retirement. */
enum truth_node commit_node(const struct stores *stores, const struct reach *reach,
                            uint64_t drained, uint64_t retired, bool split, bool translated);

/* Why nothing retires in the cycle `now`; RETIRES: something does, or it is none of these. `until`:
 * before which cycle that stays so, while nothing is allocated and nothing retires. */
enum no_retire { RETIRES, NO_RETIRE_EMPTY, NO_RETIRE_INCOMPLETE, NO_RETIRE_LOAD };
enum no_retire no_retire(const struct model *model, unsigned retired, uint64_t *until);

#endif
