#include "log_text.h"

#include <stdlib.h>
#include <string.h>

static bool is_plain(char byte)
{
    return byte >= ' ' && byte <= '~';
}

static bool is_plain_text(const char *text)
{
    while (is_plain(*text))
        text++;
    return *text == 0;
}

/* Whether the byte is a further one of a character of UTF-8. */
static bool is_further(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

void log_text_plain(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (is_plain(*from))
            *to++ = *from;
        else if (!is_further(*from) || from == text)
            *to++ = '?';
    }
    *to = 0;
}

static bool make_text_plain(json_t *value)
{
    char *plain;
    bool made;

    if (is_plain_text(json_string_value(value)))
        return true;
    plain = strdup(json_string_value(value));
    if (plain == NULL)
        return false;
    log_text_plain(plain);
    made = json_string_set(value, plain) == 0;
    free(plain);
    return made;
}

json_t *log_text_of_name(const char *name)
{
    json_t *made = json_string(name);
    char *plain = made == NULL ? strdup(name) : NULL;

    if (plain != NULL) {
        log_text_plain(plain);
        made = json_string(plain);
        free(plain);
    }
    return made;
}

bool log_text_make_plain(json_t *record)
{
    json_t *value;
    const char *name;
    size_t i;

    if (json_is_string(record))
        return make_text_plain(record);
    json_array_foreach (record, i, value)
        if (!log_text_make_plain(value))
            return false;
    json_object_foreach (record, name, value)
        if (!is_plain_text(name) || !log_text_make_plain(value))
            return false;
    return true;
}
