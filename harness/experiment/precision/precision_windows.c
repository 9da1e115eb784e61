#include "precision_windows.h"

#include "boot/msr.h"
#include "harness/window/kernel_run.h"
#include "harness/window/settle.h"
#include "precision_samples.h"

/* Iterations of the chain by which its slots are measured. */
#define CHAIN_TRIAL 64u
/* Shorter regions are made longer where they may be: of these slots the edges of a window, some 120
 * cycles, are about one in a hundred. */
#define REGION_SLOTS 60000u
/* Disturbed windows that are run again, for each window. */
#define RETRIES 4u

static void add_points(struct precision_series *series, enum precision_before before)
{
    unsigned length = 1;

    for (unsigned i = 0; i < PRECISION_LENGTHS; i++, length *= PRECISION_STEP)
        for (unsigned reset = 2; reset-- > 0;)
            series->points[series->point_count++] =
                (struct precision_point){.before = before, .length = length, .reset = reset != 0};
}

void precision_lay_out(struct precision_series *series)
{
    series->points[0] = (struct precision_point){.before = PRECISION_NOTHING, .reset = true};
    series->point_count = 1;
    add_points(series, PRECISION_CHAIN);
    if (series->longer) {
        add_points(series, PRECISION_KERNEL);
        add_points(series, PRECISION_SAMPLES);
    }
}

static bool keep(struct measurement *m, struct pass *pass)
{
    const struct plan plan = {.passes = pass, .pass_count = 1};
    uint32_t registers[PLAN_WRITES], msr = 0;

    if (!measurement_keep(m, registers, plan_registers(&plan, registers, PLAN_WRITES)))
        return false;
    if (counters_silence(&m->registers->saved, m->facts, &msr) == RC_OK)
        return true;
    measurement_fail_register(m, RC_FAULT, "switching off what the firmware records", msr);
    return false;
}

/* In the window a register that cannot be read would be a trap. */
static bool can_read(struct measurement *m)
{
    uint64_t value;

    if (rdpmc_read(RDPMC_FIXED + 3, &value) && rdpmc_read(RDPMC_PERF_METRICS, &value))
        return true;
    measurement_fail(m, RC_FAULT, "reading SLOTS and PERF_METRICS by RDPMC");
    return false;
}

/* Windows until one was not disturbed. */
static bool run(struct precision_series *series, struct precision_window *window)
{
    struct measurement *m = series->measurement;
    unsigned retries = RETRIES;

    for (;;) {
        struct guard_bracket bracket;
        enum guard guard;

        kernel_run_reset(m, window->n);
        if (!measurement_set_up(m, &series->pass))
            return false;
        guards_open(&m->registers->guards, &bracket);
        precision_window_run(window);
        m->registers->windows += window->reset ? 2 : 1;
        guard = guards_close(&m->registers->guards, &bracket, 0);
        if (guard == GUARD_CLEAN)
            return true;
        if (!measurement_try_again(m, guard, &retries))
            return false;
    }
}

static struct precision_window window_of(const struct precision_series *series)
{
    const struct measurement *m = series->measurement;

    return (struct precision_window){
        .code = m->kernel->code,
        .n = series->n,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .dose = m->dose,
        .enable = series->pass.enable.value,
    };
}

/* The slots of n iterations of the code; 0: none were counted. False: a window failed. */
static bool slots_of(struct precision_series *series, void (*code)(void), uint64_t n,
                     uint64_t *slots)
{
    struct precision_window window = window_of(series);

    window.code = code;
    window.n = n;
    if (!run(series, &window))
        return false;
    *slots =
        precision_counted(&window.reading) ? window.reading.slots - window.reading.slots_before : 0;
    return true;
}

/* The windows of a point are of different lengths before the region, up to nearly those of the next
 * point, so that bytes are not rounded alike in all of them. */
static bool run_point(struct precision_series *series, struct precision_point *point, double each)
{
    const struct measurement *m = series->measurement;

    point->first_window = m->registers->windows + 1;
    for (unsigned i = 0; i < PRECISION_WINDOWS; i++) {
        struct precision_window window = window_of(series);
        const double length =
            point->length * (1 + (double)(PRECISION_STEP - 1) * i / PRECISION_WINDOWS);

        window.before = point->before == PRECISION_KERNEL ? window.code : precision_chain;
        window.before_n = (uint64_t)(length * each);
        window.reset = point->reset && point->before != PRECISION_NOTHING;
        if (!run(series, &window))
            return false;
        point->readings[i] = window.reading;
    }
    point->last_window = m->registers->windows;
    point->done = true;
    return true;
}

void precision_work(void *argument)
{
    struct precision_series *series = argument;
    struct measurement *m = series->measurement;
    uint64_t chain = 0, region = 0;

    series->n = m->n;
    if (!keep(m, &series->pass) || !can_read(m))
        return;
    settle(m);
    if (!slots_of(series, m->kernel->code, series->n, &region))
        return;
    if (series->longer && region > 0 && region < REGION_SLOTS)
        series->n *= (REGION_SLOTS - 1) / region + 1;
    for (unsigned warm = 0; warm < 2; warm++) /* the second is warm */
        if (!slots_of(series, precision_chain, CHAIN_TRIAL, &chain) ||
            !slots_of(series, m->kernel->code, series->n, &region))
            return;
    if (chain == 0 || region == 0) {
        measurement_fail(m, RC_FAULT, "SLOTS stood still");
        return;
    }
    for (unsigned i = 0; i < series->point_count; i++) {
        struct precision_point *point = &series->points[i];
        const double each = point->before == PRECISION_KERNEL
                                ? (double)series->n
                                : (double)region * CHAIN_TRIAL / (double)chain;

        if (point->before != PRECISION_SAMPLES && !run_point(series, point, each))
            return;
    }
    if (series->longer)
        precision_samples_run(series, region);
}
