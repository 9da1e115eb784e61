#include "compare_again.h"

#include "boot/format.h"
#include "boot/log.h"
#include "every_counter.h"
#include "harness/doubt/records_doubt.h"
#include "harness/outcome/outcome_verdicts.h"
#include "pmu/every_counter.h"

static struct agreement agreement_now(const struct measured_core *core)
{
    return (struct agreement){core->registers.windows, log_numbers(LOG_BRIEF),
                              log_numbers(LOG_FULL)};
}

void compare_again_reported(struct measured_core *core)
{
    if (core->registers.windows == core->compared.window)
        core->compared = agreement_now(core);
}

void compare_again_begin(struct measured_core *core)
{
    struct pass pass;

    core->never_compared =
        core->fixed_off ? core->distrust
                        : every_counter_pass(&pass, &core->facts, EVERY_COUNTER_INSTRUCTIONS);
    core->compared = agreement_now(core);
}

static enum every_counter_outcome compare(struct run_comparison *comparison,
                                          struct run_verdicts *verdicts, struct measured_core *core,
                                          const char **why)
{
    const struct agreement before = agreement_now(core);
    enum every_counter_outcome outcome;

    *why = core->never_compared;
    if (core->lost || core->facts.absent != NULL || *why != NULL)
        return EVERY_COUNTER_UNKNOWN;
    outcome = every_counter_again(comparison, verdicts, core, why);
    if (outcome == EVERY_COUNTER_OFF)
        record_doubt(core, &before, "counters that agreed do not agree any more");
    if (outcome == EVERY_COUNTER_PASSING)
        record_doubt(core, &before, "counters that agreed did not for a while");
    if (outcome != EVERY_COUNTER_UNKNOWN)
        core->compared = agreement_now(core);
    if (core->fixed_off) /* that is said, and the core is not trusted any more */
        core->never_compared = core->distrust;
    return outcome;
}

bool compare_again(struct run_comparison *comparison, struct run_verdicts *verdicts,
                   struct measured_core *core)
{
    const char *why;
    const enum every_counter_outcome outcome = compare(comparison, verdicts, core, &why);

    return outcome == EVERY_COUNTER_OFF || outcome == EVERY_COUNTER_PASSING;
}

void compare_at_end(struct run_comparison *comparison, struct run_verdicts *verdicts,
                    struct measured_core *core)
{
    char text[sizeof(verdicts->of->text)];
    enum every_counter_outcome outcome;
    const char *why;

    if (core->lost || core->facts.absent != NULL || core->never_compared != NULL)
        return;
    format(text, sizeof(text), "core %u counters still agree", core->core);
    outcome = compare(comparison, verdicts, core, &why);
    switch (outcome) {
    case EVERY_COUNTER_AGREE:
    case EVERY_COUNTER_PASSING:
        outcome_verdicts_log_text(verdicts, outcome == EVERY_COUNTER_AGREE, "%s", text);
        return;
    case EVERY_COUNTER_UNKNOWN:
        log_skip(why, "%s", text);
        return;
    case EVERY_COUNTER_OFF:
        return;
    }
}
