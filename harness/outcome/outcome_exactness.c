#include "outcome_exactness.h"

#include "harness/experiment/topdown/records_topdown.h"

static unsigned add_once(const struct event **events, unsigned count, const struct event *event)
{
    for (unsigned i = 0; i < count; i++)
        if (events[i] == event)
            return count;
    if (count < PLAN_EVENTS)
        events[count++] = event;
    return count;
}

void outcome_exactness(const struct config *config, const struct measured_core *core)
{
    const struct description *description = core->description;
    const struct event *events[PLAN_EVENTS];
    struct extra extras[PARAMETERS_MAX];
    struct counts given = {.description = description, .extras = extras};
    unsigned count = 0;

    if (core->lost || core->facts.absent != NULL || core->exactness.events == NULL)
        return;
    given.extra_count = parameters_of_core(extras, &core->facts, description, core->threads);
    for (unsigned i = 0; i < description->node_count; i++) {
        const struct node *node = &description->nodes[i];

        if (node->level > 0 && node->level <= config->levels)
            count = topdown_events_given(&given, &node->formula, events, count, PLAN_EVENTS, NULL);
    }
    for (unsigned i = 0; i < description->event_count; i++)
        if (core->exactness.events[i].times > 0)
            count = add_once(events, count, &description->events[i]);
    record_exactness(core, events, count);
}
