#include "selection_events.h"

#include "asked_events.h"
#include "boot/text.h"
#include "parameters.h"

/* CPI needs these events, so every plan has those of them that the CPU can count. */
static const char *const basic_events[] = {
    "CPU_CLK_UNHALTED.THREAD",
    "INST_RETIRED.ANY",
    "CPU_CLK_UNHALTED.REF_TSC",
};

/* An event belongs to the family that needs it first; families count from 1. */
static unsigned add_nodes(const struct counts *given, const struct selection *selection,
                          unsigned level, const struct event **events, uint16_t *families,
                          unsigned count)
{
    const struct description *description = given->description;

    for (unsigned i = 0; i < description->node_count; i++) {
        const struct node *node = &description->nodes[i];
        const unsigned before = count;

        if (node->level != level || !selection_has(selection, i))
            continue;
        count = topdown_events_given(given, &node->formula, events, count, PLAN_EVENTS, NULL);
        for (unsigned added = before; added < count; added++)
            families[added] = (uint16_t)(node->parent + 2);
    }
    return count;
}

/* An event of no family. */
static unsigned add_event(const struct event *event, const struct event **events,
                          uint16_t *families, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (events[i] == event)
            return count;
    }
    if (event == NULL || count == PLAN_EVENTS)
        return count;
    families[count] = 0;
    events[count] = event;
    return count + 1;
}

unsigned selection_events(const struct selection *selection, const struct counts *given,
                          const struct event *events[PLAN_EVENTS], uint16_t *families)
{
    const struct description *description = given->description;
    const unsigned depth = selection_depth(description);
    struct extra extras[PARAMETERS_MAX];
    const struct counts without = parameters_without_metrics(given, extras);
    unsigned count = add_nodes(given, selection, 1, events, families, 0);

    if (selection->both)
        count = add_nodes(&without, selection, 1, events, families, count);
    for (size_t i = 0; i < COUNT_OF(basic_events); i++)
        count = add_event(description_event(description, basic_events[i]), events, families, count);
    for (unsigned level = 2; level <= depth; level++) {
        count = add_nodes(given, selection, level, events, families, count);
        if (selection->both && level == 2)
            count = add_nodes(&without, selection, level, events, families, count);
    }
    for (unsigned i = 0; selection->asked != NULL && i < selection->asked->count; i++)
        count = add_event(selection->asked->events[i], events, families, count);
    return count;
}
