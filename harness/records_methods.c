/* The record of nodes by PERF_METRICS and by counters. */
#include "records_inside.h"

#include "boot/log.h"

static void real_or_null(struct record *record, const char *key, bool valid, double value)
{
    if (valid)
        record_real(record, key, value, 4);
    else
        record_null(record, key);
}

void record_methods(const struct core_state *core, const struct trial *trial,
                    const struct measurement *m)
{
    struct record *record = record_begin("methods", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    record_unsigned(record, "iterations", m->n);
    record_object(record, "nodes");
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];
        struct two_methods two;

        if (!verdict_has_methods(trial, node))
            continue;
        verdict_compare(trial, node, &two);
        record_object(record, node->name);
        real_or_null(record, "perf_metrics", two.metrics_valid, two.metrics);
        real_or_null(record, "error_bound", two.reason == NULL, two.error);
        real_or_null(record, "formula", two.formula_valid, two.formula);
        real_or_null(record, "apart_at_most", two.reason == NULL, two.apart);
        if (two.reason != NULL)
            record_text(record, "reason", two.reason);
        record_end(record);
    }
    record_end(record);
    log_send(record);
}
