#include "precision_report.h"

#include "boot/format.h"
#include "boot/log.h"
#include "harness/judge/trial.h"
#include "harness/records/record_members.h"

/* The sum of the four bytes of level 1: 255, each of them off by less than a step
 * (doc/measuring.md, "Identities"). */
#define SUM_LEAST 252u
#define SUM_MOST  258u

static const char *const names[PRECISION_BEFORES] = {
    [PRECISION_NOTHING] = "nothing",
    [PRECISION_CHAIN] = "chain",
    [PRECISION_KERNEL] = "kernel",
    [PRECISION_SAMPLES] = "samples",
};

/* What the point's errors are errors from: the same code ran before, and the reset was right before
 * the region. */
static const struct precision_point *reference(const struct precision_outcome *o)
{
    return o->point->reset ? o->point : o->point - 1;
}

static double share_of(const struct precision_point *point, unsigned field)
{
    double sum = 0;

    for (unsigned i = 0; i < PRECISION_WINDOWS; i++)
        sum += precision_share(&point->readings[i], field);
    return sum / PRECISION_WINDOWS;
}

/* What a window's error may be: less than its own step, and that of the windows that it is held
 * against; beside it the edges, which are not the same slots in both. */
static double allowed(const struct precision_outcome *o, const struct precision_reading *reading)
{
    const double slots = (double)(reading->slots - reading->slots_before);
    const double edges = (double)TRIAL_EDGE_CYCLES * o->job->core->description->width;

    return precision_bound(reading) + precision_bound(&reference(o)->readings[0]) + edges / slots;
}

static void include(struct precision_outcome *o, unsigned number, unsigned window)
{
    const struct precision_reading *reading = &o->point->readings[window];
    struct precision_byte *byte = &o->bytes[number];
    const double share =
        precision_share(reading, o->job->precision->series.pass.readings[number].field);
    const double error = share - byte->share, limit = allowed(o, reading);
    const double used = __builtin_fabs(error) / limit;

    if (window == 0 || share < byte->least)
        byte->least = share;
    if (window == 0 || share > byte->most)
        byte->most = share;
    if (window == 0 || __builtin_fabs(error) > __builtin_fabs(byte->error))
        byte->error = error;
    if (o->worst < 0 || used > o->used) {
        o->worst = (int)number;
        o->worst_error = error;
        o->worst_ratio = precision_ratio(reading);
        o->allowed = limit;
        o->used = used;
    }
}

static void add_window(struct precision_outcome *o, unsigned window)
{
    const struct precision_reading *reading = &o->point->readings[window];
    const double ratio = precision_ratio(reading), bound = precision_bound(reading);
    const uint64_t slots = reading->slots - reading->slots_before;
    const unsigned sums[2] = {precision_sum(reading->metrics_before),
                              precision_sum(reading->metrics)};

    o->ratio[0] = window == 0 || ratio < o->ratio[0] ? ratio : o->ratio[0];
    o->ratio[1] = window == 0 || ratio > o->ratio[1] ? ratio : o->ratio[1];
    o->bound = window == 0 || bound > o->bound ? bound : o->bound;
    o->slots[0] = window == 0 || slots < o->slots[0] ? slots : o->slots[0];
    o->slots[1] = window == 0 || slots > o->slots[1] ? slots : o->slots[1];
    /* The first reading after a reset has the slots of a few instructions. */
    for (unsigned i = reading->slots_before > slots / 2 ? 0 : 1; i < 2; i++) {
        o->sum[0] = o->sum[1] == 0 || sums[i] < o->sum[0] ? sums[i] : o->sum[0];
        o->sum[1] = sums[i] > o->sum[1] ? sums[i] : o->sum[1];
    }
}

static bool counted(const struct precision_point *point)
{
    for (unsigned i = 0; i < PRECISION_WINDOWS; i++)
        if (!precision_counted(&point->readings[i]))
            return false;
    return point->done;
}

static void make_outcome(struct precision_outcome *o, const struct precision_job *job,
                         const struct precision_point *point)
{
    const struct pass *pass = &job->precision->series.pass;

    *o = (struct precision_outcome){.job = job, .point = point, .worst = -1};
    for (unsigned i = 0; i < PRECISION_WINDOWS; i++)
        add_window(o, i);
    for (unsigned number = 0; number < pass->reading_count; number++) {
        if (pass->readings[number].kind != READING_METRIC)
            continue;
        o->bytes[number].share = share_of(reference(o), pass->readings[number].field);
        for (unsigned i = 0; i < PRECISION_WINDOWS; i++)
            include(o, number, i);
    }
}

static void add_bytes(struct json_line *record, const struct precision_outcome *o)
{
    const struct pass *pass = &o->job->precision->series.pass;

    json_line_object(record, "bytes");
    for (unsigned i = 0; i < pass->reading_count; i++) {
        if (pass->readings[i].kind != READING_METRIC)
            continue;
        json_line_object(record, pass->readings[i].event->name);
        json_line_real(record, "share", o->bytes[i].share, 4);
        json_line_real(record, "min", o->bytes[i].least, 4);
        json_line_real(record, "max", o->bytes[i].most, 4);
        json_line_real(record, "error", o->bytes[i].error, 4);
        json_line_end(record);
    }
    json_line_end(record);
}

