/* The forms of perf and of toplev. */
#include <float.h>
#include <string.h>

#include "export.h"

#define NAME 160 /* bytes of a measurement's name */

/* The kernel is in the place of perf's aggregation: a line is one event on one core. */
static void print_count(FILE *file, const struct number *number)
{
    char name[NAME], value[DBL_MAX_10_EXP + 16];
    json_t *line;

    number_measurement(number, name, sizeof(name));
    snprintf(value, sizeof(value), "%.6f", number->value);
    line = json_pack("{ss ss ss ss ss}", "cpu", "", "kernel", name, "counter-value",
                     number->has ? value : "<not counted>", "unit", "", "event", number->name);
    if (line == NULL)
        return;
    snprintf(value, sizeof(value), "%lld", (long long)number->core);
    json_object_set_new(line, "cpu", json_string(value));
    if (!number->trusted)
        json_object_set_new(line, "trusted", json_false());
    json_dumpf(line, file, JSON_COMPACT | JSON_PRESERVE_ORDER);
    fputc('\n', file);
    json_decref(line);
}

void export_perf_json(FILE *file, const struct whole_log *log, const struct numbers *numbers)
{
    (void)log;
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->of[i].kind == NUMBER_COUNT)
            print_count(file, &numbers->of[i]);
}

/* tma_fetch_latency -> Fetch_Latency. */
static void print_area(FILE *file, const char *node)
{
    bool first = true;

    if (strncmp(node, "tma_", 4) == 0)
        node += 4;
    for (; *node; node++) {
        fputc(first && *node >= 'a' && *node <= 'z' ? *node - 'a' + 'A' : *node, file);
        first = *node == '_';
    }
}

#define UNTRUSTED "; untrusted core"

static void print_node(FILE *file, const struct number *number)
{
    char name[NAME + sizeof(UNTRUSTED)];

    number_measurement(number, name, NAME);
    fprintf(file, "C%lld,", (long long)number->core);
    print_area(file, number->name);
    fprintf(file, ",%.1f,%% Slots,", number->value * 100);
    strcat(name, number->trusted ? "" : UNTRUSTED); /* the column is a text for people */
    export_csv_field(file, name);
    fputs(",,,,,\n", file); /* a log has ranges, and no standard deviations */
}

void export_toplev_csv(FILE *file, const struct whole_log *log, const struct numbers *numbers)
{
    (void)log;
    fputs("CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n", file);
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->of[i].kind == NUMBER_NODE && numbers->of[i].has)
            print_node(file, &numbers->of[i]);
}
