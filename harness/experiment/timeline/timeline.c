#include "timeline.h"

#include "boot/text.h"

#define NAMES 3 /* of an event, which is named differently on different CPUs */

/* What happens in a cycle, from the front end to retirement. */
static const char *const wanted[TIMELINE_EVENTS][NAMES] = {
    {"INST_RETIRED.ANY"},
    {"UOPS_RETIRED.RETIRE_SLOTS", "UOPS_RETIRED.SLOTS", "TOPDOWN_RETIRING.ALL"},
    {"UOPS_ISSUED.ANY"},
    {"UOPS_EXECUTED.THREAD"},
    {"IDQ_UOPS_NOT_DELIVERED.CORE", "IDQ_BUBBLES.CORE"},
    {"BR_INST_RETIRED.ALL_BRANCHES"},
    {"BR_INST_RETIRED.NEAR_TAKEN"},
    {"BR_MISP_RETIRED.ALL_BRANCHES"},
    {"MEM_INST_RETIRED.ALL_LOADS", "MEM_UOPS_RETIRED.ALL_LOADS"},
    {"MEM_INST_RETIRED.ALL_STORES", "MEM_UOPS_RETIRED.ALL_STORES"},
};

size_t timeline_kept_bytes(unsigned limit)
{
    return (size_t)TIMELINE_PASSES * (limit + 1);
}

size_t timeline_counts_bytes(unsigned limit, unsigned repeats)
{
    return sizeof(uint32_t) * TIMELINE_EVENTS * (limit + 1) * repeats;
}

void timeline_begin(struct timeline *timeline)
{
    *timeline = (struct timeline){.limit = timeline->limit,
                                  .repeats = timeline->repeats,
                                  .delay_min = UINT64_MAX,
                                  .kept = timeline->kept,
                                  .counts = timeline->counts};
    memset(timeline->kept, 0, timeline_kept_bytes(timeline->limit));
}

static void choose_event(struct timeline_event *to, const struct description *description,
                         const char *const names[NAMES])
{
    *to = (struct timeline_event){.name = names[0],
                                  .missing = "this CPU's description does not name it"};
    for (unsigned i = 0; i < NAMES && names[i] != NULL && to->event == NULL; i++) {
        to->event = description_event(description, names[i]);
        if (to->event != NULL) {
            to->name = names[i];
            to->missing = NULL;
        }
    }
}

/* Where the plan counts the event, or why it does not. */
static void find_reading(struct timeline *timeline, struct timeline_event *event)
{
    const struct plan *plan = &timeline->plan;

    for (unsigned p = 0; p < plan->pass_count && event->event != NULL; p++) {
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            if (plan->passes[p].readings[i].event != event->event)
                continue;
            event->pass = p;
            event->reading = i;
            return;
        }
    }
    if (event->event == NULL)
        return;
    event->missing = "no counter of this core counts it";
    for (unsigned i = 0; i < plan->missing_count; i++) {
        if (plan->missing[i].event == event->event)
            event->missing = plan->missing[i].reason;
    }
    event->event = NULL;
}

static bool arm_passes(struct timeline *timeline, const struct facts *facts)
{
    if (timeline->plan.pass_count == 0 || timeline->plan.pass_count > TIMELINE_PASSES)
        return false;
    for (unsigned p = 0; p < timeline->plan.pass_count; p++) {
        timeline->armed[p] = timeline->plan.passes[p];
        if (!freeze_arm(&timeline->armed[p], facts))
            return false;
    }
    return true;
}

bool timeline_plan(struct timeline *timeline, const struct facts *facts,
                   const struct description *description, struct pool *pool)
{
    const struct event *events[TIMELINE_EVENTS];
    unsigned count = 0;

    timeline->freeze = freeze_kind(facts, &timeline->absent);
    if (timeline->freeze == FREEZE_NONE)
        return false;
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++) {
        choose_event(&timeline->events[i], description, wanted[i]);
        if (timeline->events[i].event != NULL)
            events[count++] = timeline->events[i].event;
    }
    if (plan_make(&timeline->plan, facts, description, events, NULL, count, pool) != RC_OK)
        timeline->absent = "its events cannot be planned";
    else if (!arm_passes(timeline, facts))
        timeline->absent = "no fixed counter for cycles in each of its passes";
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++)
        find_reading(timeline, &timeline->events[i]);
    return timeline->absent == NULL;
}

/* No kernel does so much in so few cycles. */
static bool is_beyond_belief(const struct timeline *timeline, unsigned pass,
                             const struct raw_counts *raw)
{
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++) {
        const struct timeline_event *event = &timeline->events[i];

        if (event->event != NULL && event->pass == pass &&
            (raw->value[event->reading] > UINT32_MAX || raw->overflowed[event->reading]))
            return true;
    }
    return false;
}

void timeline_keep(struct timeline *timeline, unsigned pass, uint64_t cycle,
                   const struct raw_counts *raw)
{
    uint8_t *kept;

    if (is_beyond_belief(timeline, pass, raw)) {
        timeline->dropped++;
        return;
    }
    if (cycle == 0 || cycle > timeline->limit)
        return;
    kept = &timeline->kept[pass * (timeline->limit + 1) + cycle];
    if (*kept == timeline->repeats)
        return;
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++) {
        const struct timeline_event *event = &timeline->events[i];

        if (event->event != NULL && event->pass == pass)
            timeline_counts(timeline, i, cycle)[*kept] = (uint32_t)raw->value[event->reading];
    }
    (*kept)++;
}
