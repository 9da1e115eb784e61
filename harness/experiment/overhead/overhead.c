#include "overhead.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "kernels/kernel_map.h"
#include "overhead_plan.h"
#include "overhead_report.h"

/* Words of the longest record of a sample. */
#define RECORD_WORDS (PMI_RECORD_WORDS + SAMPLING_READS)

static const unsigned counted_events[] = {1, 4, 8};

bool overhead_wanted(const struct config *config, const char *kernel)
{
    return config->overhead_count > 0 && kernel_map_of(kernel) != NULL;
}

static bool take_part(struct overhead_part *part)
{
    struct overhead_step *step = &part->step;

    step->records = memory_alloc((OVERHEAD_ROOM * (RECORD_WORDS + 1) + 1) * sizeof(uint64_t));
    step->area = memory_alloc(sizeof(*step->area));
    step->buffer = memory_alloc(OVERHEAD_BUFFER);
    return step->records != NULL && step->area != NULL && step->buffer != NULL;
}

struct overhead *overhead_take(unsigned lanes)
{
    struct overhead *overhead = memory_alloc(sizeof(*overhead));
    char expected[80];

    if (overhead != NULL) {
        overhead->count = lanes;
        overhead->parts = memory_alloc(lanes * sizeof(*overhead->parts));
    }
    for (unsigned i = 0; overhead != NULL && overhead->parts != NULL && i <= lanes; i++) {
        if (i == lanes)
            return overhead;
        if (!take_part(&overhead->parts[i]))
            break;
    }
    format(expected, sizeof(expected), "%llu bytes of free memory for each of %u cores",
           (unsigned long long)(sizeof(struct overhead_part) + OVERHEAD_BUFFER +
                                OVERHEAD_ROOM * (RECORD_WORDS + 1) * sizeof(uint64_t)),
           lanes);
    log_error("no memory for the overhead table: it is left out", "overhead", expected);
    return NULL;
}

/* Why the lane measures nothing; null: it does. */
static const char *why_not(const struct overhead_lane *lane)
{
    if (lane->blocked != NULL)
        return lane->blocked;
    if (lane->core->lost)
        return lane->core->why;
    if (lane->core->facts.absent != NULL)
        return lane->core->facts.absent;
    if (measured_core_refuses(lane->core, "BR_INST_RETIRED.NEAR_TAKEN") != NULL)
        return measured_core_refuses(lane->core, "BR_INST_RETIRED.NEAR_TAKEN");
    return lane->cycles > 0 ? NULL : "its cycles were not counted";
}

/* A step's windows on this lane. Null, or why there are none. */
static const char *begin_step(const struct overhead_job *job, unsigned number, uint32_t period)
{
    const struct overhead_lane *lane = &job->lanes[number];
    struct overhead_step *step = &job->overhead->parts[number].step;
    const unsigned samples = period > 0 ? overhead_samples(period) : 0;
    const char *reason = why_not(lane);

    step->measurement = lane->measurement;
    step->repeats = job->config->repeats;
    step->delivery = job->config->delivery;
    step->expected = samples;
    step->kernel_cycles = 0;
    step->row_count = 0;
    step->done = false;
    if (reason != NULL)
        return reason;
    step->n = overhead_iterations(samples, period, lane->measurement->n, lane->cycles);
    return overhead_plan_base(step, lane->core);
}

static void add_rows(const struct overhead_job *job, unsigned number, uint32_t period)
{
    const struct overhead_lane *lane = &job->lanes[number];
    struct overhead_step *step = &job->overhead->parts[number].step;
    const uint64_t every = overhead_every(period, lane->taken, lane->cycles);

    for (unsigned i = 0; period == 0 && i < COUNT_OF(counted_events); i++)
        overhead_plan_counting(step, lane->core, counted_events[i]);
    for (unsigned method = OVERHEAD_CYCLES; period > 0 && method < OVERHEAD_METHODS; method++)
        overhead_plan_sampling(step, lane->core, (enum overhead_method)method, period, every);
}

/* All lanes at once. RC_OK, or as cores_run_all. */
static enum rc launch(const struct overhead_job *job)
{
    const uint64_t timeout_us = (uint64_t)job->config->timeout * 1000000;
    void *steps[CORES_MAX] = {NULL};
    unsigned wanted = 0, last = 0;
    enum rc rc = RC_OK;

    for (unsigned i = 0; i < job->count; i++) {
        struct overhead_step *step = &job->overhead->parts[i].step;

        if (step->row_count == 0)
            continue;
        steps[job->lanes[i].core->core] = step;
        last = i;
        wanted++;
    }
    if (wanted == 0)
        return rc;
    pmi_install();
    if (wanted > 1)
        rc = cores_run_all(overhead_step_work, steps, timeout_us);
    else
        rc = cores_run(job->lanes[last].core->core, overhead_step_work,
                       &job->overhead->parts[last].step, timeout_us);
    pmi_uninstall();
    return rc;
}

static void lose(const struct overhead_job *job, unsigned number)
{
    const struct overhead_lane *lane = &job->lanes[number];
    const bool trapped = cores_place(lane->core->core)->trapped;

    measured_core_lose_while(lane->core, trapped ? RC_FAULT : RC_TIMEOUT, job->kernel,
                             "was measured for its overhead");
    job->verdict(job->context, false, lane->core->why);
}

/* The windows without counters (period 0: those that count), then those with, on all lanes. */
static void run_step(const struct overhead_job *job, uint32_t period)
{
    enum rc rc;

    for (unsigned i = 0; i < job->count; i++) {
        const char *reason = begin_step(job, i, period);

        if (reason == NULL)
            add_rows(job, i, period);
        else if (period == 0)
            log_skip(reason, "core %u %s has an overhead table", job->lanes[i].core->core,
                     job->kernel);
    }
    rc = launch(job);
    for (unsigned i = 0; i < job->count; i++) {
        const struct overhead_step *step = &job->overhead->parts[i].step;

        if (step->row_count == 0)
            continue;
        if (rc != RC_OK && !step->done && step->measurement->what == NULL)
            lose(job, i);
        else
            overhead_report(job, i);
    }
}

void overhead_kernel(const struct overhead_job *job)
{
    for (unsigned i = 0; i < job->count; i++)
        memset(job->overhead->parts[i].done, 0, sizeof(job->overhead->parts[i].done));
    overhead_report_heading(job);
    run_step(job, 0);
    for (unsigned i = 0; i < job->config->overhead_count; i++)
        run_step(job, job->config->overhead[i]);
}
