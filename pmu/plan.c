#include "plan.h"

#include "boot/text.h"
#include "kind.h"

static bool is_missing(const struct plan *plan, const struct event *event)
{
    for (unsigned i = 0; i < plan->missing_count; i++)
        if (plan->missing[i].event == event)
            return true;
    return false;
}

static bool is_counted(const struct plan *plan, const struct event *event)
{
    for (unsigned p = 0; p < plan->pass_count; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++)
            if (plan->passes[p].readings[i].event == event)
                return true;
    return false;
}

/* --- where no write starts several counters: a pass for each event --- */

static enum rc note_missing(struct plan *plan, const struct event *event, const char *reason)
{
    if (plan->missing_count == PLAN_EVENTS)
        return RC_NO_SPACE;
    plan->missing[plan->missing_count++] = (struct plan_missing){event, reason};
    return RC_OK;
}

/* plan->passes has room for `limit` passes. */
static enum rc add_alone(struct plan *plan, unsigned limit, const struct facts *facts,
                         const struct description *description, const struct event *const *events,
                         unsigned event_count)
{
    enum rc rc = facts->absent != NULL ? RC_ABSENT : RC_OK;

    for (unsigned i = 0; i < event_count && rc == RC_OK; i++) {
        const struct event *event = events[i];
        const char *why;

        if (is_counted(plan, event) || is_missing(plan, event))
            continue;
        if (plan->pass_count == limit)
            return RC_NO_SPACE;
        why = kind_of(facts)->pass(&plan->passes[plan->pass_count], facts, description, event);
        if (why == NULL)
            plan->pass_count++;
        else
            rc = note_missing(plan, event, why);
    }
    return rc;
}

static enum rc make_alone(struct plan *plan, const struct facts *facts,
                          const struct description *description, const struct event *const *events,
                          unsigned event_count, struct pool *pool)
{
    *plan = (struct plan){0};
    if (facts->absent != NULL)
        return RC_ABSENT;
    if (event_count == 0)
        return RC_OK;
    plan->passes = pool_take(pool, event_count * sizeof(*plan->passes));
    if (plan->passes == NULL)
        return RC_NO_SPACE;
    return add_alone(plan, event_count, facts, description, events, event_count);
}

/* How many of the events have a pass. */
static enum rc count_alone(unsigned *count, const struct facts *facts,
                           const struct description *description, const struct event *const *events,
                           unsigned event_count)
{
    struct pass pass;

    for (unsigned i = 0; i < event_count && facts->absent == NULL; i++)
        *count += kind_of(facts)->pass(&pass, facts, description, events[i]) == NULL;
    return facts->absent != NULL ? RC_ABSENT : RC_OK;
}

/* --- all others --- */

/* The general counters that can count the event on this core, bit n for counter n; 0 with *reason.
 */
static uint32_t counters_for(const struct facts *facts, const struct event *event,
                             const char **reason)
{
    const uint32_t counters = event->counters & pass_general_counters(facts);
    const char *refused = pass_refuses(facts, event);

    *reason = "its counters do not exist on this core";
    if (refused != NULL) {
        *reason = refused;
        return 0;
    }
    if (event->by != NULL) {
        *reason = event->by->foreign;
        return 0;
    }
    if (!event->encodable) {
        *reason = event->kind == EVENT_FIXED ? "its fixed counter does not exist on this core"
                                             : "no PERF_METRICS on this core";
        return 0;
    }
    if (event->architectural >= 0 && !(facts->architectural_events >> event->architectural & 1)) {
        *reason = "CPUID 0AH says that this architectural event does not exist";
        return 0;
    }
    return counters;
}

/* The requested events, sorted by how they are counted. */
struct requests {
    const struct event *always[FIXED_COUNTERS]; /* by fixed counter, 0 to 2 only: in every pass */
    struct assignment first; /* other fixed counters and PERF_METRICS: in the first pass only */
    const struct event *general[PLAN_EVENTS];
    struct pack_event needs[PLAN_EVENTS]; /* of each general event */
    unsigned general_count;
};

static bool is_requested(const struct requests *requests, const struct event *event)
{
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (requests->always[i] == event || requests->first.fixed[i] == event)
            return true;
    for (unsigned i = 0; i < requests->general_count; i++)
        if (requests->general[i] == event)
            return true;
    return false;
}

