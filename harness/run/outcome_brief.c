#include "outcome_brief.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/report/records_brief.h"
#include "outcome_verdicts.h"
#include "rotation_setup.h"

static void count_outcomes(const struct run *run, const struct trial *trial,
                           const struct measured_core *core, struct table_row *row)
{
    struct outcome_said said;

    row->passed = row->failed = row->skipped = 0;
    for (unsigned i = 0; i < run->verdict_count; i++) {
        outcome_verdicts_said(&said, core, trial, &run->verdicts[i]);
        row->passed += said.outcome == VERDICT_PASS;
        row->failed += said.outcome == VERDICT_FAIL;
        row->skipped += said.outcome == VERDICT_SKIP;
    }
}

/* What is logged whatever it is: trouble, values that no row has, and what no core may agree on. */
static bool must_be_said(const struct run *run, const struct lane *lane)
{
    const struct measurement *m = &lane->measurement;
    bool trouble = lane->failed || m->what != NULL || rotation_setup_wanted(run);

    for (unsigned i = 0; m->plan != NULL && lane->ready && i < m->plan->pass_count; i++)
        trouble = trouble || m->passes[i].why != NULL;
    return trouble || lane->core->untrusted || guards_unsteady(&lane->core->registers.guards);
}

bool outcome_brief_said(struct run *run, const struct lane *lane, const struct trial *trial,
                        struct table_row *row, unsigned step)
{
    struct round_result result = {
        .kernel = trial->experiment->kernel->name,
        .core = lane->core->core,
        .dose = trial->experiment->kernel->doses > 0 ? lane->measurement.dose : 0,
        .row = row,
    };
    size_t place;

    if (run->rounds.rows == NULL || row == &run->sibling_row)
        return true;
    if (lane->core->lost || lane->core->facts.absent != NULL)
        return true; /* it is no result: nothing is measured on this core */
    place = (size_t)(row - run->rows);
    count_outcomes(run, trial, lane->core, row);
    result.say = must_be_said(run, lane);
    place =
        run->round_rows[place / run->core_count] + step * run->core_count + place % run->core_count;
    if (rounds_add(&run->rounds, place, &result))
        return true;
    lane->core->unsaid++;
    return false;
}

/* A SKIP for each reason, with the number of verdicts that have it. */
static void log_skips(const struct run *run, const struct trial *trial,
                      const struct measured_core *core)
{
    bool done[RUN_VERDICTS] = {false};
    struct outcome_said first, other;

    for (unsigned i = 0; i < run->verdict_count; i++) {
        unsigned alike = 0;

        outcome_verdicts_said(&first, core, trial, &run->verdicts[i]);
        if (done[i] || first.outcome != VERDICT_SKIP)
            continue;
        for (unsigned j = i; j < run->verdict_count; j++) {
            outcome_verdicts_said(&other, core, trial, &run->verdicts[j]);
            if (other.outcome != VERDICT_SKIP || strcmp(other.reason, first.reason) != 0)
                continue;
            done[j] = true;
            alike++;
        }
        if (alike == 1)
            log_skip(first.reason, "%s", run->verdicts[i].text);
        else
            log_skip(first.reason, "core %u %s: %u verdicts", core->core,
                     trial->experiment->kernel->name, alike);
    }
}

/* The row of an earlier core of the same description that says the same; null: there is none. */
static const struct table_row *agreeing(const struct run *run, const struct measured_core *core,
                                        const struct table_row *row)
{
    unsigned place;

    if (run->rounds.number > 1 || row == &run->sibling_row || !row->filled || row->failed > 0 ||
        core->untrusted || guards_unsteady(&core->registers.guards))
        return NULL;
    place = (unsigned)(row - run->rows) % run->core_count;
    for (unsigned i = 0; i < place; i++) {
        const struct table_row *other = row - place + i;

        if (other->filled && other->description == row->description && !other->said &&
            other->passed == row->passed && other->skipped == row->skipped && other->failed == 0 &&
            table_agree(other, row))
            return other;
    }
    return NULL;
}

static void note_agreement(const struct lane *lane, const struct table_row *row,
                           const struct table_row *as)
{
    struct measured_core *core = lane->core;

    if (core->agreed.kernels > 0 && core->agreed.with != as->core)
        outcome_brief_agreed(core);
    core->agreed.with = as->core;
    core->agreed.kernels++;
    core->agreed.verdicts += row->passed + row->skipped;
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        core->agreed.discarded += lane->measurement.discarded[i];
}

static void send(struct run *run, const struct lane *lane, const struct trial *trial,
                 const struct table_row *row)
{
    if (trial->results != NULL && run->repeats != NULL && trial->experiment->kernel->doses == 0)
        record_result(lane->core, trial, &lane->measurement, run->repeats);
    log_skips(run, trial, lane->core);
    if (row->passed > 0)
        log_verdict(true, "core %u %s: %u verdict%s", lane->core->core,
                    trial->experiment->kernel->name, row->passed, row->passed == 1 ? "" : "s");
}

void outcome_brief(struct run *run, const struct lane *lane, const struct trial *trial,
                   struct table_row *row)
{
    struct measured_core *core = lane->core;
    const struct table_row *as;
    const enum log_form before = log_into(LOG_BRIEF);

    count_outcomes(run, trial, core, row);
    as = agreeing(run, core, row);
    row->said = as != NULL;
    if (as != NULL)
        note_agreement(lane, row, as);
    else if (log_wanted())
        send(run, lane, trial, row);
    log_into(before);
}

void outcome_brief_agreed(struct measured_core *core)
{
    const enum log_form before = log_into(LOG_BRIEF);
    char discarded[48] = "";

    if (core->agreed.discarded > 0)
        format(discarded, sizeof(discarded), " %llu windows thrown away,",
               (unsigned long long)core->agreed.discarded);
    if (core->agreed.kernels > 0)
        log_verdict(true, "core %u: %u kernels as on core %u,%s %u verdicts", core->core,
                    core->agreed.kernels, core->agreed.with, discarded, core->agreed.verdicts);
    core->agreed.kernels = core->agreed.verdicts = 0;
    core->agreed.discarded = 0;
    log_into(before);
}
