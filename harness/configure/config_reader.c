#include "config_reader.h"

#include "boot/format.h"
#include "boot/text.h"
#include "config_value.h"

#define KEYS_SEEN 64 /* more than there are keys */

/* One source being read. */
struct reader {
    struct config *config;
    const char *file;
    const struct complaint_sink *sink;
    uint32_t line;
    unsigned complaints;
    const struct config_key *seen[KEYS_SEEN];
    unsigned seen_count;
};

static void complain(struct reader *reader, uint32_t column, struct slice near, const char *message,
                     const char *expected)
{
    struct complaint complaint = {.line = reader->line, .column = column};

    reader->complaints++;
    format(complaint.file, sizeof(complaint.file), "%s", reader->file);
    format(complaint.message, sizeof(complaint.message), "%s: %.*s", message,
           (int)(near.length < 60 ? near.length : 60), near.text);
    format(complaint.expected, sizeof(complaint.expected), "%s", expected);
    reader->sink->complain(reader->sink->context, &complaint);
}

static bool seen_before(struct reader *reader, const struct config_key *key)
{
    for (unsigned i = 0; i < reader->seen_count; i++) {
        if (reader->seen[i] == key)
            return true;
    }
    if (reader->seen_count < KEYS_SEEN)
        reader->seen[reader->seen_count++] = key;
    return false;
}

static void remember_place(struct reader *reader, struct slice key, uint32_t column)
{
    struct config_place place = {reader->file, reader->line, column};
    struct config *config = reader->config;
    const struct {
        const char *key;
        struct config_place *place;
    } places[] = {
        {"kernels", &config->kernels_place},   {"cores", &config->cores_place},
        {"cpu", &config->cpu_place},           {"levels", &config->levels_place},
        {"nodes", &config->nodes_place},       {"explain", &config->explain_place},
        {"sibling", &config->sibling_place},   {"sibling_duty", &config->duty_place},
        {"timeline", &config->timeline_place}, {"interval", &config->interval_place},
        {"ring", &config->ring_place},
    };

    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (key.length == strlen(places[i].key) && memcmp(key.text, places[i].key, key.length) == 0)
            *places[i].place = place;
    }
    for (unsigned i = 0; slice_is(key, "events") && i < config->event_count; i++) {
        config->events[i].place.file = place.file;
        config->events[i].place.line = place.line;
        config->events[i].place.column += column; /* it was the offset in the value */
    }
}

/* `key` at column `key_column`, its value at `value_column` (both from 1). */
static void take(struct reader *reader, struct slice key, uint32_t key_column, struct slice value,
                 uint32_t value_column)
{
    const struct config_key *found = config_key_find(key);
    const char *wrong;
    size_t offset = 0;

    if (found == NULL) {
        complain(reader, key_column, key, "unknown key", config_key_names());
        return;
    }
    if (seen_before(reader, found)) {
        complain(reader, key_column, key, "key given twice", "each key once");
        return;
    }
    if (value.length == 0) {
        complain(reader, value_column, key, "no value", found->expected);
        return;
    }
    wrong = found->set(reader->config, value, &offset);
    if (wrong != NULL)
        complain(reader, value_column + (uint32_t)offset, value, wrong, found->expected);
    else
        remember_place(reader, key, value_column);
}

/* Shrinks [*from, *to) to what is not blank at its ends. */
static void trim(const char *text, size_t *from, size_t *to)
{
    while (*from < *to && is_blank(text[*from]))
        (*from)++;
    while (*to > *from && is_blank(text[*to - 1]))
        (*to)--;
}

/* One line or word, comment already cut off; `column` is that of its first character. */
static void take_assignment(struct reader *reader, const char *text, size_t length, uint32_t column)
{
    size_t equals = 0, key_from = 0, key_to, value_from, value_to = length;

    while (equals < length && text[equals] != '=')
        equals++;
    key_to = equals;
    trim(text, &key_from, &key_to);
    if (equals == length) {
        if (key_to > key_from)
            complain(reader, column + (uint32_t)key_from,
                     (struct slice){text + key_from, key_to - key_from}, "= missing in",
                     "key = value");
        return;
    }
    value_from = equals + 1;
    trim(text, &value_from, &value_to);
    take(reader, (struct slice){text + key_from, key_to - key_from}, column + (uint32_t)key_from,
         (struct slice){text + value_from, value_to - value_from}, column + (uint32_t)value_from);
}

unsigned config_read_file(struct config *config, const char *file, const char *text, size_t size,
                          const struct complaint_sink *sink)
{
    struct reader reader = {.config = config, .file = file, .sink = sink, .line = 1};
    size_t at = 0;

    if (size >= 3 &&
        memcmp(text, "\xef\xbb\xbf", 3) == 0) /* some editors put a byte order mark first */
        at = 3;
    while (at < size) {
        size_t end = at, cut;

        while (end < size && text[end] != '\n')
            end++;
        cut = at;
        while (cut < end && text[cut] != '#')
            cut++;
        take_assignment(&reader, text + at, cut - at, 1);
        at = end + 1;
        reader.line++;
    }
    return reader.complaints;
}

/* Whether the word is the name of the image, which the UEFI shell passes first. */
static bool is_command(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '=')
            return false;
    }
    return length >= 4 && text[length - 4] == '.' && (text[length - 3] | 0x20) == 'e' &&
           (text[length - 2] | 0x20) == 'f' && (text[length - 1] | 0x20) == 'i';
}

unsigned config_read_options(struct config *config, const char *words,
                             const struct complaint_sink *sink)
{
    struct reader reader = {.config = config, .file = "load options", .sink = sink, .line = 1};
    size_t at = 0;
    bool first = true;

    while (words[at] != '\0') {
        size_t end = at;

        if (is_blank(words[at]) || words[at] == '\n') {
            at++;
            continue;
        }
        while (words[end] != '\0' && !is_blank(words[end]) && words[end] != '\n')
            end++;
        if (!first || !is_command(words + at, end - at))
            take_assignment(&reader, words + at, end - at, (uint32_t)at + 1);
        first = false;
        at = end;
    }
    return reader.complaints;
}
