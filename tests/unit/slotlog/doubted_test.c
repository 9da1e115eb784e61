/* What a log doubts itself is handed on by no command. */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>

#include "slotlog/doubted.h"

static const char *const records[] = {
    "{\"type\":\"core\",\"seq\":1,\"core\":0}",
    "{\"type\":\"cpi\",\"seq\":2,\"core\":0}",
    "{\"type\":\"cpi\",\"seq\":3,\"core\":0}",
    "{\"type\":\"cpi\",\"seq\":4,\"core\":1}",
    "{\"type\":\"guard\",\"seq\":5,\"core\":0}",
    "{\"type\":\"doubt\",\"seq\":6,\"core\":0,\"why\":\"w\",\"records\":[3,5],\"verdicts\":[2,5]}",
    "{\"type\":\"cpi\",\"seq\":7,\"core\":0}",
    "{\"type\":\"doubt\",\"seq\":8,\"core\":0,\"why\":\"w\",\"records\":null,\"verdicts\":null}",
};

static bool has(const json_t *log, json_int_t seq)
{
    json_t *record;
    size_t i;

    json_array_foreach (log, i, record)
        if (json_integer_value(json_object_get(record, "seq")) == seq)
            return true;
    return false;
}

/* Of core 0 records 3 to 5 and verdicts 2 to 5 are doubted: of these one is a number, and one
 * passed. */
static void numbers_and_passed_verdicts_of_the_core_are_left_out(void **state)
{
    struct log_verdict verdicts[] = {
        {.number = 1, .claim = "core 0 a", .reason = "", .ok = true},
        {.number = 2, .claim = "core 0 b", .reason = "", .ok = true},
        {.number = 3, .claim = "core 0 c", .reason = "", .ok = false},
        {.number = 4, .claim = "core 1 d", .reason = "", .ok = true},
        {.number = 5, .claim = "core 0 e", .reason = "f", .ok = true, .skipped = true},
        {.number = 6, .claim = "core 0 g", .reason = "", .ok = true},
    };
    size_t count = sizeof(verdicts) / sizeof(*verdicts);
    json_t *log = json_array(), *left_out = json_array();

    (void)state;
    for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++)
        json_array_append_new(log, json_loads(records[i], 0, NULL));
    assert_int_equal(doubted_leave_out("log", log, left_out, verdicts, &count), 1);
    assert_int_equal(json_array_size(log), 7);
    assert_false(has(log, 3));
    assert_true(has(left_out, 3));
    assert_int_equal(count, 5);
    assert_int_equal(verdicts[1].number, 3);
    assert_int_equal(verdicts[5].number, 2);
    assert_true(verdicts[5].doubted);
    assert_string_equal(verdicts[5].reason, "w");
    json_decref(left_out);
    json_decref(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_passed_verdicts_of_the_core_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
