#include "outcome_verdicts.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/report/explain.h"

void outcome_verdicts_begin(struct run *run)
{
    run->verdict_count = 0;
}

struct verdict *outcome_verdicts_next(struct run *run)
{
    if (run->verdict_count == RUN_VERDICTS - 1)
        return &run->verdicts[RUN_VERDICTS - 1];
    return &run->verdicts[run->verdict_count++];
}

void outcome_verdicts_keep_failures(struct run *run)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < run->verdict_count; i++) {
        if (run->verdicts[i].outcome == VERDICT_FAIL)
            run->verdicts[kept++] = run->verdicts[i];
    }
    run->verdict_count = kept;
}

void outcome_verdicts_log_text(struct run *run, bool holds, const char *text)
{
    const uint64_t number = log_totals().failed;

    if (!holds && number < RUN_FAILURES) /* for the list at the end of the log */
        format(run->failures[number], sizeof(run->failures[number]), "%s", text);
    log_verdict(holds, "%s", text);
}

static void log_one(struct run *run, const struct measured_core *core, const struct trial *trial,
                    unsigned number)
{
    const struct verdict *verdict = &run->verdicts[number];
    const struct experiment *experiment = trial->experiment;
    char reason[sizeof(core->distrust) + 40];

    if (verdict->outcome == VERDICT_SKIP) {
        log_skip(verdict->reason, "%s", verdict->text);
        return;
    }
    if (core->untrusted && !experiment->self_check) {
        format(reason, sizeof(reason), "core %u is untrusted: %s", core->core, core->distrust);
        log_skip(reason, "%s", verdict->text);
        return;
    }
    outcome_verdicts_log_text(run, verdict->outcome == VERDICT_PASS, verdict->text);
    if (verdict->outcome == VERDICT_FAIL && number < experiment->kernel->expectation_count &&
        experiment->kernel->doses == 0)
        explain_expectation(trial, number);
}

bool outcome_verdicts_silent(struct measured_core *core, const char *kernel)
{
    const char *reason = core->lost ? core->why : core->facts.absent;

    if (reason == NULL)
        return false;
    if (!core->silent)
        log_skip(reason, "core %u all verdicts from %s on", core->core, kernel);
    core->silent = true;
    return true;
}

/* Whether the kernel did not run, though the core is not lost: that is said of each kernel. */
static bool lacks_instructions(const struct measured_core *core, const char *blocked)
{
    return !core->lost && core->facts.absent != NULL && strcmp(blocked, core->facts.absent) != 0;
}

void outcome_verdicts_log(struct run *run, struct measured_core *core, const struct trial *trial)
{
    if (trial->blocked != NULL && !lacks_instructions(core, trial->blocked) &&
        outcome_verdicts_silent(core, trial->experiment->kernel->name))
        return;
    for (unsigned i = 0; i < run->verdict_count; i++)
        log_one(run, core, trial, i);
}
