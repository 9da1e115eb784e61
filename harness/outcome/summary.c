#include "summary.h"

#include "boot/clock.h"
#include "boot/firmware/clock_start.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "harness/run/progress.h"
#include "outcome_brief.h"
#include "outcome_verdicts.h"

/* The cores of one description. */
struct group {
    const struct description *description;
    bool cores[CORES_MAX]; /* by place in run_cores */
};

/* The rows of the kernel: one for each core. */
static const struct table_row *rows_of(const struct run_rows *rows, unsigned experiment)
{
    return &rows->of[experiment * rows->cores];
}

/* The group of the first core that has a row and is not done. False: there is none. */
static bool next_group(const struct run_experiments *experiments, const struct run_rows *rows,
                       struct group *group, bool done[CORES_MAX])
{
    memset(group, 0, sizeof(*group));
    for (unsigned core = 0; core < rows->cores; core++) {
        for (unsigned i = 0; i < experiments->count && !done[core]; i++) {
            const struct table_row *row = &rows_of(rows, i)[core];

            if (!row->filled ||
                (group->description != NULL && group->description != row->description))
                continue;
            group->description = row->description;
            group->cores[core] = done[core] = true;
        }
    }
    return group->description != NULL;
}

/* "cores 0-2", by the numbers of boot/machine/cores.h. */
static void name_cores(const struct run_cores *cores, const bool wanted[CORES_MAX], char *out,
                       size_t size)
{
    bool numbers[CORES_MAX] = {false};

    for (unsigned i = 0; i < cores->count; i++)
        if (wanted[i])
            numbers[cores->of[i].core] = true;
    table_cores(out, size, numbers, CORES_MAX);
}

/* A line for each set of cores that agree on the kernel: the row of the core with the highest CPI.
 * The set is named unless it is the whole group. */
static void print_kernel(const struct run_cores *cores, const struct table *table,
                         const struct group *group, const char *kernel,
                         const struct table_row *rows)
{
    bool done[CORES_MAX] = {false};
    char line[TABLE_LINE];

    for (unsigned first = 0; first < cores->count; first++) {
        const struct table_row *leader = &rows[first], *shown = leader;
        bool agree[CORES_MAX] = {false};
        char names[32] = "";

        if (!group->cores[first] || done[first] || !leader->filled)
            continue;
        for (unsigned core = first; core < cores->count; core++) {
            const struct table_row *row = &rows[core];

            if (!group->cores[core] || done[core] || !row->filled || !table_agree(leader, row))
                continue;
            agree[core] = done[core] = true;
            if (row->cpi_known && row->cpi > shown->cpi)
                shown = row;
        }
        if (memcmp(agree, group->cores, sizeof(agree)) != 0)
            name_cores(cores, agree, names, sizeof(names));
        if (!table_has_value(table, shown))
            continue; /* its records say why */
        table_line(line, table, kernel, shown, names);
        log_comment("%s", line);
    }
}

/* Of the self-check's kernels, which come first and are about counts, only when there are no
 * others.
 */
static void print_table(const struct run_experiments *experiments, const struct run_cores *cores,
                        const struct run_rows *rows, const struct table *table,
                        const struct group *group)
{
    const bool alone = experiments->of[experiments->count - 1].self_check;
    char line[TABLE_LINE], names[48];

    name_cores(cores, group->cores, names, sizeof(names));
    log_comment("%s", "");
    if (table_level(table) > 0)
        log_comment("Topdown level %u, shares of the slots; %s, %s", table_level(table),
                    group->description->name, names);
    else
        log_comment("%s, %s", group->description->name, names);
    for (unsigned i = 0; i < table_heading_lines(table); i++) {
        table_heading(line, table, i);
        log_comment("%s", line);
    }
    for (unsigned i = 0; i < experiments->count; i++)
        if (alone || !experiments->of[i].self_check)
            print_kernel(cores, table, group, experiments->of[i].kernel->name, rows_of(rows, i));
}

/* The tables of all kinds of cores. */
static void print_tables(const struct run *run)
{
    const struct run_experiments *experiments = &run->experiments;
    bool done[CORES_MAX] = {false};
    unsigned name_width = 0;
    struct group group;

    for (unsigned i = 0; i < experiments->count; i++) {
        const unsigned length = (unsigned)strlen(experiments->of[i].kernel->name);

        name_width = length > name_width ? length : name_width;
    }
    while (next_group(experiments, &run->rows, &group, done)) {
        struct table table;

        table_begin(&table, group.description, run->config.levels, name_width);
        do {
            print_table(experiments, &run->cores, &run->rows, &table, &group);
        } while (table_next(&table));
    }
    if (run->cores.count > 1)
        log_comment("A line shows the slowest of the cores that agree within %.2f of the slots and "
                    "%.0f %% of CPI.",
                    TABLE_SHARE_TOLERANCE, TABLE_CPI_TOLERANCE * 100);
}

