#include "cascade.h"

#include "boot/text.h"
#include "pass.h"
#include "registers.h"

static void put(struct cascade *cascade, uint32_t msr, uint64_t value)
{
    cascade->pass.setup[cascade->pass.setup_count++] = (struct msr_value){msr, value};
}

/* The ESCR from which the counter counts the selected event; NETBURST_NONE: from none. */
static unsigned escr_of(const struct netburst_selection *selection, unsigned counter,
                        unsigned model)
{
    const unsigned escr =
        netburst_escr_of(counter, (unsigned)field_get(selection->cccr, CCCR_ESCR_SELECT), model);

    for (unsigned i = 0; i < selection->escr.count; i++)
        if (selection->escr.escrs[i] == escr)
            return escr;
    return NETBURST_NONE;
}

/* The counter whose overflow starts counter `second`; NETBURST_NONE: there is none. */
static unsigned starter_of(unsigned second, enum cascading how)
{
    return how == CASCADING ? netburst_counters[second].cascade_from
                            : netburst_counters[second].extended_from;
}

/* With HyperThreading each logical processor has the counters of its half alone. */
static bool is_mine(const struct facts *facts, unsigned counter)
{
    return facts->threads_per_core < 2 || netburst_counters[counter].half == (facts->smt_id & 1);
}

static bool find_counters(struct cascade *cascade, const struct netburst_selection *selection,
                          const struct facts *facts, enum cascading how)
{
    const unsigned model = facts->model;

    for (unsigned second = 0; second < NETBURST_COUNTERS; second++) {
        const unsigned first = starter_of(second, how);

        if (first == NETBURST_NONE || !is_mine(facts, first) || !is_mine(facts, second) ||
            escr_of(selection, first, model) == NETBURST_NONE ||
            escr_of(selection, second, model) == NETBURST_NONE)
            continue;
        cascade->first = (uint8_t)first;
        cascade->second = (uint8_t)second;
        return true;
    }
    return false;
}

/* A counter is written twice: erratum N15 may lose the first write. */
static void put_counter(struct cascade *cascade, unsigned counter, uint64_t value)
{
    put(cascade, netburst_counters[counter].address, value);
    put(cascade, netburst_counters[counter].address, value);
}

static void write_setup(struct cascade *cascade, const struct netburst_selection *selection,
                        const struct facts *facts, enum cascading how, uint64_t after)
{
    const struct netburst_counter *first = &netburst_counters[cascade->first];
    const struct netburst_counter *second = &netburst_counters[cascade->second];
    const uint64_t stopped = selection->cccr & ~field_mask(CCCR_ENABLE);
    const uint64_t waiting = stopped | (how == CASCADING ? field_of(CCCR_CASCADE, 1)
                                                         : field_of(CCCR_EXTENDED_CASCADE, 1));

    put(cascade, netburst_escrs[escr_of(selection, cascade->first, facts->model)].address,
        selection->escr.value);
    put(cascade, netburst_escrs[escr_of(selection, cascade->second, facts->model)].address,
        selection->escr.value);
    put(cascade, first->cccr, stopped);
    put_counter(cascade, cascade->first, (0 - after) & ((1ull << NETBURST_COUNTER_BITS) - 1));
    put_counter(cascade, cascade->second, 0);
    put(cascade, second->cccr, waiting);
    cascade->pass.enable = (struct msr_value){first->cccr, selection->cccr};
    cascade->pass.disable = stopped;
    cascade->stop = (struct msr_value){second->cccr, stopped};
    cascade->counter = second->address;
}

const char *netburst_cascade_make(struct cascade *cascade, const struct facts *facts,
                                  const struct description *description, const struct event *event,
                                  enum cascading how, uint64_t after)
{
    const struct netburst_core core = netburst_core_of(facts);
    const bool other = facts->threads_per_core > 1 && (facts->smt_id & 1);
    const char *text = event->selects[other] != NULL ? event->selects[other] : event->name;
    struct netburst_selection selection;
    struct complaint complaint;

    memset(cascade, 0, sizeof(*cascade));
    if (!netburst_select(&selection, description, (struct slice){text, strlen(text)}, &core,
                         other ? NETBURST_T1 : NETBURST_T0, &complaint))
        return "this core has no ESCR for it";
    if (how == EXTENDED_CASCADING && facts->model < 2)
        return "extended cascading came with model 2";
    if (!find_counters(cascade, &selection, facts, how))
        return "no counter of this logical processor is started by another that counts the same";
    netburst_pass_stop(&cascade->pass, facts);
    write_setup(cascade, &selection, facts, how, after);
    cascade->pass.readings[cascade->pass.reading_count++] =
        (struct reading){.event = event, .kind = READING_GENERAL, .counter = cascade->second};
    return NULL;
}
