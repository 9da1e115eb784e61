/* Compares a log's results with what really happened on the rig.
 *
 *   check_truth LOG TRUTH        TAP on standard output, exit status 0 when every test passes
 *
 * LOG is slotscope's, TRUTH the rig's --truth file. Both number the windows of a core from 1,
 * independently; `windows` of a `counts` record says from which windows its counts are. Each node
 * of a `topdown` record is compared with the slots that the truth gives its cause in the same
 * windows (windows of 2n iterations less windows of n, over all passes). The totals of a `counts`
 * record that the truth has too (instructions, branches, loads, stores ...) must be equal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd_truth.h"
#include "published.h"
#include "truth_log.h"

#define LEVEL1_LIMIT 0.02
/* NetBurst has no event for a slot that the front end left empty. */
#define NETBURST_LIMIT 0.10
#define LEVEL2_LIMIT   0.03
/* Between a formula and the same formula over the truth only the edges of windows differ. */
#define FORMULA_LIMIT 0.01
#define DEEPER_SHOWN  40 /* differences of deeper nodes to print */

static const struct {
    const char *node;
    unsigned level;
} nodes[] = {
    {"tma_frontend_bound", 1},     {"tma_bad_speculation", 1},  {"tma_backend_bound", 1},
    {"tma_retiring", 1},           {"tma_fetch_latency", 2},    {"tma_fetch_bandwidth", 2},
    {"tma_branch_mispredicts", 2}, {"tma_machine_clears", 2},   {"tma_memory_bound", 2},
    {"tma_core_bound", 2},         {"tma_light_operations", 2}, {"tma_heavy_operations", 2},
};

/* Nodes that mean something else in a description than in the truth. */
static const struct {
    const char *description, *node, *why;
} namesakes[] = {
    {"alderlake_e", "tma_core_bound", "on E cores it is what restricts allocation"},
};

/* Of a node below level 2. */
struct difference {
    const json_t *topdown;
    const char *node;
    double value, truth;
};

static struct run run;
static struct tests tests;

/* Every slot of every window has a cause: the slots of a window add up to its cycles times a whole
 * number, the same in all windows. */
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

            json_object_foreach (json_object_get(window, "slots"), cause, slots)
                sum += json_integer_value(slots);
            if (width == 0 && integer_of(window, "cycles") > 0)
                width = sum / integer_of(window, "cycles");
            bad += sum != width * integer_of(window, "cycles");
        }
        if (run.truth[core].count == 0)
            continue;
        snprintf(text, sizeof(text), "core %u: slots of %zu windows add up to %lld x cycles", core,
                 run.truth[core].count, (long long)width);
        result(&tests, bad == 0 && width > 0, text);
    }
}

/* The node's share of the slots according to the truth, in one pass of the trial or (-1) in all. */
static double share_in(const json_t *topdown, const char *node, json_int_t pass)
{
    return net_of(&run, topdown, pass, "nodes", node) / net_of(&run, topdown, pass, NULL, NULL);
}

static double share_of(const json_t *topdown, const char *node)
{
    return share_in(topdown, node, -1);
}

/* The largest difference between the shares of two passes. */
static double share_spread(const json_t *topdown, const char *node)
{
    const struct list *counts = counts_of(&run, topdown);
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < counts->count; i++) {
        const double share = share_in(topdown, node, integer_of(counts->items[i], "pass"));

        low = share < low ? share : low;
        high = share > high ? share : high;
    }
    return high - low;
}

/* "core 0 be.mem.l2 dose 10" */
static const char *trial_name(const json_t *topdown, char *text, size_t size)
{
    const json_t *dose = json_object_get(topdown, "dose");
    int used = snprintf(text, size, "core %lld %s", (long long)integer_of(topdown, "core"),
                        text_of(topdown, "kernel"));

    if (dose != NULL && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " dose %lld",
                 (long long)json_integer_value(dose));
    if (is_core_wide(topdown))
        snprintf(text + strlen(text), size - strlen(text), ", both threads, corunner %s",
                 text_of(topdown, "beside"));
    return text;
}