/* As they were read, so that everything else can be worked out again. */
static void add_readings(struct json_line *record, const struct precision_point *point)
{
    json_line_array(record, "readings");
    for (unsigned i = 0; i < PRECISION_WINDOWS; i++) {
        const struct precision_reading *reading = &point->readings[i];

        json_line_array(record, NULL);
        json_line_hex(record, NULL, reading->slots_before);
        json_line_hex(record, NULL, reading->metrics_before);
        json_line_hex(record, NULL, reading->slots);
        json_line_hex(record, NULL, reading->metrics);
        json_line_end(record);
    }
    json_line_end(record);
}

/* The error of a byte that is furthest from 0. */
static double largest_error(const struct precision_outcome *o)
{
    double largest = 0;

    for (unsigned i = 0; i < o->job->precision->series.pass.reading_count; i++)
        if (__builtin_fabs(o->bytes[i].error) > __builtin_fabs(largest))
            largest = o->bytes[i].error;
    return largest;
}

static void send_record(const struct precision_outcome *o)
{
    struct json_line *record = record_begin("precision", o->job->core,
                                            o->job->measurement->kernel->name, "fraction of slots");

    if (o->job->measurement->kernel->doses > 0)
        json_line_unsigned(record, "dose", o->job->measurement->dose);
    json_line_text(record, "before", names[o->point->before]);
    json_line_unsigned(record, "length", o->point->length);
    json_line_bool(record, "reset", o->point->reset);
    json_line_unsigned(record, "iterations", o->job->precision->series.n);
    json_line_unsigned(record, "first_window", o->point->first_window);
    json_line_unsigned(record, "last_window", o->point->last_window);
    json_line_array(record, "ratio");
    json_line_real(record, NULL, o->ratio[0], 3);
    json_line_real(record, NULL, o->ratio[1], 3);
    json_line_end(record);
    json_line_array(record, "slots");
    json_line_unsigned(record, NULL, o->slots[0]);
    json_line_unsigned(record, NULL, o->slots[1]);
    json_line_end(record);
    json_line_real(record, "bound", o->bound, 4);
    json_line_array(record, "sum");
    json_line_unsigned(record, NULL, o->sum[0]);
    json_line_unsigned(record, NULL, o->sum[1]);
    json_line_end(record);
    add_bytes(record, o);
    add_readings(record, o->point);
    log_send(record);
}

/* The points with that code before the region as one verdict: by the one that comes nearest to its
 * bound. */
static void judge(const struct precision_job *job, enum precision_before before, bool reset,
                  unsigned count)
{
    const struct precision_outcome *worst = NULL;
    double furthest = 0;
    char text[280];

    for (unsigned i = 0; i < count; i++) {
        const struct precision_outcome *o = &job->precision->outcomes[i];

        if (o->point->before != before || o->point->reset != reset)
            continue;
        furthest = o->ratio[1] > furthest ? o->ratio[1] : furthest;
        if (worst == NULL || o->used > worst->used)
            worst = o;
    }
    if (worst == NULL)
        return;
    format(
        text, sizeof(text),
        "core %u %s PERF_METRICS at two points, %s before%s, up to %.1f times the region: %s off "
        "by %.4f at %.1f, at most %.4f",
        job->core->core, job->measurement->kernel->name, names[before], reset ? " a reset" : "",
        furthest, job->precision->series.pass.readings[worst->worst].event->name,
        worst->worst_error, worst->worst_ratio, worst->allowed);
    job->verdict(job->context, worst->used <= 1, text);
}

static void judge_sums(const struct precision_job *job, const struct precision_outcome *outcomes,
                       unsigned count)
{
    unsigned least = outcomes->sum[0], most = outcomes->sum[1];
    char text[200];

    for (unsigned i = 1; i < count; i++) {
        least = outcomes[i].sum[0] < least ? outcomes[i].sum[0] : least;
        most = outcomes[i].sum[1] > most ? outcomes[i].sum[1] : most;
    }
    format(
        text, sizeof(text),
        "core %u %s PERF_METRICS at two points: bytes of level 1 add up to %u to %u, in [%u, %u]",
        job->core->core, job->measurement->kernel->name, least, most, SUM_LEAST, SUM_MOST);
    job->verdict(job->context, least >= SUM_LEAST && most <= SUM_MOST, text);
}

void precision_report(const struct precision_job *job)
{
    const struct precision_series *series = &job->precision->series;
    struct precision_outcome *outcomes = job->precision->outcomes;
    unsigned count = 0;

    if (!counted(&series->points[0]))
        return;
    log_comment("core %u %s: error of PERF_METRICS at two points of a run", job->core->core,
                job->measurement->kernel->name);
    log_comment("before         times the region    a step is   largest error");
    for (; count < series->point_count && counted(&series->points[count]); count++) {
        struct precision_outcome *o = &outcomes[count];

        make_outcome(o, job, &series->points[count]);
        if (o->worst < 0)
            return;
        send_record(o);
        log_comment("%s%-7s %8.1f to %6.1f %11.4f %15.4f", names[o->point->before],
                    o->point->reset ? ", reset" : "", o->ratio[0], o->ratio[1], o->bound,
                    largest_error(o));
    }
    for (unsigned before = PRECISION_NOTHING; before < PRECISION_BEFORES; before++) {
        judge(job, (enum precision_before)before, true, count);
        judge(job, (enum precision_before)before, false, count);
    }
    judge_sums(job, outcomes, count);
}
