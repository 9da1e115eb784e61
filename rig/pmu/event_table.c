/* The events of a personality, searched by encoding; and the programmed events that counted
 * nothing, which are remembered and reported at the end of a run. */
#include "event_table.h"

#include "kind.h"

const struct pmu_event *event_find(const struct pmu_parameters *parameters, uint8_t code,
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

static bool is_same(const struct unknown_event *a, const struct unknown_event *b)
{
    return a->code == b->code && a->umask == b->umask && a->known == b->known &&
           a->counter == b->counter;
}

void unknown_remember(struct pmu *pmu, const struct unknown_event *event)
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

bool pmu_gather_unknown(struct pmu *to, struct pmu *from)
{
    if (to->parameters != from->parameters || to->parameters->kind != NULL)
        return false;
    for (unsigned i = 0; i < from->unknown_count; i++)
        unknown_remember(to, &from->unknown[i]);
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
            if (name != NULL) /* several events: another register chooses between them */
                return NULL;
            name = parameters->uncounted[i].name;
        }
    return name;
}

static void report_one(const struct pmu_parameters *parameters, const struct unknown_event *event,
                       FILE *out)
{
    const struct pmu_event *known = event_find(parameters, event->code, event->umask);
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
