#include "every_counter_count.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
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

/* The memory for it, taken for the first core. Null: there is none. */
static struct every_counter_windows *windows_of(struct run *run)
{
    if (run->every_counter == NULL)
        run->every_counter = memory_alloc(sizeof(*run->every_counter));
    if (run->every_counter != NULL)
        memset(run->every_counter, 0, sizeof(*run->every_counter));
    return run->every_counter;
}

/* Null, or why the counters cannot be compared: the windows lack their pass alone. */
static const char *prepare(struct run *run, struct measured_core *core, uint64_t n,
                           unsigned repeats, struct every_counter_windows **windows)
{
    const struct kernel *kernel = find_kernel(&run->experiments);

    *windows = windows_of(run);
    if (*windows != NULL)
        (*windows)->repeats = repeats;
    if (kernel == NULL)
        return "the kernel " KERNEL " cannot run";
    if (*windows == NULL)
        return "no memory for the windows";
    (*windows)->plan.passes = &(*windows)->pass;
    (*windows)->plan.pass_count = 1;
    (*windows)->measurement = (struct measurement){
        .kernel = kernel,
        .facts = &core->facts,
        .plan = &(*windows)->plan,
        .registers = &core->registers,
        .n = n,
        .description = core->description,
    };
    return NULL;
}

/* Runs the windows on the core. False: the core is lost, and a verdict says so. */
static bool run_windows(struct run *run, struct measured_core *core, void (*work)(void *windows),
                        struct every_counter_windows *windows)
{
    char text[sizeof(run->verdicts.of->text)];
    bool back;

    run->kernel_running = KERNEL;
    back = measured_core_run(core, work, windows, TIMEOUT_US, "its counters", "were compared");
    run->kernel_running = NULL;
    measured_core_discarded(core, windows->measurement.discarded);
    if (back)
        return true;
    format(text, sizeof(text), "core %u counters agree: %s", core->core, core->why);
    outcome_verdicts_log_text(&run->verdicts, false, text);
    return false;
}

enum counted every_counter_count(struct run *run, struct measured_core *core,
                                 enum every_counter what, unsigned repeats,
                                 struct every_counter_windows **windows, const char **why)
{
    *why = prepare(run, core, ITERATIONS, repeats, windows);
    if (*why == NULL)
        *why = every_counter_pass(&(*windows)->pass, &core->facts, what);
    if (*why != NULL)
        return NO_SUCH;
    if (!run_windows(run, core, every_counter_windows_work, *windows))
        return CORE_LOST;
    if ((*windows)->done)
        return COUNTED;
    *why = (*windows)->measurement.what;
    return NOT_COUNTED;
}

enum counted every_counter_count_reference(struct run *run, struct measured_core *core,
                                           struct every_counter_windows **windows)
{
    if (prepare(run, core, REFERENCE_ITERATIONS, 1, windows) != NULL ||
        every_counter_reference_pass(&(*windows)->pass, &core->facts) != NULL)
        return NO_SUCH;
    if (!run_windows(run, core, reference_window_work, *windows))
        return CORE_LOST;
    if (!(*windows)->done)
        return NOT_COUNTED;
    return (*windows)->clock.mperf != 0 && (*windows)->clock.aperf != 0 ? COUNTED : NO_SUCH;
}

bool every_counter_reference_agrees(const struct every_counter_windows *windows, uint64_t *expected)
{
    const uint64_t *counted = windows->counted[0];
    uint64_t tolerance;

    *expected = every_counter_reference(counted[0], windows->clock.mperf, windows->clock.aperf);
    tolerance = every_counter_reference_tolerance(*expected);
    return counted[1] + tolerance >= *expected && counted[1] <= *expected + tolerance;
}
