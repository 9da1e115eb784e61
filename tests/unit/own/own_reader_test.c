/* The .exp files of own kernels: what they say, and where they are wrong. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/own/own_reader.h"
#include "tests/unit/descriptions.h"

static struct own_kernel own;
static struct complaint complaint;

static enum rc read_text(const char *text)
{
    struct pool pool = {.allocate = tests_allocate, .chunk = 4096};

    memset(&complaint, 0, sizeof(complaint));
    return own_read(&own, "a.exp", text, strlen(text), &pool, &complaint);
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void a_whole_file_is_a_kernel(void **state)
{
    (void)state;
    assert_int_equal(read_text("# comment\r\n"
                               "name own.copy # another\r\n"
                               "title\tcopies a line\r\n"
                               "\r\n"
                               "unroll 8\r\n"
                               "n 4000 / unroll\r\n"
                               "buffer max(l1d_size, 64) * 2\r\n"
                               "pages 4K\r\n"
                               "leaf tma_l1_bound | tma_memory_bound\r\n"
                               "requires avx2 fma\r\n"
                               "deadline 500\r\n"
                               "expect INST_RETIRED.ANY, n * (unroll + 2), max(n, 3) * 10\r\n"
                               "expect A.unroll | my_unroll | B, 0, 1 if #SMT_on else 2\r\n"),
                     RC_OK);
    assert_string_equal(own.kernel.name, "own.copy");
    assert_string_equal(own.kernel.title, "copies a line");
    assert_string_equal(own.kernel.iterations, "4000 / 8");
    assert_string_equal(own.kernel.arena, "max(l1d_size, 64) * 2");
    assert_int_equal(own.kernel.page_shift, 12);
    assert_string_equal(own.kernel.leaf, "tma_l1_bound | tma_memory_bound");
    assert_string_equal(own.kernel.requires, "avx2 fma");
    assert_int_equal(own.deadline_us, 500);
    assert_int_equal(own.kernel.expectation_count, 2);
    assert_string_equal(own.kernel.expectations[0].subject, "INST_RETIRED.ANY");
    assert_string_equal(own.kernel.expectations[0].low, "n * (8 + 2)");
    assert_string_equal(own.kernel.expectations[0].high, "max(n, 3) * 10");
    assert_string_equal(own.kernel.expectations[1].subject, "A.unroll | my_unroll | B");
    assert_string_equal(own.kernel.expectations[1].high, "1 if #SMT_on else 2");
}

static void name_and_n_are_enough(void **state)
{
    (void)state;
    assert_int_equal(read_text("name x\nn 1"), RC_OK);
    assert_string_equal(own.kernel.arena, "0");
    assert_true(own.kernel.title[0] != '\0');
    assert_int_equal(own.kernel.page_shift, 21);
    assert_int_equal(own.kernel.level, 1);
    assert_int_equal(own.kernel.expectation_count, 0);
    assert_int_equal(own.deadline_us, 100000);
}

static void a_wrong_file_has_a_complaint_with_its_place(void **state)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message, *expected;
    } rows[] = {
        {"", 1, 1, "without a name", "name own.example"},
        {"name a\n", 2, 1, "without iterations", "n 1000"},
        {"nam a\n", 1, 1, "unknown word", "expect"},
        {"n 1\nname a b\n", 2, 6, "not a name", "letters"},
        {"name cal.a\n", 1, 6, "self-check", "family"},
        {"name exact.a\n", 1, 6, "exact.*", "family"},
        {"name all\n", 1, 6, "picks every", "another name"},
        {"name a\n  name b\n", 2, 3, "said twice", "once"},
        {"name\n", 1, 5, "nothing follows", "a value"},
        {"n 1 +\n", 1, 6, "", ""},
        {"n (1\n", 1, 5, "", ""},
        {"unroll 0\n", 1, 8, "unrolling", "1..1000000"},
        {"unroll 1000001\n", 1, 8, "unrolling", "1..1000000"},
        {"n 5\nunroll 2\n", 2, 8, "behind an expression", "before n"},
        {"pages 1G\n", 1, 7, "size of pages", "4K or 2M"},
        {"requires avx sse9\n", 1, 14, "not known", "avx512f"},
        {"deadline 9\n", 1, 10, "deadline", "10..10000000"},
        {"deadline 1 s\n", 1, 10, "deadline", "10..10000000"},
        {"expect A, 1\n", 1, 12, "part missing", "two bounds"},
        {"expect A, , 1\n", 1, 14, "part missing", "two bounds"},
        {"expect A, 1, 2, 3\n", 1, 16, "too many", "two bounds"},
        {"expect A + , 1, 2\n", 1, 11, "", ""},
        {"expect A, max(1, 2\n", 1, 19, "part missing", "two bounds"},
        {"expect A | B | C | D | E, 1, 2\n", 1, 23, "too many names", "at most four"},
        {"name a\x01\n", 1, 7, "unexpected byte", "ASCII"},
        {"name a\nn 0\n", 2, 3, "n out of range", "1 to 1"},
        {"name a\nunroll 8\n  n  4 / unroll # 0.5\n", 3, 6, "n out of range", "1 to"},
        {"n 2000000000000\nname a\n", 1, 3, "n out of range", "1 to"},
        {"name a\nn 5\nexpect A, 2, 1\n", 3, 11, "above the high", "low bound first"},
        {"name a\nn 5\nexpect A, n * 4, n * 3 + 4\n", 3, 11, "above the high", "first"},
        {"name a\nexpect A, 0, 1\nexpect B,  n * 4,3*n\nn l2_size\n", 3, 12, "above", "first"},
        {"name a\nunroll 8\nn 5\nexpect A, unroll, 7\n", 4, 11, "above the high", "first"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_int_equal(read_text(rows[i].text), RC_BAD_INPUT);
        assert_string_equal(complaint.file, "a.exp");
        if (complaint.line != rows[i].line || complaint.column != rows[i].column ||
            strstr(complaint.message, rows[i].message) == NULL ||
            strstr(complaint.expected, rows[i].expected) == NULL)
            fail_msg("%s: %u:%u: %s, expected %s", rows[i].text, complaint.line, complaint.column,
                     complaint.message, complaint.expected);
        assert_true(complaint.message[0] != '\0' && complaint.expected[0] != '\0');
    }
}

/* What holds for some number of iterations, or rests on what only a core tells, is a range. */
static void bounds_that_may_hold_are_taken(void **state)
{
    static const char *const texts[] = {
        "name a\nn 5\nexpect A, 1, 1\n",
        "name a\nn 5\nexpect A, n + 100, n * 2\n",         /* empty with 5, not with 500 */
        "name a\nn 500\nexpect A, n, 1000000\n",           /* empty with 2000000, not with 500 */
        "name a\nn l2_size\nexpect A, n * 4, n * 3 + 4\n", /* with n = 1, as far as one knows */
        "name a\nn 5\nexpect A, l2_size, 1\n",
        "name a\nn 5\nexpect A, 2 if #SMT_on else 0, 1\n",
        "name a\nn 5\nexpect A, 1 / (n - 5), 1\n",
        "name a\nn 5\nexpect A, -1, 0.5\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (read_text(texts[i]) != RC_OK)
            fail_msg("%s: %u:%u: %s", texts[i], complaint.line, complaint.column,
                     complaint.message);
}

static void the_65th_expectation_is_refused(void **state)
{
    char text[4096] = "name a\nn 1\n";

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        strcat(text, "expect A, 0, 1\n");
    assert_int_equal(read_text(text), RC_OK);
    assert_int_equal(own.kernel.expectation_count, 64);
    strcat(text, "expect A, 0, 1\n");
    assert_int_equal(read_text(text), RC_BAD_INPUT);
    assert_int_equal(complaint.line, 67);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_whole_file_is_a_kernel, tear_down),
        cmocka_unit_test_teardown(name_and_n_are_enough, tear_down),
        cmocka_unit_test_teardown(a_wrong_file_has_a_complaint_with_its_place, tear_down),
        cmocka_unit_test_teardown(bounds_that_may_hold_are_taken, tear_down),
        cmocka_unit_test_teardown(the_65th_expectation_is_refused, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
