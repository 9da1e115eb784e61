#include "counts_line.h"

#include <jansson.h>
#include <stdio.h>

static const char *type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a truth value";
    default:
        return "a number or null";
    }
}

/* The name of a member or a piece of the line may hold any byte. */
static void make_printable(char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

/* The first member that is neither number nor null; null when there is none. */
static const char *wrong_member(json_t *object, const json_t **wrong)
{
    const char *name;
    json_t *value;

    json_object_foreach (object, name, value) {
        if (json_is_number(value) || json_is_null(value))
            continue;
        *wrong = value;
        return name;
    }
    return NULL;
}

bool counts_line_read(const char *line, size_t length,
                      void (*member)(void *context, const char *name, bool present, double value),
                      void *context, char error[COUNTS_LINE_ERROR])
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
    json_error_t at;
    json_t *object = json_loadb(line, length, flags, &at);
    const json_t *wrong = NULL;
    const char *name;
    json_t *value;

    *error = '\0';
    if (object == NULL)
        snprintf(error, COUNTS_LINE_ERROR, "column %d: %s", at.column, at.text);
    else if (!json_is_object(object))
        snprintf(error, COUNTS_LINE_ERROR, "column 1: %s, expected an object", type_of(object));
    else if ((name = wrong_member(object, &wrong)) != NULL)
        snprintf(error, COUNTS_LINE_ERROR, "member \"%.100s\": %s, expected a number or null", name,
                 type_of(wrong));
    else
        json_object_foreach (object, name, value)
            member(context, name, !json_is_null(value), json_number_value(value));
    make_printable(error);
    json_decref(object);
    return *error == '\0';
}
