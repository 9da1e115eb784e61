#include "survey_events.h"

#include "boot/log.h"
#include "harness/plan/asked_events.h"
#include "harness/run/complaints.h"
#include "survey_nodes.h"

_Static_assert(CONFIG_EVENTS <= ASKED_EVENTS, "every configured event has room");

#define NO_MEMORY "no memory for the configuration's events"

static const struct measured_core *kind_after(const struct run_cores *cores,
                                              const struct measured_core *kind)
{
    return survey_next_kind(cores, kind == NULL ? 0 : (unsigned)(kind - cores->of) + 1);
}

/* Refuses the run because no kind of core knows the event, as the first kind says it. */
static void refuse(struct complaints *complaints, const struct config_place *place,
                   const struct complaint *complaint)
{
    struct config_place at = *place;

    at.column += complaint->column - 1;
    complaints_refuse_value(complaints, &at, complaint->message, complaint->expected);
}

/* Finds the event on a core of that kind. `any`: other kinds know it. */
static enum rc find(struct pool *pool, const struct measured_core *kind, const char *text, bool any,
                    const struct event **event, struct complaint *complaint)
{
    const enum rc rc = asked_event(event, text, kind->description, &kind->facts, pool, complaint);

    if (rc != RC_BAD_INPUT || !any)
        return rc;
    *event = asked_event_unknown(text, kind->description, pool);
    return *event != NULL ? RC_OK : RC_NO_SPACE;
}

/* Whether any kind of core knows the event; otherwise the run is refused. */
static bool is_known(const struct run_cores *cores, const struct config_event *wanted,
                     struct pool *pool, struct complaints *complaints)
{
    const struct measured_core *kind = NULL;
    struct complaint first = {0}, complaint;
    const struct event *event;

    while ((kind = kind_after(cores, kind)) != NULL) {
        const enum rc rc = find(pool, kind, wanted->text, false, &event, &complaint);

        if (rc == RC_OK)
            return true;
        if (rc != RC_BAD_INPUT)
            first = (struct complaint){.column = 1, .message = NO_MEMORY};
        else if (first.column == 0)
            first = complaint;
    }
    if (first.column != 0)
        refuse(complaints, &wanted->place, &first);
    return false;
}

/* What is to be known of the event's counts. */
static void say(const char *text, const struct event *event, bool ring_3)
{
    if (event->note != NULL)
        log_comment("%s: %s", text, event->note);
    if (event->rings == RINGS_KERNEL && ring_3)
        log_comment("%s: ring 0 alone is counted, and kernels run in ring 3: the way there and "
                    "back, and interrupts",
                    text);
    if (event->rings == RINGS_USER && !ring_3)
        log_comment("%s: rings 1 to 3 alone are counted, and kernels run in ring 0", text);
}

/* The events on the cores of that kind; null: the run is refused. */
static const struct asked_events *choose(const struct config *config,
                                         const struct measured_core *kind, struct pool *pool,
                                         struct complaints *complaints)
{
    struct asked_events *asked = pool_take(pool, sizeof(*asked));
    struct complaint complaint;

    for (unsigned i = 0; asked != NULL && i < config->event_count; i++) {
        if (find(pool, kind, config->events[i].text, true, &asked->events[i], &complaint) != RC_OK)
            asked = NULL;
        else
            say(config->events[i].text, asked->events[asked->count++], config->ring_3);
    }
    if (asked == NULL)
        complaints_refuse_value(complaints, &config->events[0].place, NO_MEMORY, "fewer events");
    return asked;
}

void survey_events_choose(struct run *run)
{
    const struct config *config = &run->config;
    const struct measured_core *kind = NULL;
    bool known = true;

    for (unsigned i = 0; i < config->event_count; i++)
        known = is_known(&run->cores, &config->events[i], &run->pool, &run->complaints) && known;
    if (!known || config->event_count == 0)
        return;
    while ((kind = kind_after(&run->cores, kind)) != NULL) {
        const struct asked_events *asked = choose(config, kind, &run->pool, &run->complaints);

        for (unsigned i = 0; i < run->cores.count; i++)
            if (run->cores.of[i].description == kind->description)
                run->cores.of[i].first.asked = asked;
    }
}
