/* The reader of faults at a place: what each form gives, and what is no request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fault/point.h"

static void reads_a_number_of_a_place(void **state)
{
    struct fault_request request;

    (void)state;
    assert_true(fault_request_read(&request, "wrmsr:382:lost"));
    assert_int_equal(request.row->act, ACT_LOST);
    assert_int_equal(request.row->point, POINT_WRMSR);
    assert_true(request.counted);
    assert_int_equal(request.first, 382);
    assert_int_equal(request.last, 382);
    assert_true(fault_request_read(&request, "rdmsr:7:flip:63"));
    assert_int_equal(request.bit, 63);
}

static void reads_places_from_one_on_and_up_to_another(void **state)
{
    struct fault_request request;

    (void)state;
    assert_true(fault_request_read(&request, "uefi:stall:5-"));
    assert_string_equal(request.call, "stall");
    assert_int_equal(request.first, 5);
    assert_true(request.last == UINT64_MAX);
    assert_true(fault_request_read(&request, "counter:3:low16:140-999"));
    assert_int_equal(request.number, 3);
    assert_int_equal(request.way, WAY_LOW_16);
    assert_int_equal(request.first, 140);
    assert_int_equal(request.last, 999);
    assert_true(fault_request_read(&request, "stick:pulled:3")); /* for good */
    assert_true(request.last == UINT64_MAX);
}

static void reads_ticks_of_either_sign(void **state)
{
    struct fault_request request;

    (void)state;
    assert_true(fault_request_read(&request, "tsc:step:1:-500:12"));
    assert_int_equal(request.core, 1);
    assert_true(request.ticks == -500);
    assert_int_equal(request.first, 12);
    assert_true(fault_request_read(&request, "tsc:skew:0:500"));
    assert_true(request.ticks == 500);
    assert_false(request.counted);
}

static void refuses_what_is_no_request(void **state)
{
    static const char *const texts[] = {
        "",
        ":",
        "rdmsr",
        "rdmsr:",
        "rdmsr:1",
        "rdmsr:1:",
        "rdmsr:1:gp:",
        "rdmsr:0:gp",
        "rdmsr:18446744073709551616:gp",
        "rdmsr:1:flip:64",
        "rdmsr:1:flip:-1",
        "rdmsr:+1:gp",
        "rdmsr: 1:gp",
        "uefi:1-2",
        "uefi:a-very-long-name-that-no-service-of-this-firmware-has-at-all:1",
        "counter:0:stuck:2-1",
        "counter:0:stuck:-1",
        "counter:0:stuck:1-",
        "counter:0:stuck:1234567890123456789012345-1234567890123456789012345",
        "fixed:0:Stuck:1-2",
        "tsc:skew:512:1",
        "tsc:skew:0:--1",
        "uart:stall:9-2:100:1",
        "uart:stall:2-9:100",
        "uart:stall:2:100:1",
        "uart:stall:-9:100:1",
        "uart:stall:2-:100:1",
        "uart:stall:2-60001:100:1",
        "uart:stall:2-9:100:0",
        "smi:3", /* of another reader */
    };
    struct fault_request request;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (fault_request_read(&request, texts[i]))
            fail_msg("\"%s\" is read", texts[i]);
}

/* Each form with a value that fits in place of each word in capital letters. */
static void reads_every_form_of_the_table(void **state)
{
    static const char *const values[][2] = {
        {"K-M", "3-4"},   {"K-", "3-"}, {"K", "3"},       {"BIT", "5"},      {"N", "1"},
        {"CORE", "0"},    {"B", "2"},   {"TICKS", "-9"},  {"CALL", "stall"}, {"HOW", "plus1"},
        {"EVERY", "100"}, {"MS", "10"}, {"MS-MS", "2-9"}, {"SEED", "7"}};
    size_t count;
    const struct fault_row *rows = fault_rows(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        char form[64], text[128] = "";
        struct fault_request request;

        if (rows[i].act == ACT_ELSEWHERE)
            continue;
        snprintf(form, sizeof(form), "%s", rows[i].form);
        for (char *word = strtok(form, ":"); word != NULL; word = strtok(NULL, ":")) {
            const char *value = word;

            for (size_t k = 0; k < sizeof(values) / sizeof(*values); k++)
                if (strcmp(word, values[k][0]) == 0)
                    value = values[k][1];
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", *text ? ":" : "",
                     value);
        }
        if (!fault_request_read(&request, text) || request.row != &rows[i])
            fail_msg("\"%s\" is not read as %s", text, rows[i].form);
    }
}

static void counts_classes_once(void **state)
{
    unsigned classes, again;

    (void)state;
    assert_true(fault_class_is_known("rdmsr:no:such:form", &classes));
    assert_false(fault_class_is_known("rdmsrs:1:gp", &again));
    assert_int_equal(classes, again);
    assert_false(fault_class_is_known("", &again));
}

static void finds_every_request_of_a_place(void **state)
{
    struct points points = {.count = 3};
    struct fault_request *request;

    (void)state;
    assert_true(fault_request_read(&points.request[0], "nmi:window:7"));
    assert_true(fault_request_read(&points.request[1], "nmi:turn:7"));
    assert_true(fault_request_read(&points.request[2], "smi-at:7"));
    request = fault_at(&points, POINT_WINDOW, 7, NULL);
    assert_ptr_equal(request, &points.request[0]);
    request = fault_at(&points, POINT_WINDOW, 7, request);
    assert_ptr_equal(request, &points.request[2]);
    assert_null(fault_at(&points, POINT_WINDOW, 7, request));
    assert_null(fault_at(&points, POINT_WINDOW, 8, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_number_of_a_place),
        cmocka_unit_test(reads_places_from_one_on_and_up_to_another),
        cmocka_unit_test(reads_ticks_of_either_sign),
        cmocka_unit_test(refuses_what_is_no_request),
        cmocka_unit_test(reads_every_form_of_the_table),
        cmocka_unit_test(counts_classes_once),
        cmocka_unit_test(finds_every_request_of_a_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
