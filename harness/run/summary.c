#include "summary.h"

#include "boot/clock.h"
#include "boot/log.h"

static void print_kernel(const struct run *run, unsigned index)
{
    const struct table_row *above = NULL;
    char line[TABLE_LINE];

    for (unsigned i = 0; i < run->core_count; i++) {
        const struct table_row *row = &run->rows[index * run->core_count + i];

        if (!row->filled)
            continue;
        if (above == NULL)
            log_comment("%s: %s", run->experiments[index].kernel->name,
                        run->experiments[index].kernel->title);
        if (above == NULL || above->description != row->description) {
            for (unsigned heading = 0; heading < 2; heading++) {
                table_heading(line, row, heading);
                log_comment("%s", line);
            }
        }
        table_line(line, row);
        log_comment("%s", line);
        above = row;
    }
}

void summary_print(const struct run *run)
{
    struct log_totals totals = log_totals();

    if (run->refused)
        log_verdict(false, "configuration and CPU descriptions are well formed, complaints: %u",
                    run->complaints);
    if (run->rows == NULL)
        return;
    log_comment("Topdown, shares of the slots");
    for (unsigned i = 0; i < run->experiment_count; i++)
        print_kernel(run, i);
    for (unsigned i = 0; i < run->core_count; i++) {
        if (run->cores[i].untrusted)
            log_comment("core %u is untrusted: %s", run->cores[i].core, run->cores[i].distrust);
        if (run->cores[i].lost)
            log_comment("core %u: %s", run->cores[i].core, run->cores[i].why);
    }
    for (uint64_t i = 0; i < totals.failed && i < RUN_FAILURES; i++)
        log_comment("failed: %s", run->failures[i]);
    if (totals.failed > RUN_FAILURES)
        log_comment("and %llu more that failed",
                    (unsigned long long)(totals.failed - RUN_FAILURES));
    log_comment("%llu ok, %llu not ok, %llu skipped, %llu windows thrown away",
                (unsigned long long)totals.passed, (unsigned long long)totals.failed,
                (unsigned long long)totals.skipped, (unsigned long long)run->discarded);
}

void summary_end(const struct run *run, const char *reason)
{
    struct log_totals totals = log_totals();
    struct json_line *record = log_record("end");

    json_line_unsigned(record, "pass", totals.passed);
    json_line_unsigned(record, "fail", totals.failed);
    json_line_unsigned(record, "skip", totals.skipped);
    json_line_unsigned(record, "discarded", run != NULL ? run->discarded : 0);
    json_line_text(record, "reason", reason);
    if (run != NULL && clock_ticks_per_us() != 0)
        json_line_unsigned(record, "duration_us",
                           (clock_now() - run->started) / clock_ticks_per_us());
    else
        json_line_null(record, "duration_us");
    log_send(record);
}
