/* Holds a log's results against what really happened on the rig.
 *
 *   check_truth LOG TRUTH        TAP on standard output, exit status 0 when everything holds
 *
 * LOG is slotscope's, TRUTH the rig's --truth file. The windows of a core are numbered from 1 on
 * both sides, independently; `windows` of a `counts` record says which ones a figure came from. For
 * every `topdown` record the truth of the same windows (2n less n, over all passes) is worked out
 * by cause, and for every `counts` record the totals that the rig states too (instructions,
 * branches, loads, stores ...) must agree to the unit. */
#include <math.h>

#include "published.h"
#include "truth_log.h"

#define LEVEL1_LIMIT 0.02
#define LEVEL2_LIMIT 0.03
/* Of a formula over the truth all that is left is the edges of windows. */
#define FORMULA_LIMIT 0.01
#define DEEPER_SHOWN  40 /* differences of deeper nodes that are printed */

static const struct {
    const char *node;
    unsigned level;
} nodes[] = {
    {"tma_frontend_bound", 1},     {"tma_bad_speculation", 1},  {"tma_backend_bound", 1},
    {"tma_retiring", 1},           {"tma_fetch_latency", 2},    {"tma_fetch_bandwidth", 2},
    {"tma_branch_mispredicts", 2}, {"tma_machine_clears", 2},   {"tma_memory_bound", 2},
    {"tma_core_bound", 2},         {"tma_light_operations", 2}, {"tma_heavy_operations", 2},
};

/* Events whose raw total the rig states by another name. */
static const struct {
    const char *event, *truth;
} totals[] = {
    {"INST_RETIRED.ANY", "instructions"},
    {"CPU_CLK_UNHALTED.THREAD", "cycles"},
    {"BR_INST_RETIRED.ALL_BRANCHES", "branches"},
    {"BR_INST_RETIRED.NEAR_TAKEN", "taken"},
    {"BR_MISP_RETIRED.ALL_BRANCHES", "mispredicts"},
    {"MEM_INST_RETIRED.ALL_LOADS", "loads"},
    {"MEM_INST_RETIRED.ALL_STORES", "stores"},
    {"UOPS_ISSUED.ANY", "uops_issued"},
    {"UOPS_RETIRED.RETIRE_SLOTS", "uops_retired"},
    {"UOPS_RETIRED.SLOTS", "uops_retired"},
};

/* What is published under a node's name where that is another thing than the truth's. */
static const struct {
    const char *description, *node, *why;
} others[] = {
    {"alderlake_e", "tma_core_bound", "on E cores what allocation restricts"},
};

struct difference { /* of a node below level 2 */
    const json_t *topdown;
    const char *node;
    double value, is;
};

static struct run run;
static struct tests tests;

/* Every slot of every window has a cause: they add up to a whole number of slots a cycle, the same
 * in all windows. */
static void check_sums(void)
{
    char text[160];

    for (unsigned core = 0; core < CORES; core++) {
        json_int_t width = 0;
        size_t bad = 0;

        for (size_t i = 0; i < run.truth[core].count; i++) {
            const json_t *window = run.truth[core].items[i];
            json_int_t sum = 0;
            const char *cause;
            json_t *slots;

            json_object_foreach(json_object_get(window, "slots"), cause, slots) sum +=
                json_integer_value(slots);
            if (width == 0 && whole(window, "cycles") > 0)
                width = sum / whole(window, "cycles");
            bad += sum != width * whole(window, "cycles");
        }
        if (run.truth[core].count == 0)
            continue;
        snprintf(text, sizeof(text), "core %u: slots of %zu windows add up to %lld x cycles", core,
                 run.truth[core].count, (long long)width);
        result(&tests, bad == 0 && width > 0, text);
    }
}

/* The truth of 2n less n iterations, as a share of the slots, in one pass of this trial or (-1)
 * over all of them. */
