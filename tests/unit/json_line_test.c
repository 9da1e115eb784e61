/* Log records and their CRC, checked with zlib and jansson. */
#include "tests/unit/cmocka_all.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "boot/crc32.h"
#include "boot/json_line.h"

static struct json_line record;

static void crc_equals_that_of_zlib(void **state)
{
    unsigned char bytes[300];

    (void)state;
    assert_int_equal(crc32_of("123456789", 9), 0xcbf43926); /* the check value of the polynomial */
    assert_int_equal(crc32_of("", 0), 0);
    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)(i * 7);
        assert_int_equal(crc32_of(bytes, i), crc32(0, bytes, i));
    }
    for (unsigned at = 0; at < 20; at++)
        for (unsigned size = 0; size < 70; size++)
            assert_int_equal(crc32_of(bytes + at, size), crc32(0, bytes + at, size));
}

static void type_and_seq_come_first_and_crc_last(void **state)
{
    (void)state;
    json_line_open(&record, "core", 7);
    json_line_unsigned(&record, "core", 3);
    assert_true(json_line_close(&record, 0));
    assert_int_equal(strlen(record.text), record.length);
    assert_memory_equal(record.text, "{\"type\":\"core\",\"seq\":7,\"core\":3,\"crc\":\"", 39);
    assert_int_equal(strtoul(record.text + record.length - 10, NULL, 16),
                     crc32(0, (const unsigned char *)record.text, (unsigned)record.length - 18));
}

static void every_kind_of_value_is_json(void **state)
{
    static const char expected[] =
        "{\"type\":\"t\",\"seq\":0,\"b\":18446744073709551615,\"c\":\"0xff\",\"d\":0.500,"
        "\"e\":null,\"f\":true,"
        "\"g\":{\"h\":[1,2,{\"i\":null}],\"j\":false},\"k\":[],\"l\":\"\"";
    json_t *json;

    (void)state;
    json_line_open(&record, "t", 0);
    json_line_unsigned(&record, "b", UINT64_MAX);
    json_line_hex(&record, "c", 0xff);
    json_line_real(&record, "d", 0.5, 3);
    json_line_null(&record, "e");
    json_line_bool(&record, "f", true);
    json_line_object(&record, "g");
    json_line_array(&record, "h");
    json_line_unsigned(&record, NULL, 1);
    json_line_unsigned(&record, NULL, 2);
    json_line_object(&record, NULL);
    json_line_text(&record, "i", NULL);
    json_line_end(&record);
    json_line_end(&record);
    json_line_bool(&record, "j", false);
    json_line_end(&record);
    json_line_array(&record, "k");
    json_line_end(&record);
    json_line_text(&record, "l", "");
    assert_true(json_line_close(&record, 0));
    assert_memory_equal(record.text, expected, strlen(expected));
    json = json_loads(record.text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    assert_non_null(json);
    json_decref(json);
}

static void a_spread_is_an_object_of_three_numbers(void **state)
{
    static const char expected[] = "{\"type\":\"t\",\"seq\":0,"
                                   "\"a\":{\"min\":7,\"median\":7,\"max\":7},"
                                   "\"b\":{\"min\":-9223372036854775808,\"median\":-1,\"max\":0},"
                                   "\"c\":{\"min\":-10,\"median\":10,\"max\":9223372036854775807},"
                                   "\"d\":[{\"min\":0,\"median\":0,\"max\":1},2]";

    (void)state;
    json_line_open(&record, "t", 0);
    json_line_spread(&record, "a", 7, 7, 7);
    json_line_spread(&record, "b", INT64_MIN, -1, 0);
    json_line_spread(&record, "c", -10, 10, INT64_MAX);
    json_line_array(&record, "d");
    json_line_spread(&record, NULL, 0, 0, 1);
    json_line_unsigned(&record, NULL, 2);
    json_line_end(&record);
    assert_true(json_line_close(&record, 0));
    assert_memory_equal(record.text, expected, strlen(expected));
}

static void nan_infinities_and_huge_values_print_null(void **state)
{
    (void)state;
    json_line_open(&record, "t", 0);
    json_line_real(&record, "a", (double)NAN, 3);
    json_line_real(&record, "b", -(double)INFINITY, 0);
    json_line_real(&record, "c", 1e300, 3);
    assert_true(json_line_close(&record, 0));
    assert_non_null(strstr(record.text, "\"a\":null,\"b\":null,\"c\":null,\"crc\""));
}

static void any_string_comes_back_from_a_json_parser(void **state)
{
    char text[256];
    json_t *json;

    (void)state;
    for (int i = 0; i < 127; i++)
        text[i] = (char)(i + 1);
    text[127] = '\0';
    json_line_open(&record, "t", 0);
    json_line_text(&record, "s", text);
    json_line_text(&record, "latin", "\xb5m");
    assert_true(json_line_close(&record, 0));
    for (size_t i = 0; i < record.length; i++)
        assert_true(record.text[i] >= ' ' && record.text[i] <= '~');
    json = json_loads(record.text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "s")), text);
    assert_string_equal(json_string_value(json_object_get(json, "latin")), "\xc2\xb5m");
    json_decref(json);
}