/* A node without a value cannot be compared, but the record must say why it has none. */
static void check_missing(const json_t *topdown, const char *node, double truth)
{
    const char *reason =
        json_string_value(json_object_get(json_object_get(topdown, "reasons"), node));
    char text[256], name[96];

    snprintf(text, sizeof(text), "%s %s has no value, truth %.4f%s%s",
             trial_name(topdown, name, sizeof(name)), node, truth, reason != NULL ? " # SKIP " : "",
             reason != NULL ? reason : "");
    result(&tests, reason != NULL, text);
}

/* Why the node means something else than in the truth; null when it means the same. */
static const char *namesake_of(const json_t *topdown, const char *node)
{
    const char *description = run.descriptions[integer_of(topdown, "core")];

    /* In a cycle in which a thread began nothing, the other thread may have had the slots. */
    if (is_core_wide(topdown) && form_of(description) != FORM_SLOTS && is_back_end(node))
        return "it counts whole cycles of a thread, which had the slots in half of them";
    for (size_t i = 0; i < sizeof(namesakes) / sizeof(namesakes[0]); i++)
        if (description != NULL && strcmp(namesakes[i].description, description) == 0 &&
            strcmp(namesakes[i].node, node) == 0)
            return namesakes[i].why;
    return NULL;
}

static bool is_netburst(const json_t *topdown)
{
    return strcmp(text_of(topdown, "method"), "netburst") == 0;
}

/* The node's share in the truth as the method means it: on NetBurst the refill of the pipeline
 * behind a misprediction or a clear is bad speculation, all of it (doc/netburst.md). */
static double meant_share(const json_t *topdown, const char *node, json_int_t pass)
{
    const double share = share_in(topdown, node, pass);
    const double refill = share_in(topdown, "tma_mispredicts_resteers", pass) +
                          share_in(topdown, "tma_clears_resteers", pass);

    if (!is_netburst(topdown))
        return share;
    return strcmp(node, "tma_frontend_bound") == 0    ? share - refill
           : strcmp(node, "tma_bad_speculation") == 0 ? share + refill
                                                      : share;
}

/* The record's largest node of level 1 is the truth's. */
static void check_largest(const json_t *topdown)
{
    const char *largest[2] = {NULL, NULL};
    double most[2] = {-INFINITY, -INFINITY};
    char text[384], name[96];

    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        const json_t *value = json_object_get(json_object_get(topdown, "nodes"), nodes[i].node);
        const double shares[2] = {json_is_number(value) ? json_number_value(value) : NAN,
                                  meant_share(topdown, nodes[i].node, -1)};

        for (unsigned of = 0; of < 2 && nodes[i].level == 1; of++)
            if (shares[of] > most[of]) {
                most[of] = shares[of];
                largest[of] = nodes[i].node;
            }
    }
    if (largest[0] == NULL || largest[1] == NULL)
        return;
    snprintf(text, sizeof(text), "%s: the largest node is %s, truth %s",
             trial_name(topdown, name, sizeof(name)), largest[0], largest[1]);
    result(&tests, strcmp(largest[0], largest[1]) == 0, text);
}

/* Compares a formula that does not count slots with the same formula over the truth. */
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

struct range {
    double low, high;
};

/* From the least of the node's shares in any pass, and in all together, to the greatest. */
static struct range range_of(const json_t *topdown, const char *node)
{
    const struct list *counts = counts_of(&run, topdown);
    const double all = meant_share(topdown, node, -1);
    struct range range = {all, all};

    for (size_t i = 0; i < counts->count; i++) {
        const double share = meant_share(topdown, node, integer_of(counts->items[i], "pass"));

        range.low = fmin(range.low, share);
        range.high = fmax(range.high, share);
    }
    return range;
}

/* How far the value is from the truth in all passes. Some kernels go another way from pass to pass
 * (through the DSB or not, which thread of a core begins), and a formula's events are in some of
 * them: a value between the truths of the passes is right. Of two siblings the published formulas
 * have one as what the other leaves of their parent, which may be of two passes. */
