#include "every_counter_count.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "harness/judge/measured_core_run.h"
#include "harness/outcome/outcome_verdicts.h"

#define KERNEL     "cal.instructions" /* it needs no arena */
#define ITERATIONS 200u
/* Of the window whose cycles are compared with reference cycles: it has over 10,000. */
#define REFERENCE_ITERATIONS 1500u
/* At most nine windows of some thousand instructions, and disturbed windows again. */
#define TIMEOUT_US 2000000

static const struct kernel *find_kernel(const struct run_experiments *experiments)
{
    for (unsigned i = 0; i < experiments->count; i++)
        if (strcmp(experiments->of[i].kernel->name, KERNEL) == 0)
            return experiments->of[i].broken == NULL ? experiments->of[i].kernel : NULL;
    return NULL;
}

void every_counter_begin(struct run_comparison *comparison,
                         const struct run_experiments *experiments)
{
    comparison->kernel = find_kernel(experiments);
    comparison->windows = memory_alloc(sizeof(*comparison->windows));
}

/* Null, or why the counters cannot be compared: the windows lack their pass alone. */
static const char *prepare(struct run_comparison *comparison, struct measured_core *core,
                           uint64_t n, unsigned repeats)
{
    struct every_counter_windows *windows = comparison->windows;

    if (comparison->kernel == NULL)
        return "the kernel " KERNEL " cannot run";
    if (windows == NULL)
        return "no memory for the windows";
    memset(windows, 0, sizeof(*windows));
    windows->repeats = repeats;
    windows->plan.passes = &windows->pass;
    windows->plan.pass_count = 1;
    windows->measurement = (struct measurement){
        .kernel = comparison->kernel,
        .facts = &core->facts,
        .plan = &windows->plan,
        .registers = &core->registers,
        .n = n,
        .description = core->description,
    };
    return NULL;
}

/* Runs the windows on the core. False: the core is lost. */
static bool run_windows(struct every_counter_windows *windows, struct measured_core *core,
                        void (*work)(void *windows))
{
    bool back;

    cores_name_work(KERNEL);
    back = measured_core_run(core, work, windows, TIMEOUT_US, "its counters", "were compared");
    cores_name_work(NULL);
    measured_core_discarded(core, windows->measurement.discarded);
    return back;
}

enum counted every_counter_count(struct run_comparison *comparison, struct measured_core *core,
                                 enum every_counter what, unsigned repeats, const char **why)
{
    struct every_counter_windows *windows = comparison->windows;

    *why = prepare(comparison, core, ITERATIONS, repeats);
    if (*why == NULL)
        *why = every_counter_pass(&windows->pass, &core->facts, what);
    if (*why != NULL)
        return NO_SUCH;
    if (!run_windows(windows, core, every_counter_windows_work))
        return CORE_LOST;
    if (windows->done)
        return COUNTED;
    *why = windows->measurement.what;
    return NOT_COUNTED;
}

enum counted every_counter_count_reference(struct run_comparison *comparison,
                                           struct measured_core *core)
{
    struct every_counter_windows *windows = comparison->windows;

    if (prepare(comparison, core, REFERENCE_ITERATIONS, 1) != NULL ||
        every_counter_reference_pass(&windows->pass, &core->facts) != NULL)
        return NO_SUCH;
    if (!run_windows(windows, core, reference_window_work))
        return CORE_LOST;
    if (!windows->done)
        return NOT_COUNTED;
    return windows->clock.mperf != 0 && windows->clock.aperf != 0 ? COUNTED : NO_SUCH;
}

void every_counter_lost(struct run_verdicts *verdicts, const struct measured_core *core)
{
    if (!core->lost)
        return;
    outcome_verdicts_log_text(verdicts, false, "core %u counters agree: %s", core->core, core->why);
}

bool every_counter_reference_agrees(const struct every_counter_windows *windows, uint64_t *expected)
{
    const uint64_t *counted = windows->counted[0];
    uint64_t tolerance;

    *expected = every_counter_reference(counted[0], windows->clock.mperf, windows->clock.aperf);
    tolerance = every_counter_reference_tolerance(*expected);
    return counted[1] + tolerance >= *expected && counted[1] <= *expected + tolerance;
}
