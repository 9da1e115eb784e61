#include "schema_inside.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chain of references and nested schemas that is longer reaches itself. */
#define DEPTH_LIMIT 64

#define DEFINITIONS "#/$defs/"

/* Reading: where in the schema, and what is wrong there. */
struct reader {
    struct schema *schema;
    char *why;
    char place[SCHEMA_TEXT];
    unsigned depth;
};

static bool refuse(const struct reader *reader, const char *what)
{
    snprintf(reader->why, SCHEMA_TEXT, "%.120s: %.70s",
             reader->place[0] != '\0' ? reader->place : "the schema itself", what);
    return false;
}

static bool read_schema(struct reader *reader, const json_t *schema);

/* The schema at `name` below the place of the reader. */
static bool read_below(struct reader *reader, const char *name, const json_t *schema)
{
    const size_t length = strlen(reader->place);
    bool well_formed;

    snprintf(reader->place + length, sizeof(reader->place) - length, "/%s", name);
    well_formed = read_schema(reader, schema);
    if (well_formed)
        reader->place[length] = '\0';
    return well_formed;
}

static bool read_any(struct reader *reader, const json_t *value)
{
    (void)reader;
    (void)value;
    return true;
}

static bool read_text(struct reader *reader, const json_t *value)
{
    return json_is_string(value) || refuse(reader, "expected a text");
}

static bool read_number(struct reader *reader, const json_t *value)
{
    return json_is_number(value) || refuse(reader, "expected a number");
}

static bool read_size(struct reader *reader, const json_t *value)
{
    return (json_is_integer(value) && json_integer_value(value) >= 0) ||
           refuse(reader, "expected a size");
}

static bool read_bool(struct reader *reader, const json_t *value)
{
    return json_is_boolean(value) || refuse(reader, "expected true or false");
}

static bool read_list(struct reader *reader, const json_t *value)
{
    return (json_is_array(value) && json_array_size(value) > 0) ||
           refuse(reader, "expected a list that is not empty");
}

static bool is_type(const json_t *value)
{
    static const char *const names[] = {"object", "array",   "string", "number",
                                        "null",   "integer", "boolean"};
    const char *name = json_string_value(value);

    for (size_t i = 0; name != NULL && i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static bool read_type(struct reader *reader, const json_t *value)
{
    if (json_is_string(value))
        return is_type(value) || refuse(reader, "no such type");
    if (!read_list(reader, value))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!is_type(json_array_get(value, i)))
            return refuse(reader, "no such type");
    }
    return true;
}

static bool read_texts(struct reader *reader, const json_t *value)
{
    if (!json_is_array(value))
        return refuse(reader, "expected a list of texts");
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!json_is_string(json_array_get(value, i)))
            return refuse(reader, "expected a list of texts");
    }
    return true;
}

static bool read_dependencies(struct reader *reader, const json_t *value)
{
    const char *name;
    json_t *needed;

    if (!json_is_object(value))
        return refuse(reader, "expected an object of lists of texts");
    EACH_MEMBER(value, name, needed)
    {
        if (!read_texts(reader, needed))
            return false;
    }
    return true;
}

/* Where the list of characters ends that begins here; its first one may be a ]. */
static const char *end_of_list(const char *text)
{
    text += text[1] == '^' ? 2 : 1;
    return strchr(*text != 0 ? text + 1 : text, ']');
}

/* Whether every repetition is of a character or a list, or a group as often as it comes: what
 * repeats a repetition is read otherwise by others, and takes regcomp without end. */
static bool is_plain_pattern(const char *text)
{
    char before = '(';

    for (; *text; before = *text++) {
        if (strchr("*+?{", *text) != NULL && strchr("(|^*+?}", before) != NULL)
            return false;
        if (*text == '{' && before == ')')
            return false;
        if (*text == '[')
            text = end_of_list(text);
        else if (*text == '{')
            text = strchr(text, '}');
        if (text == NULL)
            return true; /* regcomp refuses it */
    }
    return true;
}

static bool read_pattern(struct reader *reader, const json_t *value)
{
    struct schema *schema = reader->schema;
    const char *text = json_string_value(value);

    if (text == NULL || strchr(text, '\\') != NULL)
        return refuse(reader, "expected a regular expression without backslashes");
    if (!is_plain_pattern(text))
        return refuse(reader, "expected a regular expression that repeats no repetition");
    for (unsigned i = 0; i < schema->pattern_count; i++) {
        if (schema->patterns[i].text == value) /* a definition that was read before */
            return true;
    }
    if (schema->pattern_count == SCHEMA_PATTERNS)
        return refuse(reader, "more patterns than can be kept");
    if (regcomp(&schema->patterns[schema->pattern_count].compiled, text, REG_EXTENDED | REG_NOSUB))
        return refuse(reader, "no regular expression");
    schema->patterns[schema->pattern_count++].text = value;
    return true;
}

