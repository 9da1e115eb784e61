#include "plan.h"

#include "boot/text.h"
#include "plan_pack.h"
#include "registers.h"

/* What one pass is made from. */
struct draft {
    const struct facts *facts;
    const struct event *general[PLAN_GENERAL]; /* by counter, null: unused */
    bool second[PLAN_GENERAL];                 /* by counter: by the event's second register */
    const struct event *fixed[PLAN_FIXED];     /* by counter */
    const struct event *slots;                 /* and metrics: only together */
    const struct event *metrics[8];
};

static uint32_t general_counters(const struct facts *facts)
{
    uint32_t count = facts->general_count < PLAN_GENERAL ? facts->general_count : PLAN_GENERAL;

    return ((1u << count) - 1) & ~facts->general_reserved;
}

static uint32_t fixed_counters(const struct facts *facts)
{
    return facts->version >= 2 ? facts->fixed_mask & ((1u << PLAN_FIXED) - 1) : 0;
}

static bool has_metrics(const struct facts *facts)
{
    return facts->perf_metrics && fixed_counters(facts) >> 3 & 1;
}

/* The general counters that can count it on this core; 0 with *reason. */
static uint32_t counters_for(const struct facts *facts, const struct event *event,
                             const char **reason)
{
    uint32_t counters = event->counters & general_counters(facts);

    *reason = "its counters do not exist on this core";
    if (event->kind == EVENT_OUTSIDE) {
        *reason = event->why;
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
    if (event->any && !facts->any_thread) {
        *reason = "this core cannot count for all threads (AnyThread)";
        return 0;
    }
    return counters;
}

static void put(struct pass *pass, uint32_t msr, uint64_t value)
{
    pass->setup[pass->setup_count++] = (struct msr_value){msr, value};
}

static void add_reading(struct pass *pass, const struct event *event, enum reading_kind kind,
                        unsigned counter)
{
    pass->readings[pass->reading_count++] = (struct reading){
        .event = event, .kind = kind, .counter = (uint8_t)counter, .field = event->field};
}

static uint64_t event_select(const struct draft *draft, unsigned counter)
{
    const struct event *event = draft->general[counter];
    const bool second = draft->second[counter];

    return field_of(PERFEVTSEL_EVENT_SELECT, second ? event->second.code : event->code) |
           field_of(PERFEVTSEL_UMASK, second ? event->second.umask : event->umask) |
           field_of(PERFEVTSEL_USR, event->rings != RINGS_KERNEL) |
           field_of(PERFEVTSEL_OS, event->rings != RINGS_USER) |
           field_of(PERFEVTSEL_EDGE, event->edge) | field_of(PERFEVTSEL_ANY, event->any) |
           field_of(PERFEVTSEL_EN, 1) | field_of(PERFEVTSEL_INV, event->inv) |
           field_of(PERFEVTSEL_CMASK, event->cmask) | field_of(PERFEVTSEL_EQ, event->eq) |
           field_of(PERFEVTSEL_UMASK2, event->umask2);
}

/* What the register beside the counter must hold. */
static void put_selection(struct pass *pass, const struct draft *draft, unsigned counter)
{
    const struct event *event = draft->general[counter];

    if (event->msr)
        put(pass, draft->second[counter] ? event->second.msr : event->msr, event->msr_value);
}

static uint32_t counter_register(const struct facts *facts, unsigned counter)
{
    return (facts->full_width_write ? IA32_A_PMC0 : IA32_PMC0) + counter;
}

/* The bits that one write clears: of all counters of this core, and what would keep them frozen
 * (since version 4). */
static uint64_t status_bits(const struct facts *facts)
{
    uint64_t bits = field_of(PERF_GLOBAL_STATUS_OVF_PMC, general_counters(facts)) |
                    field_of(PERF_GLOBAL_STATUS_OVF_FIXED_CTR, fixed_counters(facts)) |
                    field_of(PERF_GLOBAL_STATUS_OVF_PERF_METRICS, has_metrics(facts));

    if (facts->version >= 4)
        bits |= field_of(PERF_GLOBAL_STATUS_LBR_FRZ, 1) | field_of(PERF_GLOBAL_STATUS_CTR_FRZ, 1);
    return bits;
}

static bool uses_fixed(const struct draft *draft, unsigned counter)
{
    return draft->fixed[counter] != NULL || (counter == 3 && draft->slots != NULL);
}

static uint64_t fixed_control(const struct draft *draft)
{
    uint64_t control = 0;

    for (unsigned i = 0; i < PLAN_FIXED; i++)
        if (uses_fixed(draft, i))
            control |= field_of(FIXED_CTR_CTRL_EN0, FIXED_CTR_CTRL_OS_AND_USR)
                       << i * FIXED_CTR_CTRL_STEP;
    return control;
}

static uint64_t global_control(const struct draft *draft)
{
    uint32_t general = 0, fixed = 0;

    for (unsigned i = 0; i < PLAN_GENERAL; i++)
        if (draft->general[i] != NULL)
            general |= 1u << i;
    for (unsigned i = 0; i < PLAN_FIXED; i++)
        if (uses_fixed(draft, i))
            fixed |= 1u << i;
    return field_of(PERF_GLOBAL_CTRL_EN_PMC, general) |
           field_of(PERF_GLOBAL_CTRL_EN_FIXED_CTR, fixed) |
           field_of(PERF_GLOBAL_CTRL_EN_PERF_METRICS, draft->slots != NULL);
}

/* "Architectural Performance Monitoring Version 2": stopped by GLOBAL_CTRL from the first write on,
 * so the order of the rest only matters for PERF_METRICS, which is cleared after the slots that it
 * is a share of. */
static void write_setup(struct pass *pass, const struct draft *draft)
{
    const struct facts *facts = draft->facts;
    uint32_t general = general_counters(facts);

    put(pass, IA32_PERF_GLOBAL_CTRL, 0);
    put(pass, IA32_PERF_GLOBAL_OVF_CTRL, status_bits(facts));
    if (fixed_counters(facts))
        put(pass, IA32_FIXED_CTR_CTRL, fixed_control(draft));
    for (unsigned i = 0; i < PLAN_GENERAL; i++)
        if (general >> i & 1)
            put(pass, IA32_PERFEVTSEL0 + i, draft->general[i] != NULL ? event_select(draft, i) : 0);
    for (unsigned i = 0; i < PLAN_GENERAL; i++)
        if (draft->general[i] != NULL)
            put_selection(pass, draft, i);
    for (unsigned i = 0; i < PLAN_GENERAL; i++)
        if (draft->general[i] != NULL)
            put(pass, counter_register(facts, i), 0);
    for (unsigned i = 0; i < PLAN_FIXED; i++)
        if (uses_fixed(draft, i))
            put(pass, IA32_FIXED_CTR0 + i, 0);
    if (draft->slots != NULL)
        put(pass, MSR_PERF_METRICS, 0);
    pass->enable = (struct msr_value){IA32_PERF_GLOBAL_CTRL, global_control(draft)};
    pass->disable = 0;
}

/* Version 1: the enable bit of the one event select starts and stops it. */
static void write_setup_of_version_1(struct pass *pass, const struct draft *draft)
{
    uint32_t general = general_counters(draft->facts);

    for (unsigned i = 0; i < PLAN_GENERAL; i++)
        if (general >> i & 1)
            put(pass, IA32_PERFEVTSEL0 + i, 0);
    for (unsigned i = 0; i < PLAN_GENERAL; i++) {
        uint64_t select;

        if (draft->general[i] == NULL)
            continue;
        select = event_select(draft, i);
        put_selection(pass, draft, i);
        put(pass, counter_register(draft->facts, i), 0);
        pass->enable = (struct msr_value){IA32_PERFEVTSEL0 + i, select};
        pass->disable = select & ~field_of(PERFEVTSEL_EN, 1);
    }
}

static void finish_pass(struct pass *pass, const struct draft *draft)
{
    for (unsigned i = 0; i < PLAN_FIXED; i++)
        if (draft->fixed[i] != NULL)
            add_reading(pass, draft->fixed[i], READING_FIXED, i);
    if (draft->slots != NULL)
        add_reading(pass, draft->slots, READING_SLOTS, 3);
    for (unsigned i = 0; i < COUNT_OF(draft->metrics); i++)
        if (draft->metrics[i] != NULL)
            add_reading(pass, draft->metrics[i], READING_METRIC, 0);
    for (unsigned i = 0; i < PLAN_GENERAL; i++)
        if (draft->general[i] != NULL)
            add_reading(pass, draft->general[i], READING_GENERAL, i);
    if (draft->facts->version >= 2)
        write_setup(pass, draft);
    else
        write_setup_of_version_1(pass, draft);
}

/* Sorted by how they are counted. */
struct wishes {
    struct draft always; /* fixed counters 0 to 2 */
    struct draft first;  /* other fixed counters and PERF_METRICS: in the first pass only */
    const struct event *general[PLAN_EVENTS];
    struct pack_event needs[PLAN_EVENTS]; /* of each general event */
    unsigned general_count;
};

static bool already_wished(const struct wishes *wishes, const struct event *event)
{
    for (unsigned i = 0; i < PLAN_FIXED; i++)
        if (wishes->always.fixed[i] == event || wishes->first.fixed[i] == event)
            return true;
    for (unsigned i = 0; i < wishes->general_count; i++)
        if (wishes->general[i] == event)
            return true;
    return false;
}

/* On a fixed counter or in PERF_METRICS, when the core has it and no other event is there. */
static bool wish_special(struct wishes *wishes, const struct facts *facts,
                         const struct event *event)
{
    struct draft *first = &wishes->first;

    if (event->kind == EVENT_METRIC && has_metrics(facts)) {
        first->metrics[event->field & 7] = event;
        return true;
    }
    if (event->kind == EVENT_SLOTS && has_metrics(facts)) {
        first->slots = event;
        return true;
    }
    if (event->kind != EVENT_FIXED || event->fixed >= PLAN_FIXED ||
        !(fixed_counters(facts) >> event->fixed & 1) ||
        wishes->always.fixed[event->fixed] != NULL || first->fixed[event->fixed] != NULL)
        return false;
    first->fixed[event->fixed] = event;
    return true;
}

static enum rc wish(struct plan *plan, struct wishes *wishes, const struct facts *facts,
                    const struct event *event, uint16_t family)
{
    const char *reason;
    uint32_t counters;

    if (already_wished(wishes, event) || wish_special(wishes, facts, event))
        return RC_OK;
    counters = counters_for(facts, event, &reason);
    if (counters == 0) {
        if (plan->missing_count == PLAN_EVENTS)
            return RC_NO_SPACE;
        plan->missing[plan->missing_count++] = (struct plan_missing){event, reason};
        return RC_OK;
    }
    if (wishes->general_count == PLAN_EVENTS)
        return RC_NO_SPACE;
    wishes->needs[wishes->general_count] =
        (struct pack_event){.counters = counters,
                            .registers = {event->msr, event->second.msr},
                            .value = event->msr_value,
                            .family = family,
                            .alone = event->alone};
    wishes->general[wishes->general_count++] = event;
    return RC_OK;
}

/* The description's events for fixed counters 0 to 2, asked for or not; and metrics need their
 * slots. */
static void wish_unasked(struct wishes *wishes, const struct facts *facts,
                         const struct description *description, const struct event *const *events,
                         unsigned event_count)
{
    bool metric = false;

    for (unsigned i = 0; i < description->event_count; i++) {
        const struct event *event = &description->events[i];

        if (event->kind == EVENT_FIXED && event->fixed < 3 &&
            fixed_counters(facts) >> event->fixed & 1 && wishes->always.fixed[event->fixed] == NULL)
            wishes->always.fixed[event->fixed] = event;
    }
    for (unsigned i = 0; i < event_count; i++)
        metric |= events[i]->kind == EVENT_METRIC;
    for (unsigned i = 0; i < description->event_count && metric && has_metrics(facts); i++)
        if (description->events[i].kind == EVENT_SLOTS)
            wishes->first.slots = &description->events[i];
}

static bool wants_first(const struct wishes *wishes)
{
    for (unsigned i = 0; i < PLAN_FIXED; i++)
        if (wishes->first.fixed[i] != NULL || wishes->always.fixed[i] != NULL)
            return true;
    return wishes->first.slots != NULL;
}

/* How many passes these wishes take, and where each goes. */
static unsigned pack_wishes(struct packing *packing, const struct wishes *wishes,
                            const struct facts *facts)
{
    pack(packing, wishes->needs, wishes->general_count, facts->version < 2);
    return packing->pass_count > 0 ? packing->pass_count : wants_first(wishes);
}

/* There is room for them. */
static void add_passes(struct plan *plan, const struct wishes *wishes, const struct facts *facts,
                       const struct packing *packing, unsigned count)
{
    for (unsigned p = 0; p < count; p++) {
        struct draft draft = p == 0 ? wishes->first : (struct draft){0};

        draft.facts = facts;
        for (unsigned i = 0; i < PLAN_FIXED; i++)
            if (wishes->always.fixed[i] != NULL)
                draft.fixed[i] = wishes->always.fixed[i];
        for (unsigned i = 0; i < wishes->general_count; i++)
            if (packing->pass[i] == p) {
                draft.general[packing->counter[i]] = wishes->general[i];
                draft.second[packing->counter[i]] = packing->choice[i] != 0;
            }
        memset(&plan->passes[plan->pass_count], 0, sizeof(plan->passes[0]));
        finish_pass(&plan->passes[plan->pass_count++], &draft);
    }
}

static enum rc wish_all(struct plan *plan, struct wishes *wishes, const struct facts *facts,
                        const struct description *description, const struct event *const *events,
                        const uint16_t *families, unsigned event_count)
{
    enum rc rc = RC_OK;

    if (facts->absent != NULL || facts->version == 0)
        return RC_ABSENT;
    wish_unasked(wishes, facts, description, events, event_count);
    for (unsigned i = 0; i < event_count && rc == RC_OK; i++)
        rc = wish(plan, wishes, facts, events[i], families != NULL ? families[i] : 0);
    return rc;
}

enum rc plan_make_families(struct plan *plan, const struct facts *facts,
                           const struct description *description, const struct event *const *events,
                           const uint16_t *families, unsigned event_count,
                           void *(*allocate)(size_t))
{
    struct wishes wishes = {0};
    struct packing packing;
    unsigned count;
    enum rc rc;

    *plan = (struct plan){0};
    rc = wish_all(plan, &wishes, facts, description, events, families, event_count);
    if (rc != RC_OK)
        return rc;
    count = pack_wishes(&packing, &wishes, facts);
    if (count == 0)
        return RC_OK;
    plan->passes = allocate(count * sizeof(*plan->passes));
    if (plan->passes == NULL)
        return RC_NO_SPACE;
    add_passes(plan, &wishes, facts, &packing, count);
    return RC_OK;
}

enum rc plan_make(struct plan *plan, const struct facts *facts,
                  const struct description *description, const struct event *const *events,
                  unsigned event_count, void *(*allocate)(size_t))
{
    return plan_make_families(plan, facts, description, events, NULL, event_count, allocate);
}

static bool is_missing(const struct plan *plan, const struct event *event)
{
    for (unsigned i = 0; i < plan->missing_count; i++)
        if (plan->missing[i].event == event)
            return true;
    return false;
}

bool plan_counts(const struct plan *plan, const struct event *event)
{
    for (unsigned p = 0; p < plan->pass_count; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++)
            if (plan->passes[p].readings[i].event == event)
                return true;
    return false;
}

enum rc plan_append(struct plan *plan, unsigned limit, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count)
{
    const struct event *wanted[PLAN_EVENTS];
    struct wishes wishes = {0};
    struct packing packing;
    unsigned wanted_count = 0, count;
    enum rc rc;

    for (unsigned i = 0; i < event_count && wanted_count < PLAN_EVENTS; i++)
        if (!plan_counts(plan, events[i]) && !is_missing(plan, events[i]))
            wanted[wanted_count++] = events[i];
    if (wanted_count == 0)
        return RC_OK;
    rc = wish_all(plan, &wishes, facts, description, wanted, NULL, wanted_count);
    if (rc != RC_OK)
        return rc;
    count = pack_wishes(&packing, &wishes, facts);
    if (wishes.general_count == 0 && plan->pass_count > 0 && wishes.first.slots == NULL)
        return RC_OK; /* nothing that a pass before does not count */
    if (plan->pass_count + count > limit)
        return RC_NO_SPACE;
    add_passes(plan, &wishes, facts, &packing, count);
    return RC_OK;
}

enum rc plan_passes(unsigned *count, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count)
{
    struct plan nothing = {0};
    struct wishes wishes = {0};
    struct packing packing;
    enum rc rc = wish_all(&nothing, &wishes, facts, description, events, NULL, event_count);

    *count = rc == RC_OK ? pack_wishes(&packing, &wishes, facts) : 0;
    return rc;
}

unsigned plan_registers(const struct plan *plan, uint32_t *registers, unsigned limit)
{
    unsigned count = 0;

    for (unsigned p = 0; p < plan->pass_count; p++) {
        unsigned next = 0; /* passes write much the same registers in the same order */

        for (unsigned i = 0; i < plan->passes[p].setup_count; i++) {
            uint32_t msr = plan->passes[p].setup[i].msr;
            unsigned known = next < count && registers[next] == msr ? next : 0;

            if (msr == IA32_PERF_GLOBAL_OVF_CTRL)
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