static double share_in(const json_t *topdown, const char *node, json_int_t pass)
{
    return more_in(&run, topdown, pass, "nodes", node) / more_in(&run, topdown, pass, NULL, NULL);
}

static double share_of(const json_t *topdown, const char *node)
{
    return share_in(topdown, node, -1);
}

/* How far apart the truth of two passes is. */
static double share_apart(const json_t *topdown, const char *node)
{
    const struct list *counts = counts_of(&run, topdown);
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < counts->count; i++) {
        const double share = share_in(topdown, node, whole(counts->items[i], "pass"));

        low = share < low ? share : low;
        high = share > high ? share : high;
    }
    return high - low;
}

/* "core 0 be.mem.l2 dose 10" */
static const char *trial_name(const json_t *topdown, char *text, size_t size)
{
    const json_t *dose = json_object_get(topdown, "dose");
    int used = snprintf(text, size, "core %lld %s", (long long)whole(topdown, "core"),
                        text_of(topdown, "kernel"));

    if (dose != NULL && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " dose %lld",
                 (long long)json_integer_value(dose));
    if (is_core_wide(topdown))
        snprintf(text + strlen(text), size - strlen(text), ", both threads beside %s",
                 text_of(topdown, "beside"));
    return text;
}

/* A formula without a finite value says why: then it cannot be compared. Without a reason it is a
 * failure. */
static void check_missing(const json_t *topdown, const char *node, double is)
{
    const char *reason =
        json_string_value(json_object_get(json_object_get(topdown, "reasons"), node));
    char text[256], name[96];

    snprintf(text, sizeof(text), "%s %s has no value, truth %.4f%s%s",
             trial_name(topdown, name, sizeof(name)), node, is, reason != NULL ? " # SKIP " : "",
             reason != NULL ? reason : "");
    result(&tests, reason != NULL, text);
}

/* Why the node cannot be held against the truth, or null. */
static const char *other_thing(const json_t *topdown, const char *node)
{
    const char *description = run.descriptions[whole(topdown, "core")];

    /* A cycle in which a thread began nothing may be one in which the other one had the slots. */
    if (is_core_wide(topdown) && form_of(description) != FORM_SLOTS && is_back_end(node))
        return "cycles of a thread count whole, its slots are half of them";
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (description != NULL && strcmp(others[i].description, description) == 0 &&
            strcmp(others[i].node, node) == 0)
            return others[i].why;
    return NULL;
}

/* A formula that weighs something else than slots: what it should make of the truth. */
static void check_published(const json_t *topdown, const char *node, double value)
{
    const double should = published_value(&run, topdown, node);
    char text[256], name[96];

    if (!isfinite(should))
        return;
    snprintf(text, sizeof(text),
             "%s %s %.4f, its formula over the truth %.4f, off by %+.4f of at most %.3f",
             trial_name(topdown, name, sizeof(name)), node, value, should, value - should,
             FORMULA_LIMIT);
    result(&tests, fabs(value - should) <= FORMULA_LIMIT, text);
}

