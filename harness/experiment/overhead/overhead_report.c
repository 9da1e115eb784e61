#include "overhead_report.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/records/record_members.h"

/* A part of the time, as percent. */
#define PERCENT 100.0

static const char *const names[OVERHEAD_METHODS] = {
    [OVERHEAD_COUNTING] = "counting",
    [OVERHEAD_CYCLES] = "cycles",
    [OVERHEAD_BRANCHES] = "branches",
    [OVERHEAD_PEBS] = "pebs",
};

/* A row, and what came of it in numbers. */
struct outcome {
    const struct overhead_job *job;
    unsigned number; /* the lane's */
    const struct overhead_step *step;
    const struct overhead_row *row;
    bool known; /* without, with, slowdown and samples are */
    struct spread without, with;
    struct slowdown slowdown;
    double samples;           /* of a window */
    bool cost_known;          /* cost and cost_spread are */
    double cost, cost_spread; /* core cycles of a sample, by the time stamp counter */
    bool counted_known;
    double counted; /* the same by the counter of core cycles */
};

static void make_costs(struct outcome *o)
{
    const double cycles = (double)o->step->kernel_cycles;
    const struct overhead_row *row = o->row;

    o->samples = (double)row->samples / row->windows;
    o->cost_known = row->samples > 0 && cycles > 0;
    if (!o->cost_known)
        return;
    o->cost = overhead_cost(o->slowdown.median, cycles, o->samples);
    o->cost_spread = overhead_cost(o->slowdown.maximum - o->slowdown.minimum, cycles, o->samples);
    o->counted_known = row->cycles > 0 && !row->cycles_off;
    if (o->counted_known)
        o->counted = ((double)row->cycles / row->windows - cycles) / o->samples;
}

static void make_outcome(struct outcome *o, const struct overhead_job *job, unsigned number,
                         const struct overhead_row *row)
{
    const struct overhead_step *step = &job->overhead->parts[number].step;

    memset(o, 0, sizeof(*o));
    o->job = job;
    o->number = number;
    o->step = step;
    o->row = row;
    o->known = step->done && row->why[0] == '\0' && row->windows > 0;
    if (!o->known)
        return;
    o->without = stats_spread(step->times, step->repeats);
    o->with = stats_spread(row->times, row->windows);
    o->slowdown = overhead_slowdown(&o->without, &o->with);
    make_costs(o);
}

/* Why the row has no numbers. */
static const char *why_of(const struct outcome *o)
{
    if (o->row->why[0] != '\0')
        return o->row->why;
    return o->step->measurement->what != NULL ? o->step->measurement->what : "it was not measured";
}

static void add_spread(struct json_line *record, const char *key, bool known,
                       const struct spread *spread)
{
    if (known)
        json_line_spread(record, key, (int64_t)spread->minimum, (int64_t)spread->median,
                         (int64_t)spread->maximum);
    else
        json_line_null(record, key);
}

static void add_slowdown(struct json_line *record, const struct outcome *o)
{
    if (!o->known) {
        json_line_null(record, "slowdown");
        return;
    }
    json_line_object(record, "slowdown");
    json_line_real(record, "min", o->slowdown.minimum * PERCENT, 4);
    json_line_real(record, "median", o->slowdown.median * PERCENT, 4);
    json_line_real(record, "max", o->slowdown.maximum * PERCENT, 4);
    json_line_end(record);
}

/* Null where the row has no such number. */
static void add_unsigned(struct json_line *record, const char *key, bool has, uint64_t value)
{
    if (has)
        json_line_unsigned(record, key, value);
    else
        json_line_null(record, key);
}

static void add_what(struct json_line *record, const struct outcome *o)
{
    const struct overhead_row *row = o->row;
    const bool counts = row->method == OVERHEAD_COUNTING;

    json_line_text(record, "method", names[row->method]);
    add_unsigned(record, "events", counts, row->events);
    add_unsigned(record, "period", !counts, row->period);
    json_line_text(record, "event", row->event);
    add_unsigned(record, "every", row->event != NULL, row->every);
    json_line_unsigned(record, "cores", o->job->count);
    json_line_bool(record, "sibling_works", o->job->lanes[o->number].core->threads != ONE_THREAD);
    json_line_text(record, "clock", "TSC");
    json_line_unsigned(record, "iterations", o->step->n);
    json_line_unsigned(record, "windows", o->known ? row->windows : 0);
}

static void send_record(const struct outcome *o)
{
    const struct interrupt_cost *cost = &o->row->cost;
    struct json_line *record =
        record_begin("overhead", o->job->lanes[o->number].core, o->job->kernel, "percent");

    add_what(record, o);
    add_spread(record, "without", o->known, &o->without);
    add_spread(record, "with", o->known, &o->with);
    add_slowdown(record, o);
    record_real(record, "samples", o->known && o->row->event != NULL, o->samples, 2);
    record_real(record, "cycles_per_sample", o->cost_known, o->cost, 1);
    record_real(record, "counted_per_sample", o->counted_known, o->counted, 1);
    if (o->known && cost->handler_known && !cost->handler_off)
        json_line_spread(record, "handler", cost->handler.minimum, cost->handler.median,
                         cost->handler.maximum);
    else
        json_line_null(record, "handler");
    json_line_text(record, "why", o->known ? NULL : why_of(o));
    log_send(record);
}

