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

/* An interval's record, part by part. */
struct writing {
    const struct measured_core *core;
    const struct trial *trial;
    const struct measurement *m;
    const struct rotation *rotation;
    unsigned index; /* of the interval */
    unsigned part;
    struct json_line *record;
    const char *list; /* that is open; null: none */
    unsigned apart;   /* events of which a window lies apart */
};

static void begin_part(struct writing *writing)
{
    const struct interval *interval = &writing->rotation->interval[writing->index];
    struct json_line *record =
        record_begin("topdown", writing->core, writing->m->kernel->name, "fraction of slots");

    record_circumstances(record, writing->m);
    json_line_text(record, "method", record_method(writing->trial));
    json_line_bool(record, "smt", writing->core->threads != ONE_THREAD);
    json_line_unsigned(record, "interval", writing->index);
    add_us(record, "from_us", interval->begun - writing->rotation->interval->begun);
    add_us(record, "us", interval->ended - interval->begun);
    json_line_unsigned(record, "first_window", interval->first_window);
    json_line_unsigned(record, "last_window", interval->last_window);
    json_line_unsigned(record, "slices", estimate_slices(writing->m->plan, interval));
    record_real(record, "cycles", !estimate_cycles_overflowed(writing->m->plan, interval),
                interval->cycles, 0);
    json_line_unsigned(record, "part", ++writing->part);
    writing->record = record;
}

static void end_list(struct writing *writing)
{
    if (writing->list != NULL)
        json_line_end(writing->record);
    writing->list = NULL;
}

/* What is written next is a member of that list, in another part of the record where this one is
 * full. */
static void in_list(struct writing *writing, const char *list)
{
    if (writing->record->length > RECORD_FULL) {
        end_list(writing);
        log_send(writing->record);
        begin_part(writing);
    }
    if (writing->list == list)
        return;
    end_list(writing);
    json_line_object(writing->record, list);
    writing->list = list;
}

static void write_nodes(struct writing *writing)
{
    static const char *const lists[] = {"nodes", "reasons"};
    const struct trial *trial = writing->trial;

    for (unsigned list = 0; list < COUNT_OF(lists); list++) {
        in_list(writing, lists[list]);
        for (unsigned i = 0; i < trial->description->node_count; i++) {
            const struct formula_result *result = &trial->nodes[i].result;
            const char *name = trial->description->nodes[i].name;

            if (!selection_has(trial->asked, i) || (list > 0 && result->finite))
                continue;
            in_list(writing, lists[list]);
            if (list == 0)
                record_real(writing->record, name, result->finite, result->value, 4);
            else
                json_line_text(writing->record, name, result->reason);
        }
    }
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

/* Each event of the plan once. */
static void each_event(struct writing *writing,
                       void write(struct writing *writing, const struct event *event))
{
    const struct plan *plan = writing->m->plan;

    for (unsigned p = 0; p < plan->pass_count; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++)
            if (!listed_before(plan, p, i))
                write(writing, plan->passes[p].readings[i].event);
}

static void write_apart(struct writing *writing, const struct event *event)
{
    static const char list[] = "apart";
    struct slices slices;

    if (!slices_apart(&slices, writing->m, &writing->rotation->interval[writing->index], event))
        return;
    in_list(writing, list);
    writing->apart++;
    json_line_object(writing->record, event->name);
    json_line_real(writing->record, "min", slices.least, 0);
    json_line_real(writing->record, "max", slices.most, 0);
    json_line_unsigned(writing->record, "measured", slices.measured);
    json_line_end(writing->record);
}

/* What the event's estimate, and so each node, is made of. */
static void write_counted(struct writing *writing, const struct event *event)
{
    static const char list[] = "counted";
    double cycles;
    unsigned slices;
    const struct rotated all = estimate_counted(
        writing->m->plan, &writing->rotation->interval[writing->index], event, &cycles, &slices);

    in_list(writing, list);
    json_line_object(writing->record, event->name);
    record_real(writing->record, "count", slices > 0 && !all.overflowed, all.sum, 0);
    json_line_unsigned(writing->record, "slices", slices);
    json_line_real(writing->record, "cycles", cycles, 0);
    json_line_end(writing->record);
}

unsigned record_interval(const struct measured_core *core, const struct trial *trial,
                         const struct measurement *m, const struct rotation *rotation,
                         unsigned index)
{
    struct writing writing = {
        .core = core, .trial = trial, .m = m, .rotation = rotation, .index = index};

    begin_part(&writing);
    write_nodes(&writing);
    each_event(&writing, write_apart);
    each_event(&writing, write_counted);
    end_list(&writing);
    log_send(writing.record);
    return writing.apart;
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
