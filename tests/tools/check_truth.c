/* Holds a log's results against what really happened on the rig.
 *
 *   check_truth LOG TRUTH        TAP on standard output, exit status 0 when everything holds
 *
 * LOG is slotscope's, TRUTH the rig's --truth file. The windows of a core are numbered from 1 on
 * both sides, independently; `windows` of a `counts` record says which ones a figure came from. For
 * every `topdown` record the truth of the same windows (2n less n, over all passes) is worked out
 * by cause, and for every `counts` record the totals that the rig states too (instructions,
 * branches, loads, stores ...) must agree to the unit. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL1_LIMIT 0.02
#define LEVEL2_LIMIT 0.05
#define CORES        256

static const struct {
    const char *node;
    unsigned level;
    const char *causes[2];
} nodes[] = {
    {"tma_frontend_bound", 1, {"tma_fetch_latency", "tma_fetch_bandwidth"}},
    {"tma_bad_speculation", 1, {"tma_branch_mispredicts", "tma_machine_clears"}},
    {"tma_backend_bound", 1, {"tma_memory_bound", "tma_core_bound"}},
    {"tma_retiring", 1, {"tma_light_operations", "tma_heavy_operations"}},
    {"tma_fetch_latency", 2, {"tma_fetch_latency", NULL}},
    {"tma_fetch_bandwidth", 2, {"tma_fetch_bandwidth", NULL}},
    {"tma_branch_mispredicts", 2, {"tma_branch_mispredicts", NULL}},
    {"tma_machine_clears", 2, {"tma_machine_clears", NULL}},
    {"tma_memory_bound", 2, {"tma_memory_bound", NULL}},
    {"tma_core_bound", 2, {"tma_core_bound", NULL}},
    {"tma_light_operations", 2, {"tma_light_operations", NULL}},
    {"tma_heavy_operations", 2, {"tma_heavy_operations", NULL}},
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

struct list {
    json_t **items;
    size_t count, room;
};

static struct list truth[CORES]; /* by window - 1 */
static struct list counts, topdowns;
static unsigned long tests, failures;

static void append(struct list *list, json_t *item)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 256;
        list->items = realloc(list->items, list->room * sizeof(*list->items));
        if (!list->items) {
            perror("check_truth");
            exit(2);
        }
    }
    list->items[list->count++] = item;
}

static void result(bool ok, const char *text)
{
    tests++;
    failures += !ok;
    printf("%s %lu - %s\n", ok ? "ok" : "not ok", tests, text);
}

