/* Values held against a schema that was read. */
#include "schema_inside.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the checked value is, and how many complaints there were. Without a sink complaints are
 * only counted: the "if" of each kind of record but its own gives some for every record, and their
 * texts would take a third of the time. */
struct check {
    const struct schema *schema;
    const struct schema_sink *sink;
    char place[SCHEMA_TEXT]; /* "" without a sink */
    unsigned complaints;
};

static void complain(struct check *check, const json_t *found, const char *expected)
{
    char *text;
    char shown[80];

    check->complaints++;
    if (check->sink == NULL)
        return;
    text = found != NULL ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    snprintf(shown, sizeof(shown), "%.76s", text != NULL ? text : "nothing");
    free(text);
    check->sink->complain(check->sink->context, check->place, shown, expected);
}

/* Complains that the value is not as one of the schema. */
static void complain_other(struct check *check, const json_t *found, const json_t *wanted)
{
    char *text = check->sink != NULL ? json_dumps(wanted, JSON_ENCODE_ANY) : NULL;

    complain(check, found, text != NULL ? text : "?");
    free(text);
}

static void check_value(struct check *check, const json_t *schema, const json_t *value);

/* The place one level deeper. Returns the length to go back to. */
static size_t enter(struct check *check, const char *name)
{
    const size_t length = strlen(check->place);

    if (check->sink == NULL)
        return length;
    snprintf(check->place + length, sizeof(check->place) - length, "/%s", name);
    return length;
}

static void check_below(struct check *check, const char *name, const json_t *schema,
                        const json_t *value)
{
    const size_t length = enter(check, name);

    check_value(check, schema, value);
    check->place[length] = '\0';
}

static bool is_valid(const struct check *check, const json_t *schema, const json_t *value)
{
    struct check silent = {.schema = check->schema};

    check_value(&silent, schema, value);
    return silent.complaints == 0;
}

/* A number without a fraction is an integer, however it is written. */
static bool is_of_type(const json_t *value, const char *name)
{
    if (strcmp(name, "integer") == 0)
        return json_is_integer(value) ||
               (json_is_real(value) && json_real_value(value) == floor(json_real_value(value)));
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return strcmp(name, "object") == 0;
    case JSON_ARRAY:
        return strcmp(name, "array") == 0;
    case JSON_STRING:
        return strcmp(name, "string") == 0;
    case JSON_INTEGER:
    case JSON_REAL:
        return strcmp(name, "number") == 0;
    case JSON_NULL:
        return strcmp(name, "null") == 0;
    default:
        return strcmp(name, "boolean") == 0;
    }
}

