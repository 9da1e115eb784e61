#include "json_line.h"

#include "crc32.h"
#include "format.h"
#include "text.h"

#define TAIL 18 /* `,"crc":"01234567"}` */

/* Copies a literal and gives the end of the copy. Its length is known: a few moves do it. */
#define COPY(to, text) ((char *)__builtin_memcpy(to, text, sizeof(text) - 1) + sizeof(text) - 1)

static bool has_room(struct json_line *record, size_t length)
{
    if (length > JSON_LINE_SIZE - TAIL - record->length)
        record->overflow = true;
    return !record->overflow;
}

static void put(struct json_line *record, const char *text, size_t length)
{
    if (!has_room(record, length))
        return;
    memcpy(record->text + record->length, text, length);
    record->length += length;
}

static void put_char(struct json_line *record, char c)
{
    if (has_room(record, 1))
        record->text[record->length++] = c;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Where the caller may write up to JSON_LINE_SLACK characters; null when the record has overflowed.
 * The caller then gives accept() the end of what it wrote. */
static char *offer(struct json_line *record)
{
    return record->overflow ? NULL : record->text + record->length;
}

static void accept(struct json_line *record, const char *end)
{
    const size_t length = (size_t)(end - record->text);

    if (length > JSON_LINE_SIZE - TAIL)
        record->overflow = true;
    else
        record->length = length;
}

static char *copy_signed(char *to, int64_t value)
{
    if (value < 0)
        *to++ = '-';
    return to + format_digits(to, magnitude(value));
}

static bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

/* Plain characters go in as they are, all others are escaped: a byte above 7EH as the character of
 * Latin-1. */
static void put_string(struct json_line *record, const char *text)
{
    char escape[8];

    put_char(record, '"');
    while (*text) {
        const char *from = text;

        while (is_plain((uint8_t)*text))
            text++;
        put(record, from, (size_t)(text - from));
        if (!*text)
            break;
        put(record, escape,
            *text == '"' || *text == '\\'
                ? format(escape, sizeof(escape), "\\%c", *text)
                : format(escape, sizeof(escape), "\\u%04x", (unsigned)(uint8_t)*text));
        text++;
    }
    put_char(record, '"');
}

/* The comma and the key in front of a value. */
static void put_key(struct json_line *record, const char *key)
{
    size_t length = key != NULL ? strlen(key) : 0;
    char *to;

    if (!has_room(record, length + strlen(",\"\":")))
        return;
    to = record->text + record->length;
    if (record->comma)
        *to++ = ',';
    record->comma = true;
    if (key != NULL) {
        *to++ = '"';
        memcpy(to, key, length);
        to += length;
        *to++ = '"';
        *to++ = ':';
    }
    record->length = (size_t)(to - record->text);
}

void json_line_open(struct json_line *record, const char *type, uint64_t seq)
{
    record->length = 0;
    record->depth = 0;
    record->comma = false;
    record->overflow = false;
    put_char(record, '{');
    json_line_text(record, "type", type);
    json_line_unsigned(record, "seq", seq);
    record->seq_end = record->length;
    record->seq_at = record->seq_end;
    while (record->text[record->seq_at - 1] != ':')
        record->seq_at--;
}

void json_line_text(struct json_line *record, const char *key, const char *value)
{
    put_key(record, key);
    if (value != NULL)
        put_string(record, value);
    else
        put(record, "null", 4);
}

void json_line_unsigned(struct json_line *record, const char *key, uint64_t value)
{
    char *to;

    put_key(record, key);
    to = offer(record);
    if (to != NULL)
        accept(record, to + format_digits(to, value));
}

void json_line_hex(struct json_line *record, const char *key, uint64_t value)
{
    char text[24];

    put_key(record, key);
    put(record, text, format(text, sizeof(text), "\"0x%llx\"", (unsigned long long)value));
}

void json_line_spread(struct json_line *record, const char *key, int64_t minimum, int64_t median,
                      int64_t maximum)
{
    char *to;

    put_key(record, key);
    to = offer(record);
    if (to == NULL)
        return;
    to = copy_signed(COPY(to, "{\"min\":"), minimum);
    to = copy_signed(COPY(to, ",\"median\":"), median);
    to = copy_signed(COPY(to, ",\"max\":"), maximum);
    *to++ = '}';
    accept(record, to);
}

void json_line_real(struct json_line *record, const char *key, double value, unsigned decimals)
{
    char text[FORMAT_REAL];
    bool negative;
    size_t length = format_real(text, value, decimals > 9 ? 9 : decimals, &negative);

    put_key(record, key);
    if (length && negative)
        put_char(record, '-');
    if (length)
        put(record, text, length);
    else
        put(record, "null", 4);
}

void json_line_null(struct json_line *record, const char *key)
{
    json_line_text(record, key, NULL);
}

void json_line_bool(struct json_line *record, const char *key, bool value)
{
    put_key(record, key);
    put(record, value ? "true" : "false", value ? 4 : 5);
}

/* `depth` is 0 when no value is open; else a 1 followed by a bit for each open value, the innermost
 * in bit 0: 1 for an array, 0 for an object. */
static void nest(struct json_line *record, const char *key, bool array)
{
    put_key(record, key);
    put_char(record, array ? '[' : '{');
    if (record->depth >> 31)
        record->overflow = true;
    record->depth = record->depth << 1 | (array ? 1u : 0u) | (record->depth ? 0u : 2u);
    record->comma = false;
}

void json_line_object(struct json_line *record, const char *key)
{
    nest(record, key, false);
}

void json_line_array(struct json_line *record, const char *key)
{
    nest(record, key, true);
}

void json_line_end(struct json_line *record)
{
    if (record->depth < 2) {
        record->overflow = true; /* nothing is open */
        return;
    }
    put_char(record, record->depth & 1 ? ']' : '}');
    record->depth >>= 1;
    if (record->depth == 1)
        record->depth = 0;
    record->comma = true;
}

bool json_line_is_whole(const struct json_line *record)
{
    return !record->overflow && record->depth == 0;
}

bool json_line_close(struct json_line *record, uint32_t before)
{
    char *to = record->text + record->length;

    if (!json_line_is_whole(record))
        return false;

    record->crc = crc32_more(before, record->text, record->length);
    to = COPY(to, ",\"crc\":\"");
    for (unsigned shift = 32; shift > 0; shift -= 4)
        *to++ = "0123456789abcdef"[record->crc >> (shift - 4) & 0xf];
    to = COPY(to, "\"}");
    *to = '\0';
    record->length += TAIL;
    return true;
}

bool json_line_copy(struct json_line *copy, const struct json_line *record, uint64_t seq)
{
    copy->length = 0;
    copy->depth = 0;
    copy->comma = true;
    copy->overflow = !json_line_is_whole(record);
    put(copy, record->text, record->seq_at);
    accept(copy, copy->text + copy->length + format_digits(copy->text + copy->length, seq));
    put(copy, record->text + record->seq_end, record->length - record->seq_end);
    return json_line_is_whole(copy);
}