static bool read_schemas(struct reader *reader, const json_t *value)
{
    const char *name;
    json_t *schema;

    if (!json_is_object(value))
        return refuse(reader, "expected an object of schemas");
    EACH_MEMBER(value, name, schema)
    {
        if (!read_below(reader, name, schema))
            return false;
    }
    return true;
}

static bool read_all(struct reader *reader, const json_t *value)
{
    if (!read_list(reader, value))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        char index[24];

        snprintf(index, sizeof(index), "%zu", i);
        if (!read_below(reader, index, json_array_get(value, i)))
            return false;
    }
    return true;
}

static bool read_reference(struct reader *reader, const json_t *value)
{
    const char *reference = json_string_value(value);
    const json_t *definition;

    if (reference == NULL)
        return refuse(reader, "expected a text");
    definition = schema_definition(reader->schema, reference);
    if (definition == NULL)
        return refuse(reader, "no such definition");
    return read_below(reader, reference + strlen(DEFINITIONS), definition);
}

static const struct keyword {
    const char *name;
    bool (*read)(struct reader *reader, const json_t *value);
} keywords[] = {
    /* clang-format off */
    {"$schema", read_text},
    {"$comment", read_text},
    {"title", read_text},
    {"$defs", read_schemas},
    {"$ref", read_reference},
    {"type", read_type},
    {"enum", read_list},
    {"const", read_any},
    {"minimum", read_number},
    {"maximum", read_number},
    {"minLength", read_size},
    {"maxLength", read_size},
    {"pattern", read_pattern},
    {"properties", read_schemas},
    {"required", read_texts},
    {"additionalProperties", read_schema},
    {"propertyNames", read_schema},
    {"minProperties", read_size},
    {"dependentRequired", read_dependencies},
    {"items", read_schema},
    {"minItems", read_size},
    {"maxItems", read_size},
    {"uniqueItems", read_bool},
    {"allOf", read_all},
    {"if", read_schema},
    {"then", read_schema},
    {"else", read_schema},
    /* clang-format on */
};

static bool read_keyword(struct reader *reader, const char *name, const json_t *value)
{
    const size_t length = strlen(reader->place);

    snprintf(reader->place + length, sizeof(reader->place) - length, "/%s", name);
    for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
        if (strcmp(name, keywords[i].name) != 0)
            continue;
        if (!keywords[i].read(reader, value))
            return false;
        reader->place[length] = '\0';
        return true;
    }
    return refuse(reader, "a keyword that is not known");
}

static bool read_schema(struct reader *reader, const json_t *schema)
{
    const char *name;
    json_t *value;

    if (json_is_boolean(schema))
        return true;
    if (!json_is_object(schema))
        return refuse(reader, "expected a schema: an object, true or false");
    if (reader->depth == DEPTH_LIMIT)
        return refuse(reader, "nested too deeply, or a definition that reaches itself");
    reader->depth++;
    EACH_MEMBER(schema, name, value)
    {
        if (!read_keyword(reader, name, value))
            return false;
    }
    reader->depth--;
    return true;
}

struct schema *schema_read(const char *text, size_t size, char why[SCHEMA_TEXT])
{
    struct schema *schema = calloc(1, sizeof(*schema));
    struct reader reader = {.schema = schema, .why = why};
    json_error_t error;

    if (schema == NULL) {
        snprintf(why, SCHEMA_TEXT, "no memory");
        return NULL;
    }
    schema->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (schema->root == NULL)
        snprintf(why, SCHEMA_TEXT, "line %d, column %d: %.150s", error.line, error.column,
                 error.text);
    if (schema->root == NULL || !read_schema(&reader, schema->root)) {
        schema_free(schema);
        return NULL;
    }
    return schema;
}

void schema_free(struct schema *schema)
{
    if (schema == NULL)
        return;
    for (unsigned i = 0; i < schema->pattern_count; i++)
        regfree(&schema->patterns[i].compiled);
    json_decref(schema->root);
    free(schema);
}

const json_t *schema_json(const struct schema *schema)
{
    return schema->root;
}

const json_t *schema_definition(const struct schema *schema, const char *reference)
{
    const size_t prefix = strlen(DEFINITIONS);

    if (strncmp(reference, DEFINITIONS, prefix) != 0)
        return NULL;
    return json_object_get(json_object_get(schema->root, "$defs"), reference + prefix);
}
