/* Declarations of own kernels that are well formed and no CPU measures. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/own/own_reader.h"
#include "pc/own_declaration.h"
#include "tests/unit/descriptions.h"

static struct complaint complaint;

/* The reader takes each of these texts: what is wrong with one is found behind it. */
static enum rc check_text(const char *text)
{
    struct pool pool = {.allocate = tests_allocate, .chunk = 4096};
    struct own_kernel own;
    const struct own_declaration declaration = {&own, "a.exp", text, strlen(text)};

    memset(&complaint, 0, sizeof(complaint));
    assert_int_equal(own_read(&own, "a.exp", text, strlen(text), &pool, &complaint), RC_OK);
    return own_declaration_check(&declaration, &pool, &complaint);
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void what_no_cpu_measures_has_a_complaint_with_its_place(void **state)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message, *expected;
    } rows[] = {
        {"n 5\n name ret.nop\n", 2, 7, "a built-in kernel has this name", "another name"},
        {"name a\nn n\n", 2, 3, "n may not name n", "sizes of caches"},
        {"name a\n# n 5\n\tn  5 if l2_size > 1 else arena\n", 3, 5, "n may not name arena",
         "caches"},
        {"name a\nn NA\n", 2, 3, "n out of range", "window, 1 to 1000000000000"},
        {"name a\nn 5\nbuffer -1", 3, 8, "buffer out of range", "bytes, 0 to 1000000000000"},
        {"buffer 1000000000001\r\nname a\r\nn 5\r\n", 1, 8, "buffer out of range", "bytes, 0"},
        {"name a\nn 5\nbuffer  64 * n\n", 3, 9, "buffer may not name n", "sizes of caches"},
        {"name a\nn 4 / (unroll - 1)\n", 2, 3, "zero", ""},
        {"name a\nn 4\nbuffer 4 / (unroll - 1)\n", 3, 8, "zero", ""},
        {"name a\nn 5\nexpect A, 1, 1\nexpect B, n,  n / (unroll - 1)\n", 4, 8, "zero", ""},
        {"name a\nn 5\nexpect A | B / (unroll - 1), 1, 1\n", 3, 8, "zero", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_int_equal(check_text(rows[i].text), RC_BAD_INPUT);
        assert_string_equal(complaint.file, "a.exp");
        if (complaint.line != rows[i].line || complaint.column != rows[i].column ||
            strstr(complaint.message, rows[i].message) == NULL ||
            strstr(complaint.expected, rows[i].expected) == NULL)
            fail_msg("%s: %u:%u: %s, expected %s", rows[i].text, complaint.line, complaint.column,
                     complaint.message, complaint.expected);
        assert_true(complaint.expected[0] != '\0');
    }
}

/* What only a core tells is asked there; the bounds of n and of the buffer belong to the range. */
static void what_some_cpu_may_measure_is_taken(void **state)
{
    static const char *const texts[] = {
        "name a\nn 1\nbuffer 1000000000000\n",
        "name a\nn 1000000000000\nbuffer 0\n",
        "name ret.nop2\nn l2_size - l3_size\nbuffer l1d_size * 1000000000\n",
        "name a\nunroll 2\nn 4 / (unroll - 1)\nbuffer 0.5\nexpect A, n / (unroll - 1), n * 9\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (check_text(texts[i]) != RC_OK)
            fail_msg("%s: %u:%u: %s", texts[i], complaint.line, complaint.column,
                     complaint.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_no_cpu_measures_has_a_complaint_with_its_place, tear_down),
        cmocka_unit_test_teardown(what_some_cpu_may_measure_is_taken, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