/* Each byte except 0 at each place in texts of 1 to 17 bytes. */
static void a_byte_is_escaped_at_every_place(void **state)
{
    char text[18], expected[40];

    (void)state;
    for (unsigned c = 1; c < 256; c++)
        for (size_t length = 1; length < sizeof(text); length++)
            for (size_t at = 0; at < length; at++) {
                const bool quoted = c == '"' || c == '\\';
                size_t end;

                memset(text, c & 1 ? '~' : ' ', length);
                text[length] = '\0';
                end = (size_t)snprintf(expected, sizeof(expected), "\"s\":\"%.*s", (int)at, text);
                end += (size_t)snprintf(expected + end, sizeof(expected) - end,
                                        quoted                  ? "\\%c"
                                        : c < 0x20 || c >= 0x7f ? "\\u%04x"
                                                                : "%c",
                                        c);
                snprintf(expected + end, sizeof(expected) - end, "%s\",", text + at + 1);
                text[at] = (char)c;
                json_line_open(&record, "t", 0);
                json_line_text(&record, "s", text);
                assert_true(json_line_close(&record, 0));
                assert_memory_equal(strstr(record.text, "\"s\""), expected, strlen(expected));
            }
}

static void a_record_has_at_most_4096_bytes(void **state)
{
    char text[JSON_LINE_SIZE + 1];
    size_t room = 4096 - strlen("{\"type\":\"t\",\"seq\":0,\"s\":\"\",\"crc\":\"01234567\"}");

    (void)state;
    memset(text, 'x', sizeof(text));
    text[room] = '\0';
    json_line_open(&record, "t", 0);
    json_line_text(&record, "s", text);
    assert_true(json_line_close(&record, 0));
    assert_int_equal(record.length, 4096);

    text[room] = 'x';
    text[room + 1] = '\0';
    json_line_open(&record, "t", 0);
    json_line_text(&record, "s", text);
    assert_false(json_line_close(&record, 0));
}

/* A number is written before its length is known. */
static void numbers_fill_a_record_to_its_last_byte_and_no_further(void **state)
{
    static const char spread[] = ",\"n\":{\"min\":-9223372036854775808,\"median\":0,"
                                 "\"max\":9223372036854775807}";
    char text[JSON_LINE_SIZE];
    size_t room = 4096 - strlen("{\"type\":\"t\",\"seq\":0,\"s\":\"\",\"crc\":\"01234567\"}") -
                  strlen(spread);

    (void)state;
    for (unsigned more = 0; more < 90; more++) {
        memset(text, 'x', sizeof(text));
        text[room - 1 + more] = '\0';
        json_line_open(&record, "t", 0);
        json_line_text(&record, "s", text);
        json_line_spread(&record, "n", INT64_MIN, 0, INT64_MAX);
        assert_int_equal(json_line_close(&record, 0), more <= 1);
        if (more <= 1)
            assert_int_equal(record.length, 4095 + more);
    }
    text[room] = '\0';
    json_line_open(&record, "t", 0);
    json_line_text(&record, "s", text);
    json_line_spread(&record, "n", INT64_MIN, 0, INT64_MAX);
    assert_memory_equal(record.text + 4096 - 18 - strlen(spread), spread, strlen(spread));
}

static void a_record_with_an_open_value_is_refused(void **state)
{
    (void)state;
    json_line_open(&record, "t", 0);
    json_line_array(&record, "a");
    assert_false(json_line_close(&record, 0));
    json_line_open(&record, "t", 0);
    json_line_end(&record);
    assert_false(json_line_close(&record, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc_equals_that_of_zlib),
        cmocka_unit_test(type_and_seq_come_first_and_crc_last),
        cmocka_unit_test(every_kind_of_value_is_json),
        cmocka_unit_test(a_spread_is_an_object_of_three_numbers),
        cmocka_unit_test(nan_infinities_and_huge_values_print_null),
        cmocka_unit_test(any_string_comes_back_from_a_json_parser),
        cmocka_unit_test(a_byte_is_escaped_at_every_place),
        cmocka_unit_test(a_record_has_at_most_4096_bytes),
        cmocka_unit_test(numbers_fill_a_record_to_its_last_byte_and_no_further),
        cmocka_unit_test(a_record_with_an_open_value_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