static void check_node(const json_t *topdown, const char *node, unsigned level)
{
    const json_t *value = json_object_get(json_object_get(topdown, "nodes"), node);
    /* Which thread has what of a core may go this way in one pass and that way in the next; level
     * 1 is counted in the first, as far as there are counters. */
    const double is = share_in(topdown, node, is_core_wide(topdown) && level == 1 ? 0 : -1);
    const double limit = level == 1 ? LEVEL1_LIMIT : LEVEL2_LIMIT;
    const char *why = other_thing(topdown, node);
    char text[384], name[96];
    double off;

    if (value == NULL) /* the description has no such node */
        return;
    if (!json_is_number(value)) {
        check_missing(topdown, node, is);
        return;
    }
    check_published(topdown, node, json_number_value(value));
    off = json_number_value(value) - is;
    if (fabs(off) > limit && why == NULL && rests_on_edges(&run, topdown, node))
        why = "its decoders made next to nothing";
    if (fabs(off) > limit && why != NULL) {
        snprintf(text, sizeof(text), "%s %s %.4f, truth %.4f # SKIP %s",
                 trial_name(topdown, name, sizeof(name)), node, json_number_value(value), is, why);
        result(&tests, true, text);
        return;
    }
    if (fabs(off) > limit && level > 1 && is_core_wide(topdown) &&
        share_apart(topdown, node) > limit) {
        snprintf(text, sizeof(text),
                 "%s %s %.4f, truth %.4f # SKIP the truth of passes is %.3f apart",
                 trial_name(topdown, name, sizeof(name)), node, json_number_value(value), is,
                 share_apart(topdown, node));
        result(&tests, true, text);
        return;
    }
    snprintf(text, sizeof(text), "%s %s %.4f, truth %.4f, off by %+.4f of at most %.2f",
             trial_name(topdown, name, sizeof(name)), node, json_number_value(value), is, off,
             limit);
    result(&tests, fabs(off) <= limit, text);
}

/* What half a step of PERF_METRICS' bytes in each window makes of the share of 2n less n. */
static double resolution_of(const json_t *topdown)
{
    const struct list *counts = counts_of(&run, topdown);
    const json_int_t n = whole(topdown, "iterations");
    double once = 0, twice = 0;

    for (size_t i = 0; i < counts->count; i++) {
        const json_t *record = counts->items[i];
        const json_t *windows = json_object_get(record, "windows");

        for (size_t w = 0; w < json_array_size(windows); w++)
            *(whole(record, "iterations") == n ? &once : &twice) +=
                number_of(truth_of(&run, whole(record, "core"),
                                   json_integer_value(json_array_get(windows, w))),
                          NULL, NULL);
    }
    return (once + twice) / (twice - once) / 255 / 2;
}

static bool is_deeper(const char *node)
{
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        if (strcmp(nodes[i].node, node) == 0)
            return false;
    return true;
}

/* Whether the rig's truth of the trial has that node. */
static bool truth_has(const json_t *topdown, const char *node)
{
    const json_t *window = truth_of(&run, whole(topdown, "core"), 1);

    return json_object_get(json_object_get(window, "nodes"), node) != NULL;
}

static void collect_deeper(const json_t *topdown, struct difference **found, size_t *count)
{
    const char *node;
    json_t *value;

    json_object_foreach(json_object_get(topdown, "nodes"), node, value)
    {
        if (!json_is_number(value) || !is_deeper(node) || !truth_has(topdown, node))
            continue;
        *found = realloc(*found, (*count + 1) * sizeof(**found));
        if (*found == NULL) {
            perror("check_truth");
            exit(2);
        }
        (*found)[*count] = (struct difference){.topdown = topdown,
                                               .node = node,
                                               .value = json_number_value(value),
                                               .is = share_of(topdown, node)};
        *count += isfinite((*found)[*count].is);
    }
}

static int by_size(const void *a, const void *b)
{
    const struct difference *one = a, *other = b;
    const double left = fabs(one->value - one->is), right = fabs(other->value - other->is);

    return left > right ? -1 : left < right;
}

/* Nothing is claimed of them: their formulas are estimates. */
static void print_deeper(struct difference *found, size_t count)
{
    size_t within = 0;

    if (count == 0)
        return;
    qsort(found, count, sizeof(*found), by_size);
    for (size_t i = 0; i < count; i++)
        within += fabs(found[i].value - found[i].is) <= LEVEL2_LIMIT;
    printf("# deeper nodes: %zu of %zu values within %.2f of the truth; the largest differences:\n",
           within, count, LEVEL2_LIMIT);
    printf("# %8s %8s %8s\n", "formula", "truth", "off by");
    for (size_t i = 0; i < count && i < DEEPER_SHOWN; i++) {
        char name[96];

        printf("# %8.4f %8.4f %+8.4f  %s %s\n", found[i].value, found[i].is,
               found[i].value - found[i].is, found[i].node,
               trial_name(found[i].topdown, name, sizeof(name)));
    }
}

