#include "sampling.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "harness/report/records_sampling.h"

/* Samples that a window makes room for: so many that the window's edges weigh little. */
#define WINDOW_SAMPLES 128u

struct method {
    const char *name;
    const char *event;
    bool jitter;
};

static const struct method methods[] = {
    {"cycles", "CPU_CLK_UNHALTED.THREAD", true},
    {"classic cycles", "CPU_CLK_UNHALTED.THREAD", false},
    {"classic instructions", "INST_RETIRED.ANY", false},
};

/* Words of the longest record, with its preset. */
#define RECORD_WORDS (PMI_RECORD_WORDS + SAMPLING_READS + 1)

static uint64_t room_of(const struct run *run)
{
    return run->config.samples < SAMPLER_ROOM ? run->config.samples : SAMPLER_ROOM;
}

bool sampling_take_memory(struct run *run)
{
    const uint64_t bytes = (room_of(run) * RECORD_WORDS + 1) * sizeof(uint64_t);
    char where[64], expected[80];

    if (run->config.samples == 0)
        return true;
    run->sampler = memory_alloc(sizeof(*run->sampler));
    run->sample_words = run->sampler != NULL ? memory_alloc(bytes) : NULL;
    if (run->sample_words != NULL)
        return true;
    format(where, sizeof(where), "samples = %u", run->config.samples);
    format(expected, sizeof(expected), "%llu bytes of free memory, or fewer samples",
           (unsigned long long)bytes);
    log_error("no memory for the samples: nothing is sampled", where, expected);
    return false;
}

/* Cycles of n iterations as they were counted; 0: they were not. */
static double counted(struct run *run, const struct lane *lane, const char *event)
{
    const char *reason;
    double value;

    results_make(&run->results, &lane->measurement);
    return results_value(&run->results, event, &value, &reason) && value >= 1 ? value : 0;
}

/* Why the kernel cannot be sampled in this lane; null: it can. */
static const char *why_not(const struct run *run, const struct lane *lane)
{
    if (!lane_counted(lane))
        return lane->blocked;
    if (lane->core->untrusted)
        return lane->core->distrust;
    if (lane->core->threads != ONE_THREAD)
        return "beside a loaded sibling thread nothing is sampled";
    if (run->sample_words == NULL)
        return "no memory for the samples";
    return NULL;
}

static void prepare(struct run *run, struct lane *lane, const struct method *method, double cycles)
{
    struct sampler *s = run->sampler;
    const struct measurement *m = &lane->measurement;
    const uint64_t window = (uint64_t)run->config.period * WINDOW_SAMPLES;

    memset(s, 0, sizeof(*s));
    s->measurement = &lane->measurement;
    s->delivery = run->config.delivery;
    s->periods = sampling_periods_from(run->config.period, method->jitter ? run->config.jitter : 0,
                                       run->config.seed);
    s->n = m->n * ((uint64_t)((double)window / cycles) + 1);
    s->wanted = run->config.samples;
    s->expected = (uint64_t)(cycles * (double)s->n / (double)m->n / run->config.period) + 1;
    s->room = room_of(run);
    s->records = run->sample_words;
    s->presets = s->records + s->room * (RECORD_WORDS - 1);
    s->code = (uintptr_t)m->kernel->code;
    s->code_end = s->code + 4096;
    s->absent =
        sampling_plan_make(&s->plan, lane->measurement.facts,
                           description_event(lane->core->description, method->event),
                           description_event(lane->core->description, "CPU_CLK_UNHALTED.THREAD"));
}

static void run_method(struct run *run, struct lane *lane, const struct method *method,
                       double cycles)
{
    struct sampler *s = run->sampler;

    prepare(run, lane, method, cycles);
    if (s->absent != NULL)
        return;
    pmi_install();
    (void)cores_run(lane->core->core, sampler_work, s, (uint64_t)run->config.timeout * 1000000);
    pmi_uninstall();
    record_sampling(lane->core, s, method->name, method->event, run->config.seed);
}

void sampling_kernel(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    const char *why;
    double cycles;

    if (run->config.samples == 0 || strncmp(experiment->kernel->name, "cpi.", 4) != 0)
        return;
    why = why_not(run, lane);
    cycles = why == NULL ? counted(run, lane, "CPU_CLK_UNHALTED.THREAD") : 0;
    if (why == NULL && cycles == 0)
        why = "its cycles were not counted";
    if (why != NULL) {
        log_skip(why, "core %u %s is sampled", lane->core->core, experiment->kernel->name);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        run_method(run, lane, &methods[i], cycles);
}
