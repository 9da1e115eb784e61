#include "truth_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots of cycles in which the allocator served the other thread of the core. */
#define SIBLING "sibling"

#define REPEATS 256

/* Events whose totals the truth has, and its names for them. */
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
    {"ex_ret_instr", "instructions"},
    {"ls_not_halted_cyc", "cycles"},
    {"ex_ret_brn", "branches"},
    {"ex_ret_brn_tkn", "taken"},
    {"ex_ret_brn_misp", "mispredicts"},
    {"de_src_op_disp.all", "uops_issued"},
    {"ex_ret_ops", "uops_retired"},
    /* As a user names them: `events` of the configuration. */
    {"0xC000", "instructions"},
    {"0xc420", "taken"},
    {"instr_retired:NBOGUSNTAG:NBOGUSTAG:k", "instructions"},
    {"branch_retired:MMTP:MMTM", "taken"},
    {"0x00039000/0x04000608@0x8000000C", "instructions"},
    {"0x00039000/0x04000603@14", "instructions"},
};

void result(struct tests *tests, bool ok, const char *text)
{
    tests->done++;
    tests->failed += !ok;
    printf("%s %lu - %s\n", ok ? "ok" : "not ok", tests->done, text);
}

json_int_t integer_of(const json_t *record, const char *key)
{
    return json_integer_value(json_object_get(record, key));
}

const char *text_of(const json_t *record, const char *key)
{
    const char *text = json_string_value(json_object_get(record, key));

    return text != NULL ? text : "";
}

/* The core that the kernel ran on; when both threads of a core count, the first thread. */
static json_int_t measured_core(const json_t *record)
{
    const json_t *threads = json_object_get(record, "threads");

    return threads != NULL ? json_integer_value(json_array_get(threads, 0))
                           : integer_of(record, "core");
}

bool is_same_trial(const json_t *a, const json_t *b)
{
    return measured_core(a) == measured_core(b) && integer_of(a, "dose") == integer_of(b, "dose") &&
           integer_of(a, "round") == integer_of(b, "round") &&
           strcmp(text_of(a, "scope"), text_of(b, "scope")) == 0 &&
           strcmp(text_of(a, "kernel"), text_of(b, "kernel")) == 0 &&
           strcmp(text_of(a, "beside"), text_of(b, "beside")) == 0;
}

bool is_core_wide(const json_t *record)
{
    return strcmp(text_of(record, "scope"), "core") == 0;
}

static void append(struct list *list, json_t *item)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 256;
        list->items = realloc(list->items, list->room * sizeof(*list->items));
        if (list->items == NULL) {
            perror("truth_log");
            exit(2);
        }
    }
    list->items[list->count++] = item;
}

/* A record that is too long for one line comes in parts. The `members` of later parts are moved
 * into the first part. */
static void append_part(struct list *list, json_t *item, const char *const *members)
{
    json_t *first = list->count ? list->items[list->count - 1] : NULL;

    if (integer_of(item, "part") < 2 || first == NULL || !is_same_trial(first, item)) {
        append(list, item);
        return;
    }
    for (; *members != NULL; members++) {
        json_t *more = json_object_get(item, *members);

        if (more != NULL && json_object_get(first, *members) != NULL)
            json_object_update(json_object_get(first, *members), more);
        else if (more != NULL)
            json_object_set(first, *members, more);
    }
    json_decref(item);
}

static void keep_record(struct run *run, json_t *item)
{
    static const char *const of_topdown[] = {"nodes", "reasons", NULL};
    static const char *const of_multiplex[] = {"events", NULL};
    const char *type = text_of(item, "type");
    const json_int_t core = integer_of(item, "core");

    if (strcmp(type, "counts") == 0)
        append(&run->counts, item);
    else if (strcmp(type, "topdown") == 0 && json_object_get(item, "interval") == NULL)
        append_part(&run->topdowns, item, of_topdown);
    else if (strcmp(type, "multiplex") == 0)
        append_part(&run->multiplexes, item, of_multiplex);
    else if (strcmp(type, "precision") == 0)
        append(&run->precisions, item);
    else if (strcmp(type, "core") == 0 && core >= 0 && core < CORES)
        run->descriptions[core] = text_of(item, "description");
    else
        json_decref(item);
}

static void keep_truth(struct run *run, json_t *item, const char *name)
{
    const json_int_t core = integer_of(item, "core");

    if (core < 0 || core >= CORES ||
        integer_of(item, "window") != (json_int_t)run->truth[core].count + 1) {
        fprintf(stderr, "%s: windows of core %lld are not numbered 1, 2, 3 ...\n", name,
                (long long)core);
        exit(2);
    }
    append(&run->truth[core], item);
}

