#include "pass.h"

#include "boot/format.h"
#include "boot/text.h"
#include "match.h"
#include "registers.h"

static void put(struct pass *pass, uint32_t msr, uint64_t value)
{
    pass->setup[pass->setup_count++] = (struct msr_value){msr, value};
}

static bool is_mine(const struct facts *facts, unsigned half)
{
    return facts->threads_per_core < 2 || half == (facts->smt_id & 1);
}

static uint32_t my_counters(const struct facts *facts)
{
    uint32_t counters = 0;

    for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
        if (is_mine(facts, netburst_counters[i].half))
            counters |= 1u << i;
    return counters;
}

/* Replay tags are chosen by registers that the logical processors share; the first has them. */
static bool has_replay_registers(const struct facts *facts)
{
    return is_mine(facts, 0);
}

void netburst_pass_stop(struct pass *pass, const struct facts *facts)
{
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
        if (is_mine(facts, netburst_counters[i].half))
            put(pass, netburst_counters[i].cccr,
                field_of(CCCR_ACTIVE_THREAD, CCCR_ACTIVE_THREAD_ANY));
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (is_mine(facts, netburst_escrs[i].half) && netburst_has_escr(i, facts->model))
            put(pass, netburst_escrs[i].address, 0);
}

/* "Counter Usage Guideline": an ESCR that tags uops works only while a counter that is connected to
 * it is enabled. */
static void put_upstream(struct pass *pass, const struct netburst_selection *selection,
                         const struct netburst_place *place)
{
    put(pass, netburst_escrs[place->upstream_escr].address, selection->upstream.value);
    put(pass, netburst_counters[place->upstream_counter].cccr,
        field_of(CCCR_ACTIVE_THREAD, CCCR_ACTIVE_THREAD_ANY) |
            field_of(CCCR_ESCR_SELECT, netburst_escrs[place->upstream_escr].select) |
            field_of(CCCR_ENABLE, 1));
}

static void write_setup(struct pass *pass, const struct facts *facts,
                        const struct netburst_selection *selection,
                        const struct netburst_place *place)
{
    const struct netburst_counter *counter = &netburst_counters[place->counter];
    const uint64_t stopped = selection->cccr & ~field_mask(CCCR_ENABLE);

    netburst_pass_stop(pass, facts);
    if (has_replay_registers(facts)) {
        put(pass, IA32_PEBS_ENABLE, selection->pebs_enable);
        put(pass, MSR_PEBS_MATRIX_VERT, selection->matrix);
    }
    put(pass, netburst_escrs[place->escr].address, selection->escr.value);
    put(pass, counter->cccr, stopped);
    if (selection->upstream.count > 0)
        put_upstream(pass, selection, place);
    put(pass, counter->address, 0);
    put(pass, counter->address, 0); /* erratum N15: the first write may be lost */
    pass->enable = (struct msr_value){counter->cccr, selection->cccr};
    pass->disable = stopped;
}

static const char *select_raw(struct netburst_selection *selection, struct netburst_demand *demand,
                              const struct facts *facts, const struct description *description,
                              const struct event *event)
{
    *demand = netburst_raw_demand(event->values, event->name, selection);
    return netburst_raw_absent(event->values, description, !is_mine(facts, 0),
                               facts->threads_per_core > 1);
}

static const char *select_event(struct netburst_selection *selection, const struct facts *facts,
                                const struct description *description, const struct event *event)
{
    const struct netburst_core core = netburst_core_of(facts);
    const unsigned second = !is_mine(facts, 0);
    const char *text = event->selects[second] != NULL ? event->selects[second] : event->name;
    struct complaint complaint;

    if (!netburst_select(selection, description, (struct slice){text, strlen(text)}, &core,
                         second ? NETBURST_T1 : NETBURST_T0, &complaint))
        return "this core has no ESCR for it";
    if (facts->threads_per_core > 1 && selection->event->thread_independent &&
        event->selects[0] == event->selects[1])
        return "it counts for both logical processors of a core together";
    return NULL;
}

const char *netburst_pass_make(struct pass *pass, const struct facts *facts,
                               const struct description *description, const struct event *event)
{
    return netburst_pass_make_on(pass, facts, description, event, NETBURST_ANY);
}

const char *netburst_pass_make_on(struct pass *pass, const struct facts *facts,
                                  const struct description *description, const struct event *event,
                                  uint32_t counters)
{
    struct netburst_selection selection;
    struct netburst_demand demand = {event->name, &selection, counters};
    char conflict[NETBURST_CONFLICT];
    struct netburst_place place;
    const struct netburst_raw *raw = event->values;
    const char *why = raw != NULL ? select_raw(&selection, &demand, facts, description, event)
                                  : select_event(&selection, facts, description, event);

    if (raw != NULL && !(demand.counters & my_counters(facts)))
        return "its counter is one of the core's other logical processor";
    if (why != NULL)
        return why;
    if (!(netburst_counters_of(&selection.escr) & my_counters(facts)))
        return "its ESCRs are those of the core's other logical processor";
    if (!netburst_match(&place, &demand, 1, my_counters(facts), conflict))
        return "the ESCR that tags its uops is that of the core's other logical processor";
    if (selection.pebs_enable != 0 && !has_replay_registers(facts))
        return "the core's first logical processor has the registers that choose replay tags";
    memset(pass, 0, sizeof(*pass));
    pass->fast = raw != NULL && raw->fast;
    pass->readings[pass->reading_count++] =
        (struct reading){.event = event, .kind = READING_GENERAL, .counter = place.counter};
    write_setup(pass, facts, &selection, &place);
    return NULL;
}

/* The value that the pass writes last to the register; false: it writes none. */
static bool last_write(const struct pass *pass, uint32_t msr, uint64_t *value)
{
    bool found = false;

    for (unsigned i = 0; i < pass->setup_count; i++)
        if (pass->setup[i].msr == msr) {
            *value = pass->setup[i].value;
            found = true;
        }
    return found;
}

void netburst_pass_text(const struct pass *pass, const struct reading *reading, char *out,
                        unsigned size)
{
    const struct netburst_counter *counter = &netburst_counters[reading->counter];
    const unsigned select = (unsigned)field_get(pass->enable.value, CCCR_ESCR_SELECT);
    const char *name = "no ESCR";
    uint64_t escr = 0;

    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].select == select &&
            netburst_escrs[i].counters >> reading->counter & 1 &&
            last_write(pass, netburst_escrs[i].address, &escr))
            name = netburst_escrs[i].name;
    format(out, size, "%s = 0x%llx, %s = 0x%llx, %s", counter->cccr_name,
           (unsigned long long)pass->enable.value, name, (unsigned long long)escr, counter->name);
}
