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
/* Nine windows of some thousand instructions, and disturbed windows again. */
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

/* Null, or why the counters cannot be compared. */
static const char *prepare(struct run *run, struct measured_core *core,
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
        .n = ITERATIONS,
        .description = core->description,
    };
    return every_counter_pass(&(*windows)->pass, &core->facts);
}

static const char *name_of(const struct reading *reading, char *name, unsigned size)
{
    format(name, size, "%s counter %u", reading->kind == READING_FIXED ? "fixed" : "general",
           reading->counter);
    return name;
}

/* Whether the reading had the value that most readings had, in every repeat; else *value and
 * *agreed are of the first repeat in which it had not, and *constant says whether it had the same
 * value in all. */
static bool agrees(const struct every_counter_windows *windows, unsigned reading, uint64_t *value,
                   uint64_t *agreed, bool *constant)
{
    bool agree = true;

    *constant = true;
    for (unsigned i = EVERY_COUNTER_REPEATS; i-- > 0;) {
        const uint64_t *counted = windows->counted[i];
        const uint64_t most = every_counter_agreed(counted, windows->pass.reading_count);

        *constant = *constant && counted[reading] == windows->counted[0][reading];
        if (counted[reading] == most)
            continue;
        agree = false;
        *value = counted[reading];
        *agreed = most;
    }
    return agree;
}

/* A counter that differs. Fixed counter 0 is in every plan: the self-check tells what rests on it.
 */
static void report_off(struct run *run, struct measured_core *core, const struct reading *reading,
                       uint64_t value, uint64_t agreed, bool constant)
{
    char name[24], text[sizeof(run->verdicts->text)];
    const bool avoided = reading->kind == READING_GENERAL;

    if (avoided) {
        core->facts.general_reserved |= 1u << reading->counter;
        core->facts.general_off |= 1u << reading->counter;
    }
    format(text, sizeof(text),
           "core %u %s counts %llu instructions in [%llu, %llu], as most counters do%s%s",
           core->core, name_of(reading, name, sizeof(name)), (unsigned long long)value,
           (unsigned long long)agreed, (unsigned long long)agreed,
           constant ? ", the same wrong number each time" : ", another number each time",
           avoided ? ": it is not used" : "");
    outcome_verdicts_log_text(run, false, text);
}

static void judge(struct run *run, struct measured_core *core,
                  const struct every_counter_windows *windows)
{
    char text[sizeof(run->verdicts->text)];
    unsigned off = 0;

    for (unsigned i = 0; i < windows->pass.reading_count; i++) {
        uint64_t value, agreed;
        bool constant;

        if (agrees(windows, i, &value, &agreed, &constant))
            continue;
        report_off(run, core, &windows->pass.readings[i], value, agreed, constant);
        off++;
    }
    if (off > 0)
        return;
    format(text, sizeof(text), "core %u counters agree: %u general counters and fixed counter 0",
           core->core, windows->pass.reading_count - 1);
    outcome_verdicts_log_text(run, true, text);
}

void every_counter_check(struct run *run, struct measured_core *core)
{
    char text[sizeof(run->verdicts->text)];
    struct every_counter_windows *windows;
    const char *why;
    enum rc rc;

    if (core->lost || core->facts.absent != NULL)
        return; /* such a core has one SKIP in place of all verdicts */
    why = prepare(run, core, &windows);
    if (why != NULL) {
        log_skip(why, "core %u counters agree", core->core);
        return;
    }
    run->kernel_running = KERNEL;
    rc = cores_run(core->core, every_counter_windows_work, windows, TIMEOUT_US);
    run->kernel_running = NULL;
    if (rc != RC_OK) {
        measured_core_lose_while(core, rc, "its counters", "were compared");
        format(text, sizeof(text), "core %u counters agree: %s", core->core, core->why);
        outcome_verdicts_log_text(run, false, text);
    } else if (!windows->done) {
        outcome_trouble(core, &windows->measurement);
        log_skip(windows->measurement.what, "core %u counters agree", core->core);
    } else {
        judge(run, core, windows);
    }
}
