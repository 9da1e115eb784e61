#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slotlog/whole_log.h"

/* Records of which no fact is taken: what they say is read by doubt.c. */
static const char *const unread[] = {"error", "end",   "cpuid",   "exactness",
                                     "log",   "doubt", "outliers"};

/* Members that differ between two sound runs, or that are read with others. */
static const char *const forgotten[] = {
    "steady",        "cores_started", "tsc_source",   "type",
    "seq",           "crc",           "part",         "core",
    "kernel",        "unit",          "title",        "trusted",
    "window",        "windows",       "pass",         "passes",
    "detail",        "code",          "memory_bytes", "warmup",
    "repeats",       "kept",          "absent",       "dose",
    "beside",        "scope",         "reasons",      "missing",
    "discarded",     "thrown_away",   "log",          "nonce",
    "round",         "log_version",   "tables",       "duration_us",
    "recording",     "present",       "banks",        "threads",
    "partner",       "use",           "threshold",    "over_threshold",
    "clamped",       "logged",        "dropped",      "few_in",
    "few_of",        "left_out",      "skid_windows", "gain_windows",
    "first_window",  "last_window",   "from_us",      "us",
    "apart",         "slices",        "alone",        "undisturbed_window",
    "without_value", "apart_in",      "apart_by",     "ranges",
    "arms",
};

/* Of a core's record: whether and why not it counts; then all of its numbers are missing. */
static const char *const forgotten_of_core[] = {"counts", "lbr", "lbr_absent", "counters_off",
                                                "fixed_counters_off"};

/* Of sampling: how much there was of it, and by which counters. What is said of these samples is
 * judged. */
static const char *const forgotten_of_pebs[] = {"events",  "records",    "full_windows",
                                                "exact",   "data_right", "instructions",
                                                "counter", "witness"};

/* Of a round: how many verdicts and results it has, and what moved most, which is said of these
 * kernels themselves where they moved. */
static const char *const forgotten_of_round[] = {"pass",   "fail", "skip", "results",
                                                 "unsaid", "node", "cpi",  "widest"};

/* Of an event of a multiplexed run: how its estimate was made, and is to be trusted. Of a node by
 * two methods: by how much they may differ. */
static const char *const forgotten_inside[] = {"running",     "error",       "uncertainty",
                                               "reliable",    "why",         "slice_range",
                                               "alone_range", "error_bound", "apart_at_most"};

/* Members that say, with core and kernel, what a record is of. `iterations` only of raw totals. */
static const char *const identity[] = {"dose",    "beside",    "scope",  "recording", "use",
                                       "event",   "threshold", "method", "delivery",  "interval",
                                       "partner", "period",    "series", "name"};

/* The two forms of the log name the same number differently. */
static const struct {
    const char *type, *member, *as;
} same[] = {
    {"topdown", "nodes", "node"},
    {"result", "nodes", "node"},
    {"kernel", "per_iterations", "count"},
    {"result", "counts", "count"},
    {"kernel", "iterations", "n"},
    {"result", "iterations", "n"},
    {"topdown", "iterations", "n"},
    {"cpi", "iterations", "n"},
    {"cpi", "cpi", "cpi"},
    {"result", "cpi", "cpi"},
};

struct taking {
    struct facts *facts;
    struct fact like; /* what all facts of the record have */
    char stem[FACT_KEY];
    json_int_t code; /* where the kernel lies; 0: the record does not say */
};

static bool is_among(const char *text, const char *const *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, of[i]) == 0)
            return true;
    return false;
}
#define IS_AMONG(text, of) is_among(text, of, sizeof(of) / sizeof((of)[0]))

static void add(struct facts *facts, const struct fact *fact, const char *key, const char *text)
{
    struct fact *made;

    if (facts->count == facts->room) {
        facts->room = facts->room * 2 + 1024;
        facts->of = allocate_or_end(facts->of, facts->room, sizeof(*facts->of));
    }
    made = &facts->of[facts->count++];
    *made = *fact;
    made->key = strdup(key);
    made->text = text != NULL ? strdup(text) : NULL;
    if (made->key == NULL || (text != NULL && made->text == NULL))
        abort();
}