/* Puts the event on its fixed counter or into PERF_METRICS. False when the core has no such
 * counter, or another event is on it. */
static bool request_fixed(struct requests *requests, const struct facts *facts,
                          const struct event *event)
{
    struct assignment *first = &requests->first;

    if (event->kind == EVENT_METRIC && pass_has_metrics(facts)) {
        first->metrics[event->field & 7] = event;
        return true;
    }
    if (event->kind == EVENT_SLOTS && pass_has_metrics(facts)) {
        first->slots = event;
        return true;
    }
    if (event->kind != EVENT_FIXED || event->fixed >= FIXED_COUNTERS ||
        !(pass_fixed_counters(facts) >> event->fixed & 1) ||
        requests->always[event->fixed] != NULL || first->fixed[event->fixed] != NULL)
        return false;
    first->fixed[event->fixed] = event;
    return true;
}

/* Adds the event to the requests, or to the plan's missing events. */
static enum rc request(struct plan *plan, struct requests *requests, const struct facts *facts,
                       const struct event *event, uint16_t family)
{
    const char *reason;
    uint32_t counters;

    if (is_requested(requests, event) || request_fixed(requests, facts, event))
        return RC_OK;
    counters = counters_for(facts, event, &reason);
    if (counters == 0)
        return note_missing(plan, event, reason);
    if (requests->general_count == PLAN_EVENTS)
        return RC_NO_SPACE;
    requests->needs[requests->general_count] =
        (struct pack_event){.counters = counters,
                            .registers = {event->msr, event->second.msr},
                            .value = event->msr_value,
                            .family = family,
                            .alone = event->alone};
    requests->general[requests->general_count++] = event;
    return RC_OK;
}

/* What every plan has without being asked: the description's events for fixed counters 0 to 2, and
 * the slots when a metric is requested. */
static void request_implied(struct requests *requests, const struct facts *facts,
                            const struct description *description,
                            const struct event *const *events, unsigned event_count)
{
    bool metric = false;

    for (unsigned i = 0; i < description->event_count; i++) {
        const struct event *event = &description->events[i];

        if (event->kind == EVENT_FIXED && event->fixed < 3 &&
            pass_fixed_counters(facts) >> event->fixed & 1 &&
            requests->always[event->fixed] == NULL)
            requests->always[event->fixed] = event;
    }
    for (unsigned i = 0; i < event_count; i++)
        metric |= events[i]->kind == EVENT_METRIC;
    for (unsigned i = 0; i < description->event_count && metric && pass_has_metrics(facts); i++)
        if (description->events[i].kind == EVENT_SLOTS)
            requests->first.slots = &description->events[i];
}

static enum rc request_all(struct plan *plan, struct requests *requests, const struct facts *facts,
                           const struct description *description, const struct event *const *events,
                           const uint16_t *families, unsigned event_count)
{
    enum rc rc = RC_OK;

    if (facts->absent != NULL || facts->version == 0)
        return RC_ABSENT;
    request_implied(requests, facts, description, events, event_count);
    for (unsigned i = 0; i < event_count && rc == RC_OK; i++)
        rc = request(plan, requests, facts, events[i], families != NULL ? families[i] : 0);
    return rc;
}

/* Whether something is requested of the first pass only. */
static bool has_first(const struct requests *requests)
{
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (requests->first.fixed[i] != NULL)
            return true;
    return requests->first.slots != NULL;
}

static bool has_always(const struct requests *requests)
{
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (requests->always[i] != NULL)
            return true;
    return false;
}

/* Returns how many passes the requests take; the packing says which pass counts which event. */
static unsigned pack_requests(struct packing *packing, const struct requests *requests,
                              const struct facts *facts)
{
    pack(packing, requests->needs, requests->general_count, facts->version < 2);
    if (packing->pass_count > 0)
        return packing->pass_count;
    return has_first(requests) || has_always(requests);
}

static bool counts(const struct assignment *assignment, const struct event *event)
{
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] == event)
            return true;
    return false;
}

/* Passes are compared by their cycles and instructions. */
static void fill(struct assignment *assignment, const struct facts *facts,
                 const struct description *description)
{
    static const char *const names[] = {"CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY"};

    for (unsigned n = 0; n < COUNT_OF(names); n++) {
        const struct event *event = description_event(description, names[n]);
        const char *reason;
        uint32_t left;

        if (event == NULL || counts(assignment, event))
            continue;
        left = counters_for(facts, event, &reason);
        for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
            if (left >> i & 1 && assignment->general[i] == NULL) {
                assignment->general[i] = event;
                break;
            }
    }
}

