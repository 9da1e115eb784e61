/* The record of nodes by PERF_METRICS and by counters. */
#include "records_methods.h"

#include "boot/log.h"
#include "harness/judge/verdict_methods.h"
#include "record_members.h"

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
        record_real(record, "perf_metrics", two.metrics_valid, two.metrics, 4);
        record_real(record, "error_bound", two.reason == NULL, two.error, 4);
        record_real(record, "formula", two.formula_valid, two.formula, 4);
        record_real(record, "apart_at_most", two.reason == NULL, two.tolerance, 4);
        if (two.reason != NULL)
            json_line_text(record, "reason", two.reason);
        json_line_end(record);
    }
    json_line_end(record);
    log_send(record);
}