static double error_of(const json_t *topdown, const char *node, double value)
{
    static const struct {
        const char *node, *parent, *sibling;
    } remainders[] = {
        {"tma_fetch_bandwidth", "tma_frontend_bound", "tma_fetch_latency"},
        {"tma_machine_clears", "tma_bad_speculation", "tma_branch_mispredicts"},
        {"tma_core_bound", "tma_backend_bound", "tma_memory_bound"},
        {"tma_light_operations", "tma_retiring", "tma_heavy_operations"},
    };
    struct range range = range_of(topdown, node);

    for (size_t i = 0; i < sizeof(remainders) / sizeof(remainders[0]); i++)
        if (strcmp(remainders[i].node, node) == 0) {
            const struct range parent = range_of(topdown, remainders[i].parent);
            const struct range sibling = range_of(topdown, remainders[i].sibling);

            range.low = fmin(range.low, parent.low - sibling.high);
            range.high = fmax(range.high, parent.high - sibling.low);
        }
    return value < range.low ? value - range.low : value > range.high ? value - range.high : 0;
}

static void check_node(const json_t *topdown, const char *node, unsigned level)
{
    const json_t *value = json_object_get(json_object_get(topdown, "nodes"), node);
    /* How two threads share a core may differ from pass to pass. The events of level 1 are in the
     * first pass, as far as there are counters. */
    const double truth = meant_share(topdown, node, is_core_wide(topdown) && level == 1 ? 0 : -1);
    const double limit = level > 1              ? LEVEL2_LIMIT
                         : is_netburst(topdown) ? NETBURST_LIMIT
                                                : LEVEL1_LIMIT;
    const char *why = namesake_of(topdown, node);
    char text[384], name[96];
    double error;

    if (value == NULL) /* the description has no such node */
        return;
    if (!json_is_number(value)) {
        check_missing(topdown, node, truth);
        return;
    }
    check_published(topdown, node, json_number_value(value));
    error = error_of(topdown, node, json_number_value(value));
    if (fabs(error) > limit && why == NULL && rests_on_edges(&run, topdown, node))
        why = "its decoders made next to no uops";
    if (fabs(error) > limit && why != NULL) {
        snprintf(text, sizeof(text), "%s %s %.4f, truth %.4f # SKIP %s",
                 trial_name(topdown, name, sizeof(name)), node, json_number_value(value), truth,
                 why);
        result(&tests, true, text);
        return;
    }
    if (fabs(error) > limit && level > 1 && is_core_wide(topdown) &&
        share_spread(topdown, node) > limit) {
        snprintf(text, sizeof(text),
                 "%s %s %.4f, truth %.4f # SKIP the truths of passes differ by %.3f",
                 trial_name(topdown, name, sizeof(name)), node, json_number_value(value), truth,
                 share_spread(topdown, node));
        result(&tests, true, text);
        return;
    }
    snprintf(text, sizeof(text), "%s %s %.4f, truth %.4f, off by %+.4f of at most %.2f",
             trial_name(topdown, name, sizeof(name)), node, json_number_value(value), truth, error,
             limit);
    result(&tests, fabs(error) <= limit, text);
}

/* The error of a share of 2n less n iterations when every window's byte of PERF_METRICS is wrong by
 * half a step. */