void read_lines(struct run *run, const char *name, bool is_truth)
{
    FILE *file = fopen(name, "rb");
    char *line = NULL;
    size_t room = 0;

    if (file == NULL) {
        perror(name);
        exit(2);
    }
    while (getline(&line, &room, file) >= 0) {
        json_t *item = line[0] == '{' ? json_loads(line, JSON_DISABLE_EOF_CHECK, NULL) : NULL;

        if (item != NULL && is_truth)
            keep_truth(run, item, name);
        else if (item != NULL)
            keep_record(run, item);
    }
    free(line);
    fclose(file);
}

static void free_list(struct list *list, bool owns)
{
    for (size_t i = 0; i < list->count && owns; i++)
        json_decref(list->items[i]);
    free(list->items);
}

void run_free(struct run *run)
{
    for (size_t i = 0; i < CORES; i++)
        free_list(&run->truth[i], true);
    free_list(&run->counts, true);
    free_list(&run->topdowns, true);
    free_list(&run->multiplexes, true);
    free_list(&run->precisions, true);
    free_list(&run->last.counts, false);
}

void keep_records(struct run *run, const json_t *records)
{
    json_t *record;
    size_t i;

    json_array_foreach (records, i, record)
        keep_record(run, json_incref(record));
}

void leave_gap(struct run *run, json_int_t core, json_int_t first, json_int_t last)
{
    struct list *list = &run->truth[core];

    append(list, NULL);
    for (size_t i = list->count - 1; i >= (size_t)first; i--)
        list->items[i] = list->items[i - 1];
    list->items[first - 1] = NULL;
    for (size_t i = (size_t)first; i < (size_t)last; i++) {
        json_decref(list->items[i]);
        list->items[i] = NULL;
    }
}

const json_t *truth_of(const struct run *run, json_int_t core, json_int_t window)
{
    if (core < 0 || core >= CORES || window < 1 || (size_t)window > run->truth[core].count)
        return NULL;
    return run->truth[core].items[window - 1];
}

const struct list *counts_of(struct run *run, const json_t *record)
{
    if (run->last.of == record)
        return &run->last.counts;
    run->last.of = record;
    run->last.counts.count = 0;
    for (size_t i = 0; i < run->counts.count; i++)
        if (is_same_trial(run->counts.items[i], record))
            append(&run->last.counts, run->counts.items[i]);
    return &run->last.counts;
}

const char *truth_name(const char *event)
{
    for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++)
        if (strcmp(totals[i].event, event) == 0)
            return totals[i].truth;
    return NULL;
}

double number_of(const json_t *window, const char *member, const char *name)
{
    double sum = 0;
    const char *cause;
    json_t *slots;

    if (name != NULL)
        return (double)integer_of(member != NULL ? json_object_get(window, member) : window, name);
    json_object_foreach (json_object_get(window, "slots"), cause, slots)
        sum += strcmp(cause, SIBLING) != 0 ? (double)json_integer_value(slots) : 0;
    return sum;
}

static int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;

    return (*one > *other) - (*one < *other);
}

/* The median over the repeats of one pass: the windows of `twice` less those of `once`. */
static double median_net(const struct run *run, const json_t *once, const json_t *twice,
                         const char *member, const char *name)
{
    const json_t *less = json_object_get(once, "windows");
    const json_t *more = json_object_get(twice, "windows");
    const json_int_t core = integer_of(once, "core");
    double nets[REPEATS];
    size_t count = json_array_size(less);

    if (count == 0 || count > REPEATS || json_array_size(more) != count)
        return NAN;
    for (size_t i = 0; i < count; i++) {
        const json_t *window = truth_of(run, core, json_integer_value(json_array_get(less, i)));
        const json_t *longer = truth_of(run, core, json_integer_value(json_array_get(more, i)));

        if (window == NULL || longer == NULL)
            return NAN;
        nets[i] = number_of(longer, member, name) - number_of(window, member, name);
    }
    qsort(nets, count, sizeof(nets[0]), by_value);
    return (nets[(count - 1) / 2] + nets[count / 2]) / 2;
}

const json_t *twice_of(const struct list *counts, size_t after, const json_t *once)
{
    for (size_t i = after; i < counts->count; i++) {
        const json_t *twice = counts->items[i];

        if (integer_of(twice, "iterations") == 2 * integer_of(once, "iterations") &&
            integer_of(twice, "pass") == integer_of(once, "pass") &&
            integer_of(twice, "core") == integer_of(once, "core"))
            return twice;
    }
    return NULL;
}

double net_of(struct run *run, const json_t *topdown, json_int_t pass, const char *member,
              const char *name)
{
    const struct list *counts = counts_of(run, topdown);
    const json_int_t n = integer_of(topdown, "iterations");
    double sum = 0;

    for (size_t i = 0; i < counts->count; i++) {
        const json_t *once = counts->items[i], *twice;

        if (integer_of(once, "iterations") != n || (pass >= 0 && integer_of(once, "pass") != pass))
            continue;
        twice = twice_of(counts, i + 1, once);
        if (twice != NULL)
            sum += median_net(run, once, twice, member, name);
    }
    return sum;
}
