/* slotlog export LOG --format NAME. */
#include "export.h"

#include <string.h>

#include "commands.h"
#include "output.h"

static const struct {
    const char *name;
    void (*print)(FILE *file, const struct whole_log *log, const struct numbers *numbers);
} forms[] = {
    {"csv", export_csv},     {"perf-json", export_perf_json},     {"toplev-csv", export_toplev_csv},
    {"junit", export_junit}, {"openmetrics", export_openmetrics},
};
#define FORMS (sizeof(forms) / sizeof(*forms))

static int print(const struct settings *settings, size_t form)
{
    struct numbers numbers;
    struct output output;
    struct whole_log log;
    bool damaged;

    if (whole_log_read(&log, settings->files[0]) != STATUS_GOOD)
        return STATUS_USAGE;
    if (!output_open(&output, settings->output))
        return STATUS_USAGE;
    damaged = log.totals.problems > 0;
    numbers_read(&numbers, &log);
    forms[form].print(output.file, &log, &numbers);
    numbers_free(&numbers);
    whole_log_free(&log);
    if (!output_close(&output, true))
        return STATUS_USAGE;
    return damaged ? STATUS_FOUND : STATUS_GOOD;
}

int command_export(const struct settings *settings)
{
    if (settings->format == NULL) {
        fprintf(stderr, "slotlog: export: expected --format csv, perf-json, toplev-csv, junit or "
                        "openmetrics\n");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(settings->format, forms[i].name) == 0)
            return print(settings, i);
    fprintf(stderr,
            "slotlog: export: no format \"%s\", expected csv, perf-json, toplev-csv, junit "
            "or openmetrics\n",
            settings->format);
    return STATUS_USAGE;
}
