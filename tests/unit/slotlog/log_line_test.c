/* Lines of a log. The CRC is the check value that every description of CRC-32 states: 0xcbf43926
 * for the digits 1 to 9. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "slotlog/reader/log_line.h"

static enum line_kind kind_of(const char *text)
{
    return line_kind(text, strlen(text));
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(kind_of("TAP version 14"), LINE_VERSION);
    assert_int_equal(kind_of("TAP version 13"), LINE_OTHER);
    assert_int_equal(kind_of("{\"type\":"), LINE_RECORD);
    assert_int_equal(kind_of("ok 12 - core 0 ret.nop"), LINE_VERDICT);
    assert_int_equal(kind_of("not ok 12 - core 0 ret.nop"), LINE_VERDICT);
    assert_int_equal(kind_of("ok 12 core 0 ret.nop"), LINE_OTHER);
    assert_int_equal(kind_of("ok x - core 0 ret.nop"), LINE_OTHER);
    assert_int_equal(kind_of("ok 1234567890 - more digits than a log has verdicts"), LINE_OTHER);
    assert_int_equal(kind_of("nok ok 1 - core 0"), LINE_OTHER);
    assert_int_equal(kind_of("# a comment"), LINE_COMMENT);
    assert_int_equal(kind_of("1..38"), LINE_PLAN);
    assert_int_equal(kind_of("1.."), LINE_OTHER);
    assert_int_equal(kind_of("1..3x"), LINE_OTHER);
    assert_int_equal(kind_of(""), LINE_EMPTY);
}

static bool begins(const char *text)
{
    return line_begins_log(text, strlen(text));
}

static void a_log_begins_behind_what_is_before_it_on_its_line(void **state)
{
    (void)state;
    assert_true(begins("TAP version 14"));
    assert_true(begins("\xff\xfd\x01TAP version 14"));
    assert_true(begins("{\"type\":\"machine\""));
    assert_true(begins("ok 12 - core 0 ret.nop"));
    assert_false(begins("TAP version 14 "));
    assert_false(begins("{\"firmware\":1}"));
    assert_false(begins("# a shell"));
    assert_false(begins("1..38"));
    assert_false(begins(""));
}

static bool crc_holds(const char *text)
{
    char why[LINE_TEXT];

    return line_crc_holds(text, strlen(text), 0, why);
}

static void a_crc_is_of_the_bytes_before_its_comma(void **state)
{
    (void)state;
    assert_true(crc_holds("123456789,\"crc\":\"cbf43926\"}"));
    assert_false(crc_holds("123456788,\"crc\":\"cbf43926\"}"));
    assert_false(crc_holds("123456789,\"crc\":\"CBF43926\"}"));
    assert_false(crc_holds("123456789,\"crc\":\"cbf43926\"} "));
    assert_false(crc_holds("123456789"));
    assert_false(crc_holds("\"}"));
}

static struct verdict_line verdict_of(const char *text)
{
    return line_verdict(text, strlen(text));
}

static void a_verdict_is_taken_apart(void **state)
{
    const struct verdict_line failed = verdict_of("not ok 7 - core 1 fe.btb tma_x 2 in [0, 1]");
    const struct verdict_line many = verdict_of("ok 9 - core 0 be.core.chain: 21 verdicts");
    const struct verdict_line skipped = verdict_of("ok 28 - core 0: 3 verdicts # SKIP not here");
    const struct verdict_line silent = verdict_of("ok 3 - core 0 # SKIP");

    (void)state;
    assert_false(failed.ok || failed.skipped);
    assert_int_equal(failed.number, 7);
    assert_int_equal(failed.verdicts, 1);
    assert_int_equal(failed.claim_length, strlen("core 1 fe.btb tma_x 2 in [0, 1]"));
    assert_true(many.ok);
    assert_int_equal(many.verdicts, 21);
    assert_true(skipped.ok && skipped.skipped);
    assert_int_equal(skipped.verdicts, 3);
    assert_int_equal(skipped.claim_length, strlen("core 0: 3 verdicts"));
    assert_memory_equal(skipped.reason, "not here", 8);
    assert_int_equal(skipped.reason_length, 8);
    assert_true(silent.skipped);
    assert_int_equal(silent.reason_length, 0);
}

static void a_plan_has_a_number(void **state)
{
    (void)state;
    assert_int_equal(line_plan("1..38", 5), 38);
    assert_int_equal(line_plan("1..0", 4), 0);
}

/* Of the other run's record the CRC by zlib goes on from 12345678H. */
static void a_crc_says_what_it_goes_on_from(void **state)
{
    static const char text[] = "123456789,\"crc\":\"01f4807b\"}";
    unsigned long before;
    char why[LINE_TEXT];

    (void)state;
    assert_true(line_crc_holds(text, strlen(text), 0x12345678, why));
    assert_false(line_crc_holds(text, strlen(text), 0, why));
    assert_true(line_crc_before(text, strlen(text), &before));
    assert_true(before == 0x12345678);
    assert_true(line_crc_before("123456789,\"crc\":\"cbf43926\"}", 27, &before));
    assert_true(before == 0);
    assert_false(line_crc_before("123456789", 9, &before));
}

static bool crc_of(const char *text, struct text_crc *crc)
{
    return line_text_crc(text, strlen(text), crc);
}

static void a_crc_of_texts_is_read_and_a_damaged_one_is_none(void **state)
{
    struct text_crc crc;

    (void)state;
    assert_true(crc_of("# crc of texts 17 to 32: cbf43926", &crc));
    assert_true(crc.from == 17 && crc.to == 32 && crc.crc == 0xcbf43926);
    assert_false(crc_of("# crc of texts 17 to 32: cbf4392", &crc));
    assert_false(crc_of("# crc of texts 17 to 32: cbf43926 ", &crc));
    assert_false(crc_of("# crc of texts 17 to 32: CBF43926", &crc));
    assert_false(crc_of("# crc of texts 17 to", &crc));
    assert_false(crc_of("# crc of texts ", &crc));
    assert_false(crc_of("# crc of text 17 to 32: cbf43926", &crc));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crc_of_texts_is_read_and_a_damaged_one_is_none),
        cmocka_unit_test(a_crc_says_what_it_goes_on_from),
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(a_log_begins_behind_what_is_before_it_on_its_line),
        cmocka_unit_test(a_crc_is_of_the_bytes_before_its_comma),
        cmocka_unit_test(a_verdict_is_taken_apart),
        cmocka_unit_test(a_plan_has_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
