#include "outcome_brief.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "outcome_verdicts.h"
#include "records_brief.h"
#include "rotation_setup.h"

static void count_outcomes(const struct run_verdicts *verdicts, const struct trial *trial,
                           const struct measured_core *core, struct table_row *row)
{
    struct outcome_said said;

    row->passed = row->failed = row->skipped = 0;
    for (unsigned i = 0; i < verdicts->count; i++) {
        outcome_verdicts_said(&said, core, trial, &verdicts->of[i]);
        row->passed += said.outcome == VERDICT_PASS;
        row->failed += said.outcome == VERDICT_FAIL;
        row->skipped += said.outcome == VERDICT_SKIP;
    }
}

/* What is logged whatever it is: trouble, values that no row has, and what no core may agree on. */
static bool must_be_said(const struct config *config, const struct lane *lane)
{
    const struct measurement *m = &lane->measurement;
    bool trouble = lane->failed || m->what != NULL || rotation_setup_wanted(config);

    for (unsigned i = 0; m->plan != NULL && lane->ready && i < m->plan->pass_count; i++)
        trouble = trouble || m->passes[i].why != NULL;
    return trouble || lane->core->untrusted || m->unsteady;
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
    const size_t cores = run->rows.cores;
    size_t place;

    if (run->rounds.rows == NULL || row == &run->rows.sibling)
        return true;
    if (lane->core->lost || lane->core->facts.absent != NULL)
        return true; /* it is no result: nothing is measured on this core */
    place = (size_t)(row - run->rows.of);
    count_outcomes(&run->verdicts, trial, lane->core, row);
    result.say = must_be_said(&run->config, lane);
    place = run->rounds.kernel_rows[place / cores] + step * cores + place % cores;
    if (rounds_add(&run->rounds, place, &result))
        return true;
    lane->core->unsaid++;
    return false;
}

#define UNKNOWN " is unknown"

/* The kernel's SKIPs, one by one. */
struct skips {
    const struct run_verdicts *verdicts;
    const struct trial *trial;
    const struct measured_core *core;
    bool done[RUN_VERDICTS];
};

/* Whether verdict `i` is a SKIP that was not logged yet; *said is what it says. */
static bool is_left(const struct skips *skips, unsigned i, struct outcome_said *said)
{
    outcome_verdicts_said(said, skips->core, skips->trial, &skips->verdicts->of[i]);
    return !skips->done[i] && said->outcome == VERDICT_SKIP;
}

/* How long the name is of which the reason says that it is unknown; 0: it says something else. */
static size_t unknown_name(const char *reason)
{
    const size_t length = strlen(reason), tail = sizeof(UNKNOWN) - 1;

    return length > tail && strcmp(reason + length - tail, UNKNOWN) == 0 ? length - tail : 0;
}

/* A single verdict has its text, several have their number. */
static void log_alike_as(const struct skips *skips, const char *reason, unsigned one,
                         unsigned alike)
{
    if (alike == 1)
        log_skip(reason, "%s", skips->verdicts->of[one].text);
    else
        log_skip(reason, "core %u %s: %u verdicts", skips->core->core,
                 skips->trial->experiment->kernel->name, alike);
}

/* One SKIP for all names that the CPU does not know, where there are several. */
static void log_unknown(struct skips *skips)
{
    char names[sizeof(skips->verdicts->of->text)] = "", before[DESCRIPTION_NAME] = "";
    unsigned alike = 0, different = 0, last = 0;
    struct outcome_said said;
    size_t used = 0;

    for (unsigned i = 0; i < skips->verdicts->count; i++) {
        const size_t length = is_left(skips, i, &said) ? unknown_name(said.reason) : 0;

        if (length == 0 || length >= sizeof(before) || used + length + 8 > sizeof(names))
            continue;
        said.reason[length] = '\0';
        skips->done[i] = true;
        alike++;
        last = i;
        if (strcmp(before, said.reason) == 0)
            continue;
        format(before, sizeof(before), "%s", said.reason);
        used +=
            format(names + used, sizeof(names) - used, "%s%s", different++ > 0 ? ", " : "", before);
    }
    if (alike == 0)
        return;
    format(names + used, sizeof(names) - used, "%s", different > 1 ? " are unknown" : UNKNOWN);
    log_alike_as(skips, names, last, alike);
}

/* One SKIP for the reason that verdict `first` has, with the number of verdicts that have it. */
static void log_alike(struct skips *skips, unsigned first, const char *reason)
{
    struct outcome_said other;
    unsigned alike = 0;

    for (unsigned i = first; i < skips->verdicts->count; i++) {
        if (!is_left(skips, i, &other) || strcmp(other.reason, reason) != 0)
            continue;
        skips->done[i] = true;
        alike++;
    }
    log_alike_as(skips, reason, first, alike);
}

/* A SKIP for each reason. */
static void log_skips(const struct run_verdicts *verdicts, const struct trial *trial,
                      const struct measured_core *core)
{
    struct skips skips = {.verdicts = verdicts, .trial = trial, .core = core};
    struct outcome_said said;

    log_unknown(&skips);
    for (unsigned i = 0; i < verdicts->count; i++)
        if (is_left(&skips, i, &said))
            log_alike(&skips, i, said.reason);
}

/* The row of an earlier core of the same description that says the same; null: there is none. */
static const struct table_row *agreeing(const struct run_rows *rows, const struct rounds *rounds,
                                        const struct lane *lane, const struct table_row *row)
{
    unsigned place;

    if (rounds->number > 1 || row == &rows->sibling || !row->filled || row->failed > 0 ||
        lane->core->untrusted || lane->measurement.unsteady)
        return NULL;
    place = (unsigned)(row - rows->of) % rows->cores;
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

static void send(const struct judged *judged, const struct run_verdicts *verdicts,
                 const struct lane *lane, const struct trial *trial, const struct table_row *row)
{
    if (trial->results != NULL && judged->repeats != NULL && trial->experiment->kernel->doses == 0)
        record_result(lane->core, trial, &lane->measurement, judged->repeats);
    log_skips(verdicts, trial, lane->core);
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

    count_outcomes(&run->verdicts, trial, core, row);
    as = agreeing(&run->rows, &run->rounds, lane, row);
    row->said = as != NULL;
    if (as != NULL)
        note_agreement(lane, row, as);
    else if (log_wanted())
        send(&run->judged, &run->verdicts, lane, trial, row);
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
