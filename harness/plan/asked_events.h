/* The events that a user names, beside what the nodes need: an event of the core's description;
 * what the core's kind of counters has beside these (pmu/kind.h), with masks, by register values or
 * by a raw selector. Pure. */
#ifndef HARNESS_PLAN_ASKED_EVENTS_H
#define HARNESS_PLAN_ASKED_EVENTS_H

#include "boot/pool.h"
#include "boot/rc.h"
#include "pmu/description.h"

#define ASKED_EVENTS 16

/* On the cores of one description. */
struct asked_events {
    const struct event *events[ASKED_EVENTS];
    unsigned count;
};

/* Sets *event to the event that the text means on such a core. RC_OK; RC_BAD_INPUT with a complaint
 * whose column is the place in the text, from 1: the text means none there; RC_NO_SPACE. */
enum rc asked_event(const struct event **event, const char *text,
                    const struct description *description, const struct facts *facts,
                    struct pool *pool, struct complaint *complaint);
/* The same for an event that another kind of core knows: no counter of this one counts it, and its
 * reason says that the description does not know it. Null: no memory. */
const struct event *asked_event_unknown(const char *text, const struct description *description,
                                        struct pool *pool);

#endif
