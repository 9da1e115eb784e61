/* Accesses and fetches for the subscriber (model_subscribe). Each function but the
 * first two is to be called only while is_subscribed. */
#ifndef RIG_CORE_CYCLE_ACCESS_EVENTS_H
#define RIG_CORE_CYCLE_ACCESS_EVENTS_H

#include "state.h"

static inline bool is_subscribed(const struct access_events *events)
{
    return rarely(events->subscribed);
}
/* What model_subscribe does, when no cycles are being skipped. */
void access_events_subscribe(struct memory_hierarchy *translations, struct access_events *events,
                             struct model_subscriber subscriber);
/* The instruction at the ring's tail begins. */
RIG_RARE void access_events_begin(const struct retirement *retirement,
                                  struct access_events *events);
/* The instruction loads; flags: enum retire_flag. */
RIG_RARE void access_event_load(struct model *model, const struct access *access, uint32_t flags,
                                uint64_t begun, const struct reach *reach);
/* The instruction stores, to a line that was found at `level`. */
RIG_RARE void access_event_store(const struct retirement *retirement, struct access_events *events,
                                 const struct access *access, bool locked, bool walked,
                                 enum level level);
/* The instruction's line of code was fetched; NULL: the decoders made its uops. */
RIG_RARE void access_event_fetch(const struct retirement *retirement, struct access_events *events,
                                 const struct reach *reach);
/* The instruction with this number in the ring retires: the subscriber is called. */
RIG_RARE void access_event_retired(struct output *output, const struct access_events *events,
                                   uint64_t entry);

#endif