/* Addresses are places in a kernel: where the firmware put the image is no fact. */
static bool take_address(const struct taking *taking, const char *text, double *value)
{
    if (taking->code == 0 || strncmp(text, "0x", 2) != 0)
        return false;
    *value = (double)(strtoll(text, NULL, 16) - taking->code);
    return true;
}

/* What a multiplexed run says of all its slices is taken of one: fewer counters need more passes,
 * and so more slices. 1 of other records. */
static double slices_of(const json_t *record)
{
    const json_t *slices = json_object_get(record, "slices");

    return json_is_integer(slices) ? (double)json_integer_value(slices) : 1;
}

/* The full form has the range of a node beside it, where its repeats lie apart. */
static void take_repeats(struct fact *fact)
{
    const json_t *range = json_object_get(json_object_get(fact->record, "ranges"), fact->name);

    if (strcmp(fact->type, "topdown") != 0 || json_array_size(range) != 2)
        return;
    fact->low = json_number_value(json_array_get(range, 0));
    fact->high = json_number_value(json_array_get(range, 1));
}

static void take_single(struct taking *taking, struct fact *fact, const char *key,
                        const json_t *value)
{
    const char *text = json_is_boolean(value) ? (json_is_true(value) ? "true" : "false")
                                              : json_string_value(value);

    fact->value = json_number_value(value) / slices_of(fact->record);
    if (text != NULL && take_address(taking, text, &fact->value))
        text = NULL;
    fact->kind = json_is_null(value) ? FACT_NULL : text != NULL ? FACT_TEXT : FACT_NUMBER;
    fact->low = fact->high = fact->value;
    if (fact->kind == FACT_NUMBER)
        take_repeats(fact);
    add(taking->facts, fact, key, text);
}

static bool take_range(struct taking *taking, struct fact *fact, const char *key,
                       const json_t *value)
{
    const json_t *low = json_object_get(value, "min"), *high = json_object_get(value, "max");
    const json_t *middle = json_object_get(value, "median"), *mean = json_object_get(value, "mean");

    if (json_is_array(value) && json_array_size(value) == 3 && strcmp(fact->type, "result") == 0) {
        low = json_array_get(value, 0);
        middle = json_array_get(value, 1);
        high = json_array_get(value, 2);
    }
    if (json_is_array(value) && json_array_size(value) == 3 && strcmp(fact->type, "cpi") == 0) {
        middle = json_array_get(value, 0); /* of samples, and where it lies by chance */
        low = json_array_get(value, 1);
        high = json_array_get(value, 2);
    }
    if (json_is_number(mean)) /* of samples: its least and most are those of single ones */
        low = high = middle = mean;
    if (!json_is_number(low) || !json_is_number(middle) || !json_is_number(high))
        return false;
    fact->kind = FACT_NUMBER;
    fact->value = json_number_value(middle);
    fact->low = json_number_value(low);
    fact->high = json_number_value(high);
    add(taking->facts, fact, key, NULL);
    return true;
}

static void take(struct taking *taking, const char *key, const char *name, const json_t *value)
{
    struct fact fact = taking->like;
    char deeper[FACT_KEY];
    const char *member;
    json_t *inner;
    size_t i;

    fact.name = name;
    if (strcmp(fact.type, "timeline") == 0) /* what it counts in each cycle is of its event */
        fact.name = record_text(fact.record, "event", name);
    if (take_range(taking, &fact, key, value))
        return;
    if (json_is_object(value)) {
        /* Numbers in it are facts of an event, or of a node. */
        const bool of_name =
            strcmp(fact.type, "multiplex") == 0 || strcmp(fact.type, "methods") == 0;

        json_object_foreach ((json_t *)value, member, inner) {
            if (of_name && IS_AMONG(member, forgotten_inside))
                continue;
            snprintf(deeper, sizeof(deeper), "%s.%s", key, member);
            take(taking, deeper, of_name && !json_is_object(inner) ? name : member, inner);
        }
    } else if (json_is_array(value)) {
        json_array_foreach (value, i, inner) {
            snprintf(deeper, sizeof(deeper), "%s[%zu]", key, i);
            take(taking, deeper, name, inner);
        }
    } else
        take_single(taking, &fact, key, value);
}

