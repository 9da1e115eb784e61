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
#define CYCLES_COUNTER       1u /* fixed counters */
#define REFERENCE_COUNTER    2u
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
    uint32_t fixed;   /* bit n: fixed counter n agrees */
    unsigned off;
};

/* Null, or why the counters cannot be compared: the windows lack their pass alone. */
static const char *prepare(struct run *run, struct measured_core *core, uint64_t n,
                           unsigned repeats, struct every_counter_windows **windows)
{
    const struct kernel *kernel = find_kernel(run);

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

/* What a reading counted in the first repeat in which it did not agree with most readings. */
struct disagreement {
    uint64_t value, agreed, tolerance;
    uint64_t low, high; /* of all repeats */
    uint64_t nearest;   /* what the best repeat is off by */
};

static void look(struct disagreement *found, uint64_t value, uint64_t most)
{
    const uint64_t off = value > most ? value - most : most - value;

    found->low = value < found->low ? value : found->low;
    found->high = value > found->high ? value : found->high;
    found->nearest = off < found->nearest ? off : found->nearest;
}

/* Whether the reading had the value that most readings had, in every repeat. */
static bool agrees(const struct every_counter_windows *windows, enum every_counter what,
                   unsigned reading, struct disagreement *found)
{
    bool agree = true;

    *found = (struct disagreement){.low = UINT64_MAX, .nearest = UINT64_MAX};
    for (unsigned i = windows->repeats; i-- > 0;) {
        const uint64_t *counted = windows->counted[i], value = counted[reading];
        const uint64_t most = every_counter_agreed(what, counted, windows->pass.reading_count),
                       tolerance = every_counter_tolerance(what, most);

        look(found, value, most);
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
    core->registers.guards.absent[GUARD_CYCLES] = "a fixed counter is off";
}

/* ", wrong: 6719..6721 in 3 repeats", by the rule of the self-check (recheck.h): the values lie no
 * further apart than a tenth of what the nearest is off by. Cycles that differ say nothing: those
 * of other counters do, too. */
static const char *how_often(enum every_counter what, const struct disagreement *found, char *text,
                             size_t size)
{
    const char *word = found->high - found->low <= found->nearest / 10 ? "wrong" : "noisy";

    text[0] = '\0';
    if (what == EVERY_COUNTER_INSTRUCTIONS && found->low == found->high)
        format(text, size, ", wrong: the same in %u repeats", EVERY_COUNTER_REPEATS);
    else if (what == EVERY_COUNTER_INSTRUCTIONS)
        format(text, size, ", %s: %llu..%llu in %u repeats", word, (unsigned long long)found->low,
               (unsigned long long)found->high, EVERY_COUNTER_REPEATS);
    return text;
}

static void report_off(struct run *run, struct measured_core *core, enum every_counter what,
                       const struct reading *reading, const struct disagreement *found)
{
    const bool general = reading->kind == READING_GENERAL;
    char text[sizeof(run->verdicts->text)], how[80];

    avoid(core, reading, found);
    format(text, sizeof(text),
           "core %u %s counter %u counts %lld %s in [%lld, %lld], as most counters do%s%s",
           core->core, general ? "general" : "fixed", reading->counter, (long long)found->value,
           every_counter_name(what), (long long)(found->agreed - found->tolerance),
           (long long)(found->agreed + found->tolerance), how_often(what, found, how, sizeof(how)),
           general ? ": it is not used" : "");
    outcome_verdicts_log_text(run, false, text);
}

static void judge(struct run *run, struct measured_core *core, enum every_counter what,
                  const struct every_counter_windows *windows, struct compared *compared)
{
    const struct pass *pass = &windows->pass;

    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];
        struct disagreement found;

        if (agrees(windows, what, i, &found)) {
            if (reading->kind != READING_GENERAL)
                compared->fixed |= 1u << reading->counter;
            continue;
        }
        report_off(run, core, what, reading, &found);
        compared->off++;
    }
    compared->general = pass->reading_count - 1;
}

/* Runs the windows on the core. False: the core is lost, and a verdict says so. */
static bool run_windows(struct run *run, struct measured_core *core, void (*work)(void *windows),
                        struct every_counter_windows *windows)
{
    char text[sizeof(run->verdicts->text)];
    enum rc rc;

    run->kernel_running = KERNEL;
    rc = cores_run(core->core, work, windows, TIMEOUT_US);
    run->kernel_running = NULL;
    measured_core_discarded(core, windows->measurement.discarded);
    if (rc == RC_OK)
        return true;
    measured_core_lose_while(core, rc, "its counters", "were compared");
    format(text, sizeof(text), "core %u counters agree: %s", core->core, core->why);
    outcome_verdicts_log_text(run, false, text);
    return false;
}

