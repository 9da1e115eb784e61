/* What a JSON Schema says, keyword by keyword: draft 2020-12, "A Vocabulary for Structural
 * Validation" and "A Vocabulary for Applying Subschemas". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pc/schema.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static struct schema *schema_of(const char *text, char why[SCHEMA_TEXT])
{
    return schema_read(text, strlen(text), why);
}

static void count(void *context, const char *place, const char *found, const char *expected)
{
    unsigned *complaints = context;

    assert_true(found[0] != '\0' && expected[0] != '\0' && (place[0] == '\0' || place[0] == '/'));
    (*complaints)++;
}

/* As many with a sink as without one. */
static unsigned complaints_of(const char *schema_text, const char *value_text)
{
    unsigned received = 0;
    const struct schema_sink sink = {&received, count};
    char why[SCHEMA_TEXT];
    struct schema *schema = schema_of(schema_text, why);
    json_t *value = json_loads(value_text, JSON_DECODE_ANY, NULL);
    unsigned complaints;

    assert_non_null(schema);
    assert_non_null(value);
    complaints = schema_check(schema, value, NULL);
    assert_int_equal(schema_check(schema, value, &sink), complaints);
    assert_int_equal(received, complaints);
    json_decref(value);
    schema_free(schema);
    return complaints;
}

static void every_keyword_accepts_and_refuses(void **state)
{
    static const struct {
        const char *schema, *valid, *invalid;
    } keywords[] = {
        /* clang-format off */
        {"{\"type\":\"integer\"}", "1", "1.5"},
        {"{\"type\":\"integer\"}", "1.0", "\"1\""},
        {"{\"type\":\"number\"}", "1", "null"},
        {"{\"type\":[\"string\",\"null\"]}", "null", "0"},
        {"{\"type\":\"boolean\"}", "false", "0"},
        {"{\"type\":\"array\"}", "[]", "{}"},
        {"{\"type\":\"object\"}", "{}", "[]"},
        {"{\"enum\":[\"a\",2]}", "2.0", "\"b\""},
        {"{\"const\":[1,2]}", "[1,2]", "[2,1]"},
        {"{\"minimum\":2}", "2", "1.5"},
        {"{\"minimum\":2}", "\"1\"", "1"},
        {"{\"maximum\":2}", "2", "3"},
        {"{\"minLength\":2}", "\"ab\"", "\"a\""},
        {"{\"maxLength\":2}", "\"a\\u00fc\"", "\"abc\""},
        {"{\"pattern\":\"^[a-z]+$\"}", "\"abc\"", "\"abC\""},
        {"{\"pattern\":\"^[*+]{2,3}(ab)*x?$\"}", "\"*+abx\"", "\"*abx\""},
        {"{\"properties\":{\"a\":{\"type\":\"null\"}}}", "{\"b\":1}", "{\"a\":1}"},
        {"{\"properties\":{\"a\":false}}", "{\"b\":1}", "{\"a\":1}"},
        {"{\"required\":[\"a\"]}", "{\"a\":null}", "{\"b\":1}"},
        {"{\"properties\":{\"a\":true},\"additionalProperties\":false}", "{\"a\":1}", "{\"b\":1}"},
        {"{\"additionalProperties\":{\"type\":\"null\"}}", "{\"a\":null}", "{\"a\":1}"},
        {"{\"propertyNames\":{\"maxLength\":1}}", "{\"a\":1}", "{\"ab\":1}"},
        {"{\"minProperties\":1}", "{\"a\":1}", "{}"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"b\":1}", "{\"a\":1}"},
        {"{\"items\":{\"type\":\"null\"}}", "[null]", "[null,1]"},
        {"{\"minItems\":1}", "[1]", "[]"},
        {"{\"maxItems\":1}", "[1]", "[1,2]"},
        {"{\"uniqueItems\":true}", "[1,2]", "[1,2,1.0]"},
        {"{\"uniqueItems\":false,\"maxItems\":2}", "[1,1]", "[1,1,1]"},
        {"{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]}", "1", "3"},
        {"{\"if\":{\"minimum\":5},\"then\":{\"maximum\":6}}", "1", "7"},
        {"{\"if\":{\"minimum\":5},\"else\":{\"maximum\":3}}", "7", "4"},
        {"{\"$defs\":{\"n\":{\"type\":\"null\"}},\"$ref\":\"#/$defs/n\"}", "null", "1"},
        {"{\"$schema\":\"x\",\"$comment\":\"x\",\"title\":\"x\",\"const\":1}", "1", "2"},
        /* clang-format on */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(keywords); i++) {
        if (complaints_of(keywords[i].schema, keywords[i].valid) != 0)
            fail_msg("%s refuses %s", keywords[i].schema, keywords[i].valid);
        if (complaints_of(keywords[i].schema, keywords[i].invalid) == 0)
            fail_msg("%s accepts %s", keywords[i].schema, keywords[i].invalid);
    }
}

