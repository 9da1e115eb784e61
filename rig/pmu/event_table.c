/* The events of a personality, searched by encoding; and the programmed events that counted
 * nothing, which are remembered and reported at the end of a run. */
#include "event_table.h"

#include "kind.h"

static const struct pmu_event *find_row(const struct pmu_event *row, size_t count, uint8_t code,
                                        uint16_t umask)
{
    for (size_t i = 0; i < count; i++)
        if (row[i].code == code && row[i].umask == umask)
            return &row[i];
    return NULL;
}

static bool lacks(const struct event_table *table, uint8_t code, uint16_t umask)
{
    for (size_t i = 0; i < table->without_count; i++)
        if (table->without[i].code == code && table->without[i].umask == umask)
            return true;
    return false;
}

const struct pmu_event *event_find(const struct pmu_parameters *parameters, uint8_t code,
                                   uint16_t umask)
{
    const struct pmu_event *found = NULL;

    for (const struct event_table *table = parameters->events; table != NULL; table = table->like) {
        found = find_row(table->row, table->count, code, umask);
        if (found != NULL || lacks(table, code, umask))
            break;
    }
    return found != NULL
               ? found
               : find_row(parameters->access_events, parameters->access_event_count, code, umask);
}

size_t event_rows(const struct event_table *table, const struct pmu_event *rows[EVENTS_MOST])
{
    size_t count = 0, all;

    if (table == NULL)
        return 0;
    all = event_rows(table->like, rows);
    for (size_t i = 0; i < all; i++)
        if (!lacks(table, rows[i]->code, rows[i]->umask) &&
            find_row(table->row, table->count, rows[i]->code, rows[i]->umask) == NULL)
            rows[count++] = rows[i];
    for (size_t i = 0; i < table->count && count < EVENTS_MOST; i++)
        rows[count++] = &table->row[i];
    return count;
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