/* 1 and 1.0 are the same number. */
static bool is_same(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

/* Adds " or "-separated words. */
static void add_word(char list[SCHEMA_TEXT], const char *word)
{
    const size_t length = strlen(list);

    snprintf(list + length, SCHEMA_TEXT - length, "%s%s", length > 0 ? " or " : "", word);
}

static void check_type(struct check *check, const json_t *types, const json_t *value)
{
    char expected[SCHEMA_TEXT] = "";

    if (json_is_string(types)) {
        if (!is_of_type(value, json_string_value(types)))
            complain(check, value, json_string_value(types));
        return;
    }
    for (size_t i = 0; i < json_array_size(types); i++) {
        const char *name = json_string_value(json_array_get(types, i));

        if (is_of_type(value, name))
            return;
        add_word(expected, name);
    }
    complain(check, value, expected);
}

static void check_enum(struct check *check, const json_t *values, const json_t *value)
{
    char expected[SCHEMA_TEXT] = "";

    for (size_t i = 0; i < json_array_size(values); i++) {
        char *text;

        if (is_same(json_array_get(values, i), value))
            return;
        if (check->sink == NULL)
            continue;
        text = json_dumps(json_array_get(values, i), JSON_ENCODE_ANY);
        add_word(expected, text != NULL ? text : "?");
        free(text);
    }
    complain(check, value, expected);
}

static void check_const(struct check *check, const json_t *wanted, const json_t *value)
{
    if (!is_same(wanted, value))
        complain_other(check, value, wanted);
}

/* Of "minimum" and "minItems", not of "maximum". */
static bool is_least(const char *keyword)
{
    return strncmp(keyword, "min", 3) == 0;
}

static void check_bound(struct check *check, const char *keyword, const json_t *bound,
                        const json_t *value)
{
    const bool least = is_least(keyword);
    const double limit = json_number_value(bound), number = json_number_value(value);
    char expected[SCHEMA_TEXT];

    if (!json_is_number(value) || (least ? number >= limit : number <= limit))
        return;
    snprintf(expected, sizeof(expected), "at %s %.17g", least ? "least" : "most", limit);
    complain(check, value, expected);
}

/* Sizes of texts, lists and objects; `size` of which `unit` says what is counted. */
static void check_size(struct check *check, bool least, const json_t *bound, size_t size,
                       const char *unit, const json_t *value)
{
    const size_t limit = (size_t)json_integer_value(bound);
    char expected[SCHEMA_TEXT];

    if (least ? size >= limit : size <= limit)
        return;
    snprintf(expected, sizeof(expected), "at %s %zu %s", least ? "least" : "most", limit, unit);
    complain(check, value, expected);
}

/* Characters, not bytes. */
static size_t letters_of(const json_t *text)
{
    size_t letters = 0;

    for (const char *c = json_string_value(text); *c != '\0'; c++)
        letters += ((unsigned char)*c & 0xc0) != 0x80;
    return letters;
}

static void check_pattern(struct check *check, const json_t *pattern, const json_t *value)
{
    const struct schema *schema = check->schema;
    char expected[SCHEMA_TEXT];

    if (!json_is_string(value))
        return;
    for (unsigned i = 0; i < schema->pattern_count; i++) {
        if (schema->patterns[i].text != pattern)
            continue;
        if (regexec(&schema->patterns[i].compiled, json_string_value(value), 0, NULL, 0) == 0)
            return;
        snprintf(expected, sizeof(expected), "a text like %s", json_string_value(pattern));
        complain(check, value, expected);
    }
}

/* A member that is not there. */
static void complain_missing(struct check *check, const char *name, const char *expected)
{
    const size_t length = enter(check, name);

    complain(check, NULL, expected);
    check->place[length] = '\0';
}

static void check_required(struct check *check, const json_t *names, const json_t *value)
{
    for (size_t i = 0; json_is_object(value) && i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));

        if (json_object_get(value, name) == NULL)
            complain_missing(check, name, "a member of that name");
    }
}

static void check_dependencies(struct check *check, const json_t *dependencies, const json_t *value)
{
    char expected[SCHEMA_TEXT];
    const char *name;
    json_t *names;

    EACH_MEMBER(dependencies, name, names)
    {
        for (size_t i = 0; json_object_get(value, name) != NULL && i < json_array_size(names);
             i++) {
            const char *needed = json_string_value(json_array_get(names, i));

            if (json_object_get(value, needed) != NULL)
                continue;
            snprintf(expected, sizeof(expected), "a member of that name beside %s", name);
            complain_missing(check, needed, expected);
        }
    }
}

static void check_properties(struct check *check, const json_t *schemas, const json_t *value)
{
    const char *name;
    json_t *schema;

    EACH_MEMBER(schemas, name, schema)
    {
        const json_t *member = json_object_get(value, name);

        if (member != NULL)
            check_below(check, name, schema, member);
    }
}

/* Members that the schema's "properties" do not name. */
static void check_additional(struct check *check, const json_t *schema, const json_t *parent,
                             const json_t *value)
{
    const json_t *properties = json_object_get(parent, "properties");
    const char *name;
    json_t *member;

    EACH_MEMBER(value, name, member)
    {
        if (json_object_get(properties, name) == NULL)
            check_below(check, name, schema, member);
    }
}

static void check_names(struct check *check, const json_t *schema, const json_t *value)
{
    const char *name;
    json_t *member;

    EACH_MEMBER(value, name, member)
    {
        json_t *text = json_string(name);

        (void)member;
        if (text != NULL)
            check_below(check, name, schema, text);
        json_decref(text);
    }
}

