/* Schemas and values, with a 0 between: whatever the schema is, it is refused with a reason or
 * takes or refuses the value, and says of each complaint where it is. */
#include <string.h>

#include "pc/schema.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 900u

static const char *const schemas[] = {
    "{\"$defs\":{\"a\":{\"type\":[\"integer\",\"null\"],\"minimum\":-1,\"maximum\":3}},\"type\":"
    "\"object\","
    "\"required\":[\"x\"],\"properties\":{\"x\":{\"$ref\":\"#/$defs/"
    "a\"},\"y\":{\"items\":{\"$ref\":\"#/$defs/a\"},"
    "\"uniqueItems\":true,\"minItems\":1,\"maxItems\":3}},\"additionalProperties\":false}",
    "{\"if\":{\"required\":[\"x\"]},\"then\":{\"dependentRequired\":{\"x\":[\"y\"]}},\"else\":"
    "false}",
    "{\"type\":\"string\",\"minLength\":1,\"maxLength\":4,\"pattern\":\"^[a-z]+$\"}",
    "{\"allOf\":[{\"enum\":[1,\"a\",null]},{\"const\":1}]}",
    "{\"propertyNames\":{\"pattern\":\"^[x-z]$\"},\"minProperties\":1,\"additionalProperties\":{"
    "\"type\":\"number\"}}",
};
static const char *const values[] = {"{\"x\":1,\"y\":[1,2]}",
                                     "{\"x\":null,\"z\":1.5}",
                                     "\"abcde\"",
                                     "1",
                                     "[]",
                                     "{}",
                                     "{\"y\":[1,1,1,1]}",
                                     "null",
                                     "\"\""};
static const char *const pieces[] = {"\"$ref\"", "{", "}",   "[",     "]",   "-1", "\"type\"",
                                     ",",        ":", "1e9", "false", "\"a", "(",  "\\u0000"};

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static size_t make(uint64_t *state, char *input)
{
    const char *schema = schemas[random_below(state, COUNT_OF(schemas))];
    const char *value = values[random_below(state, COUNT_OF(values))];
    const size_t length = strlen(schema) + 1, size = length + strlen(value);

    strcpy(input, schema);
    memcpy(input + length, value, strlen(value));
    for (unsigned i = random_below(state, 3); i > 0; i--) {
        const char *piece = pieces[random_below(state, COUNT_OF(pieces))];
        const size_t at = random_below(state, (unsigned)size);

        if (at + strlen(piece) < size)
            memcpy(input + at, piece, strlen(piece));
    }
    return size;
}

const struct fuzz fuzz = {"schemas", 20000, 20261127, ROOM, make};
unsigned fuzz_accepted;

static void complain(void *context, const char *place, const char *found, const char *expected)
{
    unsigned *count = context;

    require(place[0] == 0 || place[0] == '/', "a place is a pointer");
    require(strlen(place) < SCHEMA_TEXT && strlen(found) < SCHEMA_TEXT &&
                strlen(expected) < SCHEMA_TEXT,
            "texts have their length");
    require(found[0] != 0 && expected[0] != 0,
            "a complaint says what is there, and what should be");
    ++*count;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(input, 0, size) : NULL;
    const size_t length = end != NULL ? (size_t)(end - input) : size;
    const size_t rest = end != NULL ? size - length - 1 : 0;
    char why[SCHEMA_TEXT] = "";
    unsigned count = 0;
    const struct schema_sink sink = {&count, complain};
    struct schema *schema = schema_read((const char *)input, length, why);
    json_t *value =
        rest > 0 ? json_loadb((const char *)end + 1, rest, JSON_DECODE_ANY, NULL) : NULL;

    require((schema == NULL) == (why[0] != 0), "a refusal has a reason");
    if (schema != NULL && value != NULL) {
        const unsigned complaints = schema_check(schema, value, &sink);

        fuzz_accepted++;
        require(complaints == count, "complaints are counted");
        require(schema_check(schema, value, NULL) == complaints, "and the same without a listener");
    }
    json_decref(value);
    schema_free(schema);
    return 0;
}
