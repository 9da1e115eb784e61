#include "log_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *number_kind_name(enum number_kind kind)
{
    static const char *const names[] = {"node", "count", "cpi"};

    return names[kind];
}

const char *number_unit(enum number_kind kind)
{
    static const char *const units[] = {"share of slots", "count", "cycles per instruction"};

    return units[kind];
}

/* Orders two numbers by what was measured; 0: of one measurement. */
static int compare_measurements(const struct number *one, const struct number *other)
{
    int order = (one->core > other->core) - (one->core < other->core);

    if (order == 0)
        order = strcmp(one->kernel, other->kernel);
    if (order == 0)
        order = (one->dose > other->dose) - (one->dose < other->dose);
    if (order == 0)
        order = strcmp(one->beside, other->beside);
    return order != 0 ? order : strcmp(one->scope, other->scope);
}

bool numbers_are_of_one(const struct number *one, const struct number *other)
{
    return compare_measurements(one, other) == 0;
}

/* Orders two numbers by what they are numbers of; 0: of the same thing. */
static int compare(const struct number *one, const struct number *other)
{
    int order = compare_measurements(one, other);

    if (order == 0)
        order = (int)one->kind - (int)other->kind;
    return order != 0 ? order : strcmp(one->name, other->name);
}

/* Numbers of the same thing are in the order of the log. */
static int compare_places(const void *one, const void *other)
{
    const struct number *a = *(const struct number *const *)one;
    const struct number *b = *(const struct number *const *)other;
    const int order = compare(a, b);

    return order != 0 ? order : (a > b) - (a < b);
}

