#include "overhead_plan.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/experiment/cpi/branch_series.h"

#define CYCLES "CPU_CLK_UNHALTED.THREAD"

static bool can_count(const struct measured_core *core, const struct event *event, unsigned counter)
{
    const struct facts *facts = &core->facts;

    if ((event->kind != EVENT_GENERAL && event->kind != EVENT_FIXED) || !event->encodable ||
        event->alone || event->msr != 0 || !(event->counters >> counter & 1))
        return false;
    return event->architectural < 0 || (facts->architectural_events >> event->architectural & 1);
}

const char *overhead_plan_base(struct overhead_step *step, const struct measured_core *core)
{
    const struct event *cycles = description_event(core->description, CYCLES);
    const uint32_t general = pass_general_counters(&core->facts);
    struct assignment assignment;

    memset(&assignment, 0, sizeof(assignment));
    if (cycles == NULL)
        return "this CPU's description does not have the event of the core's cycles";
    if (cycles->kind == EVENT_FIXED && pass_fixed_counters(&core->facts) >> cycles->fixed & 1)
        assignment.fixed[cycles->fixed] = cycles;
    else if (general & 1 && can_count(core, cycles, 0))
        assignment.general[0] = cycles;
    else
        return "no counter of this core counts its cycles";
    pass_make(&step->cycles, &core->facts, &assignment);
    step->nothing = step->cycles;
    step->nothing.enable.value = step->nothing.disable;
    return NULL;
}

static struct overhead_row *add_row(struct overhead_step *step, enum overhead_method method)
{
    struct overhead_row *row = &step->rows[step->row_count++];

    memset(row, 0, sizeof(*row));
    row->method = method;
    return row;
}

static bool is_taken(const struct assignment *assignment, const struct event *event)
{
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] == event)
            return true;
    return false;
}

/* The description's first event that this counter can count, and that no other counter does. */
static const struct event *next_event(const struct measured_core *core,
                                      const struct assignment *assignment, unsigned counter)
{
    const struct description *description = core->description;

    for (unsigned i = 0; i < description->event_count; i++) {
        const struct event *event = &description->events[i];

        if (can_count(core, event, counter) && !is_taken(assignment, event))
            return event;
    }
    return NULL;
}

void overhead_plan_counting(struct overhead_step *step, const struct measured_core *core,
                            unsigned events)
{
    const uint32_t general = pass_general_counters(&core->facts);
    struct overhead_row *row = add_row(step, OVERHEAD_COUNTING);
    struct assignment assignment;
    unsigned count = 0;

    row->events = events;
    memset(&assignment, 0, sizeof(assignment));
    if (core->facts.version < 2 && events > 1) {
        format(row->why, sizeof(row->why), "no write of this core starts more than one counter");
        return;
    }
    for (unsigned i = 0; i < GENERAL_COUNTERS && count < events; i++) {
        if (general >> i & 1)
            assignment.general[i] = next_event(core, &assignment, i);
        count += assignment.general[i] != NULL;
    }
    if (count < events)
        format(row->why, sizeof(row->why), "this core has general counters for %u events", count);
    else
        pass_make(&row->pass, &core->facts, &assignment);
}

/* The counter's preset is the one value of the setup that is the plan's. */
static void set_precise_period(struct pebs_plan *plan, uint64_t every)
{
    const uint64_t before = plan->reset;
    const uint64_t mask = before + plan->period; /* 2^width, of which the preset lacks the period */

    plan->period = every;
    plan->reset = mask - every;
    for (unsigned i = 0; i < plan->pass.setup_count; i++)
        if (plan->pass.setup[i].value == before)
            plan->pass.setup[i].value = plan->reset;
}

static const char *plan_precise(struct overhead_step *step, struct overhead_row *row,
                                const struct measured_core *core)
{
    const char *reason = pebs_absent(&core->facts, core->description);

    if (reason == NULL)
        reason = pebs_plan(&row->pebs, &core->facts, core->description, PEBS_TAKEN,
                           (uint64_t)(uintptr_t)step->area);
    if (reason != NULL)
        return reason;
    if (row->every == 0)
        return "its taken branches were not counted";
    if (row->pebs.record_bytes * OVERHEAD_ROOM > OVERHEAD_BUFFER ||
        (row->pebs.buffer_bytes != 0 &&
         row->pebs.buffer_bytes < row->pebs.record_bytes * OVERHEAD_ROOM))
        return "a window's records do not fit in the PEBS buffer";
    set_precise_period(&row->pebs, row->every);
    row->event = row->pebs.event->name;
    return NULL;
}

static const char *plan_interrupts(struct overhead_row *row, const struct measured_core *core)
{
    const struct event *cycles = description_event(core->description, CYCLES);
    const struct lbr_plan *lbr = row->method == OVERHEAD_BRANCHES ? &row->lbr : NULL;
    const char *reason = lbr != NULL ? branch_series_plan(&row->lbr, core) : NULL;

    row->event = CYCLES;
    row->every = row->period;
    return reason != NULL ? reason
                          : sampling_plan_make(&row->plan, &core->facts, core->description, cycles,
                                               cycles, lbr);
}

void overhead_plan_sampling(struct overhead_step *step, const struct measured_core *core,
                            enum overhead_method method, uint32_t period, uint64_t every)
{
    struct overhead_row *row = add_row(step, method);
    const char *reason;

    row->period = period;
    row->every = every;
    if (core->threads != ONE_THREAD)
        reason = "nothing is sampled while the sibling thread is loaded";
    else if (method == OVERHEAD_PEBS)
        reason = plan_precise(step, row, core);
    else
        reason = plan_interrupts(row, core);
    if (reason != NULL)
        format(row->why, sizeof(row->why), "%s", reason);
}
