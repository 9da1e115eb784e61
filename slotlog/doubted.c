#include "doubted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records without a number that rests on counters. */
static const char *const others[] = {"settings", "core",  "cpuid", "guard",
                                     "outliers", "doubt", "error"};

static const char *text_of(const json_t *record, const char *member)
{
    const char *text = json_string_value(json_object_get(record, member));

    return text != NULL ? text : "";
}

struct doubt {
    json_int_t core;
    json_int_t records[2], verdicts[2]; /* from the first to the last; none where first > last */
    const char *why;
};

static void read_range(const json_t *record, const char *member, json_int_t range[2])
{
    const json_t *list = json_object_get(record, member);

    range[0] = 1;
    range[1] = 0;
    for (size_t i = 0; json_array_size(list) == 2 && i < 2; i++)
        range[i] = json_integer_value(json_array_get(list, i));
}

static bool within(json_int_t number, const json_int_t range[2])
{
    return number >= range[0] && number <= range[1];
}

/* A record about both threads of a core is of the core numbers in `threads`. */
static bool is_of_core(const json_t *record, json_int_t core)
{
    const json_t *own = json_object_get(record, "core"), *thread;
    size_t i;

    json_array_foreach (json_object_get(record, "threads"), i, thread)
        if (json_integer_value(thread) == core)
            return true;
    return json_is_integer(own) && json_integer_value(own) == core;
}

static bool is_number(const json_t *record, const struct doubt *doubt)
{
    const char *type = text_of(record, "type");

    if (!is_of_core(record, doubt->core))
        return false;
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strcmp(type, others[i]) == 0)
            return false;
    return within(json_integer_value(json_object_get(record, "seq")), doubt->records);
}

/* Of those before place `end`, where the record stands that doubts them. */
static size_t leave_records_out(json_t *records, json_t *left_out, const struct doubt *doubt,
                                size_t end)
{
    size_t count = 0;

    for (size_t i = end; i-- > 0;) {
        if (!is_number(json_array_get(records, i), doubt))
            continue;
        json_array_append(left_out, json_array_get(records, i));
        json_array_remove(records, i);
        count++;
    }
    return count;
}

static size_t doubt_verdicts(struct log_verdict *verdicts, size_t count, const struct doubt *doubt)
{
    size_t doubted = 0;
    char core[32];
    const int length = snprintf(core, sizeof(core), "core %lld", (long long)doubt->core);

    for (size_t i = 0; i < count; i++) {
        struct log_verdict *verdict = &verdicts[i];

        if (!verdict->ok || verdict->skipped || verdict->doubted ||
            !within(verdict->number, doubt->verdicts) ||
            strncmp(verdict->claim, core, (size_t)length) != 0 ||
            strchr(" :", verdict->claim[length]) == NULL)
            continue;
        verdict->doubted = true;
        verdict->reason = doubt->why;
        doubted++;
    }
    return doubted;
}

static int by_doubt(const void *a, const void *b)
{
    const struct log_verdict *one = a, *other = b;

    return one->doubted != other->doubted ? one->doubted - other->doubted
                                          : (one->line > other->line) - (one->line < other->line);
}

size_t doubted_leave_out(const char *name, json_t *records, json_t *left_out,
                         struct log_verdict *verdicts, size_t *count)
{
    size_t doubted = 0, i;
    json_t *record;

    json_array_foreach (records, i, record) {
        struct doubt doubt = {.core = json_integer_value(json_object_get(record, "core")),
                              .why = text_of(record, "why")};
        size_t numbers, passed;

        if (strcmp(text_of(record, "type"), "doubt") != 0)
            continue;
        read_range(record, "records", doubt.records);
        read_range(record, "verdicts", doubt.verdicts);
        numbers = leave_records_out(records, left_out, &doubt, i);
        passed = doubt_verdicts(verdicts, *count, &doubt);
        i -= numbers;
        doubted += passed;
        fprintf(stderr,
                "slotlog: %s: core %lld: %s: %zu records and %zu verdicts are doubted, and left "
                "out\n",
                name, (long long)doubt.core, doubt.why, numbers, passed);
    }
    if (doubted > 0)
        qsort(verdicts, *count, sizeof(*verdicts), by_doubt);
    *count -= doubted;
    return doubted;
}
