/* The log's lines: TAP numbering, sequence numbers, and nothing after the end. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/log.h"
#include "tests/unit/seams.h"

/* What each form begins with. The CRCs in this file are zlib's; all but those of first records go
 * on from the first record's. */
#define FULL                                                                                       \
    "TAP version 14\n"                                                                             \
    "{\"type\":\"log\",\"seq\":0,\"log_version\":2,\"form\":\"full\",\"nonce\":\"0x1\",\"crc\":"   \
    "\"ea257d61\"}\n"
#define BRIEF                                                                                      \
    "TAP version 14\n"                                                                             \
    "{\"type\":\"log\",\"seq\":0,\"log_version\":2,\"form\":\"brief\",\"nonce\":\"0x1\",\"crc\":"  \
    "\"59353bf9\"}\n"

static int start(void **state)
{
    (void)state;
    seams_reset();
    log_start(1);
    return 0;
}

static void a_log_is_tap_14_with_the_plan_last(void **state)
{
    (void)state;
    log_verdict(true, "core %u %s", 0u, "be.mem.l1");
    log_skip("no PERF_METRICS", "core 0 ret.nop");
    log_verdict(false, "core 1");
    log_finish();
    assert_string_equal(seam_console(), FULL "ok 1 - core 0 be.mem.l1\n"
                                             "ok 2 - core 0 ret.nop # SKIP no PERF_METRICS\n"
                                             "not ok 3 - core 1\n"
                                             "# crc of texts 1 to 3: 83db7183\n"
                                             "1..3\n");
}

static void sixteen_texts_have_a_crc_and_the_last_ones_have_one_before_the_end(void **state)
{
    const char *end;

    (void)state;
    for (unsigned i = 0; i < 17; i++)
        log_verdict(true, "x");
    assert_non_null(
        strstr(seam_console(), "\nok 16 - x\n# crc of texts 1 to 16: e51ed8e5\nok 17 - x\n"));
    log_send(log_record("end"));
    end = strstr(seam_console(), "ok 17 - x\n# crc of texts 17 to 17: 76250917\n{\"type\":\"end\"");
    assert_non_null(end);
    assert_non_null(
        strstr(end, "{\"type\":\"end\",\"seq\":1,\"texts\":17,\"crc\":\"62d98d2e\"}\n"));
    log_finish();
    assert_null(strstr(end + 20, "# crc"));
}

/* A table stays in one piece up to 128 lines. */
static void a_table_is_not_parted_by_the_crc_of_its_lines(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        log_comment("row");
    assert_null(strstr(seam_console(), "# crc"));
    log_verdict(true, "x");
    assert_non_null(strstr(seam_console(), "# row\n# crc of texts 1 to 20: f0bd1df5\nok 1 - x\n"));
    for (unsigned i = 0; i < 127; i++)
        log_comment("row");
    assert_non_null(strstr(seam_console(), "# row\n# crc of texts 21 to 148: "));
}

/* A line of another run, or of the other form, in the same place never has the right CRC. */
static void the_same_lines_of_another_run_have_other_crcs(void **state)
{
    char before[400];

    (void)state;
    log_verdict(true, "x");
    log_send(log_record("machine"));
    log_finish();
    strcpy(before, strstr(seam_console(), "ok 1 - x\n"));
    seams_reset();
    log_start(2);
    log_verdict(true, "x");
    log_send(log_record("machine"));
    log_finish();
    assert_memory_equal(before, strstr(seam_console(), "ok 1 - x\n"),
                        strlen("ok 1 - x\n{\"type\":\"machine\",\"seq\":1,\"crc\":"));
    assert_null(strstr(seam_console(), strstr(before, "\"crc\":")));
    assert_null(strstr(seam_console(), strstr(before, "# crc")));
}

static void totals_count_passed_failed_and_skipped_separately(void **state)
{
    struct log_totals totals;

    (void)state;
    log_verdict(true, "a");
    log_verdict(true, "b");
    log_verdict(false, "c");
    log_skip("because", "d");
    log_error("x", NULL, NULL);
    totals = log_totals();
    assert_int_equal(totals.passed, 2);
    assert_int_equal(totals.failed, 1);
    assert_int_equal(totals.skipped, 1);
}

static void a_hash_in_a_description_starts_no_directive(void **state)
{
    (void)state;
    log_verdict(false, "broken # TODO later");
    log_comment("# two\nlines");
    assert_string_equal(seam_console(), FULL "not ok 1 - broken \\# TODO later\n# # two lines\n");
}

