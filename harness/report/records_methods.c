/* The record of nodes by PERF_METRICS and by counters. */
#include "records_inside.h"

#include "boot/log.h"

static void real_or_null(struct json_line *record, const char *key, bool valid, double value)
{
    if (valid)
        json_line_real(record, key, value, 4);
    else
        json_line_null(record, key);
}

void record_methods(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *m)
{
    struct json_line *record = record_begin("methods", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    json_line_unsigned(record, "iterations", m->n);
    json_line_object(record, "nodes");
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];
        struct two_methods two;

        if (!verdict_has_methods(trial, node))
            continue;
        verdict_compare(trial, node, &two);
        json_line_object(record, node->name);
        real_or_null(record, "perf_metrics", two.metrics_valid, two.metrics);
        real_or_null(record, "error_bound", two.reason == NULL, two.error);
        real_or_null(record, "formula", two.formula_valid, two.formula);
        real_or_null(record, "apart_at_most", two.reason == NULL, two.tolerance);
        if (two.reason != NULL)
            json_line_text(record, "reason", two.reason);
        json_line_end(record);
    }
    json_line_end(record);
    log_send(record);
}