static void check_items(struct check *check, const json_t *schema, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        char index[24];

        snprintf(index, sizeof(index), "%zu", i);
        check_below(check, index, schema, json_array_get(value, i));
    }
}

static void check_unique(struct check *check, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        for (size_t j = 0; j < i; j++) {
            char index[24];
            size_t length;

            if (!is_same(json_array_get(value, i), json_array_get(value, j)))
                continue;
            snprintf(index, sizeof(index), "%zu", i);
            length = enter(check, index);
            complain(check, json_array_get(value, i), "a value that was not there before");
            check->place[length] = '\0';
        }
    }
}

static void check_all(struct check *check, const json_t *schemas, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(schemas); i++)
        check_value(check, json_array_get(schemas, i), value);
}

static void check_if(struct check *check, const json_t *condition, const json_t *parent,
                     const json_t *value)
{
    const json_t *then =
        json_object_get(parent, is_valid(check, condition, value) ? "then" : "else");

    if (then != NULL)
        check_value(check, then, value);
}

/* Most keywords differ in their first letter. */
static bool is(const char *keyword, const char *name)
{
    return keyword[0] == name[0] && strcmp(keyword, name) == 0;
}

static void check_object_keyword(struct check *check, const char *keyword, const json_t *argument,
                                 const json_t *parent, const json_t *value)
{
    if (is(keyword, "properties"))
        check_properties(check, argument, value);
    else if (is(keyword, "required"))
        check_required(check, argument, value);
    else if (is(keyword, "additionalProperties"))
        check_additional(check, argument, parent, value);
    else if (is(keyword, "propertyNames"))
        check_names(check, argument, value);
    else if (is(keyword, "dependentRequired"))
        check_dependencies(check, argument, value);
    else if (is(keyword, "minProperties"))
        check_size(check, true, argument, json_object_size(value), "members", value);
}

static void check_list_keyword(struct check *check, const char *keyword, const json_t *argument,
                               const json_t *value)
{
    if (is(keyword, "items"))
        check_items(check, argument, value);
    else if (is(keyword, "uniqueItems") && json_is_true(argument))
        check_unique(check, value);
    else if (is(keyword, "minItems") || is(keyword, "maxItems"))
        check_size(check, is_least(keyword), argument, json_array_size(value), "values", value);
}

/* "then" and "else" belong to "if"; what is for people checks nothing. */
static void check_keyword(struct check *check, const char *keyword, const json_t *argument,
                          const json_t *parent, const json_t *value)
{
    if (is(keyword, "$ref"))
        check_value(check, schema_definition(check->schema, json_string_value(argument)), value);
    else if (is(keyword, "type"))
        check_type(check, argument, value);
    else if (is(keyword, "enum"))
        check_enum(check, argument, value);
    else if (is(keyword, "const"))
        check_const(check, argument, value);
    else if (is(keyword, "minimum") || is(keyword, "maximum"))
        check_bound(check, keyword, argument, value);
    else if (is(keyword, "pattern"))
        check_pattern(check, argument, value);
    else if (is(keyword, "allOf"))
        check_all(check, argument, value);
    else if (is(keyword, "if"))
        check_if(check, argument, parent, value);
    else if (json_is_string(value) && (is(keyword, "minLength") || is(keyword, "maxLength")))
        check_size(check, is_least(keyword), argument, letters_of(value), "characters", value);
    else if (json_is_object(value))
        check_object_keyword(check, keyword, argument, parent, value);
    else if (json_is_array(value))
        check_list_keyword(check, keyword, argument, value);
}

static void check_value(struct check *check, const json_t *schema, const json_t *value)
{
    const char *keyword;
    json_t *argument;

    if (json_is_false(schema))
        complain(check, value, "no such member here");
    EACH_MEMBER(schema, keyword, argument)
    {
        check_keyword(check, keyword, argument, schema, value);
    }
}

unsigned schema_check(const struct schema *schema, const json_t *value,
                      const struct schema_sink *sink)
{
    struct check check = {.schema = schema, .sink = sink};

    check_value(&check, schema->root, value);
    return check.complaints;
}