/* "counting 4 events", "branches at 1000". */
static void name_row(char *out, size_t size, const struct overhead_row *row)
{
    if (row->method == OVERHEAD_COUNTING)
        format(out, size, "counting %u event%s", row->events, row->events == 1 ? "" : "s");
    else
        format(out, size, "%s at %u", names[row->method], row->period);
}

static void print_line(const struct outcome *o)
{
    const unsigned core = o->job->lanes[o->number].core->core;
    char name[40], samples[40] = "";

    name_row(name, sizeof(name), o->row);
    if (!o->known) {
        log_comment("%4u %-22s         -         -         -  %s", core, name, why_of(o));
        return;
    }
    if (o->cost_known)
        format(samples, sizeof(samples), "%9.1f %9.0f", o->samples, o->cost);
    log_comment("%4u %-22s %9.3f %9.3f %9.3f %s", core, name, o->slowdown.minimum * PERCENT,
                o->slowdown.median * PERCENT, o->slowdown.maximum * PERCENT, samples);
}

static void say(const struct outcome *o, bool holds, const char *claim)
{
    char name[40], text[280];

    name_row(name, sizeof(name), o->row);
    format(text, sizeof(text), "core %u %s overhead of %s: %s", o->job->lanes[o->number].core->core,
           o->job->kernel, name, claim);
    o->job->verdict(o->job->context, holds, text);
}

static void judge_possible(const struct outcome *o)
{
    char claim[120];

    format(claim, sizeof(claim), "%.3f %%, at most %.3f, is not below %.3f",
           o->slowdown.median * PERCENT, o->slowdown.maximum * PERCENT, -OVERHEAD_NOISE * PERCENT);
    say(o, overhead_is_possible(&o->slowdown), claim);
}

static void judge_counting(const struct outcome *o)
{
    char claim[120];

    format(claim, sizeof(claim), "%.3f %%, at least %.3f, is not above %.3f",
           o->slowdown.median * PERCENT, o->slowdown.minimum * PERCENT,
           OVERHEAD_OF_COUNTING * PERCENT);
    say(o, o->slowdown.minimum <= OVERHEAD_OF_COUNTING, claim);
}

/* Periods may come in any order. */
static void judge_fall(const struct outcome *o)
{
    struct overhead_done *before = &o->job->overhead->parts[o->number].done[o->row->method];
    const struct overhead_done now = {o->row->method, o->row->period, o->slowdown};
    const bool rises = before->period < now.period;
    char claim[120];

    if (before->period != 0 && before->period != now.period) {
        format(claim, sizeof(claim), "%.3f %% is not %s %.3f at %u", now.slowdown.median * PERCENT,
               rises ? "above" : "below", before->slowdown.median * PERCENT, before->period);
        say(o,
            rises ? overhead_falls(&before->slowdown, &now.slowdown)
                  : overhead_falls(&now.slowdown, &before->slowdown),
            claim);
    }
    *before = now;
}

static void judge_costs(const struct outcome *o)
{
    const struct interrupt_cost *cost = &o->row->cost;
    char claim[160];

    if (o->counted_known) {
        format(claim, sizeof(claim),
               "%.1f cycles a sample by the TSC and %.1f by their counter: within %.0f %% and "
               "the spread %.1f",
               o->cost, o->counted, OVERHEAD_CLOCKS_DIFFER * PERCENT, o->cost_spread);
        say(o, overhead_costs_agree(o->cost, o->cost_spread, o->counted), claim);
    }
    if (cost->handler_known && cost->handler_off)
        say(o, false, "an INT to the handler: its counter and the clocks agree on its cycles");
    if (o->row->cycles_off)
        say(o, false, "its windows: their counter and the clocks agree on their cycles");
    if (o->counted_known && cost->handler_known && !cost->handler_off) {
        const double handler = (double)cost->handler.median;

        format(claim, sizeof(claim),
               "%.1f cycles a sample, %.2f to %.2f times the %.0f of an INT to the handler",
               o->counted, OVERHEAD_LEAST_OF_INT, OVERHEAD_MOST_OF_INT, handler);
        say(o,
            o->counted >= OVERHEAD_LEAST_OF_INT * handler &&
                o->counted <= OVERHEAD_MOST_OF_INT * handler,
            claim);
    }
}

void overhead_report_heading(const struct overhead_job *job)
{
    log_comment("overhead of %s on %u core%s: slowdown in percent, by the TSC; %u windows without "
                "and with",
                job->kernel, job->count, job->count == 1 ? "" : "s", job->config->repeats);
    log_comment("core with                         min    median       max   samples    cycles "
                "each");
}

void overhead_report(const struct overhead_job *job, unsigned number)
{
    const struct overhead_step *step = &job->overhead->parts[number].step;

    for (unsigned i = 0; i < step->row_count; i++) {
        struct outcome outcome;

        make_outcome(&outcome, job, number, &step->rows[i]);
        if (outcome.row->apic_changed)
            log_error("a register of the local APIC does not hold its old value",
                      "LVT Performance Counter Register", "the value that was found");
        send_record(&outcome);
        print_line(&outcome);
        if (!outcome.known)
            continue;
        judge_possible(&outcome);
        if (outcome.row->method == OVERHEAD_COUNTING)
            judge_counting(&outcome);
        else
            judge_fall(&outcome);
        judge_costs(&outcome);
    }
}