/* Whether all counters were made to count it. */
enum counted {
    COUNTED,
    NOT_COUNTED, /* the windows failed: measurement.what says why */
    NO_SUCH,     /* this core has no such pass, for the reason *why */
    CORE_LOST,
};

static enum counted count_all(struct run *run, struct measured_core *core, enum every_counter what,
                              unsigned repeats, struct every_counter_windows **windows,
                              const char **why)
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

/* True: go on. A core without one of the events is compared by the others. */
static bool compare(struct run *run, struct measured_core *core, enum every_counter what,
                    struct compared *compared)
{
    struct every_counter_windows *windows;
    const char *why;

    switch (count_all(run, core, what, EVERY_COUNTER_REPEATS, &windows, &why)) {
    case COUNTED:
        judge(run, core, what, windows, compared);
        return true;
    case NO_SUCH:
        if (what == EVERY_COUNTER_INSTRUCTIONS)
            log_skip(why, "core %u counters agree", core->core);
        return what != EVERY_COUNTER_INSTRUCTIONS;
    case NOT_COUNTED:
        outcome_trouble(core, &windows->measurement);
        log_skip(why, "core %u counters agree", core->core);
        return false;
    case CORE_LOST:
        break;
    }
    return false;
}

/* No plan has fixed counter 2 from then on. */
static void leave_reference_out(struct measured_core *core)
{
    core->facts.fixed_mask &= ~(1u << REFERENCE_COUNTER);
    core->facts.fixed_off |= 1u << REFERENCE_COUNTER;
    core->registers.guards.absent[GUARD_CYCLES] = "a fixed counter is off";
}

/* Whether the window's reference cycles are as many as its cycles and the core's clock make;
 * *expected is how many these are. */
static bool reference_agrees(const struct every_counter_windows *windows, uint64_t *expected)
{
    const uint64_t *counted = windows->counted[0];
    uint64_t tolerance;

    *expected = every_counter_reference(counted[0], windows->clock.mperf, windows->clock.aperf);
    tolerance = every_counter_reference_tolerance(*expected);
    return counted[1] + tolerance >= *expected && counted[1] <= *expected + tolerance;
}

static void report_reference(struct run *run, struct measured_core *core, uint64_t counted,
                             uint64_t expected)
{
    const uint64_t tolerance = every_counter_reference_tolerance(expected);
    char text[sizeof(run->verdicts->text)];

    leave_reference_out(core);
    format(text, sizeof(text),
           "core %u fixed counter %u counts %llu reference cycles in [%llu, %llu], by its cycles, "
           "IA32_MPERF and IA32_APERF: it is not used",
           core->core, REFERENCE_COUNTER, (unsigned long long)counted,
           (unsigned long long)(expected > tolerance ? expected - tolerance : 0),
           (unsigned long long)(expected + tolerance));
    outcome_verdicts_log_text(run, false, text);
}

/* True: there is a window, and a clock beside it. A counter whose register faults is left out; a
 * core whose windows are disturbed is not compared. */
static bool count_reference(struct run *run, struct measured_core *core,
                            struct every_counter_windows **windows)
{
    if (prepare(run, core, REFERENCE_ITERATIONS, 1, windows) != NULL ||
        every_counter_reference_pass(&(*windows)->pass, &core->facts) != NULL ||
        !run_windows(run, core, reference_window_work, *windows))
        return false;
    if (!(*windows)->done && (*windows)->measurement.rc == RC_FAULT) {
        outcome_trouble(core, &(*windows)->measurement);
        leave_reference_out(core);
    }
    return (*windows)->done && (*windows)->clock.mperf != 0 && (*windows)->clock.aperf != 0;
}

/* No general counter counts reference cycles, so they are held against cycles and the core's clock:
 * in three windows, unless one agrees. */
static void compare_reference(struct run *run, struct measured_core *core,
                              struct compared *compared)
{
    struct every_counter_windows *windows;
    uint64_t expected = 0;

    for (unsigned i = 0; i < EVERY_COUNTER_REPEATS; i++) {
        if (!count_reference(run, core, &windows))
            return;
        if (!reference_agrees(windows, &expected))
            continue;
        compared->fixed |= 1u << REFERENCE_COUNTER;
        return;
    }
    report_reference(run, core, windows->counted[0][1], expected);
    compared->off++;
}

static void report_agreement(struct run *run, const struct measured_core *core,
                             const struct compared *compared)
{
    char text[sizeof(run->verdicts->text)];
    size_t used =
        format(text, sizeof(text),
               "core %u counters agree: %u general counters, fixed "
               "counter%s",
               core->core, compared->general, compared->fixed & (compared->fixed - 1) ? "s" : "");
    const char *before = " ";

    for (unsigned i = 0; i < 32; i++) {
        if (!(compared->fixed >> i & 1))
            continue;
        used += format(text + used, sizeof(text) - used, "%s%u", before, i);
        before = ", ";
    }
    outcome_verdicts_log_text(run, true, text);
}