static void a_record_that_is_never_sent_leaves_no_gap_in_seq(void **state)
{
    (void)state;
    json_line_unsigned(log_record("counts"), "core", 1);
    log_error("what", "where", NULL);
    log_send(log_record("machine"));
    assert_non_null(strstr(seam_console(),
                           "{\"type\":\"error\",\"seq\":1,\"what\":\"what\",\"where\":\"where\","
                           "\"expected\":null,\"crc\":\""));
    assert_non_null(strstr(seam_console(), "{\"type\":\"machine\",\"seq\":2,"));
    assert_null(strstr(seam_console(), "counts"));
}

static void a_record_that_is_too_long_becomes_an_error_that_names_its_type(void **state)
{
    struct json_line *record = log_record("counts");

    (void)state;
    for (int i = 0; i < 1000; i++)
        json_line_unsigned(record, "counter", 1000);
    log_send(record);
    assert_non_null(
        strstr(seam_console(),
               "{\"type\":\"error\",\"seq\":1,\"what\":\"a record of type counts was left out\""));
    log_error("next", NULL, NULL);
    assert_non_null(strstr(seam_console(), "{\"type\":\"error\",\"seq\":2,"));
}

/* What only the full form has is not in the brief one, whose numbers go on without a gap; a record
 * in both has the number of each, and a CRC of its own: zlib's of the bytes before it. */
static void write_two_forms(void)
{
    log_verdict(true, "a");
    log_into(LOG_FULL);
    log_verdict(true, "b");
    log_send(log_record("counts"));
    assert_int_equal(log_into(LOG_BRIEF), LOG_FULL);
    log_verdict(true, "b and more");
    log_into(LOG_BOTH);
    log_send(log_record("machine"));
    log_verdict(false, "c");
    log_finish();
}

static void each_form_has_numbers_of_its_own(void **state)
{
    (void)state;
    write_two_forms();
    assert_string_equal(seam_console(),
                        FULL "ok 1 - a\n"
                             "ok 2 - b\n"
                             "{\"type\":\"counts\",\"seq\":1,\"crc\":\"2c7936be\"}\n"
                             "{\"type\":\"machine\",\"seq\":2,\"crc\":\"7e8b1646\"}\n"
                             "not ok 3 - c\n"
                             "# crc of texts 1 to 3: a6fbbdcf\n"
                             "1..3\n");
    assert_int_equal(log_totals().passed, 2);
    assert_int_equal(log_totals().failed, 1);
}

static void the_brief_form_is_a_log_too(void **state)
{
    (void)state;
    seams_reset();
    seam_log_form(LOG_BRIEF);
    log_start(1);
    write_two_forms();
    assert_string_equal(seam_console(),
                        BRIEF "ok 1 - a\n"
                              "ok 2 - b and more\n"
                              "{\"type\":\"machine\",\"seq\":1,\"crc\":\"fedad832\"}\n"
                              "not ok 3 - c\n"
                              "# crc of texts 1 to 3: 60583980\n"
                              "1..3\n");
    assert_int_equal(log_totals().passed, 2);
}

static void a_form_that_nobody_wants_is_counted_and_not_built(void **state)
{
    struct json_line *record;

    (void)state;
    seams_reset();
    seam_log_form(LOG_BRIEF);
    log_start(1);
    log_want(LOG_BRIEF);
    log_into(LOG_FULL);
    assert_false(log_wanted());
    log_verdict(true, "a");
    record = log_record("counts");
    json_line_unsigned(record, "n", 1);
    log_send(record);
    assert_string_equal(seam_console(), BRIEF);
    assert_int_equal(log_totals().passed, 1);
}

/* The form goes on as if the lines in between had never been, but for the sink. */
static void a_form_can_end_in_one_place_and_go_on_in_another(void **state)
{
    (void)state;
    log_verdict(true, "a");
    log_aside(LOG_FULL);
    log_verdict(false, "b");
    log_send(log_record("end"));
    log_error("too late", NULL, NULL);
    log_finish();
    log_back();
    log_verdict(true, "c");
    log_send(log_record("end"));
    log_finish();
    assert_string_equal(seam_console(),
                        FULL "ok 1 - a\n"
                             "not ok 2 - b\n"
                             "# crc of texts 1 to 2: ff191c96\n"
                             "{\"type\":\"end\",\"seq\":1,\"texts\":2,\"crc\":\"92f3d0f7\"}\n"
                             "# error: too late\n"
                             "# crc of texts 3 to 3: aebb0cb2\n"
                             "1..2\n"
                             "ok 2 - c\n"
                             "# crc of texts 1 to 2: 801a6f95\n"
                             "{\"type\":\"end\",\"seq\":1,\"texts\":2,\"crc\":\"92f3d0f7\"}\n"
                             "1..2\n");
    assert_int_equal(log_totals().passed, 2);
    assert_int_equal(log_totals().failed, 0);
    assert_null(log_trouble(0));
}

