/* Loads and older stores, and writes of other cores under loads. */
#ifndef RIG_CORE_PIPELINE_ORDER_H
#define RIG_CORE_PIPELINE_ORDER_H

#include "core/cycle/state.h"

/* A load by the instruction at `rip` that could begin at `cycle`; `locked`: of a locked
 * instruction. Its data come from an older store or from memory. Adds to *flags (enum retire_flag)
 * what happened to the load. */
struct reach order_load(struct model *model, uint64_t rip, const struct access *access, bool locked,
                        uint64_t cycle, uint32_t *flags);
/* A load by such a spill (decoded.h), which is allocated now. If a spill in the store buffer wrote
 * exactly these bytes, by the same base register (a guess: nothing else is measured), and no line
 * ends among them, the renamer knows the register that they came from: gives the cycle in which
 * that register was ready. Else NOWHERE. */
uint64_t order_renamed(struct stores *stores, uint64_t now, const struct access *access,
                       unsigned spill);
/* Every load may pass older stores: all counters are as those of loads that never overlapped one.
 */
void order_trust_loads(struct loads *loads);
/* A store for later loads to find; address, granule and size of `store` are filled in. */
void order_store(struct stores *stores, const struct access *access,
                 const struct store_seen *store);
/* Another core wrote to the line: a load of the line that is done but has not retired must be
 * repeated. The other core's clock may be up to a turn of the machine ahead or behind; the pipeline
 * is taken as it is now. */
void order_snoop(struct loads *loads, uint64_t now, uint64_t line);

#endif
