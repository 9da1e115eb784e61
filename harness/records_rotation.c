/* Records of multiplexed runs and of intervals. */
#include "boot/clock.h"
#include "boot/log.h"
#include "records_inside.h"

static struct record *begin_multiplex(const struct core_state *core, const struct measurement *m,
                                      const struct rotation *rotation, unsigned part)
{
    struct record *record = record_begin("multiplex", core, m->kernel->name, "count");

    record_circumstances(record, m);
    record_unsigned(record, "iterations", rotation->n);
    record_unsigned(record, "passes", m->plan->pass_count);
    record_unsigned(record, "slices", (uint64_t)rotation->turns * m->plan->pass_count);
    record_unsigned(record, "first_window", rotation->stretch->first_window);
    record_unsigned(record, "last_window", rotation->stretch->last_window);
    record_unsigned(record, "part", part);
    record_object(record, "events");
    return record;
}

void record_multiplex(const struct core_state *core, const struct measurement *m,
                      const struct rotation *rotation, const struct multiplexed *events,
                      unsigned count)
{
    unsigned part = 1;
    struct record *record = begin_multiplex(core, m, rotation, part);

    for (unsigned i = 0; i < count; i++) {
        if (record->length > RECORD_FULL) {
            record_end(record);
            log_send(record);
            record = begin_multiplex(core, m, rotation, ++part);
        }
        record_object(record, events[i].event->name);
        record_real(record, "running", events[i].estimate.running, 4);
        record_real(record, "estimate", events[i].estimate.value, 1);
        record_real(record, "count", events[i].count, 0);
        record_real(record, "error", events[i].error, 6);
        record_real(record, "uncertainty", events[i].estimate.uncertainty, 6);
        record_bool(record, "reliable", events[i].reliable);
        record_end(record);
    }
    record_end(record);
    log_send(record);
}

static struct record *begin_interval(const struct core_state *core, const struct trial *trial,
                                     const struct measurement *m, const struct rotation *rotation,
                                     unsigned index, unsigned part)
{
    const struct stretch *stretch = &rotation->stretch[index];
    struct record *record = record_begin("topdown", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    record_text(record, "method", record_method(trial));
    record_bool(record, "smt", core->threads != ONE_THREAD);
    record_unsigned(record, "interval", index);
    record_unsigned(record, "from_us",
                    (stretch->begun - rotation->stretch->begun) / clock_ticks_per_us());
    record_unsigned(record, "us", (stretch->ended - stretch->begun) / clock_ticks_per_us());
    record_unsigned(record, "first_window", stretch->first_window);
    record_unsigned(record, "last_window", stretch->last_window);
    record_unsigned(record, "part", part);
    record_object(record, "nodes");
    return record;
}

void record_interval(const struct core_state *core, const struct trial *trial,
                     const struct measurement *m, const struct rotation *rotation, unsigned index)
{
    unsigned part = 1;
    struct record *record = begin_interval(core, trial, m, rotation, index, part);

    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct formula_result *result = &trial->nodes[i].result;

        if (!selection_has(trial->asked, i))
            continue;
        if (record->length > RECORD_FULL) {
            record_end(record);
            log_send(record);
            record = begin_interval(core, trial, m, rotation, index, ++part);
        }
        if (result->finite)
            record_real(record, trial->description->nodes[i].name, result->value, 4);
        else
            record_null(record, trial->description->nodes[i].name);
    }
    record_end(record);
    log_send(record);
}

static struct record *begin_drift(const struct core_state *core, const struct measurement *m,
                                  const struct rotation *rotation, unsigned part)
{
    struct record *record = record_begin("drift", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    record_unsigned(record, "intervals", rotation->done);
    record_unsigned(record, "part", part);
    record_object(record, "nodes");
    return record;
}

void record_drift(const struct core_state *core, const struct trial *trial,
                  const struct measurement *m, const struct rotation *rotation,
                  const struct drift *drifts)
{
    const struct node *moved = NULL;
    unsigned part = 1;
    struct record *record = begin_drift(core, m, rotation, part);
    double most = 0;

    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct drift *drift = &drifts[i];
        double by;

        if (!selection_has(trial->asked, i) || drift->early_count == 0 || drift->late_count == 0)
            continue;
        if (record->length > RECORD_FULL) {
            record_end(record);
            log_send(record);
            record = begin_drift(core, m, rotation, ++part);
        }
        by = drift->late / drift->late_count - drift->early / drift->early_count;
        record_object(record, trial->description->nodes[i].name);
        record_real(record, "min", drift->lowest, 4);
        record_real(record, "max", drift->highest, 4);
        record_real(record, "drift", by, 4);
        record_end(record);
        if (moved == NULL || (by < 0 ? -by : by) > (most < 0 ? -most : most)) {
            moved = &trial->description->nodes[i];
            most = by;
        }
    }
    record_end(record);
    log_send(record);
    if (moved != NULL)
        log_comment(
            "core %u %s: %u intervals; from their first half to the second %s drifted most, "
            "by %.4f",
            core->core, m->kernel->name, rotation->done, moved->name, most);
}