static void print_cores(const struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++) {
        const struct measured_core *core = &cores->of[i];

        if (core->untrusted)
            log_comment("core %u is untrusted: %s", core->core, core->distrust);
        if (core->lost)
            log_comment("core %u: %s", core->core, core->why);
    }
}

static uint64_t discarded(const struct run_cores *cores)
{
    return measured_cores_discarded(cores->of, cores->count);
}

static void print_totals(const struct run_verdicts *verdicts, const struct run_cores *cores)
{
    const struct log_totals totals = log_totals();

    for (uint64_t i = 0; i < totals.failed && i < RUN_FAILURES; i++)
        log_comment("failed: %s", verdicts->failures[i]);
    if (totals.failed > RUN_FAILURES)
        log_comment("and %llu more that failed",
                    (unsigned long long)(totals.failed - RUN_FAILURES));
    log_comment("%llu ok, %llu not ok, %llu skipped, %llu windows thrown away",
                (unsigned long long)totals.passed, (unsigned long long)totals.failed,
                (unsigned long long)totals.skipped, (unsigned long long)discarded(cores));
}

void summary_print(const struct run *run)
{
    if (run->complaints.refused)
        log_verdict(false, "configuration and CPU descriptions are well formed, complaints: %u",
                    run->complaints.count);
    if (run->rows.of == NULL)
        return;
    if (run->rounds.whole > 1)
        log_comment("the tables are those of the last round");
    print_tables(run);
    log_comment("%s", "");
    print_cores(&run->cores);
    print_totals(&run->verdicts, &run->cores);
}

static void send_end(const struct run *run, const char *reason)
{
    struct log_totals totals = log_totals();
    struct json_line *record = log_record("end");

    json_line_unsigned(record, "pass", totals.passed);
    json_line_unsigned(record, "fail", totals.failed);
    json_line_unsigned(record, "skip", totals.skipped);
    json_line_unsigned(record, "discarded", run != NULL ? discarded(&run->cores) : 0);
    json_line_text(record, "reason", reason);
    if (run != NULL && run->losses.unmeasured)
        json_line_unsigned(record, "cores_unmeasured", run->losses.cores_unmeasured);
    if (run != NULL && run->losses.cores_lost > 0)
        json_line_unsigned(record, "cores_lost", run->losses.cores_lost);
    if (run != NULL && run->losses.kernels_lost > 0)
        json_line_unsigned(record, "kernels_lost", run->losses.kernels_lost);
    if (run != NULL && rounds_wanted(&run->rounds) && run->rounds.number > 0)
        json_line_unsigned(record, "rounds", run->rounds.whole);
    if (run != NULL && run->cut.happened)
        json_line_text(record, "cut_behind",
                       run->cut.behind[0] != '\0' ? run->cut.behind : "no kernel");
    if (run != NULL && clock_trouble() == NULL)
        json_line_unsigned(record, "duration_us",
                           (clock_now() - run->progress.started) / clock_ticks_per_us());
    else
        json_line_null(record, "duration_us");
    log_send(record);
}

static const char *reason_of_end(const struct run *run)
{
    if (run == NULL)
        return "no memory";
    if (run->complaints.refused)
        return "configuration";
    if (run->config.help)
        return "help";
    if (run->losses.unmeasured)
        return "unmeasured";
    if (run->losses.cores_lost > 0 || run->losses.kernels_lost > 0)
        return "lost";
    if (run->rounds.full || run->cut.happened)
        return "full";
    return run->progress.stopped && (run->config.rounds != 0 || run->rounds.whole == 0)
               ? "stopped"
               : "complete";
}

bool summary_end(struct run *run)
{
    const char *reason = reason_of_end(run);

    cores_tell_interrupts();
    clock_check();
    send_end(run, reason);
    if (run != NULL)
        progress_end(&run->progress, &run->cores, reason);
    return strcmp(reason, "complete") == 0 || strcmp(reason, "help") == 0;
}

/* --- was anything measured, and is nothing lost? --- */

/* Why nothing was counted on this core. */
static const char *why_uncounted(const struct measured_core *core)
{
    if (core->lost)
        return core->why;
    if (core->facts.absent != NULL)
        return core->facts.absent;
    return core->unmeasured[0] != '\0' ? core->unmeasured : "no kernel ran";
}

