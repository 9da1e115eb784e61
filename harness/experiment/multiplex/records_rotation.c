/* Records of multiplexed runs and of intervals. */
#include "records_rotation.h"

#include "boot/clock.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/records/record_members.h"
#include "slices.h"

static struct json_line *begin_multiplex(const struct measured_core *core,
                                         const struct measurement *m,
                                         const struct rotation *rotation, unsigned part)
{
    struct json_line *record = record_begin("multiplex", core, m->kernel->name, "count");

    record_circumstances(record, m);
    json_line_unsigned(record, "iterations", rotation->n);
    json_line_unsigned(record, "passes", m->plan->pass_count);
    json_line_unsigned(record, "slices", (uint64_t)rotation->turns * m->plan->pass_count);
    json_line_unsigned(record, "alone", (uint64_t)rotation->turns * rotation->alone);
    json_line_unsigned(record, "first_window", rotation->interval->first_window);
    json_line_unsigned(record, "last_window", rotation->interval->last_window);
    json_line_unsigned(record, "part", part);
    return record;
}

static void range_member(struct json_line *record, const char *key, const double range[2])
{
    json_line_array(record, key);
    for (unsigned i = 0; i < 2; i++)
        json_line_real(record, NULL, range[i], 0);
    json_line_end(record);
}

static void multiplexed_member(struct json_line *record, const struct multiplexed *of)
{
    json_line_object(record, of->event->name);
    json_line_real(record, "running", of->estimate.running, 4);
    json_line_real(record, "estimate", of->estimate.value, 1);
    json_line_real(record, "count", of->count, 0);
    record_real(record, "error", of->error_known, of->error, 6);
    record_real(record, "uncertainty", of->cycles_known, of->uncertainty, 6);
    json_line_bool(record, "reliable", of->unreliable == NULL);
    if (of->unreliable != NULL)
        json_line_text(record, "why", of->unreliable);
    if (of->differ) {
        range_member(record, "slice_range", of->slice_range);
        range_member(record, "alone_range", of->alone_range);
    }
    json_line_end(record);
}

/* With its list of events closed; `missing` goes on where the list of events ends. */
static struct json_line *write_missing(struct json_line *record, const struct measured_core *core,
                                       const struct measurement *m, const struct rotation *rotation,
                                       const struct multiplexed *events, unsigned count,
                                       unsigned part)
{
    bool open = false;

    for (unsigned i = 0; i < count; i++) {
        if (events[i].estimate.valid)
            continue;
        if (record->length > RECORD_FULL) {
            if (open)
                json_line_end(record);
            log_send(record);
            record = begin_multiplex(core, m, rotation, ++part);
            json_line_object(record, "events");
            json_line_end(record);
            open = false;
        }
        if (!open)
            json_line_object(record, "missing");
        open = true;
        json_line_text(record, events[i].event->name, events[i].estimate.why);
    }
    if (open)
        json_line_end(record);
    return record;
}

void record_multiplex(const struct measured_core *core, const struct measurement *m,
                      const struct rotation *rotation, const struct multiplexed *events,
                      unsigned count)
{
    unsigned part = 1;
    struct json_line *record = begin_multiplex(core, m, rotation, part);

    json_line_object(record, "events");
    for (unsigned i = 0; i < count; i++) {
        if (!events[i].estimate.valid)
            continue;
        if (record->length > RECORD_FULL) {
            json_line_end(record);
            log_send(record);
            record = begin_multiplex(core, m, rotation, ++part);
            json_line_object(record, "events");
        }
        multiplexed_member(record, &events[i]);
    }
    json_line_end(record);
    log_send(write_missing(record, core, m, rotation, events, count, part));
}

/* Null where nobody knows the time stamp counter's rate. */
static void add_us(struct json_line *record, const char *key, uint64_t ticks)
{
    record_real(record, key, clock_source() != NULL, (double)(ticks / clock_ticks_per_us()), 0);
}

