#include "pebs.h"

#include "boot/text.h"
#include "pmu/kind.h"

_Static_assert(offsetof(struct ds_area, base) == 0x20 && offsetof(struct ds_area, reset) == 0x40,
               "\"DS Save Area\"");

const char *pebs_absent(const struct facts *facts, const struct description *description)
{
    const struct pebs_kind *kind = description->pebs;

    if (kind == NULL)
        return "this CPU's description names no PEBS record";
    if (kind->unusable != NULL)
        return kind->unusable;
    if (!facts->debug_store)
        return "CPUID has no DS area in 64-bit format";
    if (facts->pebs_unavailable)
        return "IA32_MISC_ENABLE says that PEBS is unavailable";
    return kind_of(facts)->pebs_absent != NULL ? kind_of(facts)->pebs_absent(facts) : NULL;
}

/* Why the description refuses to count the event. Code and unit mask say which event it is: the
 * threshold of a load's latency is in a register of its own. */
static const char *refused_event(const struct description *description,
                                 const struct pebs_event *wanted)
{
    for (unsigned i = 0; i < description->event_count; i++) {
        const struct event *event = &description->events[i];

        if (event->kind == EVENT_GENERAL && event->code == wanted->code &&
            event->umask == wanted->umask && event->why != NULL)
            return event->why;
    }
    return NULL;
}

const char *pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                      const struct description *description, enum pebs_use use, uint64_t area)
{
    const struct pebs_choice choice = {.period = 0};

    return pebs_plan_chosen(plan, facts, description, use, area, &choice);
}

const char *pebs_plan_chosen(struct pebs_plan *plan, const struct facts *facts,
                             const struct description *description, enum pebs_use use,
                             uint64_t area, const struct pebs_choice *choice)
{
    const struct pebs_kind *kind = description->pebs;
    const struct pebs_event *event =
        kind != NULL ? &kind->events[use < PEBS_LATENCY ? use : PEBS_LATENCY] : NULL;
    const char *refused;

    *plan = (struct pebs_plan){.use = use, .event = event};
    if (event == NULL || event->name == NULL)
        return "no precise event of this CPU counts that";
    if (pass_disturbs(facts, event->code))
        return "it would count in the other thread's counters, which count too";
    refused = refused_event(description, event);
    if (refused != NULL)
        return refused;
    return kind_of(facts)->pebs(plan, facts, description, area, choice);
}

unsigned pebs_registers(const struct pebs_plan *plan, uint32_t *registers, unsigned limit)
{
    unsigned count = 0;

    for (unsigned i = 0; i < plan->branches.keep_count && count < limit; i++)
        registers[count++] = plan->branches.keep[i];
    for (unsigned i = 0; i < plan->pass.setup_count && count < limit; i++)
        if (plan->pass.setup[i].msr != IA32_PERF_GLOBAL_OVF_CTRL)
            registers[count++] = plan->pass.setup[i].msr;
    return count;
}

void ds_area_begin(struct ds_area *area, const struct pebs_plan *plan, const uint8_t *buffer,
                   unsigned records, unsigned threshold)
{
    memset(area, 0, sizeof(*area));
    area->base = area->index = (uint64_t)(uintptr_t)buffer;
    area->maximum = area->base + (uint64_t)records * plan->record_bytes;
    area->threshold = area->base + (uint64_t)threshold * plan->record_bytes;
    area->reset[plan->reset_slot] = plan->reset;
}

bool ds_area_end(const struct ds_area *area, const struct pebs_plan *plan, unsigned *records,
                 bool *full)
{
    const uint64_t bytes = area->index - area->base;

    *records = 0;
    *full = false;
    if (area->index < area->base || area->index > area->maximum || bytes % plan->record_bytes != 0)
        return false;
    *records = (unsigned)(bytes / plan->record_bytes);
    *full = area->index + plan->record_bytes > area->maximum;
    return true;
}