/* The place among `sorted` of the first number that is not below `like`. */
static size_t place_of(const struct numbers *numbers, const struct number *like)
{
    size_t from = 0, to = numbers->count;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (compare(numbers->sorted[middle], like) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

const struct number *numbers_find(const struct numbers *numbers, const struct number *like)
{
    const size_t place = place_of(numbers, like);

    if (place == numbers->count || compare(numbers->sorted[place], like) != 0)
        return NULL;
    return numbers->sorted[place];
}

size_t numbers_of_kind(const struct numbers *numbers, const struct number *like,
                       const struct number *const **first)
{
    struct number lowest = *like;
    size_t place, count = 0;

    lowest.name = "";
    place = place_of(numbers, &lowest);
    *first = numbers->sorted + place;
    while (place + count < numbers->count && (*first)[count]->kind == like->kind &&
           numbers_are_of_one((*first)[count], like))
        count++;
    return count;
}

void number_measurement(const struct number *number, char *name, size_t size)
{
    char dose[32] = "";

    if (number->dose >= 0)
        snprintf(dose, sizeof(dose), " %lld%%", (long long)number->dose);
    snprintf(name, size, "%s%s%s%s%s", number->kernel, dose, number->beside[0] ? " | " : "",
             number->beside, number->scope[0] ? " (both threads)" : "");
}

/* doc/log.md, "Two forms". */
static int digits_of(const json_t *record, enum number_kind kind)
{
    if (kind == NUMBER_COUNT)
        return 0;
    return strcmp(record_text(record, "type", ""), "result") == 0 ? 3 : 4;
}

/* A number of the record, without name and value. */
static struct number of_record(const json_t *record, enum number_kind kind)
{
    const json_t *dose = json_object_get(record, "dose");

    return (struct number){
        .core = json_integer_value(json_object_get(record, "core")),
        .kernel = record_text(record, "kernel", ""),
        .beside = record_text(record, "beside", ""),
        .scope = record_text(record, "scope", ""),
        .dose = json_is_integer(dose) ? json_integer_value(dose) : -1,
        .kind = kind,
        .digits = digits_of(record, kind),
        .reason = "",
        .trusted = !json_is_false(json_object_get(record, "trusted")),
        .iterations = json_integer_value(json_object_get(record, "iterations")),
    };
}

static void add(struct numbers *numbers, const struct number *number)
{
    if (numbers->count == numbers->room) {
        numbers->room = numbers->room * 2 + 256;
        numbers->of = allocate_or_end(numbers->of, numbers->room, sizeof(*numbers->of));
    }
    numbers->of[numbers->count++] = *number;
}

/* The range without the repeats that lie apart; where the log names none, of all. */
static void set_kept(struct number *number, const json_t *value)
{
    const json_t *low =
        json_is_array(value) ? json_array_get(value, 3) : json_object_get(value, "kept_min");
    const json_t *high =
        json_is_array(value) ? json_array_get(value, 4) : json_object_get(value, "kept_max");
    const bool has = json_is_number(low) && json_is_number(high);

    number->kept_low = has ? json_number_value(low) : number->low;
    number->kept_high = has ? json_number_value(high) : number->high;
}

/* A number, [low, value, high], {min, median, max}, or null, the first two perhaps with the range
 * of the repeats that do not lie apart. `agrees`: a number alone says that the
 * repeats agree, as in the brief form. */
static void set_value(struct number *number, const json_t *value, bool agrees)
{
    const json_t *of[3] = {value, value, value};

    for (size_t i = 0; i < 3 && json_is_array(value); i++)
        of[i] = json_array_get(value, i);
    if (json_is_object(value)) {
        of[0] = json_object_get(value, "min");
        of[1] = json_object_get(value, "median");
        of[2] = json_object_get(value, "max");
    }
    number->has = json_is_number(of[0]) && json_is_number(of[1]) && json_is_number(of[2]);
    number->ranged = number->has && (json_is_array(value) || json_is_object(value) || agrees);
    number->low = json_number_value(of[0]);
    number->value = json_number_value(of[1]);
    number->high = json_number_value(of[2]);
    set_kept(number, value);
}

/* The values of one member of a record, and the reasons for those that are null. */
static void add_values(struct numbers *numbers, const json_t *record, const char *member,
                       const char *reasons, enum number_kind kind)
{
    const json_t *why = json_object_get(record, reasons);
    struct number number = of_record(record, kind);
    json_t *value;

    json_object_foreach (json_object_get(record, member), number.name, value) {
        set_value(&number, value, strcmp(reasons, "missing") == 0);
        number.reason = number.has ? "" : record_text(why, number.name, "");
        add(numbers, &number);
    }
}

/* Events that were wanted and not counted have no member among the counts of the full form. */
static void add_missing(struct numbers *numbers, const json_t *record)
{
    struct number number = of_record(record, NUMBER_COUNT);
    json_t *why;

    json_object_foreach (json_object_get(record, "missing"), number.name, why) {
        number.reason = json_string_value(why);
        add(numbers, &number);
    }
}

static void add_cpi(struct numbers *numbers, const json_t *record)
{
    struct number number = of_record(record, NUMBER_CPI);
    const json_t *cpi = json_object_get(record, "cpi");

    if (cpi == NULL || json_is_object(cpi) || json_object_get(record, "method") != NULL)
        return;
    number.name = "CPI";
    set_value(&number, cpi, false);
    if (!number.has)
        number.reason = "not counted, or no instructions";
    add(numbers, &number);
}

static void add_record(struct numbers *numbers, const json_t *record)
{
    const char *type = record_text(record, "type", "");

    if (strcmp(type, "result") == 0) {
        add_values(numbers, record, "nodes", "missing", NUMBER_NODE);
        add_values(numbers, record, "counts", "missing", NUMBER_COUNT);
        add_cpi(numbers, record);
    } else if (strcmp(type, "kernel") == 0) {
        add_values(numbers, record, "per_iterations", "missing", NUMBER_COUNT);
        add_missing(numbers, record);
    } else if (strcmp(type, "topdown") == 0 && json_object_get(record, "interval") == NULL) {
        add_values(numbers, record, "nodes", "reasons", NUMBER_NODE);
    } else if (strcmp(type, "cpi") == 0) {
        add_cpi(numbers, record);
    }
}

/* In a record of several parts the reasons may come in a later part than the nodes. */
static void add_reason(struct numbers *numbers, const json_t *record)
{
    struct number number = of_record(record, NUMBER_NODE);
    json_t *why;

    json_object_foreach (json_object_get(record, "reasons"), number.name, why) {
        for (size_t i = numbers->count; i-- > 0;)
            if (compare(&numbers->of[i], &number) == 0) {
                numbers->of[i].reason = json_string_value(why);
                break;
            }
    }
}

static void sort(struct numbers *numbers)
{
    numbers->sorted = allocate_or_end(NULL, numbers->count + 1, sizeof(struct number *));
    for (size_t i = 0; i < numbers->count; i++)
        numbers->sorted[i] = &numbers->of[i];
    qsort(numbers->sorted, numbers->count, sizeof(struct number *), compare_places);
}

void numbers_read(struct numbers *numbers, const struct whole_log *log)
{
    json_t *record;
    size_t i;

    *numbers = (struct numbers){0};
    json_array_foreach (log->records, i, record) {
        if (json_object_get(record, "round") != NULL)
            continue; /* a later one's: its `round` record says how far it was from these */
        add_record(numbers, record);
        if (json_integer_value(json_object_get(record, "part")) > 1)
            add_reason(numbers, record);
    }
    sort(numbers);
}

void numbers_free(struct numbers *numbers)
{
    free(numbers->of);
    free(numbers->sorted);
    *numbers = (struct numbers){0};
}