static void a_schema_that_cannot_be_checked_whole_is_refused(void **state)
{
    static const char *const bad[][2] = {
        /* clang-format off */
        {"no JSON", "line 1, column 2"},
        {"{\"type\":\"null\",\"type\":\"null\"}", "duplicate"},
        {"[]", "the schema itself: expected a schema"},
        {"{\"oneOf\":[true]}", "/oneOf: a keyword that is not known"},
        {"{\"properties\":{\"a\":{\"multipleOf\":2}}}", "/properties/a/multipleOf: a keyword that is not known"},
        {"{\"if\":{\"format\":\"date\"}}", "/if/format: a keyword that is not known"},
        {"{\"type\":\"float\"}", "/type: no such type"},
        {"{\"type\":[]}", "/type: expected a list that is not empty"},
        {"{\"enum\":[]}", "/enum: expected a list that is not empty"},
        {"{\"minimum\":\"1\"}", "/minimum: expected a number"},
        {"{\"minItems\":-1}", "/minItems: expected a size"},
        {"{\"required\":[1]}", "/required: expected a list of texts"},
        {"{\"required\":\"a\"}", "/required: expected a list of texts"},
        {"{\"dependentRequired\":{\"a\":\"b\"}}", "/dependentRequired: expected a list of texts"},
        {"{\"uniqueItems\":1}", "/uniqueItems: expected true or false"},
        {"{\"pattern\":\"a\\\\d\"}", "/pattern: expected a regular expression without backslashes"},
        {"{\"pattern\":\"[a\"}", "/pattern: no regular expression"},
        {"{\"pattern\":\"[^\"}", "/pattern: no regular expression"},
        {"{\"pattern\":\"a**\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"pattern\":\"a+*\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"pattern\":\"*a\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"pattern\":\"(+a)\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"pattern\":\"a{2}{3}\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"pattern\":\"(a{9}){9}\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"pattern\":\"a|*\"}",
         "/pattern: expected a regular expression that repeats no repetition"},
        {"{\"properties\":[]}", "/properties: expected an object of schemas"},
        {"{\"items\":1}", "/items: expected a schema"},
        {"{\"allOf\":{}}", "/allOf: expected a list that is not empty"},
        {"{\"$ref\":\"#/$defs/n\"}", "/$ref: no such definition"},
        {"{\"$ref\":\"other.json\"}", "/$ref: no such definition"},
        {"{\"$defs\":{\"n\":{\"items\":{\"$ref\":\"#/$defs/n\"}}}}", "a definition that reaches itself"},
        /* clang-format on */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char why[SCHEMA_TEXT] = "";

        assert_null(schema_of(bad[i][0], why));
        if (strstr(why, bad[i][1]) == NULL)
            fail_msg("%s: %s, not %s", bad[i][0], why, bad[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_keyword_accepts_and_refuses),
        cmocka_unit_test(a_schema_that_cannot_be_checked_whole_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
