#include "precision.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/judge/measured_core_run.h"
#include "kernels/kernel_map.h"
#include "precision_report.h"
#include "precision_samples.h"

#define CYCLES "CPU_CLK_UNHALTED.THREAD"

bool precision_wanted(const struct config *config, const struct kernel *kernel)
{
    return config->precision && strncmp(kernel->name, "cal.", 4) != 0;
}

struct precision *precision_take(void)
{
    struct precision *precision = memory_alloc(sizeof(*precision));

    if (precision != NULL)
        precision->series.words = memory_alloc(PRECISION_WORDS * sizeof(uint64_t));
    if (precision != NULL && precision->series.words != NULL)
        return precision;
    log_error("no memory for precision curves: they are left out", "precision", NULL);
    return NULL;
}

static const char *why_not(const struct precision_job *job)
{
    const struct measured_core *core = job->core;

    if (core->lost)
        return core->why;
    if (core->untrusted)
        return core->distrust;
    if (core->facts.absent != NULL)
        return core->facts.absent;
    if (!pass_has_metrics(&core->facts))
        return "no PERF_METRICS on this core";
    if (core->threads != ONE_THREAD)
        return "the sibling thread works, and takes slots of the core";
    if (job->own)
        return "not for kernels of the user's own";
    if (job->measurement->kernel->partner != NULL)
        return "its partner would not run meanwhile";
    return NULL;
}

/* The pass that counts SLOTS and PERF_METRICS and nothing else. Null, or what the description
 * lacks. */
static const char *plan(struct pass *pass, const struct measured_core *core)
{
    const struct description *description = core->description;
    struct assignment assignment;

    memset(&assignment, 0, sizeof(assignment));
    for (unsigned i = 0; i < description->event_count; i++) {
        const struct event *event = &description->events[i];

        if (event->kind == EVENT_SLOTS)
            assignment.slots = event;
        else if (event->kind == EVENT_METRIC)
            assignment.metrics[event->field & 7] = event;
    }
    if (assignment.slots == NULL)
        return "this CPU's description names no SLOTS for PERF_METRICS";
    pass_make(pass, &core->facts, &assignment);
    return NULL;
}

/* How the samples are taken, or why there are none. */
static void plan_samples(struct precision_series *series, const struct precision_job *job)
{
    const struct measured_core *core = job->core;
    const struct event *cycles = description_event(core->description, CYCLES);
    struct sampling_plan made;
    const char *why = "this CPU's description does not have the event of the core's cycles";

    series->why[0] = '\0';
    series->delivery = job->config->delivery;
    series->width = core->description->width;
    if (cycles != NULL)
        why = sampling_plan_make(&made, &core->facts, core->description, cycles, cycles, NULL);
    /* The sampler tells by the map whether an interrupt came behind the window's end. */
    if (why == NULL && kernel_map_of(job->measurement->kernel->name) == NULL)
        why = "the kernel has no map";
    if (why == NULL)
        precision_samples_plan(series, &made);
    else
        format(series->why, sizeof(series->why), "%s", why);
}

/* False: the core did not come back. */
static bool run(const struct precision_job *job)
{
    bool back;

    pmi_install();
    back =
        measured_core_run(job->core, precision_work, &job->precision->series,
                          (uint64_t)job->config->timeout * 1000000, job->measurement->kernel->name,
                          "was measured for the precision of PERF_METRICS");
    pmi_uninstall();
    return back;
}

void precision_kernel(const struct precision_job *job)
{
    struct measurement *m = job->measurement;
    struct measured_core *core = job->core;
    struct precision_series *series = &job->precision->series;
    const char *why = why_not(job);

    if (why == NULL)
        why = plan(&series->pass, core);
    if (why != NULL) {
        log_skip(why, "core %u %s: precision of PERF_METRICS", core->core, m->kernel->name);
        return;
    }
    series->measurement = m;
    series->longer = m->kernel->reset == NULL && m->kernel->most == NULL;
    precision_lay_out(series);
    memset(m->discarded, 0, sizeof(m->discarded));
    plan_samples(series, job);
    if (!run(job)) {
        job->verdict(job->context, false, core->why);
        return;
    }
    measured_core_discarded(core, m->discarded);
    precision_report(job);
    if (m->what == NULL && series->longer && series->why[0] != '\0')
        log_skip(series->why, "core %u %s: PERF_METRICS from sample to sample", core->core,
                 m->kernel->name);
    if (m->what != NULL) {
        measured_core_trouble(core, m->kernel->name, m->what, m->where);
        log_skip(m->what, "core %u %s: precision of PERF_METRICS", core->core, m->kernel->name);
    }
}
