#include "page_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/log_text.h"
#include "page_code.h"
#include "page_trees.h"

#define DIGITS 15 /* a log has fewer, so that each number is the log's */

/* Types of records that are left out of data that is too long, in this order: the raw totals of
 * windows, whose differences are in other records, and what guards say. */
static const char *const dispensable[] = {"counts", "guard"};
#define DISPENSABLE (sizeof(dispensable) / sizeof(*dispensable))

static const char *const bookkeeping[] = {"seq", "crc", "unit"};

/* Entries that are known by their number: a list, and the number of each. */
struct table {
    json_t *entries, *number_of;
};

struct packing {
    struct table shapes, texts;
    size_t left_out; /* the first so many of `dispensable` */
};

static struct table table_new(void)
{
    return (struct table){json_made(json_array()), json_made(json_object())};
}

/* The number of the entry `name`, which is made of `entry` unless it is there. Takes `entry`. */
static json_int_t number_of(struct table *table, const char *name, json_t *entry)
{
    const json_t *known = json_object_get(table->number_of, name);
    const json_int_t next = (json_int_t)json_array_size(table->entries);

    if (known != NULL) {
        json_decref(entry);
        return json_integer_value(known);
    }
    json_object_set_new(table->number_of, name, json_made(json_integer(next)));
    json_array_append_new(table->entries, entry);
    return next;
}

static json_t *list_of(json_int_t kind)
{
    json_t *list = json_made(json_array());

    json_array_append_new(list, json_made(json_integer(kind)));
    return list;
}

static json_t *pack_text(struct packing *packing, const char *text)
{
    json_t *packed = list_of(-1);
    const json_int_t number = number_of(&packing->texts, text, json_made(json_string(text)));

    json_array_append_new(packed, json_made(json_integer(number)));
    return packed;
}

/* Names of members, a line each: no name has a line's end in it. */
static json_int_t shape_of(struct packing *packing, json_t *object)
{
    json_t *names = json_made(json_array()), *value;
    size_t size = 1, length = 0;
    const char *name;
    char *key;
    json_int_t number;

    json_object_foreach (object, name, value) {
        json_array_append_new(names, json_made(json_string(name)));
        size += strlen(name) + 1;
    }
    key = allocate_or_end(NULL, size, 1);
    key[0] = 0;
    json_object_foreach (object, name, value)
        length += (size_t)sprintf(key + length, "%s\n", name);
    number = number_of(&packing->shapes, key, names);
    free(key);
    return number;
}

static json_t *pack(struct packing *packing, json_t *value)
{
    json_t *packed, *entry;
    const char *name;
    size_t i;

    if (json_is_string(value))
        return pack_text(packing, json_string_value(value));
    if (!json_is_array(value) && !json_is_object(value))
        return json_incref(value);
    packed = list_of(json_is_array(value) ? 0 : shape_of(packing, value) + 1);
    json_array_foreach (value, i, entry)
        json_array_append_new(packed, pack(packing, entry));
    json_object_foreach (value, name, entry)
        json_array_append_new(packed, pack(packing, entry));
    return packed;
}

/* Takes `value`. */
static json_t *packed_of(struct packing *packing, json_t *value)
{
    json_t *packed = pack(packing, json_made(value));

    json_decref(value);
    return packed;
}

/* The page is of the first round. */
static bool is_left_out(const struct packing *packing, const json_t *record)
{
    if (json_object_get(record, "round") != NULL)
        return true;
    for (size_t i = 0; i < packing->left_out; i++)
        if (strcmp(record_text(record, "type", ""), dispensable[i]) == 0)
            return true;
    return false;
}

static json_t *records_of(struct packing *packing, const struct whole_log *log)
{
    json_t *packed = list_of(0), *record;
    size_t i;

    json_array_foreach (log->records, i, record) {
        json_t *copy;

        if (is_left_out(packing, record))
            continue;
        copy = json_made(json_copy(record));
        for (size_t n = 0; n < sizeof(bookkeeping) / sizeof(*bookkeeping); n++)
            json_object_del(copy, bookkeeping[n]);
        json_array_append_new(packed, packed_of(packing, copy));
    }
    return packed;
}

static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, json_made(value));
}

static json_t *number_in(const char *text, bool whole)
{
    return whole ? json_integer(strtoll(text, NULL, 10)) : json_real(strtod(text, NULL));
}

