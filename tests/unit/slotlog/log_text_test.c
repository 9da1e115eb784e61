#include "slotlog/reader/log_text.h"

#include <string.h>

#include "tests/unit/cmocka_all.h"

static void a_text_keeps_printable_ascii_and_nothing_else(void **state)
{
    char text[] = "a \x1b[2J~\x7f\t\"<\n";

    (void)state;
    log_text_plain(text);
    assert_string_equal(text, "a ?[2J~??\"<?");
}

static void a_character_of_several_bytes_is_one_question_mark(void **state)
{
    char text[] = "\xc3\xa9|\xe2\x80\xae|\xf0\x9f\x98\x80", alone[] = "\x80|\xff";

    (void)state;
    log_text_plain(text);
    assert_string_equal(text, "?|?|?");
    log_text_plain(alone);
    assert_string_equal(alone, "?|?");
}

static json_t *record_of(const char *text)
{
    json_error_t error;

    return json_loads(text, 0, &error);
}

static void every_text_of_a_record_is_made_plain_however_deep_it_is(void **state)
{
    json_t *record =
        record_of("{\"a\":[{\"b\":\"x\\u009by\"},\"\\u001b\"],\"c\":\"\\u202e\",\"d\":1}");
    json_t *wanted = record_of("{\"a\":[{\"b\":\"x?y\"},\"?\"],\"c\":\"?\",\"d\":1}");

    (void)state;
    assert_true(log_text_make_plain(record));
    assert_true(json_equal(record, wanted));
    json_decref(record);
    json_decref(wanted);
}

static void a_member_has_a_plain_name(void **state)
{
    static const char *const records[] = {"{\"a\\u001b\":1}", "{\"a\":[{\"\\u00e9\":\"x\"}]}",
                                          "{\"a\":{\"b\":{\"\\u007f\":null}}}"};

    (void)state;
    for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
        json_t *record = record_of(records[i]);

        assert_false(log_text_make_plain(record));
        json_decref(record);
    }
}

static void the_name_of_a_file_is_a_text_whatever_its_bytes_are(void **state)
{
    static const char *const names[][2] = {{"a.log", "a.log"},
                                           {"caf\xc3\xa9.log", "caf\xc3\xa9.log"},
                                           {"caf\xe9\x1b.log", "caf??.log"}};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        json_t *text = log_text_of_name(names[i][0]);

        assert_string_equal(json_string_value(text), names[i][1]);
        json_decref(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_keeps_printable_ascii_and_nothing_else),
        cmocka_unit_test(a_character_of_several_bytes_is_one_question_mark),
        cmocka_unit_test(every_text_of_a_record_is_made_plain_however_deep_it_is),
        cmocka_unit_test(a_member_has_a_plain_name),
        cmocka_unit_test(the_name_of_a_file_is_a_text_whatever_its_bytes_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