/* "topdown 0 be.mem.l2 beside ret.nop" */
static void begin(struct taking *taking, const json_t *record)
{
    size_t used = (size_t)snprintf(taking->stem, sizeof(taking->stem), "%lld %s",
                                   (long long)taking->like.core, taking->like.kernel);

    for (size_t i = 0; i <= sizeof(identity) / sizeof(identity[0]); i++) {
        const bool last = i == sizeof(identity) / sizeof(identity[0]);
        const char *member = last ? "iterations" : identity[i];
        const json_t *value = json_object_get(record, member);
        char *text = NULL;

        if (value == NULL || (last && strcmp(taking->like.type, "counts") != 0) ||
            (strcmp(member, "method") == 0 && strcmp(taking->like.type, "topdown") == 0))
            continue;
        text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        if (text != NULL && used < sizeof(taking->stem))
            used += (size_t)snprintf(taking->stem + used, sizeof(taking->stem) - used, " %s=%s",
                                     member, text);
        free(text);
    }
}

static const char *name_of(const char *type, const char *member)
{
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        if (strcmp(same[i].type, type) == 0 && strcmp(same[i].member, member) == 0)
            return same[i].as;
    return NULL;
}

static void take_record(struct facts *facts, const json_t *record, unsigned run)
{
    const json_t *core = json_object_get(record, "core");
    struct taking taking = {
        .facts = facts,
        .like = {.type = record_text(record, "type", ""),
                 .kernel = record_text(record, "kernel", ""),
                 .core = json_is_integer(core) ? json_integer_value(core) : -1,
                 .trusted = !json_is_false(json_object_get(record, "trusted")),
                 .record = record,
                 .run = run},
        .code = strtoll(record_text(record, "code", "0"), NULL, 16),
    };
    const char *member;
    json_t *value;

    if (IS_AMONG(taking.like.type, unread))
        return;
    begin(&taking, record);
    json_object_foreach ((json_t *)record, member, value) {
        const char *as = name_of(taking.like.type, member);
        char key[FACT_KEY];

        if (IS_AMONG(member, forgotten) ||
            (strcmp(taking.like.type, "core") == 0 && IS_AMONG(member, forgotten_of_core)) ||
            (strcmp(taking.like.type, "pebs") == 0 && IS_AMONG(member, forgotten_of_pebs)) ||
            (strcmp(taking.like.type, "round") == 0 && IS_AMONG(member, forgotten_of_round)))
            continue;
        if (as != NULL)
            snprintf(key, sizeof(key), "%s %.200s ", as, taking.stem);
        else
            snprintf(key, sizeof(key), "%s %.200s %s", taking.like.type, taking.stem, member);
        taking.like.member = member;
        taking.like.counts = strcmp(taking.like.type, "counts") == 0 ||
                             strcmp(taking.like.type, "multiplex") == 0 ||
                             (as != NULL && strcmp(as, "count") == 0);
        take(&taking, key, member, value);
    }
}

void facts_add(struct facts *facts, const json_t *records, unsigned run)
{
    json_t *record;
    size_t i;

    json_array_foreach (records, i, record)
        take_record(facts, record, run);
}

static int by_key(const void *a, const void *b)
{
    const struct fact *one = a, *other = b;
    const int order = strcmp(one->key, other->key);

    return order != 0 ? order : (one->run > other->run) - (one->run < other->run);
}

void facts_sort(struct facts *facts)
{
    if (facts->count > 0)
        qsort(facts->of, facts->count, sizeof(facts->of[0]), by_key);
}

size_t facts_find(const struct facts *facts, const char *key, const struct fact **first)
{
    size_t from = 0, to = facts->count, count = 0;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (strcmp(facts->of[middle].key, key) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    *first = facts->of + from;
    while (from + count < facts->count && strcmp((*first)[count].key, key) == 0)
        count++;
    return count;
}

void facts_free(struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        free(facts->of[i].key);
        free(facts->of[i].text);
    }
    free(facts->of);
    *facts = (struct facts){0};
}
