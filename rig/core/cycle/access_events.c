/* Events that are reported one at a time, and only to a subscriber: retired loads and stores,
 * fetches, and requests beyond L2. They are noted beside the ring of retiring instructions, and
 * only while there is a subscriber. */
#include "access_events.h"

#include <string.h>

#include "spans.h"

void access_events_subscribe(struct model *model, struct model_subscriber subscriber)
{
    model->subscriber = subscriber;
    model->subscribed = subscriber.access != NULL || subscriber.fetch != NULL;
    memory_subscribe(model->translations, subscriber.request, subscriber.context);
}

static struct retiring_note *newest(struct model *model)
{
    return &model->access_events[model->retire_tail % RETIRING];
}

void access_events_begin(struct model *model)
{
    memset(newest(model), 0, sizeof(struct retiring_note));
}

void access_event_load(struct model *model, const struct access *access, uint32_t flags,
                       uint64_t begun, const struct reach *reach)
{
    struct retiring_note *note = newest(model);

    if (note->has_load)
        return;
    note->has_load = true;
    note->load = (struct retired_access){
        .address = access->address,
        .begun = begun + model->skipped,
        .latency = reach->done - begun,
        .origin = reach_origin(reach->level, reach->served),
        .blocked = flags & RETIRE_FORWARD_BLOCKED,
        .aliased = flags & RETIRE_ALIAS,
        .walked = reach->walk,
        .locked = flags & RETIRE_LOCK,
    };
}

void access_event_store(struct model *model, const struct access *access, bool locked, bool walked,
                        enum level level)
{
    struct retiring_note *note = newest(model);

    if (note->has_store)
        return;
    note->has_store = true;
    note->store = (struct retired_access){.address = access->address,
                                          .write = true,
                                          .hit = level == LEVEL_L1,
                                          .walked = walked,
                                          .locked = locked};
}

void access_event_fetch(struct model *model, const struct reach *reach)
{
    unsigned *fetched = &newest(model)->fetched;

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

void access_event_retired(struct model *model, uint64_t entry)
{
    const struct retiring_note *note = &model->access_events[entry % RETIRING];
    void *context = model->subscriber.context;

    if (!note->has_load && !note->has_store && !note->fetched)
        return;
    span_flush(model);
    /* each call may end the subscription */
    if (note->fetched && model->subscriber.fetch != NULL)
        model->subscriber.fetch(context, note->fetched);
    if (note->has_load && model->subscriber.access != NULL)
        model->subscriber.access(context, &note->load);
    if (note->has_store && model->subscriber.access != NULL)
        model->subscriber.access(context, &note->store);
}
