#include "skid_record.h"

#include "boot/format.h"
#include "boot/log.h"
#include "harness/records/record_members.h"

/* Why the distance in cycles is not known; null: it is. */
static const char *no_cycles(const struct skid_job *job, enum skid_method method)
{
    if (method != SKID_PMI_VECTOR && method != SKID_PMI_NMI)
        return "a PEBS record does not say when the counter overflowed";
    if (job->measurement->kernel->cause_kind != CAUSE_STEADY)
        return "this kernel's loop keeps no pace by which to tell the time";
    if (job->skid->pace <= 0)
        return "the loop does not retire one instruction a cycle on this core";
    if (job->skid->distances.unplaced > 0)
        return "the lap of some samples is not known";
    if (job->skid->distances.samples == 0)
        return "no sample is in the loop";
    return job->skid->distances.at[0] > 0 ? "a sample names the cause itself" : NULL;
}

/* The interrupt is taken when the instruction before the saved address has retired. */
static double cycles_at(const struct skid *skid, double distance)
{
    return (distance - 1) * skid->pace;
}

static void add_histogram(struct json_line *record, const struct skid_distances *distances)
{
    uint64_t rest = 0;

    json_line_array(record, "histogram");
    for (uint32_t d = 0; d < SKID_DISTANCES; d++) {
        if (distances->at[d] == 0)
            continue;
        if (record->length >= RECORD_FULL - 600) {
            rest += distances->at[d];
            continue;
        }
        json_line_array(record, NULL);
        json_line_unsigned(record, NULL, d);
        json_line_unsigned(record, NULL, distances->at[d]);
        json_line_end(record);
    }
    json_line_end(record);
    json_line_unsigned(record, "rest", rest);
}

static void add_figures(struct json_line *record, const struct skid_figures *figures)
{
    if (!figures->known) {
        json_line_null(record, "instructions");
        return;
    }
    json_line_object(record, "instructions");
    json_line_unsigned(record, "min", figures->minimum);
    json_line_unsigned(record, "median", figures->median);
    json_line_real(record, "mean", figures->mean, 2);
    json_line_unsigned(record, "max", figures->maximum);
    json_line_end(record);
}

static void add_cycles(struct json_line *record, const struct skid *skid,
                       const struct skid_figures *figures, const char *why)
{
    if (why != NULL) {
        json_line_null(record, "cycles");
        json_line_text(record, "why", why);
        return;
    }
    json_line_object(record, "cycles");
    json_line_real(record, "min", cycles_at(skid, figures->minimum), 2);
    json_line_real(record, "median", cycles_at(skid, figures->median), 2);
    json_line_real(record, "mean", cycles_at(skid, figures->mean), 2);
    json_line_real(record, "max", cycles_at(skid, figures->maximum), 2);
    json_line_end(record);
    json_line_null(record, "why");
}

/* What tells the lap of the samples. */
static void add_laps(struct json_line *record, const struct skid *skid)
{
    if (skid->laps.events > 0) {
        json_line_unsigned(record, "lap_events", skid->laps.events);
        json_line_unsigned(record, "own_events", skid->laps.own);
    } else {
        json_line_null(record, "lap_events");
        json_line_null(record, "own_events");
    }
    if (skid->chain_known)
        json_line_unsigned(record, "chain", skid->chain);
    else
        json_line_null(record, "chain");
}

void skid_record(const struct skid_job *job, enum skid_method method)
{
    const struct skid *skid = job->skid;
    const struct skid_distances *distances = &skid->distances;
    const struct skid_figures figures = skid_figures_of(distances);
    struct json_line *record =
        record_begin("skid", job->core, job->measurement->kernel->name, "instructions");

    json_line_text(record, "event", skid->event->name);
    json_line_text(record, "method", skid_method_name(method));
    json_line_text(record, "delivery", skid_method_delivery(method));
    json_line_bool(record, "every", job->measurement->kernel->cause_kind == CAUSE_EVERY);
    json_line_unsigned(record, "period", skid->period);
    json_line_unsigned(record, "jitter", skid->jitter);
    json_line_unsigned(record, "windows", skid->windows);
    json_line_unsigned(record, "samples", distances->samples);
    json_line_unsigned(record, "outside", distances->outside);
    json_line_unsigned(record, "broken", distances->broken);
    json_line_hex(record, "code", skid->index.code);
    json_line_unsigned(record, "cause",
                       map_instruction_at(skid->map, distances->loop.cause).offset);
    json_line_unsigned(record, "loop", map_instruction_at(skid->map, distances->loop.first).offset);
    json_line_unsigned(record, "length", distances->loop.count);
    add_histogram(record, distances);
    json_line_unsigned(record, "unplaced", distances->unplaced);
    add_laps(record, skid);
    add_figures(record, &figures);
    add_cycles(record, skid, &figures, no_cycles(job, method));
    log_send(record);
}

void skid_table_begin(const struct skid_job *job)
{
    log_comment("core %u %s: from cause to recorded address, in instructions and cycles",
                job->core->core, job->measurement->kernel->name);
    log_comment("  %s %s %s %s %s %s %s", "method       ", " samples", "  min", "  med", "   mean",
                "  max", "cycles");
}

void skid_table_row(const struct skid_job *job, enum skid_method method)
{
    static const char *const names[SKID_METHODS] = {"PMI vector   ", "PMI NMI      ",
                                                    "PEBS         ", "PEBS precise "};
    const struct skid *skid = job->skid;
    const struct skid_figures figures = skid_figures_of(&skid->distances);
    char mean[24] = "-", cycles[24] = "-";

    if (!figures.known)
        return;
    format(mean, sizeof(mean), "%.2f", figures.mean);
    if (no_cycles(job, method) == NULL)
        format(cycles, sizeof(cycles), "%.2f", cycles_at(skid, figures.mean));
    log_comment("  %s %8llu %5u %5u %7s %5u %6s", names[method],
                (unsigned long long)skid->distances.samples, figures.minimum, figures.median, mean,
                figures.maximum, cycles);
}
