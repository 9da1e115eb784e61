/* Events that are reported one at a time, and only to a subscriber: retired loads and stores,
 * fetches, and requests beyond L2. They are noted beside the ring of retiring instructions, and
 * only while there is a subscriber. */
#include "access_events.h"

#include <string.h>

#include "spans.h"

void access_events_subscribe(struct memory_hierarchy *translations, struct access_events *events,
                             struct model_subscriber subscriber)
{
    events->subscriber = subscriber;
    events->subscribed = subscriber.access != NULL || subscriber.fetch != NULL;
    memory_subscribe(translations, subscriber.request, subscriber.context);
}

static struct retiring_note *newest(const struct retirement *retirement,
                                    struct access_events *events)
{
    return &events->notes[retirement->tail % RETIRING];
}

void access_events_begin(const struct retirement *retirement, struct access_events *events)
{
    memset(newest(retirement, events), 0, sizeof(struct retiring_note));
}

void access_event_load(struct model *model, const struct access *access, uint32_t flags,
                       uint64_t begun, const struct reach *reach)
{
    struct retiring_note *note = newest(&model->retirement, &model->events);

    if (note->has_load)
        return;
    note->has_load = true;
    note->load = (struct retired_access){
        .address = access->address,
        .begun = begun + model->skipping.skipped,
        .latency = reach->done - begun,
        .origin = reach_origin(reach->level, reach->served),
        .blocked = flags & RETIRE_FORWARD_BLOCKED,
        .aliased = flags & RETIRE_ALIAS,
        .walked = reach->walk,
        .locked = flags & RETIRE_LOCK,
    };
}

void access_event_store(const struct retirement *retirement, struct access_events *events,
                        const struct access *access, bool locked, bool walked, enum level level)
{
    struct retiring_note *note = newest(retirement, events);

    if (note->has_store)
        return;
    note->has_store = true;
    note->store = (struct retired_access){.address = access->address,
                                          .write = true,
                                          .hit = level == LEVEL_L1,
                                          .walked = walked,
                                          .locked = locked};
}

void access_event_fetch(const struct retirement *retirement, struct access_events *events,
                        const struct reach *reach)
{
    unsigned *fetched = &newest(retirement, events)->fetched;

    if (reach == NULL) {
        *fetched |= FETCHED_DSB_MISS;
        return;
    }
    if (reach->level > LEVEL_L1)
        *fetched |= FETCHED_L1_MISS;
    if (reach->level > LEVEL_L2)
        *fetched |= FETCHED_L2_MISS;
    if (reach->second_level || reach->walk)
        *fetched |= FETCHED_ITLB_MISS;
    if (reach->walk)
        *fetched |= FETCHED_STLB_MISS;
}

void access_event_retired(struct output *output, const struct access_events *events, uint64_t entry)
{
    const struct retiring_note *note = &events->notes[entry % RETIRING];
    void *context = events->subscriber.context;

    if (!note->has_load && !note->has_store && !note->fetched)
        return;
    span_flush(output);
    /* each call may end the subscription */
    if (note->fetched && events->subscriber.fetch != NULL)
        events->subscriber.fetch(context, note->fetched);
    if (note->has_load && events->subscriber.access != NULL)
        events->subscriber.access(context, &note->load);
    if (note->has_store && events->subscriber.access != NULL)
        events->subscriber.access(context, &note->store);
}