static void the_other_form_has_nothing_of_it(void **state)
{
    (void)state;
    seams_reset();
    seam_log_form(LOG_BRIEF);
    log_start(1);
    log_verdict(true, "a");
    log_aside(LOG_FULL);
    log_verdict(false, "b");
    log_finish();
    log_back();
    log_verdict(true, "c");
    assert_string_equal(seam_console(), BRIEF "ok 1 - a\nok 2 - c\n");
}

static void long_lines_are_cut_and_marked(void **state)
{
    static char text[5000];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    log_comment("%s", text);
    assert_non_null(strstr(seam_console(), "xxx...\n"));
    log_skip("reason", "%s", text);
    assert_non_null(strstr(seam_console(), "xxx # SKIP reason\n"));
    memset(text, '#', sizeof(text) - 1);
    log_verdict(true, "%s", text);
}

/* The screen shows them, the newest first. */
static void the_last_failures_and_errors_are_kept(void **state)
{
    (void)state;
    assert_null(log_trouble(0));
    log_verdict(true, "holds");
    log_verdict(false, "core %u is wrong", 3u);
    log_error("no memory", "the arena", NULL);
    assert_string_equal(log_trouble(0), "error: no memory: the arena");
    assert_string_equal(log_trouble(1), "core 3 is wrong");
    assert_null(log_trouble(2));
    for (unsigned i = 0; i < LOG_TROUBLES + 2; i++)
        log_verdict(false, "failure %u", i);
    assert_string_equal(log_trouble(0), "failure 13"); /* of 0 to 13 */
    assert_string_equal(log_trouble(LOG_TROUBLES - 1), "failure 2");
    assert_null(log_trouble(LOG_TROUBLES));
    log_start(1);
    assert_null(log_trouble(0));
}

static unsigned flushes;

static void failing_flush(bool urgent)
{
    (void)urgent;
    if (flushes++ == 0)
        log_error("the log file cannot be written", NULL, NULL);
}

static void an_error_of_the_sink_comes_before_the_end_record(void **state)
{
    const char *error, *end, *plan;

    (void)state;
    flushes = 0;
    seam_log_flush(failing_flush);
    log_send(log_record("end"));
    log_error("no record may follow", "\\slotscope", NULL);
    log_finish();
    log_comment("too late");
    error = strstr(seam_console(), "{\"type\":\"error\",\"seq\":1,");
    end = strstr(seam_console(), "{\"type\":\"end\",\"seq\":2,");
    plan = strstr(seam_console(), "1..0\n");
    assert_non_null(error);
    assert_true(end > error);
    assert_true(plan > end);
    assert_true(strstr(end, "# error: no record may follow: \\slotscope\n") < plan);
    assert_null(strstr(end, "\"what\":\"no record may follow"));
    assert_int_equal(plan[5], '\0');
    assert_null(strstr(seam_console(), "too late"));
    assert_int_equal(flushes, 3);
}

static bool urgently;

static void note_flush(bool urgent)
{
    flushes++;
    urgently = urgent;
    assert_string_equal(seam_console(), FULL "# bring-up: local APIC\n");
}

static void a_phase_is_safe_before_it_begins(void **state)
{
    (void)state;
    flushes = 0;
    seam_log_flush(note_flush);
    log_phase("local APIC");
    assert_int_equal(flushes, 1);
    assert_true(urgently);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_log_is_tap_14_with_the_plan_last, start),
        cmocka_unit_test_setup(sixteen_texts_have_a_crc_and_the_last_ones_have_one_before_the_end,
                               start),
        cmocka_unit_test_setup(a_table_is_not_parted_by_the_crc_of_its_lines, start),
        cmocka_unit_test_setup(the_same_lines_of_another_run_have_other_crcs, start),
        cmocka_unit_test_setup(a_phase_is_safe_before_it_begins, start),
        cmocka_unit_test_setup(totals_count_passed_failed_and_skipped_separately, start),
        cmocka_unit_test_setup(a_hash_in_a_description_starts_no_directive, start),
        cmocka_unit_test_setup(a_record_that_is_never_sent_leaves_no_gap_in_seq, start),
        cmocka_unit_test_setup(a_record_that_is_too_long_becomes_an_error_that_names_its_type,
                               start),
        cmocka_unit_test_setup(each_form_has_numbers_of_its_own, start),
        cmocka_unit_test_setup(the_brief_form_is_a_log_too, start),
        cmocka_unit_test_setup(a_form_that_nobody_wants_is_counted_and_not_built, start),
        cmocka_unit_test_setup(a_form_can_end_in_one_place_and_go_on_in_another, start),
        cmocka_unit_test_setup(the_other_form_has_nothing_of_it, start),
        cmocka_unit_test_setup(long_lines_are_cut_and_marked, start),
        cmocka_unit_test_setup(the_last_failures_and_errors_are_kept, start),
        cmocka_unit_test_setup(an_error_of_the_sink_comes_before_the_end_record, start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
