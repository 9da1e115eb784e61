#include "overhead_windows.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/window/measured_window.h"
#include "harness/window/precise_window.h"
#include "harness/window/settle.h"

/* Disturbed windows that are run again, for each window that is wanted. */
#define RETRIES_PER_WINDOW 4u
/* The first window is so much shorter than the others. */
#define WARMUP_PART 16u

static void miss(struct overhead_row *row, const char *why, const char *where)
{
    format(row->why, sizeof(row->why), "%s%s%s", why, where[0] != '\0' ? ": " : "", where);
}

static bool keep(struct overhead_step *step, const struct pass *pass)
{
    uint32_t registers[PLAN_WRITES];
    struct pass only = *pass;
    const struct plan plan = {.passes = &only, .pass_count = 1};

    return measurement_keep(step->measurement, registers,
                            plan_registers(&plan, registers, PLAN_WRITES));
}

/* The time of a window that nothing disturbed. */
static bool time_window(struct overhead_step *step, const struct pass *pass, uint64_t n,
                        unsigned *retries, uint64_t *ticks)
{
    struct measurement *m = step->measurement;
    enum guard guard;

    for (;;) {
        if (!measured_window_time(m, pass, n, ticks, &guard))
            return false;
        if (guard == GUARD_CLEAN)
            return true;
        if (!measurement_try_again(m, guard, retries))
            return false;
    }
}

static bool time_windows(struct overhead_step *step, const struct pass *pass, uint64_t *times)
{
    unsigned retries = step->repeats * RETRIES_PER_WINDOW;

    for (unsigned i = 0; i < step->repeats; i++)
        if (!time_window(step, pass, step->n, &retries, &times[i]))
            return false;
    return true;
}

static bool count_cycles(struct overhead_step *step)
{
    struct measurement *m = step->measurement;
    unsigned retries = RETRIES_PER_WINDOW;
    struct raw_counts raw;
    uint64_t ticks;
    uint32_t index;

    if (!time_window(step, &step->cycles, step->n, &retries, &ticks))
        return false;
    if (counters_read(&step->cycles, m->facts, &raw, &index) == RC_OK && !raw.overflowed[0])
        step->kernel_cycles = raw.value[0];
    return true;
}

/* A shorter window, thrown away: caches and predictors learn in it. */
static bool warm_up(struct overhead_step *step)
{
    unsigned retries = RETRIES_PER_WINDOW;
    uint64_t ticks;

    return time_window(step, &step->cycles, step->n / WARMUP_PART + 1, &retries, &ticks);
}

static void count(struct overhead_step *step, struct overhead_row *row)
{
    if (!keep(step, &row->pass) || !time_windows(step, &row->pass, row->times)) {
        miss(row, step->measurement->what, step->measurement->where);
        return;
    }
    row->windows = step->repeats;
}

static void begin_sampler(struct overhead_step *step, struct overhead_row *row)
{
    struct sampler *s = &step->sampler;

    memset(s, 0, sizeof(*s));
    s->measurement = step->measurement;
    s->plan = row->plan;
    s->lbr = row->method == OVERHEAD_BRANCHES ? &row->lbr : NULL;
    s->delivery = step->delivery;
    s->periods = sampling_periods_from(row->period, 0, 0);
    s->n = step->n;
    s->wanted = UINT64_MAX;
    s->window_limit = step->repeats;
    s->times = row->times;
    s->expected = step->expected;
    sampler_give_room(s, step->records, OVERHEAD_ROOM);
}

static void sample(struct overhead_step *step, struct overhead_row *row)
{
    struct sampler *s = &step->sampler;

    begin_sampler(step, row);
    sampler_run(s);
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        step->measurement->discarded[i] += s->discarded[i];
    row->apic_changed = s->apic_changed;
    if (s->absent != NULL || s->what != NULL) {
        miss(row, s->absent != NULL ? s->absent : s->what, s->where);
        return;
    }
    if (s->no_room > 0) {
        miss(row, "more samples came in a window than there was room for", "");
        return;
    }
    row->windows = (unsigned)s->windows;
    row->samples = s->kept + s->outside;
    row->cycles = s->total_unknown ? 0 : s->total_cycles;
    row->cycles_off = s->total_off;
    row->cost = s->cost;
}

/* Takes the window's records. */
static bool end_precise_window(struct overhead_step *step, struct overhead_row *row)
{
    const struct pebs_plan *plan = &row->pebs;
    unsigned records;
    bool full;

    if (!precise_window_end(step->measurement, plan))
        return false;
    if (!ds_area_end(step->area, plan, &records, &full) || full) {
        measurement_fail(step->measurement, RC_FAULT,
                         "the PEBS buffer is full, or its index wrong");
        return false;
    }
    row->samples += records;
    return true;
}

static bool sample_precise_window(struct overhead_step *step, struct overhead_row *row,
                                  unsigned *retries)
{
    const uint64_t before = row->samples;
    bool ran;

    ds_area_begin(step->area, &row->pebs, step->buffer, OVERHEAD_ROOM, OVERHEAD_ROOM);
    for (;;) {
        enum guard guard;

        ran = measured_window_time(step->measurement, &row->pebs.pass, step->n,
                                   &row->times[row->windows], &guard);
        if (!end_precise_window(step, row) || !ran)
            return false;
        if (guard == GUARD_CLEAN)
            return true;
        row->samples = before;
        if (!measurement_try_again(step->measurement, guard, retries))
            return false;
        ds_area_begin(step->area, &row->pebs, step->buffer, OVERHEAD_ROOM, OVERHEAD_ROOM);
    }
}

static void sample_precise(struct overhead_step *step, struct overhead_row *row)
{
    struct measurement *m = step->measurement;
    unsigned retries = step->repeats * RETRIES_PER_WINDOW;

    if (!precise_window_keep(m, &row->pebs)) {
        miss(row, m->what, m->where);
        return;
    }
    for (; row->windows < step->repeats; row->windows++)
        if (!sample_precise_window(step, row, &retries)) {
            row->windows = 0;
            miss(row, m->what, m->where);
            return;
        }
}

static void run_row(struct overhead_step *step, struct overhead_row *row)
{
    if (row->method == OVERHEAD_COUNTING)
        count(step, row);
    else if (row->method == OVERHEAD_PEBS)
        sample_precise(step, row);
    else
        sample(step, row);
}

/* What one row could not do must not keep the next from being tried. */
static void forgive(struct measurement *m)
{
    m->rc = RC_OK;
    m->what = NULL;
    m->where[0] = '\0';
}

void overhead_step_work(void *argument)
{
    struct overhead_step *step = argument;
    struct measurement *m = step->measurement;
    uint32_t msr = 0;

    forgive(m);
    if (!keep(step, &step->nothing) || !keep(step, &step->cycles))
        return;
    if (counters_silence(&m->registers->saved, m->facts, &msr) != RC_OK) {
        measurement_fail_register(m, RC_FAULT, "switching off what the firmware records", msr);
        return;
    }
    settle(m);
    if (!warm_up(step) || !time_windows(step, &step->nothing, step->times) || !count_cycles(step))
        return;
    for (unsigned i = 0; i < step->row_count; i++) {
        if (step->rows[i].why[0] == '\0')
            run_row(step, &step->rows[i]);
        forgive(m);
    }
    step->done = true;
}