static void check_topdown(const json_t *topdown, struct difference **deeper, size_t *count)
{
    char text[256], name[96];

    /* The windows of different passes overlap differently with the other thread's. Over both there
     * is nothing that they leave out. */
    if (json_is_true(json_object_get(topdown, "smt")) && !is_core_wide(topdown)) {
        snprintf(text, sizeof(text),
                 "%s: shares # SKIP another mixture of the two threads in every pass",
                 trial_name(topdown, name, sizeof(name)));
        result(&tests, true, text);
        return;
    }
    if (isnan(share_of(topdown, "tma_retiring"))) {
        snprintf(text, sizeof(text), "%s: shares # SKIP it has no slots of its own",
                 trial_name(topdown, name, sizeof(name)));
        result(&tests, true, text);
        return;
    }
    /* What is left of three bytes is a node too. */
    if (strcmp(text_of(topdown, "method"), "perf_metrics") == 0 &&
        3 * resolution_of(topdown) > LEVEL1_LIMIT) {
        snprintf(text, sizeof(text),
                 "%s: shares # SKIP n iterations take much less than what is around them: bytes of "
                 "PERF_METRICS tell them to %.3f only",
                 trial_name(topdown, name, sizeof(name)), resolution_of(topdown));
        result(&tests, true, text);
        return;
    }
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        check_node(topdown, nodes[i].node, nodes[i].level);
    collect_deeper(topdown, deeper, count);
}

/* The smallest and the largest total of the record's windows must be the record's min and max. */
static void check_counts(const json_t *record, size_t *compared)
{
    const json_t *windows = json_object_get(record, "windows");
    const json_t *events = json_object_get(record, "events");
    char text[256];

    for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
        const json_t *event = json_object_get(events, totals[i].event);
        json_int_t low = 0, high = 0;

        if (event == NULL)
            continue;
        for (size_t w = 0; w < json_array_size(windows); w++) {
            const json_t *window = truth_of(&run, whole(record, "core"),
                                            json_integer_value(json_array_get(windows, w)));
            const json_int_t is = window != NULL ? whole(window, totals[i].truth) : -1;

            low = w == 0 || is < low ? is : low;
            high = w == 0 || is > high ? is : high;
        }
        (*compared)++;
        if (whole(event, "min") == low && whole(event, "max") == high)
            continue;
        snprintf(text, sizeof(text), "core %lld %s %s %lld..%lld, truth %lld..%lld",
                 (long long)whole(record, "core"), text_of(record, "kernel"), totals[i].event,
                 (long long)whole(event, "min"), (long long)whole(event, "max"), (long long)low,
                 (long long)high);
        result(&tests, false, text);
    }
}

int main(int argc, char **argv)
{
    struct difference *deeper = NULL;
    size_t deeper_count = 0;
    size_t compared = 0;
    unsigned long before;
    char text[160];

    if (argc != 3) {
        fprintf(stderr, "usage: check_truth LOG TRUTH\n");
        return 2;
    }
    printf("TAP version 14\n");
    read_lines(&run, argv[1], false);
    read_lines(&run, argv[2], true);
    check_sums();
    before = tests.failed;
    for (size_t i = 0; i < run.counts.count; i++)
        check_counts(run.counts.items[i], &compared);
    snprintf(text, sizeof(text), "%zu raw totals of %zu counts records equal the truth", compared,
             run.counts.count);
    result(&tests, compared > 0 && tests.failed == before, text);
    for (size_t i = 0; i < run.topdowns.count; i++)
        check_topdown(run.topdowns.items[i], &deeper, &deeper_count);
    result(&tests, run.topdowns.count > 0, "there are topdown records");
    print_deeper(deeper, deeper_count);
    printf("1..%lu\n", tests.done);
    return tests.failed != 0;
}
