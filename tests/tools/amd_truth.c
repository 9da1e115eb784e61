/* What AMD's nodes mean, in the words of the truth. Bad speculation is ops that were dispatched and
 * did not retire; the slots in which dispatch waits for the recovery have no op, and are the front
 * end's. Stores that fill their buffer are the core's. */
#include "amd_truth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL1_LIMIT 0.02
#define LEVEL2_LIMIT 0.05
#define NEGLIGIBLE   0.02

/* Shares of the slots, in all passes. */
struct shares {
    double slots, wasted, bad, frontend, backend, memory, stores, retired, microcode;
};

static struct shares shares_of(struct run *run, const json_t *topdown)
{
    struct shares s = {.slots = net_of(run, topdown, -1, NULL, NULL)};
    const struct {
        const char *node;
        double *share;
    } nodes[] = {
        {"tma_bad_speculation", &s.bad},
        {"tma_frontend_bound", &s.frontend},
        {"tma_backend_bound", &s.backend},
        {"tma_memory_bound", &s.memory},
        {"tma_store_bound", &s.stores},
        {"tma_retiring", &s.retired},
        {"tma_microcode_sequencer", &s.microcode},
    };

    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        *nodes[i].share = net_of(run, topdown, -1, "nodes", nodes[i].node) / s.slots;
    s.wasted = (net_of(run, topdown, -1, NULL, "uops_issued") -
                net_of(run, topdown, -1, NULL, "uops_retired")) /
               s.slots;
    return s;
}

static void compare(struct tests *tests, const json_t *topdown, const char *trial, const char *node,
                    double truth, double limit)
{
    const json_t *value = json_object_get(json_object_get(topdown, "nodes"), node);
    const char *reason =
        json_string_value(json_object_get(json_object_get(topdown, "reasons"), node));
    char text[384];

    if (value == NULL)
        return;
    if (!json_is_number(value)) {
        snprintf(text, sizeof(text), "%s %s has no value, truth %.4f%s%s", trial, node, truth,
                 reason != NULL ? " # SKIP " : "", reason != NULL ? reason : "");
        result(tests, reason != NULL, text);
        return;
    }
    snprintf(text, sizeof(text), "%s %s %.4f, truth %.4f, off by %+.4f of at most %.2f", trial,
             node, json_number_value(value), truth, json_number_value(value) - truth, limit);
    result(tests, fabs(json_number_value(value) - truth) <= limit, text);
}

/* AMD's formula has all cycles in which the oldest instruction is a load for memory; the truth has
 * those of them for the core in which other uops begin, as Intel's formulas do. */
static void compare_memory(struct tests *tests, const json_t *topdown, const char *trial,
                           const struct shares *s)
{
    const json_t *value =
        json_object_get(json_object_get(topdown, "nodes"), "backend_bound_memory");
    const double least = s->memory - s->stores;
    char text[256];

    if (!json_is_number(value) || s->memory <= NEGLIGIBLE) {
        compare(tests, topdown, trial, "backend_bound_memory", s->memory, LEVEL2_LIMIT);
        return;
    }
    snprintf(text, sizeof(text), "%s backend_bound_memory %.4f, of loads in the truth %.4f", trial,
             json_number_value(value), least);
    result(tests,
           json_number_value(value) >= least - LEVEL2_LIMIT &&
               json_number_value(value) <= s->backend + LEVEL2_LIMIT,
           text);
}

void check_amd(struct run *run, struct tests *tests, const json_t *topdown, const char *trial)
{
    const struct shares s = shares_of(run, topdown);

    compare(tests, topdown, trial, "frontend_bound", s.frontend + s.bad - s.wasted, LEVEL1_LIMIT);
    compare(tests, topdown, trial, "bad_speculation", s.wasted, LEVEL1_LIMIT);
    compare(tests, topdown, trial, "backend_bound", s.backend, LEVEL1_LIMIT);
    compare(tests, topdown, trial, "smt_contention", 0, LEVEL1_LIMIT);
    compare(tests, topdown, trial, "retiring", s.retired, LEVEL1_LIMIT);
    compare_memory(tests, topdown, trial, &s);
    compare(tests, topdown, trial, "retiring_microcode", s.microcode, LEVEL2_LIMIT);
    compare(tests, topdown, trial, "retiring_fastpath", s.retired - s.microcode, LEVEL2_LIMIT);
}
