#include "every_counter.h"

#include "boot/format.h"
#include "boot/log.h"
#include "every_counter_count.h"
#include "harness/outcome/outcome.h"
#include "harness/outcome/outcome_verdicts.h"

/* What the comparisons of a core came to. */
struct compared {
    unsigned general; /* counters */
    uint32_t fixed;   /* bit n: fixed counter n agrees */
    unsigned off;
};

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
        format(text, size, ", %s: %lld..%lld in %u repeats", word, (long long)found->low,
               (long long)found->high, EVERY_COUNTER_REPEATS);
    return text;
}

static void report_off(struct run_verdicts *verdicts, struct measured_core *core,
                       enum every_counter what, const struct reading *reading,
                       const struct disagreement *found)
{
    const bool general = reading->kind == READING_GENERAL;
    char how[80];

    avoid(core, reading, found);
    outcome_verdicts_log_text(
        verdicts, false,
        "core %u %s counter %u counts %lld %s in [%lld, %lld], as most counters do%s%s", core->core,
        general ? "general" : "fixed", reading->counter, (long long)found->value,
        every_counter_name(what), (long long)(found->agreed - found->tolerance),
        (long long)(found->agreed + found->tolerance), how_often(what, found, how, sizeof(how)),
        general ? ": it is not used" : "");
}

static void judge(struct run_verdicts *verdicts, struct measured_core *core,
                  enum every_counter what, const struct every_counter_windows *windows,
                  struct compared *compared)
{
    const struct pass *pass = &windows->pass;

    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];
        struct disagreement found;

        if (every_counter_agrees(windows, what, i, &found)) {
            if (reading->kind != READING_GENERAL)
                compared->fixed |= 1u << reading->counter;
            continue;
        }
        report_off(verdicts, core, what, reading, &found);
        compared->off++;
    }
    compared->general = 0;
    for (unsigned i = 0; i < pass->reading_count; i++)
        compared->general += pass->readings[i].kind == READING_GENERAL;
}

/* A register that faulted once is written once more; one that faults again leaves the counters of
 * the core unknown, and nothing that they count is believed. */
static enum counted count(struct run_comparison *comparison, struct measured_core *core,
                          enum every_counter what, const char **why)
{
    const struct measurement *m = &comparison->windows->measurement;
    enum counted counted = every_counter_count(comparison, core, what, EVERY_COUNTER_REPEATS, why);
    char distrust[sizeof(core->distrust)];

    if (counted != NOT_COUNTED)
        return counted;
    outcome_trouble(core, m);
    if (m->rc == RC_FAULT)
        counted = every_counter_count(comparison, core, what, EVERY_COUNTER_REPEATS, why);
    if (counted != NOT_COUNTED || m->rc != RC_FAULT)
        return counted;
    outcome_trouble(core, m);
    format(distrust, sizeof(distrust), "its counters could not be compared: %s: %s", *why,
           m->where);
    measured_core_distrust(core, distrust);
    return counted;
}

/* True: go on. A core without one of the events is compared by the others. */
static bool compare(struct run_comparison *comparison, struct run_verdicts *verdicts,
                    struct measured_core *core, enum every_counter what, struct compared *compared)
{
    const char *why;

    switch (count(comparison, core, what, &why)) {
    case COUNTED:
        judge(verdicts, core, what, comparison->windows, compared);
        return true;
    case NO_SUCH:
        if (what == EVERY_COUNTER_INSTRUCTIONS)
            log_skip(why, "core %u counters agree", core->core);
        return what != EVERY_COUNTER_INSTRUCTIONS;
    case NOT_COUNTED:
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

static void report_reference(struct run_verdicts *verdicts, struct measured_core *core,
                             uint64_t counted, uint64_t expected)
{
    const uint64_t tolerance = every_counter_reference_tolerance(expected);

    leave_reference_out(core);
    outcome_verdicts_log_text(
        verdicts, false,
        "core %u fixed counter %u counts %lld reference cycles in [%llu, %llu], by its cycles, "
        "IA32_MPERF and IA32_APERF: it is not used",
        core->core, REFERENCE_COUNTER, (long long)counted,
        (unsigned long long)(expected > tolerance ? expected - tolerance : 0),
        (unsigned long long)(expected + tolerance));
}

/* No general counter counts reference cycles, so they are held against cycles and the core's clock:
 * in three windows, unless one agrees. A counter whose register faults is left out; a core whose
 * windows are disturbed is not compared. */
static void compare_reference(struct run_comparison *comparison, struct run_verdicts *verdicts,
                              struct measured_core *core, struct compared *compared)
{
    const struct every_counter_windows *windows = comparison->windows;
    uint64_t expected = 0;

    for (unsigned i = 0; i < EVERY_COUNTER_REPEATS; i++) {
        const enum counted counted = every_counter_count_reference(comparison, core);

        if (counted == NOT_COUNTED && windows->measurement.rc == RC_FAULT) {
            outcome_trouble(core, &windows->measurement);
            leave_reference_out(core);
        }
        if (counted != COUNTED)
            return;
        if (!every_counter_reference_agrees(windows, &expected))
            continue;
        compared->fixed |= 1u << REFERENCE_COUNTER;
        core->registers.guards.rates_agree = true;
        return;
    }
    report_reference(verdicts, core, windows->counted[0][1], expected);
    compared->off++;
}

static void report_agreement(struct run_verdicts *verdicts, const struct measured_core *core,
                             const struct compared *compared)
{
    char text[sizeof(verdicts->of->text)];
    size_t used =
        format(text, sizeof(text), "core %u counters agree: %u general counters%s%s", core->core,
               compared->general, compared->fixed != 0 ? ", fixed counter" : "",
               compared->fixed & (compared->fixed - 1) ? "s" : "");
    const char *before = " ";

    for (unsigned i = 0; i < 32; i++) {
        if (!(compared->fixed >> i & 1))
            continue;
        used += format(text + used, sizeof(text) - used, "%s%u", before, i);
        before = ", ";
    }
    outcome_verdicts_log_text(verdicts, true, "%s", text);
}

/* All comparisons, with a verdict on each counter that is off. False: one could not be made, and
 * that is said. */
static bool compare_all(struct run_comparison *comparison, struct run_verdicts *verdicts,
                        struct measured_core *core, struct compared *compared)
{
    for (unsigned what = 0; what < EVERY_COUNTERS; what++)
        if (!compare(comparison, verdicts, core, (enum every_counter)what, compared))
            return false;
    if (compared->fixed & 1u << CYCLES_COUNTER)
        compare_reference(comparison, verdicts, core, compared);
    return !core->lost;
}

enum every_counter_outcome every_counter_compare(struct run_comparison *comparison,
                                                 struct run_verdicts *verdicts,
                                                 struct measured_core *core, bool said)
{
    struct compared compared = {0};
    bool whole;

    if (core->lost || core->facts.absent != NULL) /* one SKIP stands for all of its verdicts */
        return EVERY_COUNTER_UNKNOWN;
    whole = compare_all(comparison, verdicts, core, &compared);
    every_counter_lost(verdicts, core);
    if (compared.off > 0) /* also where a later comparison could not be made */
        return EVERY_COUNTER_OFF;
    if (!whole)
        return EVERY_COUNTER_UNKNOWN;
    if (said)
        report_agreement(verdicts, core, &compared);
    return EVERY_COUNTER_AGREE;
}