/* All comparisons, with a verdict on each counter that is off. False: one could not be made, and
 * that is said. */
static bool compare_all(struct run *run, struct measured_core *core, struct compared *compared)
{
    for (unsigned what = 0; what < EVERY_COUNTERS; what++)
        if (!compare(run, core, (enum every_counter)what, compared))
            return false;
    if (compared->fixed & 1u << CYCLES_COUNTER)
        compare_reference(run, core, compared);
    return !core->lost;
}

enum every_counter_outcome every_counter_check(struct run *run, struct measured_core *core)
{
    struct compared compared = {0};

    if (core->lost || core->facts.absent != NULL) /* one SKIP stands for all of its verdicts */
        return EVERY_COUNTER_UNKNOWN;
    if (!compare_all(run, core, &compared))
        return EVERY_COUNTER_UNKNOWN;
    if (compared.off > 0)
        return EVERY_COUNTER_OFF;
    report_agreement(run, core, &compared);
    return EVERY_COUNTER_AGREE;
}

/* ---- Again, in the middle of the run ---- */

/* One window of n and one of 2n: whether all counters agree in them. *where: which counter did
 * not, for people. */
static enum every_counter_outcome glance(struct run *run, struct measured_core *core,
                                         enum every_counter what, const char **why, char *where,
                                         size_t size)
{
    struct every_counter_windows *windows;
    struct disagreement found;

    switch (count_all(run, core, what, 1, &windows, why)) {
    case COUNTED:
        break;
    case NO_SUCH:
        return what == EVERY_COUNTER_INSTRUCTIONS ? EVERY_COUNTER_UNKNOWN : EVERY_COUNTER_AGREE;
    case NOT_COUNTED:
    case CORE_LOST:
        return EVERY_COUNTER_UNKNOWN;
    }
    for (unsigned i = 0; i < windows->pass.reading_count; i++) {
        const struct reading *reading = &windows->pass.readings[i];

        if (agrees(windows, what, i, &found))
            continue;
        format(where, size, "core %u, %s counter %u, window %llu: %lld %s", core->core,
               reading->kind == READING_GENERAL ? "general" : "fixed", reading->counter,
               (unsigned long long)core->registers.windows, (long long)found.value,
               every_counter_name(what));
        return EVERY_COUNTER_OFF;
    }
    return EVERY_COUNTER_AGREE;
}

/* A core without such a window has never compared them. */
static enum every_counter_outcome glance_at_reference(struct run *run, struct measured_core *core,
                                                      const char **why, char *where, size_t size)
{
    struct every_counter_windows *windows;
    uint64_t expected;

    *why = "its reference cycles could not be compared";
    if (!(core->facts.fixed_mask >> REFERENCE_COUNTER & 1) ||
        core->registers.guards.absent[GUARD_FREQUENCY] != NULL)
        return EVERY_COUNTER_AGREE;
    if (!count_reference(run, core, &windows))
        return EVERY_COUNTER_UNKNOWN;
    if (reference_agrees(windows, &expected))
        return EVERY_COUNTER_AGREE;
    format(where, size, "core %u, fixed counter %u, window %llu: %llu reference cycles", core->core,
           REFERENCE_COUNTER, (unsigned long long)core->registers.windows,
           (unsigned long long)windows->counted[0][1]);
    return EVERY_COUNTER_OFF;
}

static enum every_counter_outcome glance_at_all(struct run *run, struct measured_core *core,
                                                const char **why, char *where, size_t size)
{
    for (unsigned what = 0; what < EVERY_COUNTERS; what++) {
        const enum every_counter_outcome outcome =
            glance(run, core, (enum every_counter)what, why, where, size);

        if (outcome != EVERY_COUNTER_AGREE)
            return outcome;
    }
    return glance_at_reference(run, core, why, where, size);
}

enum every_counter_outcome every_counter_again(struct run *run, struct measured_core *core,
                                               const char **why)
{
    char where[120];
    const enum every_counter_outcome outcome = glance_at_all(run, core, why, where, sizeof(where));
    struct compared compared = {0};

    if (outcome != EVERY_COUNTER_OFF)
        return outcome;
    *why = "its counters could not be compared";
    if (!compare_all(run, core, &compared))
        return EVERY_COUNTER_UNKNOWN;
    if (compared.off > 0)
        return EVERY_COUNTER_OFF;
    log_error("a counter did not agree with the others, and does again", where,
              "what most counters count");
    return EVERY_COUNTER_PASSING;
}