/* Sets the members that a claim's begin, `core 3 be.mem.l2 `, gives; returns the rest. */
static const char *set_place(json_t *verdict, const char *claim)
{
    int number = 0, name = 0, end = 0;
    long long core;

    if (sscanf(claim, "core %lld%n", &core, &number) != 1)
        return claim;
    set(verdict, "core", json_integer(core));
    if (sscanf(claim + number, " %n%*[a-z0-9_.]%n", &name, &end) < 0 || end == 0)
        return claim + number;
    if (memchr(claim + number + name, '.', (size_t)(end - name)) == NULL)
        return claim + number + name;
    set(verdict, "kernel", json_stringn(claim + number + name, (size_t)(end - name)));
    return claim + number + end + strspn(claim + number + end, ": ");
}

/* The members of `WHAT VALUE in [LOW, HIGH]REST`; false: the claim has another form. */
static bool set_range(json_t *verdict, const char *claim)
{
    const char *range = strstr(claim, " in ["), *value = range, *high;
    int at = 0, length = 0;
    bool whole;

    if (range == NULL || sscanf(range, " in [%*f, %n%*f]%n", &at, &length) < 0 || length == 0)
        return false;
    while (value > claim && value[-1] != ' ')
        value--;
    if (value == claim || value == range || value + strspn(value, "-.0123456789") != range)
        return false;
    whole = memchr(value, '.', (size_t)(range - value)) == NULL;
    high = range + at;
    set(verdict, "claim", json_stringn(claim, (size_t)(value - 1 - claim)));
    set(verdict, whole ? "count" : "value", number_in(value, whole));
    set(verdict, "low", number_in(range + strlen(" in ["), whole));
    set(verdict, "high", number_in(high, whole));
    if (range[length] != 0)
        set(verdict, "rest", json_string(range + length));
    return true;
}

static json_t *verdict_of(const struct log_verdict *verdict)
{
    json_t *made = json_made(json_object());
    const char *claim = set_place(made, verdict->claim);

    if (!verdict->ok)
        set(made, "failed", json_true());
    if (verdict->verdicts != 1)
        set(made, "verdicts", json_integer((json_int_t)verdict->verdicts));
    if (verdict->skipped)
        set(made, "skipped", json_string(verdict->reason));
    if (!set_range(made, claim))
        set(made, "claim", json_string(claim));
    return made;
}

static json_t *verdicts_of(struct packing *packing, const struct whole_log *log)
{
    json_t *packed = list_of(0);

    for (size_t i = 0; i < log->verdict_count; i++)
        json_array_append_new(packed, packed_of(packing, verdict_of(&log->verdicts[i])));
    return packed;
}

/* The members `records` and `verdicts` are packed already. */
static json_t *log_of(struct packing *packing, const struct whole_log *log)
{
    json_t *members = json_made(json_pack("{sosbsIsnsn}", "name", log_text_of_name(log->name),
                                          "good", whole_log_is_good(log), "problems",
                                          (json_int_t)log->totals.problems, "records", "verdicts"));
    json_t *packed = packed_of(packing, members);

    json_array_set_new(packed, 4, records_of(packing, log));
    json_array_set_new(packed, 5, verdicts_of(packing, log));
    return packed;
}

static json_t *names_of(size_t left_out)
{
    json_t *names = json_made(json_array());

    for (size_t i = 0; i < left_out; i++)
        json_array_append_new(names, json_made(json_string(dispensable[i])));
    return names;
}

static char *text_of(const struct whole_log *logs, size_t count, json_t *own, size_t left_out)
{
    struct packing packing = {table_new(), table_new(), left_out};
    json_t *packed = list_of(0), *data;
    char *text;

    for (size_t i = 0; i < count; i++)
        json_array_append_new(packed, log_of(&packing, &logs[i]));
    data = json_made(json_pack("{sosososOso}", "shapes", packing.shapes.entries, "texts",
                               packing.texts.entries, "left_out", names_of(left_out), "program",
                               own, "logs", packed));
    json_decref(packing.shapes.number_of);
    json_decref(packing.texts.number_of);
    text = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(DIGITS));
    json_decref(data);
    return text != NULL ? text : allocate_or_end(NULL, (size_t)-1, 1);
}

char *page_data(const struct whole_log *logs, size_t count)
{
    json_t *own = json_made(
        json_pack("{soso}", "trees", page_trees(logs, count), "code", page_code(logs, count)));
    char *text = text_of(logs, count, own, 0);

    for (size_t left_out = 1; strlen(text) > PAGE_DATA_BYTES && left_out <= DISPENSABLE;
         left_out++) {
        free(text);
        text = text_of(logs, count, own, left_out);
    }
    json_decref(own);
    return text;
}
