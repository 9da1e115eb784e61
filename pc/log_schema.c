#include "log_schema.h"

#include <stdbool.h>
#include <stdio.h>

#define PATH 128

struct record_check {
    const json_t *record;
    const struct log_schema_sink *sink;
};

static void tell(void *context, const char *place, const char *found, const char *expected)
{
    const struct record_check *check = context;
    const json_t *seq = json_object_get(check->record, "seq");
    const char *type = json_string_value(json_object_get(check->record, "type"));
    char number[24] = "without seq", text[LOG_SCHEMA_TEXT];

    if (json_is_integer(seq))
        snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(seq));
    snprintf(text, sizeof(text), "record %s (%.32s): %s: found %s, expected %s", number,
             type != NULL ? type : "without type", place[0] != '\0' ? place : "the whole record",
             found, expected);
    check->sink->problem(check->sink->context, text);
}

unsigned log_schema_check(const struct schema *schema, const json_t *record,
                          const struct log_schema_sink *sink)
{
    struct record_check check = {record, sink};
    const struct schema_sink places = {&check, tell};

    return schema_check(schema, record, &places);
}

/* What a listing of members needs: the schema, the kind that is listed, the receiver. */
struct listing {
    const struct schema *schema;
    const char *kind;
    void (*member)(void *context, const char *kind, const char *path, const char *type);
    void *context;
};

static const char *type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "object";
    case JSON_ARRAY:
        return "array";
    case JSON_STRING:
        return "string";
    case JSON_INTEGER:
        return "integer";
    case JSON_REAL:
        return "number";
    case JSON_NULL:
        return "null";
    default:
        return "boolean";
    }
}

static void list_type(const struct listing *listing, const char *path, const char *type)
{
    listing->member(listing->context, listing->kind, path, type);
}

static void list_types(const struct listing *listing, const char *path, const json_t *schema)
{
    const json_t *type = json_object_get(schema, "type");
    const json_t *values = json_object_get(schema, "enum");
    const json_t *constant = json_object_get(schema, "const");
    const json_t *reference = json_object_get(schema, "$ref");

    if (reference != NULL)
        list_types(listing, path, schema_definition(listing->schema, json_string_value(reference)));
    if (json_is_string(type))
        list_type(listing, path, json_string_value(type));
    for (size_t i = 0; i < json_array_size(type); i++)
        list_type(listing, path, json_string_value(json_array_get(type, i)));
    for (size_t i = 0; i < json_array_size(values); i++)
        list_type(listing, path, type_of(json_array_get(values, i)));
    if (constant != NULL)
        list_type(listing, path, type_of(constant));
}

static void list_members(const struct listing *listing, const char *path, const json_t *schema);

/* `name` is "windows", "*" or "[]". */
static void list_member(const struct listing *listing, const char *path, const char *name,
                        const json_t *schema)
{
    const bool dot = path[0] != '\0' && name[0] != '[';
    char below[PATH];

    if (json_is_boolean(schema)) /* where it must not be */
        return;
    snprintf(below, sizeof(below), "%s%s%s", path, dot ? "." : "", name);
    list_types(listing, below, schema);
    list_members(listing, below, schema);
}

static void list_members(const struct listing *listing, const char *path, const json_t *schema)
{
    const json_t *reference = json_object_get(schema, "$ref");
    const json_t *all = json_object_get(schema, "allOf");
    const json_t *additional = json_object_get(schema, "additionalProperties");
    json_t *properties = json_object_get(schema, "properties"), *member;
    const char *name;

    if (reference != NULL)
        list_members(listing, path,
                     schema_definition(listing->schema, json_string_value(reference)));
    json_object_foreach (properties, name, member)
        list_member(listing, path, name, member);
    if (json_is_object(additional))
        list_member(listing, path, "*", additional);
    if (json_object_get(schema, "items") != NULL)
        list_member(listing, path, "[]", json_object_get(schema, "items"));
    for (size_t i = 0; i < json_array_size(all); i++)
        list_members(listing, path, json_array_get(all, i));
    if (json_object_get(schema, "then") != NULL)
        list_members(listing, path, json_object_get(schema, "then"));
    if (json_object_get(schema, "else") != NULL)
        list_members(listing, path, json_object_get(schema, "else"));
}

/* The schema's root tells the kinds apart: if `type` is "core", then the definition `core` holds.
 */
void log_schema_members(const struct schema *schema,
                        void (*member)(void *context, const char *kind, const char *path,
                                       const char *type),
                        void *context)
{
    const json_t *branches = json_object_get(schema_json(schema), "allOf");
    struct listing listing = {.schema = schema, .member = member, .context = context};

    for (size_t i = 0; i < json_array_size(branches); i++) {
        const json_t *branch = json_array_get(branches, i);
        const json_t *condition = json_object_get(branch, "if");
        const json_t *type = json_object_get(json_object_get(condition, "properties"), "type");

        listing.kind = json_string_value(json_object_get(type, "const"));
        if (listing.kind != NULL)
            list_members(&listing, "", json_object_get(branch, "then"));
    }
}
