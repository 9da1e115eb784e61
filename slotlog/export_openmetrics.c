/* OpenMetrics 1.0: https://openmetrics.io; samples of a family are adjacent, "# EOF" is the last
 * line. */
#include <string.h>

#include "export.h"

static void print_label(FILE *file, const char *name, const char *value)
{
    fprintf(file, "%s=\"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            fputc('\\', file);
        fputc(*value, file);
    }
    fputc('"', file);
}

static void print_labels(FILE *file, const struct number *number)
{
    fprintf(file, "{core=\"%lld\",", (long long)number->core);
    print_label(file, "kernel", number->kernel);
    if (number->dose >= 0)
        fprintf(file, ",dose=\"%lld\"", (long long)number->dose);
    if (!number->trusted)
        fputs(",trusted=\"no\"", file);
    if (number->beside[0])
        fputc(',', file), print_label(file, "beside", number->beside);
    if (number->scope[0])
        fputc(',', file), print_label(file, "scope", number->scope);
    if (number->kind != NUMBER_CPI)
        fputc(',', file), print_label(file, number_kind_name(number->kind), number->name);
    fputc('}', file);
}

static void print_family(FILE *file, const struct numbers *numbers, enum number_kind kind,
                         const char *name, const char *help)
{
    fprintf(file, "# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct number *number = &numbers->of[i];

        if (number->kind != kind || !number->has || numbers_find(numbers, number) != number)
            continue; /* a family may have a set of labels once */
        fputs(name, file);
        print_labels(file, number);
        fprintf(file, " %.*f\n", number->digits, number->value);
    }
}

static void print_single(FILE *file, const char *name, const char *help, size_t value)
{
    fprintf(file, "# TYPE %s gauge\n# HELP %s %s\n%s %zu\n", name, name, help, name, value);
}

void export_openmetrics(FILE *file, const struct whole_log *log, const struct numbers *numbers)
{
    print_family(file, numbers, NUMBER_NODE, "slotscope_node_slots",
                 "Share of the pipeline slots of a node.");
    print_family(file, numbers, NUMBER_COUNT, "slotscope_events",
                 "Events of n iterations of the kernel.");
    print_family(file, numbers, NUMBER_CPI, "slotscope_cycles_per_instruction",
                 "Core cycles for an instruction.");
    print_single(file, "slotscope_verdicts_failed", "Verdicts that failed.", log->failed);
    print_single(file, "slotscope_verdicts_skipped", "Verdicts that were skipped.", log->skipped);
    print_single(file, "slotscope_verdicts_doubted", "Verdicts that are there, and not believed.",
                 log->doubted);
    print_single(file, "slotscope_log_problems", "What is damaged or missing in the log.",
                 log->totals.problems);
    print_single(file, "slotscope_run_complete", "1: the run came to its end.",
                 strcmp(record_text(whole_log_record(log, "end"), "reason", ""), "complete") == 0);
    fputs("# EOF\n", file);
}
