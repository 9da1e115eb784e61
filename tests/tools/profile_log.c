#include "profile_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRUTH_SERIES "cycles"

static void give_up(const char *file, const char *what)
{
    fprintf(stderr, "%s: %s\n", file, what);
    exit(2);
}

static void *grown(void *items, size_t count, size_t size)
{
    items = realloc(items, count * size);
    if (items == NULL)
        give_up("check_profile", "no memory");
    return items;
}

static const char *text_in(const json_t *record, const char *key)
{
    const char *text = json_string_value(json_object_get(record, key));

    return text != NULL ? text : "";
}

static json_int_t integer_in(const json_t *record, const char *key)
{
    return json_integer_value(json_object_get(record, key));
}

static double real_in(const json_t *record, const char *key)
{
    return json_number_value(json_object_get(record, key));
}

/* --- the log --- */

static struct profiled *profiled_of(struct profiles *profiles, const json_t *record)
{
    struct profiled *profiled;

    for (size_t i = 0; i < profiles->count; i++)
        if (profiles->items[i].core == integer_in(record, "core") &&
            strcmp(profiles->items[i].kernel, text_in(record, "kernel")) == 0)
            return &profiles->items[i];
    profiles->items = grown(profiles->items, profiles->count + 1, sizeof(profiles->items[0]));
    profiled = &profiles->items[profiles->count++];
    *profiled = (struct profiled){.core = integer_in(record, "core"),
                                  .series = json_object(),
                                  .levels = json_object(),
                                  .counted = json_object()};
    snprintf(profiled->kernel, sizeof(profiled->kernel), "%s", text_in(record, "kernel"));
    return profiled;
}

static void take_counts(struct profiled *profiled, const json_t *record)
{
    const json_int_t iterations = integer_in(record, "iterations");
    const json_t *window;
    char key[32];
    size_t i;

    if (profiled->n == 0 || iterations < profiled->n)
        profiled->n = iterations;
    json_array_foreach (json_object_get(record, "windows"), i, window) {
        snprintf(key, sizeof(key), "%lld", (long long)json_integer_value(window));
        json_object_set_new(profiled->counted, key, json_integer(iterations));
    }
}

static void take_record(struct profiles *profiles, json_t *record)
{
    char key[160];
    json_t *entries;

    if (strcmp(text_in(record, "type"), "sampling") == 0) {
        struct profiled *profiled = profiled_of(profiles, record);

        json_object_set(profiled->series, text_in(record, "series"), record);
        if (strcmp(text_in(record, "series"), TRUTH_SERIES) == 0) {
            profiled->first_window = integer_in(record, "first_window");
            profiled->last_window = integer_in(record, "last_window");
        }
    } else if (strcmp(text_in(record, "type"), "counts") == 0) {
        take_counts(profiled_of(profiles, record), record);
    } else if (strcmp(text_in(record, "type"), "cpi") == 0 &&
               json_object_get(record, "entries") != NULL) {
        struct profiled *profiled = profiled_of(profiles, record);

        snprintf(key, sizeof(key), "%s/%s", text_in(record, "method"), text_in(record, "level"));
        entries = json_object_get(profiled->levels, key);
        if (entries == NULL) {
            entries = json_array();
            json_object_set_new(profiled->levels, key, entries);
        }
        json_array_extend(entries, json_object_get(record, "entries"));
    }
}

/* Calls `take` for each line that is an object. */
static void each_object(struct profiles *profiles, const char *name,
                        void (*take)(struct profiles *profiles, json_t *object))
{
    FILE *file = fopen(name, "r");
    char *line = NULL;
    size_t room = 0;
    unsigned long number = 0;

    if (file == NULL)
        give_up(name, "cannot be read");
    while (getline(&line, &room, file) > 0) {
        json_t *object;
        char what[64];

        number++;
        if (line[0] != '{')
            continue;
        object = json_loads(line, 0, NULL);
        snprintf(what, sizeof(what), "line %lu is no JSON", number);
        if (object == NULL)
            give_up(name, what);
        take(profiles, object);
        json_decref(object);
    }
    free(line);
    fclose(file);
}

void profiles_read(struct profiles *profiles, const char *log)
{
    *profiles = (struct profiles){NULL, 0};
    each_object(profiles, log, take_record);
}

void profiles_free(struct profiles *profiles)
{
    for (size_t i = 0; i < profiles->count; i++) {
        json_decref(profiles->items[i].series);
        json_decref(profiles->items[i].levels);
        json_decref(profiles->items[i].counted);
        free(profiles->items[i].places);
    }
    free(profiles->items);
}

/* --- the truth --- */

/* The place of the address, which is made unless it is there. */
static struct place *place_of(struct profiled *profiled, uint64_t address)
{
    size_t low = 0, high = profiled->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (profiled->places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < profiled->count && profiled->places[low].address == address)
        return &profiled->places[low];
    if (profiled->count == profiled->room) {
        profiled->room = profiled->room ? 2 * profiled->room : 256;
        profiled->places = grown(profiled->places, profiled->room, sizeof(struct place));
    }
    memmove(&profiled->places[low + 1], &profiled->places[low],
            (profiled->count++ - low) * sizeof(struct place));
    profiled->places[low] = (struct place){.address = address};
    return &profiled->places[low];
}

