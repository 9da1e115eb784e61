#include "records_pebs.h"

#include "boot/format.h"
#include "boot/log.h"
#include "harness/records/record_members.h"

static void counter_member(struct json_line *record, const char *key, int counter)
{
    char name[24];

    if (counter < 0) {
        json_line_null(record, key);
        return;
    }
    format(name, sizeof(name), counter >= 32 ? "fixed %u" : "general %u", (unsigned)counter & 31);
    json_line_text(record, key, name);
}

static void plan_members(struct json_line *record, const struct pebs_plan *plan,
                         enum pebs_threshold threshold)
{
    json_line_text(record, "use", pebs_use_name(plan->use));
    json_line_text(record, "event", plan->event->name);
    json_line_unsigned(record, "format", plan->layout.format);
    json_line_bool(record, "adaptive", plan->layout.adaptive);
    json_line_unsigned(record, "record_bytes", plan->record_bytes);
    counter_member(record, "counter", (int)plan->counter);
    counter_member(record, "witness", plan->witness);
    json_line_bool(record, "precise_distribution", plan->distributed);
    json_line_unsigned(record, "period", plan->period);
    json_line_text(record, "threshold",
                   threshold == PEBS_AT_ONE    ? "one"
                   : threshold == PEBS_AT_FULL ? "full"
                                               : "interrupt");
}

static void gap_members(struct json_line *record, const struct pebs_plan *plan,
                        const struct pebs_tally *tally)
{
    const bool known = pebs_is_numbered(plan);

    json_line_unsigned(record, "windows", tally->windows);
    json_line_unsigned(record, "full_windows", tally->full);
    if (known)
        json_line_unsigned(record, "events", tally->events);
    else
        json_line_null(record, "events");
    json_line_unsigned(record, "records", tally->records);
    if (known)
        json_line_unsigned(record, "lost", tally->lost);
    else
        json_line_null(record, "lost");
    record_real(record, "overshoot", known && tally->gaps > 0,
                (double)tally->overshoot / (double)(tally->gaps + (tally->gaps == 0)), 2);
}

static void address_members(struct json_line *record, const struct kernel_causes *causes,
                            const struct pebs_tally *tally)
{
    json_line_unsigned(record, "exact", tally->exact);
    json_line_unsigned(record, "wrong", tally->wrong + tally->undecoded);
    json_line_unsigned(record, "outside", tally->outside);
    json_line_array(record, "instructions");
    for (unsigned i = 0; i < causes->count; i++) {
        json_line_object(record, NULL);
        json_line_unsigned(record, "offset",
                           (uint64_t)(uintptr_t)causes->causes[i].at -
                               (uint64_t)(uintptr_t)causes->causes[0].at);
        json_line_unsigned(record, "records", tally->at[i]);
        json_line_end(record);
    }
    json_line_end(record);
    if (tally->addresses == 0)
        json_line_null(record, "data_right");
    else
        json_line_unsigned(record, "data_right", tally->right_addresses);
}

static void latency_member(struct json_line *record, const char *key,
                           const struct pebs_latency *latency)
{
    if (latency->count == 0) {
        json_line_null(record, key);
        return;
    }
    json_line_object(record, key);
    json_line_unsigned(record, "records", latency->count);
    json_line_unsigned(record, "min", latency->minimum);
    json_line_real(record, "mean", (double)latency->sum / (double)latency->count, 2);
    json_line_unsigned(record, "max", latency->maximum);
    json_line_end(record);
}

void record_pebs(const struct measured_core *core, const struct measurement *m,
                 const struct pebs_sampling *sampling, enum pebs_use use,
                 enum pebs_threshold threshold)
{
    const struct pebs_plan *plan = &sampling->uses[use].plan;
    const struct pebs_tally *tally = &sampling->uses[use].tallies[threshold];
    struct json_line *record = record_begin("pebs", core, m->kernel->name, "record");

    plan_members(record, plan, threshold);
    gap_members(record, plan, tally);
    address_members(record, sampling->causes, tally);
    latency_member(record, "l1_cycles", &tally->latency[0]);
    latency_member(record, "l2_cycles", &tally->latency[1]);
    log_send(record);
}