/* What was missing on this core that keeps it from being measured, and why. */
static void name_missing(const struct measured_core *core, char *out, size_t size)
{
    const struct facts *facts = &core->facts;
    char type[16] = "";

    if (facts->core_type != 0)
        format(type, sizeof(type), " core 0x%x", facts->core_type);
    if (!core->counted)
        format(out, size, "nothing was counted: %s", why_uncounted(core));
    else if (!core->undescribed)
        format(out, size, "no node has a value: %s", core->unmeasured);
    else
        format(out, size,
               "no node has a value: only architectural events were counted, since no description "
               "fits signature %02x_%02x stepping %u%s",
               facts->family, facts->model, facts->stepping, type);
}

static void fail_unmeasured(struct losses *losses, struct run_verdicts *verdicts, const char *text)
{
    losses->unmeasured = true;
    outcome_verdicts_log_text(verdicts, false, "%s", text);
}

/* Whatever was said when the core was lost: no such run may look whole. */
static void fail_lost(struct losses *losses, struct run_verdicts *verdicts,
                      const struct measured_core *core)
{
    losses->cores_lost++;
    outcome_verdicts_log_text(verdicts, false, "core %u works until the run is over: %s",
                              core->core, core->why);
}

/* Of a core that works: what was given up on it, by name as far as a line has room. */
static void fail_kernels(struct losses *losses, struct run_verdicts *verdicts,
                         const struct measured_core *core)
{
    const unsigned count = core->given_up_count;
    char text[sizeof(verdicts->of->text)];
    const size_t room = sizeof(text) - sizeof(" and 256 more");
    unsigned named = 0;
    size_t used;

    if (count == 0)
        return;
    used = format(text, sizeof(text),
                  "core %u measures each kernel to its end, except %u:", core->core, count);
    for (; named < count && used + strlen(core->given_up[named]) + 2 < room; named++)
        used += format(text + used, sizeof(text) - used, "%s %s", named > 0 ? "," : "",
                       core->given_up[named]);
    if (named < count)
        format(text + used, sizeof(text) - used, " and %u more", count - named);
    losses->kernels_lost += count;
    outcome_verdicts_log_text(verdicts, false, "%s", text);
}

/* What is missing of a core that measured something. */
static void fail_missing(struct losses *losses, struct run_verdicts *verdicts,
                         const struct measured_core *core)
{
    if (core->lost)
        fail_lost(losses, verdicts, core);
    else
        fail_kernels(losses, verdicts, core);
}

void summary_judge(struct run *run)
{
    char text[sizeof(run->verdicts.of->text)],
        missing[sizeof(text) - sizeof("core 512 is measured: ")];

    if (!run_measures(run))
        return;
    for (unsigned i = 0; i < run->cores.count; i++) {
        const struct measured_core *core = &run->cores.of[i];

        if ((core->counted && core->has_node) || core->left_out > 0) {
            fail_missing(&run->losses, &run->verdicts, core);
            continue;
        }
        name_missing(core, missing, sizeof(missing));
        format(text, sizeof(text), "core %u is measured: %s", core->core, missing);
        run->losses.cores_unmeasured++;
        fail_unmeasured(&run->losses, &run->verdicts, text);
    }
    if (run->cores.count == 0) {
        format(text, sizeof(text), "a core is measured: %s",
               run->losses.nothing != NULL ? run->losses.nothing
                                           : "the machine has none of the wanted cores");
        fail_unmeasured(&run->losses, &run->verdicts, text);
    }
}

void summary_trapped(struct run *run)
{
    for (unsigned i = 0; i < run->cores.count; i++) {
        struct measured_core *core = &run->cores.of[i];
        const struct core_place *place = cores_place(core->core);

        outcome_brief_agreed(core);
        if (!place->online)
            measured_core_lose(core, place->why);
        fail_missing(&run->losses, &run->verdicts, core);
    }
    send_end(run, "trap");
    progress_end(&run->progress, &run->cores, "trap");
}

void summary_end_cut(struct run *run)
{
    send_end(run, "full");
    log_finish();
}

void summary_end_full(struct run *run)
{
    const struct rounds rounds = run->rounds;

    run->rounds.full = true;
    summary_judge(run);
    summary_print(run);
    send_end(run, reason_of_end(run));
    log_finish();
    run->rounds = rounds;
    run->losses.unmeasured = false;
    run->losses.cores_unmeasured = run->losses.cores_lost = run->losses.kernels_lost = 0;
}
