/* From an event select to what it counts, and what was programmed that counts nothing.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring"; the tables are the personality's. */
#include "kind.h"
#include "state.h"

/* "Off-core Response Performance Monitoring" */
#define MSR_OFFCORE_RSP_0 0x1a6u
#define RESPONSE_UMASK    1

uint16_t pmu_umask(uint64_t select)
{
    return (uint16_t)((select >> 8 & 0xff) | (select >> EVTSEL_UMASK2_SHIFT & 0xff) << 8);
}

static bool is_same(const struct unknown_event *a, const struct unknown_event *b)
{
    return a->code == b->code && a->umask == b->umask && a->known == b->known &&
           a->counter == b->counter;
}

static void remember_unknown(struct pmu *pmu, const struct unknown_event *event)
{
    unsigned i;

    for (i = 0; i < pmu->unknown_count; i++)
        if (is_same(&pmu->unknown[i], event))
            return;
    if (pmu->unknown_count == UNKNOWN_MAX)
        pmu->unknown_lost++;
    else
        pmu->unknown[pmu->unknown_count++] = *event;
}

/* The off-core register that an event is told by, or RESPONSE_REGISTERS. */
static unsigned response_register(const struct pmu_parameters *parameters,
                                  const struct unknown_event *event)
{
    unsigned i;

    for (i = 0; i < RESPONSE_REGISTERS; i++)
        if (event->code == parameters->response_code[i] && event->umask == RESPONSE_UMASK)
            return parameters->response_count != 0 ? i : RESPONSE_REGISTERS;
    return RESPONSE_REGISTERS;
}

static const struct pmu_source *find_response(struct pmu *pmu, unsigned index)
{
    const struct pmu_parameters *parameters = pmu->parameters;
    uint64_t value;
    size_t i;

    if (pmu_rdmsr(pmu, MSR_OFFCORE_RSP_0 + index, &value) != ACCESS_OK)
        return NULL;
    for (i = 0; i < parameters->response_count; i++)
        if (parameters->responses[i].value == value)
            return &parameters->responses[i].source;
    return NULL;
}

static const struct pmu_event *find_event(const struct pmu_parameters *parameters, uint8_t code,
                                          uint16_t umask)
{
    size_t i;

    for (i = 0; i < parameters->event_count; i++)
        if (parameters->events[i].code == code && parameters->events[i].umask == umask)
            return &parameters->events[i];
    for (i = 0; i < parameters->access_event_count; i++)
        if (parameters->access_events[i].code == code &&
            parameters->access_events[i].umask == umask)
            return &parameters->access_events[i];
    for (i = 0; i < parameters->more_count; i++)
        if (parameters->more[i].code == code && parameters->more[i].umask == umask)
            return &parameters->more[i];
    return NULL;
}

/* What a programmed counter counts. False: nothing, and why is remembered for the end. A
 * reference clock has no value per core cycle that could be compared, so its cmask and edge
 * forms are unknown. */
bool pmu_resolve(struct pmu *pmu, unsigned index, struct counter *counter)
{
    uint64_t select = pmu->select[index];
    struct unknown_event unknown = {.code = (uint8_t)(select & 0xff), .umask = pmu_umask(select)};
    const struct pmu_event *event = find_event(pmu->parameters, unknown.code, unknown.umask);
    const unsigned response = response_register(pmu->parameters, &unknown);
    bool compared = select & EVTSEL_CMASK || select & (EVTSEL_EDGE | EVTSEL_EQ);
    /* What is told one at a time is told of this thread only. */
    bool both = select & EVTSEL_ANY && pmu->place.threads_per_core > 1;

    if (response < RESPONSE_REGISTERS && find_response(pmu, response) != NULL) {
        counter->source = *find_response(pmu, response);
        counter->core = false;
        return true;
    }
    if (event != NULL && !(event->counters >> index & 1)) {
        unknown.known = true;
        unknown.counter = (uint8_t)index;
    } else if (event != NULL && (event->source.rate == PER_CORE_CYCLE || !compared) &&
               (event->source.rate < PER_SLOW_LOAD ||
                (!both && access_events_resolve(pmu, index, event->source.rate)))) {
        counter->source = event->source;
        counter->core = event->core || select & EVTSEL_ANY;
        return true;
    }
    remember_unknown(pmu, &unknown);
    return false;
}

bool pmu_gather_unknown(struct pmu *to, struct pmu *from)
{
    if (to->parameters != from->parameters || to->parameters->kind != NULL)
        return false;
    for (unsigned i = 0; i < from->unknown_count; i++)
        remember_unknown(to, &from->unknown[i]);
    to->unknown_lost += from->unknown_lost;
    from->unknown_count = from->unknown_lost = 0;
    return true;
}

static const char *uncounted_name(const struct pmu_parameters *parameters,
                                  const struct unknown_event *event)
{
    const char *name = NULL;

    for (size_t i = 0; i < parameters->uncounted_count; i++)
        if (parameters->uncounted[i].code == event->code &&
            parameters->uncounted[i].umask == event->umask) {
            if (name != NULL) /* several: another register tells them apart */
                return NULL;
            name = parameters->uncounted[i].name;
        }
    return name;
}

static void report_one(const struct pmu_parameters *parameters, const struct unknown_event *event,
                       FILE *out)
{
    const struct pmu_event *known = find_event(parameters, event->code, event->umask);
    const char *name = uncounted_name(parameters, event);

    if (event->known && known != NULL)
        fprintf(out, "%s on counter %u, which cannot", known->name, event->counter);
    else if (known != NULL)
        fprintf(out, "%s in this form", known->name);
    else if (name != NULL)
        fprintf(out, "%s", name);
    else
        fprintf(out, "0x%02x umask 0x%02x", event->code, event->umask);
}

void pmu_report_unknown(const struct pmu *pmu, unsigned others, FILE *out)
{
    if (pmu->parameters->kind != NULL) {
        pmu->parameters->kind->report(pmu, out);
        return;
    }
    if (pmu->unknown_count == 0)
        return;
    fprintf(out, "cpu %u", pmu->place.cpu);
    if (others > 0)
        fprintf(out, " and %u like it", others);
    fprintf(out, ": %u event%s counted nothing: ", pmu->unknown_count + pmu->unknown_lost,
            pmu->unknown_count + pmu->unknown_lost > 1 ? "s" : "");
    for (unsigned i = 0; i < pmu->unknown_count; i++) {
        fputs(i ? ", " : "", out);
        report_one(pmu->parameters, &pmu->unknown[i], out);
    }
    if (pmu->unknown_lost)
        fprintf(out, " and %u more", pmu->unknown_lost);
    fputc('\n', out);
}