static struct json_line *begin_interval(const struct measured_core *core, const struct trial *trial,
                                        const struct measurement *m,
                                        const struct rotation *rotation, unsigned index,
                                        unsigned part)
{
    const struct interval *interval = &rotation->interval[index];
    struct json_line *record = record_begin("topdown", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    json_line_text(record, "method", record_method(trial));
    json_line_bool(record, "smt", core->threads != ONE_THREAD);
    json_line_unsigned(record, "interval", index);
    add_us(record, "from_us", interval->begun - rotation->interval->begun);
    add_us(record, "us", interval->ended - interval->begun);
    json_line_unsigned(record, "first_window", interval->first_window);
    json_line_unsigned(record, "last_window", interval->last_window);
    json_line_unsigned(record, "part", part);
    return record;
}

static void slices_member(struct json_line *record, const char *name, const struct slices *slices)
{
    json_line_object(record, name);
    json_line_real(record, "min", slices->least, 0);
    json_line_real(record, "max", slices->most, 0);
    json_line_unsigned(record, "measured", slices->measured);
    json_line_end(record);
}

/* Whether an earlier pass, or an earlier reading of this one, counts that event, too. */
static bool listed_before(const struct plan *plan, unsigned pass, unsigned reading)
{
    const struct event *event = plan->passes[pass].readings[reading].event;

    for (unsigned p = 0; p <= pass; p++)
        for (unsigned i = 0; i < (p == pass ? reading : plan->passes[p].reading_count); i++)
            if (plan->passes[p].readings[i].event == event)
                return true;
    return false;
}

/* The events of which a window lies apart, after the other lists, and their number in *apart.
 * Returns the record to be sent. */
static struct json_line *write_apart(struct json_line *record, const struct measured_core *core,
                                     const struct trial *trial, const struct measurement *m,
                                     const struct rotation *rotation, unsigned index, unsigned part,
                                     unsigned *apart)
{
    bool open = false;

    *apart = 0;

    for (unsigned p = 0; p < m->plan->pass_count; p++)
        for (unsigned i = 0; i < m->plan->passes[p].reading_count; i++) {
            const struct event *event = m->plan->passes[p].readings[i].event;
            struct slices slices;

            if (listed_before(m->plan, p, i) ||
                !slices_apart(&slices, m, &rotation->interval[index], event))
                continue;
            if (record->length > RECORD_FULL) {
                if (open)
                    json_line_end(record);
                log_send(record);
                record = begin_interval(core, trial, m, rotation, index, ++part);
                open = false;
            }
            if (!open)
                json_line_object(record, "apart");
            open = true;
            (*apart)++;
            slices_member(record, event->name, &slices);
        }
    if (open)
        json_line_end(record);
    return record;
}

unsigned record_interval(const struct measured_core *core, const struct trial *trial,
                         const struct measurement *m, const struct rotation *rotation,
                         unsigned index)
{
    static const char *const lists[] = {"nodes", "reasons"};
    unsigned part = 1, apart;
    struct json_line *record = begin_interval(core, trial, m, rotation, index, part);

    for (unsigned list = 0; list < COUNT_OF(lists); list++) {
        json_line_object(record, lists[list]);
        for (unsigned i = 0; i < trial->description->node_count; i++) {
            const struct formula_result *result = &trial->nodes[i].result;
            const char *name = trial->description->nodes[i].name;

            if (!selection_has(trial->asked, i))
                continue;
            if (record->length > RECORD_FULL) {
                json_line_end(record);
                log_send(record);
                record = begin_interval(core, trial, m, rotation, index, ++part);
                json_line_object(record, lists[list]);
            }
            if (list == 0)
                record_real(record, name, result->finite, result->value, 4);
            else if (!result->finite)
                json_line_text(record, name, result->reason);
        }
        json_line_end(record);
    }
    log_send(write_apart(record, core, trial, m, rotation, index, part, &apart));
    return apart;
}

static struct json_line *begin_drift(const struct measured_core *core, const struct measurement *m,
                                     const struct rotation *rotation, unsigned part)
{
    struct json_line *record = record_begin("drift", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    json_line_unsigned(record, "intervals", rotation->done);
    json_line_unsigned(record, "part", part);
    json_line_object(record, "nodes");
    return record;
}

void record_drift(const struct measured_core *core, const struct trial *trial,
                  const struct measurement *m, const struct rotation *rotation,
                  const struct drift *drifts)
{
    const struct node *most = NULL; /* drifted most, by `by_most` */
    double by_most = 0;
    unsigned part = 1;
    struct json_line *record = begin_drift(core, m, rotation, part);

    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct drift *drift = &drifts[i];
        double by;

        if (!selection_has(trial->asked, i) || !drift_between_halves(drift, &by))
            continue;
        if (record->length > RECORD_FULL) {
            json_line_end(record);
            log_send(record);
            record = begin_drift(core, m, rotation, ++part);
        }
        json_line_object(record, trial->description->nodes[i].name);
        if (drift->early_count + drift->late_count < rotation->done)
            json_line_unsigned(record, "intervals", drift->early_count + drift->late_count);
        json_line_real(record, "min", drift->lowest, 4);
        json_line_real(record, "max", drift->highest, 4);
        json_line_real(record, "drift", by, 4);
        json_line_end(record);
        if (most == NULL || __builtin_fabs(by) > __builtin_fabs(by_most)) {
            most = &trial->description->nodes[i];
            by_most = by;
        }
    }
    json_line_end(record);
    log_send(record);
    if (most != NULL)
        log_comment(
            "core %u %s: %u intervals; %s drifted most from their first half to the second, "
            "by %.4f",
            core->core, m->kernel->name, rotation->done, most->name, by_most);
}