static void take_window(struct profiled *profiled, const json_t *object)
{
    const json_t *at = json_object_get(object, "at"), *pmi = json_object_get(object, "pmi"), *one;
    size_t i;

    json_array_foreach (at, i, one) {
        struct place *place = place_of(profiled, (uint64_t)integer_in(one, "address"));

        place->executions += (double)integer_in(one, "executions");
        place->cycles += (double)integer_in(one, "oldest");
        place->tip += real_in(one, "tip");
    }
    if (json_object_get(pmi, "resumed") != NULL) {
        struct place *place = place_of(profiled, (uint64_t)integer_in(pmi, "rip"));

        place->executions -= 1;
        place->cycles -= (double)(integer_in(pmi, "resumed") - integer_in(pmi, "returned"));
    }
}

/* A window of n iterations is taken away, one of 2n added. */
static void take_counted(struct profiled *profiled, const json_t *object, json_int_t iterations)
{
    const double sign = iterations == profiled->n ? -1 : 1;
    const json_t *one;
    size_t i;

    json_array_foreach (json_object_get(object, "at"), i, one) {
        struct place *place = place_of(profiled, (uint64_t)integer_in(one, "address"));

        place->counted_executions += sign * (double)integer_in(one, "executions");
        place->counted_cycles += sign * (double)integer_in(one, "oldest");
        place->counted_tip += sign * real_in(one, "tip");
    }
}

static void take_truth(struct profiles *profiles, json_t *object)
{
    const json_int_t core = integer_in(object, "core"), window = integer_in(object, "window");
    char key[32];

    snprintf(key, sizeof(key), "%lld", (long long)window);
    for (size_t i = 0; i < profiles->count; i++) {
        struct profiled *profiled = &profiles->items[i];
        const json_t *iterations = json_object_get(profiled->counted, key);

        if (profiled->core == core && iterations != NULL)
            take_counted(profiled, object, json_integer_value(iterations));
        if (profiled->core == core && profiled->first_window <= window &&
            window <= profiled->last_window)
            take_window(profiled, object);
    }
}

static const struct place *place_at(const struct profiled *profiled, uint64_t address)
{
    size_t low = 0, high = profiled->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (profiled->places[middle].address == address)
            return &profiled->places[middle];
        if (profiled->places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The log has offsets, the truth addresses: the code lies where most was executed at all of the
 * offsets, in the windows that were counted. In the sampled ones the handler runs, too, whose loop
 * over registers runs more often than any kernel's. */
static void find_code(struct profiled *profiled)
{
    const json_t *entries = profiled_entries(profiled, "cfg", "instruction"), *entry;
    double most = 0;
    size_t i;

    if (entries == NULL)
        entries = profiled_entries(profiled, "classic", "instruction");
    for (size_t first = 0; first < profiled->count; first++) {
        const uint64_t code = profiled->places[first].address;
        double executions = 0;

        json_array_foreach (entries, i, entry) {
            const struct place *place =
                place_at(profiled, code + (uint64_t)integer_in(entry, "offset"));

            executions += place != NULL ? place->counted_executions : 0;
        }
        if (executions > most) {
            most = executions;
            profiled->code = code;
        }
    }
}

void profiles_read_truth(struct profiles *profiles, const char *file)
{
    each_object(profiles, file, take_truth);
    for (size_t i = 0; i < profiles->count; i++)
        find_code(&profiles->items[i]);
}

/* --- questions --- */

const json_t *profiled_entries(const struct profiled *profiled, const char *method,
                               const char *level)
{
    char key[160];

    snprintf(key, sizeof(key), "%s/%s", method, level);
    return json_object_get(profiled->levels, key);
}

double profiled_samples(const struct profiled *profiled, const char *series)
{
    return (double)integer_in(json_object_get(profiled->series, series), "kept");
}

struct place profiled_truth(const struct profiled *profiled, const json_t *entry)
{
    const json_t *instructions = profiled_entries(profiled, "cfg", "instruction"), *one;
    json_int_t left = json_object_get(entry, "length") ? integer_in(entry, "length") : 1;
    struct place sum = {.address = profiled->code + (uint64_t)integer_in(entry, "offset")};
    size_t i;

    if (instructions == NULL)
        instructions = profiled_entries(profiled, "classic", "instruction");
    json_array_foreach (instructions, i, one) {
        const uint64_t address = profiled->code + (uint64_t)integer_in(one, "offset");
        const struct place *place = place_at(profiled, address);

        if (address < sum.address || left-- <= 0)
            continue;
        if (place == NULL)
            continue;
        sum.executions += place->executions;
        sum.cycles += place->counted_executions > 0
                          ? place->executions * place->counted_cycles / place->counted_executions
                          : place->cycles;
        sum.tip += place->counted_executions > 0
                       ? place->executions * place->counted_tip / place->counted_executions
                       : place->tip;
    }
    return sum;
}
