#include "every_counter.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "harness/measure/every_counter_windows.h"
#include "harness/run/outcome.h"
#include "harness/run/outcome_verdicts.h"
#include "pmu/every_counter.h"

#define KERNEL     "cal.instructions" /* it needs no arena */
#define ITERATIONS 200u
/* Of the window whose cycles are compared with reference cycles: it has over 10,000. */
#define REFERENCE_ITERATIONS 1500u
/* At most nine windows of some thousand instructions, and disturbed windows again. */
#define TIMEOUT_US 2000000

static const struct kernel *find_kernel(const struct run *run)
{
    for (unsigned i = 0; i < run->experiment_count; i++)
        if (strcmp(run->experiments[i].kernel->name, KERNEL) == 0)
            return run->experiments[i].broken == NULL ? run->experiments[i].kernel : NULL;
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

/* What the comparisons of a core came to. */
struct compared {
    unsigned general; /* counters */
    char fixed[16];   /* "0, 1, 2, 3" */
    unsigned off;
};

/* Null, or why the counters cannot be compared: the windows lack their pass alone. */
static const char *prepare(struct run *run, struct measured_core *core, uint64_t n,
                           struct every_counter_windows **windows)
{
    const struct kernel *kernel = find_kernel(run);

    *windows = windows_of(run);
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

/* What a reading counted in the first repeat in which it did not agree with most readings. */
struct disagreement {
    uint64_t value, agreed, tolerance;
    bool constant; /* it counted the same in all repeats */
};

/* Whether the reading had the value that most readings had, in every repeat. */
static bool agrees(const struct every_counter_windows *windows, enum every_counter what,
                   unsigned reading, struct disagreement *found)
{
    bool agree = true;

    found->constant = true;
    for (unsigned i = EVERY_COUNTER_REPEATS; i-- > 0;) {
        const uint64_t *counted = windows->counted[i], value = counted[reading];
        const uint64_t most = every_counter_agreed(what, counted, windows->pass.reading_count),
                       tolerance = every_counter_tolerance(what, most);

        found->constant = found->constant && value == windows->counted[0][reading];
        if (value + tolerance >= most && value <= most + tolerance)
            continue;
        agree = false;
        found->value = value;
        found->agreed = most;
        found->tolerance = tolerance;
    }
    return agree;
}

/* No pass uses a general counter that differs. The fixed counters are in every plan, and nearly all
 * rests on them: the core is not trusted. */
static void avoid(struct measured_core *core, const struct reading *reading,
                  const struct disagreement *found)
{
    char why[sizeof(core->distrust)];

    if (reading->kind == READING_GENERAL) {
        core->facts.general_reserved |= 1u << reading->counter;
        core->facts.general_off |= 1u << reading->counter;
        return;
    }
    format(why, sizeof(why), "fixed counter %u counts %.3f of what most counters do",
           reading->counter, (double)found->value / (double)found->agreed);
    measured_core_distrust(core, why);
    core->fixed_off = true;
}

/* Another number of cycles each time says nothing: other counters have that, too. */
static const char *how_often(enum every_counter what, const struct disagreement *found)
{
    if (what != EVERY_COUNTER_INSTRUCTIONS)
        return "";
    return found->constant ? ", the same wrong number each time" : ", another number each time";
}

static void report_off(struct run *run, struct measured_core *core, enum every_counter what,
                       const struct reading *reading, const struct disagreement *found)
{
    const bool general = reading->kind == READING_GENERAL;
    char text[sizeof(run->verdicts->text)];

    avoid(core, reading, found);
    format(text, sizeof(text),
           "core %u %s counter %u counts %llu %s in [%llu, %llu], as most counters do%s%s",
           core->core, general ? "general" : "fixed", reading->counter,
           (unsigned long long)found->value, every_counter_name(what),
           (unsigned long long)(found->agreed - found->tolerance),
           (unsigned long long)(found->agreed + found->tolerance), how_often(what, found),
           general ? ": it is not used" : "");
    outcome_verdicts_log_text(run, false, text);
}

static void add_fixed(struct compared *compared, unsigned counter)
{
    const size_t length = strlen(compared->fixed);

    format(compared->fixed + length, sizeof(compared->fixed) - length, "%s%u",
           length > 0 ? ", " : "", counter);
}

static void judge(struct run *run, struct measured_core *core, enum every_counter what,
                  const struct every_counter_windows *windows, struct compared *compared)
{
    const struct pass *pass = &windows->pass;

    for (unsigned i = 0; i < pass->reading_count; i++) {
        struct disagreement found;

        if (agrees(windows, what, i, &found))
            continue;
        report_off(run, core, what, &pass->readings[i], &found);
        compared->off++;
    }
    compared->general = pass->reading_count - 1;
    add_fixed(compared, pass->readings[0].counter);
}

/* Runs the windows on the core. False: they have no result, and a verdict says why. */
static bool run_windows(struct run *run, struct measured_core *core, void (*work)(void *windows),
                        struct every_counter_windows *windows)
{
    char text[sizeof(run->verdicts->text)];
    enum rc rc;

    run->kernel_running = KERNEL;
    rc = cores_run(core->core, work, windows, TIMEOUT_US);
    run->kernel_running = NULL;
    if (rc != RC_OK) {
        measured_core_lose_while(core, rc, "its counters", "were compared");
        format(text, sizeof(text), "core %u counters agree: %s", core->core, core->why);
        outcome_verdicts_log_text(run, false, text);
    } else if (!windows->done) {
        outcome_trouble(core, &windows->measurement);
        log_skip(windows->measurement.what, "core %u counters agree", core->core);
    }
    return rc == RC_OK && windows->done;
}

/* True: go on. A core without one of the events is compared by the others. */
static bool compare(struct run *run, struct measured_core *core, enum every_counter what,
                    struct compared *compared)
{
    struct every_counter_windows *windows;
    const char *why = prepare(run, core, ITERATIONS, &windows);

    if (why == NULL)
        why = every_counter_pass(&windows->pass, &core->facts, what);
    if (why != NULL && what == EVERY_COUNTER_INSTRUCTIONS)
        log_skip(why, "core %u counters agree", core->core);
    if (why != NULL)
        return what != EVERY_COUNTER_INSTRUCTIONS;
    if (!run_windows(run, core, every_counter_windows_work, windows))
        return false;
    judge(run, core, what, windows, compared);
    return true;
}

/* A reference counter that is off is not used: little rests on it. */
static void judge_reference(struct run *run, struct measured_core *core,
                            const struct every_counter_windows *windows, struct compared *compared)
{
    const uint64_t *counted = windows->counted[0];
    const uint64_t expected = every_counter_reference(counted[0], windows->clock.mperf,
                                                      windows->clock.aperf),
                   tolerance = every_counter_reference_tolerance(expected),
                   least = expected > tolerance ? expected - tolerance : 0;
    const unsigned counter = windows->pass.readings[1].counter;
    char text[sizeof(run->verdicts->text)];

    if (counted[1] >= least && counted[1] <= expected + tolerance) {
        add_fixed(compared, counter);
        return;
    }
    core->facts.fixed_mask &= ~(1u << counter);
    core->facts.fixed_off |= 1u << counter;
    format(text, sizeof(text),
           "core %u fixed counter %u counts %llu reference cycles in [%llu, %llu], by its cycles, "
           "IA32_MPERF and IA32_APERF: it is not used",
           core->core, counter, (unsigned long long)counted[1], (unsigned long long)least,
           (unsigned long long)(expected + tolerance));
    outcome_verdicts_log_text(run, false, text);
    compared->off++;
}

/* No general counter counts reference cycles, so they are held against cycles and the core's clock.
 * True: go on. A core without these counters or this clock is not compared by them. */
static bool compare_reference(struct run *run, struct measured_core *core,
                              struct compared *compared)
{
    struct every_counter_windows *windows;

    if (prepare(run, core, REFERENCE_ITERATIONS, &windows) != NULL ||
        every_counter_reference_pass(&windows->pass, &core->facts) != NULL)
        return true;
    if (!run_windows(run, core, reference_window_work, windows))
        return false;
    if (windows->clock.mperf != 0 && windows->clock.aperf != 0)
        judge_reference(run, core, windows, compared);
    return true;
}

void every_counter_check(struct run *run, struct measured_core *core)
{
    struct compared compared = {.fixed = ""};
    char text[sizeof(run->verdicts->text)];

    if (core->lost || core->facts.absent != NULL)
        return; /* such a core has one SKIP in place of all verdicts */
    for (unsigned what = 0; what < EVERY_COUNTERS; what++)
        if ((what == EVERY_COUNTER_SLOTS && !compare_reference(run, core, &compared)) ||
            !compare(run, core, (enum every_counter)what, &compared))
            return;
    if (compared.off > 0)
        return;
    format(text, sizeof(text), "core %u counters agree: %u general counters, fixed counter%s %s",
           core->core, compared.general, strlen(compared.fixed) > 1 ? "s" : "", compared.fixed);
    outcome_verdicts_log_text(run, true, text);
}
