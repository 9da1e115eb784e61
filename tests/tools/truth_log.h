/* A log of slotscope's and the rig's truth of the same run: what both tools that compare them read.
 * Windows of a core are numbered from 1 on both sides, independently. */
#ifndef TESTS_TRUTH_LOG_H
#define TESTS_TRUTH_LOG_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORES 256

struct list {
    json_t **items;
    size_t count, room;
};

struct run {
    struct list truth[CORES]; /* by window - 1 */
    struct list counts, topdowns, multiplexes;
    const char *descriptions[CORES]; /* by core; NULL: none */
};

struct tests {
    unsigned long done, failed;
};

static inline void result(struct tests *tests, bool ok, const char *text)
{
    tests->done++;
    tests->failed += !ok;
    printf("%s %lu - %s\n", ok ? "ok" : "not ok", tests->done, text);
}

static inline json_int_t whole(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static inline const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

/* The core that the kernel ran on: with both threads of a core counting, the first of them. */
static inline json_int_t measured_core(const json_t *record)
{
    const json_t *threads = json_object_get(record, "threads");

    return threads != NULL ? json_integer_value(json_array_get(threads, 0)) : whole(record, "core");
}

/* Of one kernel on one core, with one dose and one neighbour; of the thread or of both. */
static inline bool is_same_trial(const json_t *a, const json_t *b)
{
    return measured_core(a) == measured_core(b) && whole(a, "dose") == whole(b, "dose") &&
           strcmp(text_of(a, "scope"), text_of(b, "scope")) == 0 &&
           strcmp(text_of(a, "kernel"), text_of(b, "kernel")) == 0 &&
           strcmp(text_of(a, "beside"), text_of(b, "beside")) == 0;
}

/* Of both threads of a core over the same windows. */
static inline bool is_core_wide(const json_t *record)
{
    return strcmp(text_of(record, "scope"), "core") == 0;
}

static inline void append(struct list *list, json_t *item)
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

/* A record that is too long for one line comes in parts: what they have in `members` becomes the
 * first's. */
static inline void append_part(struct list *list, json_t *item, const char *const *members)
{
    json_t *first = list->count ? list->items[list->count - 1] : NULL;

    if (whole(item, "part") < 2 || first == NULL || !is_same_trial(first, item)) {
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

static inline void keep_record(struct run *run, json_t *item)
{
    static const char *const of_topdown[] = {"nodes", "reasons", NULL}, *const of_multiplex[] = {
                                                                            "events", NULL};
    const char *type = text_of(item, "type");
    const json_int_t core = whole(item, "core");

    if (strcmp(type, "counts") == 0)
        append(&run->counts, item);
    else if (strcmp(type, "topdown") == 0 && json_object_get(item, "interval") == NULL)
        append_part(&run->topdowns, item, of_topdown);
    else if (strcmp(type, "multiplex") == 0)
        append_part(&run->multiplexes, item, of_multiplex);
    else if (strcmp(type, "core") == 0 && core >= 0 && core < CORES)
        run->descriptions[core] = text_of(item, "description");
    else
        json_decref(item);
}

static inline void keep_truth(struct run *run, json_t *item, const char *name)
{
    const json_int_t core = whole(item, "core");

    if (core < 0 || core >= CORES ||
        whole(item, "window") != (json_int_t)run->truth[core].count + 1) {
        fprintf(stderr, "%s: windows of core %lld are not numbered 1, 2, 3 ...\n", name,
                (long long)core);
        exit(2);
    }
    append(&run->truth[core], item);
}

static inline void read_lines(struct run *run, const char *name, bool is_truth)
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

static inline const json_t *truth_of(const struct run *run, json_int_t core, json_int_t window)
{
    if (core < 0 || core >= CORES || window < 1 || (size_t)window > run->truth[core].count)
        return NULL;
    return run->truth[core].items[window - 1];
}

/* The `counts` records of a trial. They stay as they are until it is asked for another one. */
static inline const struct list *counts_of(const struct run *run, const json_t *topdown)
{
    static const json_t *of;
    static struct list found;

    if (of == topdown)
        return &found;
    of = topdown;
    found.count = 0;
    for (size_t i = 0; i < run->counts.count; i++)
        if (is_same_trial(run->counts.items[i], topdown))
            append(&found, run->counts.items[i]);
    return &found;
}

/* Slots of cycles in which the allocator served the other thread of the core. */
#define SIBLING "sibling"

/* A number of a window: `name` in the object `member`, or of the window itself (null); with a null
 * `name` all of its slots that were this thread's. */
static inline double number_of(const json_t *window, const char *member, const char *name)
{
    double sum = 0;
    const char *cause;
    json_t *slots;

    if (name != NULL)
        return (double)whole(member != NULL ? json_object_get(window, member) : window, name);
    json_object_foreach(json_object_get(window, "slots"), cause, slots) sum +=
        strcmp(cause, SIBLING) != 0 ? (double)json_integer_value(slots) : 0;
    return sum;
}

static inline int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;

    return (*one > *other) - (*one < *other);
}

/* What 2n iterations have more than n, in one pass: the median of its repeats, as the log's own
 * numbers are, since one window may be unlike the others (the first that finds a line gone). */
static inline double more_between(const struct run *run, const json_t *once, const json_t *twice,
                                  const char *member, const char *name)
{
    const json_t *less = json_object_get(once, "windows"),
                 *more = json_object_get(twice, "windows");
    const json_int_t core = whole(once, "core");
    double differences[256];
    size_t count = json_array_size(less);

    if (count == 0 || count > sizeof(differences) / sizeof(differences[0]) ||
        json_array_size(more) != count)
        return NAN;
    for (size_t i = 0; i < count; i++)
        differences[i] = number_of(truth_of(run, core, json_integer_value(json_array_get(more, i))),
                                   member, name) -
                         number_of(truth_of(run, core, json_integer_value(json_array_get(less, i))),
                                   member, name);
    qsort(differences, count, sizeof(differences[0]), by_value);
    return (differences[(count - 1) / 2] + differences[count / 2]) / 2;
}

/* The same added up over that pass of a trial (-1: all its passes), and over both threads. */
static inline double more_in(const struct run *run, const json_t *topdown, json_int_t pass,
                             const char *member, const char *name)
{
    const struct list *counts = counts_of(run, topdown);
    const json_int_t n = whole(topdown, "iterations");
    double sum = 0;

    for (size_t i = 0; i < counts->count; i++) {
        const json_t *once = counts->items[i];

        if (whole(once, "iterations") != n || (pass >= 0 && whole(once, "pass") != pass))
            continue;
        for (size_t j = i + 1; j < counts->count; j++) {
            const json_t *twice = counts->items[j];

            if (whole(twice, "iterations") != 2 * n ||
                whole(twice, "pass") != whole(once, "pass") ||
                whole(twice, "core") != whole(once, "core"))
                continue;
            sum += more_between(run, once, twice, member, name);
            break;
        }
    }
    return sum;
}

#endif