static double resolution_of(const json_t *topdown)
{
    const struct list *counts = counts_of(&run, topdown);
    const json_int_t n = integer_of(topdown, "iterations");
    double once = 0, twice = 0;

    for (size_t i = 0; i < counts->count; i++) {
        const json_t *record = counts->items[i];
        const json_t *windows = json_object_get(record, "windows");

        for (size_t w = 0; w < json_array_size(windows); w++)
            *(integer_of(record, "iterations") == n ? &once : &twice) +=
                number_of(truth_of(&run, integer_of(record, "core"),
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

/* Whether the truth has that node. */
static bool truth_has(const json_t *topdown, const char *node)
{
    const json_t *window = truth_of(&run, integer_of(topdown, "core"), 1);

    return json_object_get(json_object_get(window, "nodes"), node) != NULL;
}

static void collect_deeper(const json_t *topdown, struct difference **found, size_t *count)
{
    const char *node;
    json_t *value;

    json_object_foreach (json_object_get(topdown, "nodes"), node, value) {
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
                                               .truth = share_of(topdown, node)};
        *count += isfinite((*found)[*count].truth);
    }
}

static int by_size(const void *a, const void *b)
{
    const struct difference *one = a, *other = b;
    const double left = fabs(one->value - one->truth), right = fabs(other->value - other->truth);

    return left > right ? -1 : left < right;
}

/* Deeper nodes are shown and not tested: their formulas are estimates. */
static void print_deeper(struct difference *found, size_t count)
{
    size_t within = 0;

    if (count == 0)
        return;
    qsort(found, count, sizeof(*found), by_size);
    for (size_t i = 0; i < count; i++)
        within += fabs(found[i].value - found[i].truth) <= LEVEL2_LIMIT;
    printf("# deeper nodes: %zu of %zu values within %.2f of the truth; the largest differences:\n",
           within, count, LEVEL2_LIMIT);
    printf("# %8s %8s %8s\n", "formula", "truth", "off by");
    for (size_t i = 0; i < count && i < DEEPER_SHOWN; i++) {
        char name[96];

        printf("# %8.4f %8.4f %+8.4f  %s %s\n", found[i].value, found[i].truth,
               found[i].value - found[i].truth, found[i].node,
               trial_name(found[i].topdown, name, sizeof(name)));
    }
}

static void check_topdown(const json_t *topdown, struct difference **deeper, size_t *count)
{
    char text[256], name[96];

    /* The windows of different passes overlap differently with the other thread's windows. A record
     * of the whole core counts both threads, so nothing is left out. */
    if (json_is_true(json_object_get(topdown, "smt")) && !is_core_wide(topdown)) {
        snprintf(text, sizeof(text),
                 "%s: shares # SKIP the two threads are mixed differently in every pass",
                 trial_name(topdown, name, sizeof(name)));
        result(&tests, true, text);
        return;
    }
    if (isnan(share_of(topdown, "tma_retiring"))) {
        snprintf(text, sizeof(text), "%s: shares # SKIP the kernel has no slots of its own",
                 trial_name(topdown, name, sizeof(name)));
        result(&tests, true, text);
        return;
    }
    /* The fourth node of level 1 is what three bytes leave, so it has the error of three. */
    if (strcmp(text_of(topdown, "method"), "perf_metrics") == 0 &&
        3 * resolution_of(topdown) > LEVEL1_LIMIT) {
        snprintf(text, sizeof(text),
                 "%s: shares # SKIP n iterations are a small part of their windows: PERF_METRICS "
                 "resolves their shares to %.3f only",
                 trial_name(topdown, name, sizeof(name)), resolution_of(topdown));
        result(&tests, true, text);
        return;
    }
    if (strcmp(text_of(topdown, "method"), "amd") == 0) {
        check_amd(&run, &tests, topdown, trial_name(topdown, name, sizeof(name)));
        return;
    }
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        check_node(topdown, nodes[i].node, nodes[i].level);
    if (is_netburst(topdown))
        check_largest(topdown);
    collect_deeper(topdown, deeper, count);
}

/* The smallest and the largest total among the record's windows must be the record's min and max.
 */
static void check_counts(const json_t *record, size_t *compared)
{
    const json_t *windows = json_object_get(record, "windows");
    json_t *events = json_object_get(record, "events"), *event;
    const char *name;
    char text[256];

    json_object_foreach (events, name, event) {
        const char *counted = truth_name(name);
        json_int_t low = 0, high = 0;

        if (counted == NULL)
            continue;
        for (size_t w = 0; w < json_array_size(windows); w++) {
            const json_t *window = truth_of(&run, integer_of(record, "core"),
                                            json_integer_value(json_array_get(windows, w)));
            const json_int_t total = window != NULL ? integer_of(window, counted) : -1;

            low = w == 0 || total < low ? total : low;
            high = w == 0 || total > high ? total : high;
        }
        (*compared)++;
        if (integer_of(event, "min") == low && integer_of(event, "max") == high)
            continue;
        snprintf(text, sizeof(text), "core %lld %s %s %lld..%lld, truth %lld..%lld",
                 (long long)integer_of(record, "core"), text_of(record, "kernel"), name,
                 (long long)integer_of(event, "min"), (long long)integer_of(event, "max"),
                 (long long)low, (long long)high);
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