static json_int_t whole(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static void read_lines(const char *name, bool is_truth)
{
    FILE *file = fopen(name, "rb");
    char *line = NULL;
    size_t room = 0;

    if (!file) {
        perror(name);
        exit(2);
    }
    while (getline(&line, &room, file) >= 0) {
        json_t *item = line[0] == '{' ? json_loads(line, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
        if (!item)
            continue;
        if (is_truth) {
            const json_int_t core = whole(item, "core");
            if (core < 0 || core >= CORES ||
                whole(item, "window") != (json_int_t)truth[core].count + 1) {
                fprintf(stderr, "%s: windows of core %lld are not numbered 1, 2, 3 ...\n", name,
                        (long long)core);
                exit(2);
            }
            append(&truth[core], item);
        } else if (strcmp(text_of(item, "type"), "counts") == 0) {
            append(&counts, item);
        } else if (strcmp(text_of(item, "type"), "topdown") == 0) {
            append(&topdowns, item);
        } else {
            json_decref(item);
        }
    }
    free(line);
    fclose(file);
}

static const json_t *truth_of(json_int_t core, json_int_t window)
{
    if (core < 0 || core >= CORES || window < 1 || (size_t)window > truth[core].count)
        return NULL;
    return truth[core].items[window - 1];
}

/* Every slot of every window has a cause: they add up to a whole number of slots a cycle, the same
 * in all windows. */
static void check_sums(void)
{
    char text[160];

    for (unsigned core = 0; core < CORES; core++) {
        json_int_t width = 0;
        size_t bad = 0;

        for (size_t i = 0; i < truth[core].count; i++) {
            const json_t *window = truth[core].items[i];
            json_int_t sum = 0;
            const char *cause;
            json_t *slots;

            json_object_foreach(json_object_get(window, "slots"), cause, slots) sum +=
                json_integer_value(slots);
            if (width == 0 && whole(window, "cycles") > 0)
                width = sum / whole(window, "cycles");
            bad += sum != width * whole(window, "cycles");
        }
        if (truth[core].count == 0)
            continue;
        snprintf(text, sizeof(text), "core %u: slots of %zu windows add up to %lld x cycles", core,
                 truth[core].count, (long long)width);
        result(bad == 0 && width > 0, text);
    }
}

static bool matches(const json_t *a, const json_t *b)
{
    return whole(a, "core") == whole(b, "core") &&
           strcmp(text_of(a, "kernel"), text_of(b, "kernel")) == 0;
}

/* Slots of cycles in which the allocator served the other thread of the core. */
#define SIBLING "sibling"

/* Mean slots of one cause (null: of all that were this thread's) over the windows of a counts
 * record. */
static double mean_slots(const json_t *record, const char *cause)
{
    const json_t *windows = json_object_get(record, "windows");
    double sum = 0;

    for (size_t i = 0; i < json_array_size(windows); i++) {
        const json_t *window =
            truth_of(whole(record, "core"), json_integer_value(json_array_get(windows, i)));
        const char *name;
        json_t *slots;

        json_object_foreach(json_object_get(window, "slots"), name,
                            slots) if (cause ? strcmp(name, cause) == 0
                                             : strcmp(name, SIBLING) != 0) sum +=
            (double)json_integer_value(slots);
    }
    return json_array_size(windows) ? sum / (double)json_array_size(windows) : NAN;
}

/* The truth of 2n less n iterations, as a share of the slots, over all passes of this kernel and
 * core. */
static double share_of(const json_t *topdown, const char *cause)
{
    const json_int_t n = whole(topdown, "iterations");
    double part = 0, all = 0;

    for (size_t i = 0; i < counts.count; i++) {
        const json_t *record = counts.items[i];
        double sign;

        if (!matches(record, topdown))
            continue;
        sign = whole(record, "iterations") == n ? -1 : whole(record, "iterations") == 2 * n ? 1 : 0;
        part += sign * mean_slots(record, cause);
        all += sign * mean_slots(record, NULL);
    }
    return part / all;
}

/* A formula without a finite value says why: then it cannot be compared. Without a reason it is a
 * failure. */
static void check_missing(const json_t *topdown, const char *node, double is)
{
    const char *reason =
        json_string_value(json_object_get(json_object_get(topdown, "reasons"), node));
    char text[256];

    snprintf(text, sizeof(text), "core %lld %s %s has no value, truth %.4f%s%s",
             (long long)whole(topdown, "core"), text_of(topdown, "kernel"), node, is,
             reason ? " # SKIP " : "", reason ? reason : "");
    result(reason != NULL, text);
}

static void check_topdown(const json_t *topdown)
{
    char text[256];

    /* The windows of different passes overlap differently with the other thread's. */
    if (json_is_true(json_object_get(topdown, "smt"))) {
        snprintf(text, sizeof(text),
                 "core %lld %s: shares # SKIP another mixture of the two threads in every pass",
                 (long long)whole(topdown, "core"), text_of(topdown, "kernel"));
        result(true, text);
        return;
    }
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        const json_t *value = json_object_get(json_object_get(topdown, "nodes"), nodes[i].node);
        const double limit = nodes[i].level == 1 ? LEVEL1_LIMIT : LEVEL2_LIMIT;
        double is = share_of(topdown, nodes[i].causes[0]);

        if (nodes[i].causes[1])
            is += share_of(topdown, nodes[i].causes[1]);
        if (!json_is_number(value)) {
            check_missing(topdown, nodes[i].node, is);
            continue;
        }
        snprintf(text, sizeof(text),
                 "core %lld %s %s %.4f, truth %.4f, off by %+.4f of at most %.2f",
                 (long long)whole(topdown, "core"), text_of(topdown, "kernel"), nodes[i].node,
                 json_number_value(value), is, json_number_value(value) - is, limit);
        result(fabs(json_number_value(value) - is) <= limit, text);
    }
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

        if (!event)
            continue;
        for (size_t w = 0; w < json_array_size(windows); w++) {
            const json_t *window =
                truth_of(whole(record, "core"), json_integer_value(json_array_get(windows, w)));
            const json_int_t is = window ? whole(window, totals[i].truth) : -1;

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
        result(false, text);
    }
}

int main(int argc, char **argv)
{
    const unsigned long before = failures;
    size_t compared = 0;
    char text[160];

    if (argc != 3) {
        fprintf(stderr, "usage: check_truth LOG TRUTH\n");
        return 2;
    }
    printf("TAP version 14\n");
    read_lines(argv[1], false);
    read_lines(argv[2], true);
    check_sums();
    for (size_t i = 0; i < counts.count; i++)
        check_counts(counts.items[i], &compared);
    snprintf(text, sizeof(text), "%zu raw totals of %zu counts records equal the truth", compared,
             counts.count);
    result(compared > 0 && failures == before, text);
    for (size_t i = 0; i < topdowns.count; i++)
        check_topdown(topdowns.items[i]);
    result(topdowns.count > 0, "there are topdown records");
    printf("1..%lu\n", tests);
    return failures != 0;
}
