#include "outcome_verdicts.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/experiment/topdown/explain.h"

void outcome_verdicts_begin(struct run_verdicts *verdicts)
{
    verdicts->count = 0;
}

struct verdict *outcome_verdicts_next(struct run_verdicts *verdicts)
{
    if (verdicts->count == RUN_VERDICTS - 1)
        log_error("more verdicts than there is room for: some are left out", NULL, NULL);
    if (verdicts->count == RUN_VERDICTS - 1)
        return &verdicts->of[RUN_VERDICTS - 1];
    return &verdicts->of[verdicts->count++];
}

void outcome_verdicts_keep_failures(struct run_verdicts *verdicts)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < verdicts->count; i++) {
        if (verdicts->of[i].outcome == VERDICT_FAIL)
            verdicts->of[kept++] = verdicts->of[i];
    }
    verdicts->count = kept;
}

void outcome_verdicts_log_text(struct run_verdicts *verdicts, bool holds, const char *pattern, ...)
{
    const uint64_t number = log_totals().failed;
    char text[sizeof(verdicts->of->text)];
    va_list arguments;

    va_start(arguments, pattern);
    format_list(text, sizeof(text), pattern, arguments);
    va_end(arguments);
    if (!holds && number < RUN_FAILURES) /* for the list at the end of the log */
        format(verdicts->failures[number], sizeof(verdicts->failures[number]), "%s", text);
    log_verdict(holds, "%s", text);
}

void outcome_verdicts_said(struct outcome_said *said, const struct measured_core *core,
                           const struct trial *trial, const struct verdict *verdict)
{
    said->outcome = verdict->outcome;
    if (verdict->outcome == VERDICT_SKIP) {
        format(said->reason, sizeof(said->reason), "%s", verdict->reason);
    } else if (core->untrusted && !trial->experiment->self_check) {
        said->outcome = VERDICT_SKIP;
        format(said->reason, sizeof(said->reason), "core %u is untrusted: %s", core->core,
               core->distrust);
    }
}

static void log_one(struct run_verdicts *verdicts, const struct measured_core *core,
                    const struct trial *trial, const struct verdict *verdict)
{
    struct outcome_said said;
    enum log_form before;

    outcome_verdicts_said(&said, core, trial, verdict);
    if (said.outcome == VERDICT_FAIL) {
        outcome_verdicts_log_text(verdicts, false, "%s", verdict->text);
        if (trial->experiment->kernel->doses > 0) /* the counts may be those of another dose */
            return;
        if (verdict->no_share != NULL)
            explain_formula(trial, verdict->no_share);
        else if (verdict->expectation != 0)
            explain_expectation(trial, verdict->expectation - 1);
        return;
    }
    before = log_into(LOG_FULL);
    if (said.outcome == VERDICT_SKIP)
        log_skip(said.reason, "%s", verdict->text);
    else
        outcome_verdicts_log_text(verdicts, true, "%s", verdict->text);
    log_into(before);
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

bool outcome_verdicts_log(struct run_verdicts *verdicts, struct measured_core *core,
                          const struct trial *trial)
{
    if (trial->blocked != NULL && !lacks_instructions(core, trial->blocked) &&
        outcome_verdicts_silent(core, trial->experiment->kernel->name))
        return false;
    for (unsigned i = 0; i < verdicts->count; i++)
        log_one(verdicts, core, trial, &verdicts->of[i]);
    return true;
}