/* plan->passes has room for `count` more. */
static void add_passes(struct plan *plan, const struct requests *requests,
                       const struct facts *facts, const struct description *description,
                       const struct packing *packing, unsigned count)
{
    for (unsigned p = 0; p < count; p++) {
        struct assignment assignment = p == 0 ? requests->first : (struct assignment){0};

        for (unsigned i = 0; i < FIXED_COUNTERS; i++)
            if (requests->always[i] != NULL)
                assignment.fixed[i] = requests->always[i];
        for (unsigned i = 0; i < requests->general_count; i++)
            if (packing->pass[i] == p) {
                assignment.general[packing->counter[i]] = requests->general[i];
                assignment.second[packing->counter[i]] = packing->choice[i] != 0;
            }
        if (kind_of(facts)->fills_passes && facts->version >= 2)
            fill(&assignment, facts, description);
        pass_make(&plan->passes[plan->pass_count++], facts, &assignment);
    }
}

enum rc plan_make(struct plan *plan, const struct facts *facts,
                  const struct description *description, const struct event *const *events,
                  const uint16_t *families, unsigned event_count, struct pool *pool)
{
    struct requests requests = {0};
    struct packing packing;
    unsigned count;
    enum rc rc;

    if (kind_of(facts)->pass != NULL)
        return make_alone(plan, facts, description, events, event_count, pool);
    *plan = (struct plan){0};
    rc = request_all(plan, &requests, facts, description, events, families, event_count);
    if (rc != RC_OK)
        return rc;
    count = pack_requests(&packing, &requests, facts);
    if (count == 0)
        return RC_OK;
    plan->passes = pool_take(pool, count * sizeof(*plan->passes));
    if (plan->passes == NULL)
        return RC_NO_SPACE;
    add_passes(plan, &requests, facts, description, &packing, count);
    return RC_OK;
}

enum rc plan_append(struct plan *plan, unsigned limit, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count)
{
    const struct event *wanted[PLAN_EVENTS];
    struct requests requests = {0};
    struct packing packing;
    unsigned wanted_count = 0, count;
    enum rc rc;

    if (kind_of(facts)->pass != NULL)
        return add_alone(plan, limit, facts, description, events, event_count);
    for (unsigned i = 0; i < event_count && wanted_count < PLAN_EVENTS; i++)
        if (!is_counted(plan, events[i]) && !is_missing(plan, events[i]))
            wanted[wanted_count++] = events[i];
    if (wanted_count == 0)
        return RC_OK;
    rc = request_all(plan, &requests, facts, description, wanted, NULL, wanted_count);
    if (rc != RC_OK)
        return rc;
    count = pack_requests(&packing, &requests, facts);
    if (requests.general_count == 0 && !has_first(&requests) && plan->pass_count > 0)
        return RC_OK; /* the present passes have fixed counters 0 to 2 */
    if (plan->pass_count + count > limit)
        return RC_NO_SPACE;
    add_passes(plan, &requests, facts, description, &packing, count);
    return RC_OK;
}

enum rc plan_passes(unsigned *count, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count)
{
    struct plan nothing = {0};
    struct requests requests = {0};
    struct packing packing;
    enum rc rc;

    *count = 0;
    if (kind_of(facts)->pass != NULL)
        return count_alone(count, facts, description, events, event_count);
    rc = request_all(&nothing, &requests, facts, description, events, NULL, event_count);
    *count = rc == RC_OK ? pack_requests(&packing, &requests, facts) : 0;
    return rc;
}

unsigned plan_registers(const struct plan *plan, uint32_t *registers, unsigned limit)
{
    unsigned count = 0;

    for (unsigned p = 0; p < plan->pass_count; p++) {
        unsigned next = 0; /* passes write nearly the same registers in the same order */

        for (unsigned i = 0; i < plan->passes[p].setup_count; i++) {
            uint32_t msr = plan->passes[p].setup[i].msr;
            unsigned known = next < count && registers[next] == msr ? next : 0;

            if (register_is_command(msr))
                continue;
            while (known < count && registers[known] != msr)
                known++;
            next = known + 1;
            if (known == count && count < limit)
                registers[count++] = msr;
        }
    }
    return count;
}
