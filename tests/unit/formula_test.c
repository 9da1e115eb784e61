/* Formulas: their values, and what the compiler refuses. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/formula/formula.h"
#include "pmu/formula/number.h"
#include "tests/unit/descriptions.h"

/* a 2, b 3, zero 0, big 1e300; few 4, off by up to 3; noise 2, off by up to 2; `lost` has no
 * value. */
static bool value_of(void *context, const char *name, struct formula_number *number,
                     const char **reason)
{
    unsigned *lookups = context;
    double *value = &number->value;

    (*lookups)++;
    if (!strcmp(name, "a"))
        *value = 2;
    else if (!strcmp(name, "b"))
        *value = 3;
    else if (!strcmp(name, "zero"))
        *value = 0;
    else if (!strcmp(name, "big"))
        *value = 1e300;
    else if (!strcmp(name, "few"))
        *number = (struct formula_number){4, 3};
    else if (!strcmp(name, "noise"))
        *number = (struct formula_number){2, 2};
    else if (!strcmp(name, "lost"))
        *reason = "lost not measured";
    return strcmp(name, "lost") != 0;
}

static void run(const char *text, unsigned *lookups, struct formula_result *result)
{
    struct formula formula;
    struct formula_error error;
    const struct formula_scope scope = {lookups, value_of};

    *lookups = 0;
    assert_int_equal(tests_compile(&formula, text, &error), RC_OK);
    formula_evaluate(&formula, &scope, result);
}

static void assert_value(const char *text, double expected)
{
    unsigned lookups;
    struct formula_result result;

    run(text, &lookups, &result);
    assert_true(result.finite);
    assert_null(result.reason);
    assert_true(result.value >= expected && result.value <= expected);
}

static void assert_no_value(const char *text, const char *reason)
{
    unsigned lookups;
    struct formula_result result;

    run(text, &lookups, &result);
    assert_false(result.finite);
    assert_string_equal(result.reason, reason);
}

static void assert_refused(const char *text, uint32_t offset, const char *message)
{
    struct formula formula;
    struct formula_error error;

    assert_int_equal(tests_compile(&formula, text, &error), RC_BAD_INPUT);
    assert_string_equal(error.message, message);
    assert_int_equal(error.offset, offset);
    assert_non_null(error.expected);
}

static void arithmetic_binds_as_in_algebra(void **state)
{
    (void)state;
    assert_value("1 + 2 * 3", 7);
    assert_value("(1 + 2) * 3", 9);
    assert_value("12 / 3 / 2", 2);
    assert_value("10 - 4 - 3", 3);
    assert_value("-a * -b", 6);
    assert_value("a - -b", 5);
    assert_value("--a", 2);
    assert_value("2*a+b", 7);
}

static void comparisons_bind_weaker_than_sums_and_give_0_or_1(void **state)
{
    (void)state;
    assert_value("a + 1 < b + 1", 1);
    assert_value("a > b", 0);
    assert_value("a <= 2", 1);
    assert_value("a >= 3", 0);
    assert_value("a == 2", 1);
    assert_value("(a < b) + (b < a)", 1);
}

static void a_choice_binds_weakest_and_to_the_right(void **state)
{
    (void)state;
    assert_value("a + 1 if b > 2 else 7", 3);
    assert_value("1 if zero else 2 if zero else 3", 3);
    assert_value("1 if zero else 2 if a else 3", 2);
    assert_value("(1 if a else 2) + 10", 11);
    assert_value("1 if a else 2 + 10", 1);
    assert_value("5 if (zero if a else 1) else 6", 6);
    assert_value("(a if zero else b) if (1 if a else zero) else 9", 3);
}

static void min_and_max_take_two_values_or_more(void **state)
{
    (void)state;
    assert_value("min(a, b)", 2);
    assert_value("max( a , b )", 3);
    assert_value("max(0, a - b)", 0);
    assert_value("min(5, 4, max(1, 2))", 2);
}

static void numbers_are_decimal_hexadecimal_or_with_a_point(void **state)
{
    (void)state;
    assert_value("0x1f", 31);
    assert_value("0.0001", 0.0001);
    assert_value("34.5", 34.5);
    assert_value("9007199254740992", 9007199254740992.0); /* 2^53 */
}

static void only_the_selected_arm_is_evaluated(void **state)
{
    unsigned lookups;
    struct formula_result result;

    run("a if zero else b", &lookups, &result);
    (void)state;
    assert_true(result.finite);
    assert_int_equal(lookups, 2); /* zero and b */
    assert_value("lost if zero else b", 3);
    assert_value("a / zero if zero else b", 3);
}

static void a_formula_without_a_value_says_why(void **state)
{
    (void)state;
    assert_no_value("a / zero", "division by zero");
    assert_no_value("a / (b - 3)", "division by zero");
    assert_no_value("a + lost", "lost not measured");
    assert_no_value("big * big", "beyond the range of numbers");
}

/* "NA = not available; as an operand it counts as 0" (the vendor's sheet). */
static void not_available_is_zero_as_an_operand_and_no_value_as_the_result(void **state)
{
    unsigned lookups;
    struct formula_result result;

    (void)state;
    run("NA", &lookups, &result);
    assert_true(result.not_available && !result.finite);
    assert_no_value("a if zero else NA", "not available");
    assert_no_value("(NA)", "not available");
    assert_value("a + (NA if b else 1)", 2);
    assert_value("-NA", 0);
    assert_value("max(NA, a) - min(NA, a)", 2);
    assert_value("a if NA else b", 3);
    assert_value("NA == 0", 1);
    assert_no_value("a / NA", "division by zero");
    assert_no_value("big * big - big * big", "beyond the range of numbers"); /* not NA */
    run("a / zero", &lookups, &result);
    assert_false(result.not_available);
}

static void a_modifier_may_hold_a_value(void **state)
{
    struct formula formula;
    struct formula_error error;
    static const char text[] = "O.R:ocr_msr_val=0x12+A:ocr_msr_val==2";

    (void)state;
    assert_int_equal(tests_compile(&formula, text, &error), RC_OK);
    assert_int_equal(formula.name_count, 2);
    assert_string_equal(formula.names[0], "O.R:ocr_msr_val=0x12");
    assert_string_equal(formula.names[1], "A:ocr_msr_val");
    assert_refused("a=2", 1, "text after the formula");
}

static void assert_error(const char *text, double expected)
{
    unsigned lookups;
    struct formula_result result;

    run(text, &lookups, &result);
    assert_true(result.finite);
    assert_true(result.error >= expected && result.error <= expected);
}

static void errors_go_through_a_formula(void **state)
{
    (void)state;
    assert_error("a", 0);
    assert_error("few", 3);
    assert_error("a * few + noise", 8);   /* 2 * 3 + 2 */
    assert_error("10 - few - -noise", 5); /* 3 + 2 */
    assert_error("few * noise", 14);      /* 4 * 2 + 2 * 3 */
    assert_error("noise / few", 0.875);   /* 2 / 4 + 2 * 3 / 4^2 */
    assert_error("max(few, noise)", 3);
    assert_error("min(few, noise)", 2);
    assert_error("few > noise", 0);
    assert_error("few if noise else a", 3);
}

static bool is_clamped(const char *text)
{
    unsigned lookups;
    struct formula_result result;

    run(text, &lookups, &result);
    assert_true(result.finite);
    return result.clamped;
}

/* a is 2, b is 3. */
static void a_number_of_the_formula_in_place_of_a_value_is_said(void **state)
{
    (void)state;
    assert_true(is_clamped("max(0, a - b)"));
    assert_true(is_clamped("max(a - b, 0.0001)"));
    assert_true(is_clamped("1 - a * min(b, 1)"));
    assert_true(is_clamped("max(-1, a - 2 * b)"));
    assert_false(is_clamped("max(0, b - a)"));
    assert_false(is_clamped("max(zero, 0)")); /* the same */
    assert_false(is_clamped("min(a, b)"));    /* both are values */
    assert_false(is_clamped("a - b"));
    assert_false(is_clamped("max(0, a - b) if zero else a"));
}

static void assert_arms(const char *text, const char *expected)
{
    struct formula formula;
    struct formula_error error;
    unsigned lookups = 0;
    const struct formula_scope scope = {&lookups, value_of};
    char arms[FORMULA_ARMS] = "";

    assert_int_equal(tests_compile(&formula, text, &error), RC_OK);
    assert_int_equal(formula_arms(&formula, &scope, arms), expected[0] != 0);
    assert_string_equal(arms, expected);
}

static void each_condition_says_which_arm_it_selects(void **state)
{
    (void)state;
    assert_arms("a + b", "");
    assert_arms("a if b > a else zero", "if");
    assert_arms("a if b < a else lost", "else");
    assert_arms("a if lost > a else b", "?");
    assert_arms("(a if zero else b) + (a if a else b)", "else if");
    /* The second condition stands in the arm of the first that is selected, or in the other. */
    assert_arms("a if zero else b if a else zero", "else if");
    assert_arms("a if a else b if zero else zero", "if -");
    assert_arms("(a if zero else b) if a else zero", "if else");
    assert_arms("a if (b if zero else zero) else b", "else else"); /* a condition of a condition */
    assert_arms("(a if zero else b) if lost else (a if a else b)", "? - -");
}

static void a_divisor_within_its_error_of_zero_is_none(void **state)
{
    static const char why[] = "division by what the counts cannot tell from zero";

    (void)state;
    assert_value("a / few", 0.5);
    assert_no_value("a / noise", why);
    assert_no_value("a / (few - 1)", why);
    assert_no_value("a / -few", why); /* counts are not below zero */
    assert_value("a / -b", -2.0 / 3); /* numbers may be */
    assert_value("a / (noise + b)", 0.4);
    assert_no_value("a / (few - 4)", "division by zero");
}

static void zero_over_zero_is_a_division_by_zero(void **state)
{
    (void)state;
    assert_no_value("zero / zero", "division by zero");
}

static void a_divisor_that_is_always_zero_is_refused(void **state)
{
    (void)state;
    assert_refused("a / 0", 4, "division by zero");
    assert_refused("a / 0.0", 4, "division by zero");
    assert_refused("a / (2 - 2)", 4, "division by zero");
    assert_refused("b + a / -0", 8, "division by zero");
    assert_refused("1 if a else b / 0x0", 16, "division by zero");
}

static void malformed_text_is_refused_with_its_place(void **state)
{
    (void)state;
    assert_refused("", 0, "formula ends too early");
    assert_refused("a +", 3, "formula ends too early");
    assert_refused("(a + b", 6, "missing parenthesis");
    assert_refused("min(a, b", 8, "missing parenthesis");
    assert_refused("min a", 4, "missing parenthesis");
    assert_refused("min(a)", 5, "min and max compare at least two values");
    assert_refused("a b", 2, "text after the formula");
    assert_refused("a )", 2, "text after the formula");
    assert_refused("a ? b", 2, "text after the formula");
    assert_refused("a * / b", 4, "operand missing");
    assert_refused("a * ? b", 4, "unexpected character");
    assert_refused("a if b", 6, "`if` without `else`");
    assert_refused("a < b < 3", 6, "comparison of a comparison");
    assert_refused("1.2.3", 0, "malformed number");
    assert_refused("0xg", 0, "malformed number");
    assert_refused("4K", 0, "malformed number");
    assert_refused("1.", 0, "malformed number");
    assert_refused("1e3", 0, "malformed number");
    assert_refused("9007199254740993", 0, "malformed number"); /* 2^53 + 1 is no double */
    assert_refused("a = b", 2, "text after the formula");
}

static void nesting_operands_and_length_are_limited(void **state)
{
    char text[8192];
    size_t length = 0;
    struct formula formula;
    struct formula_error error;

    (void)state;
    memset(text, '(', 100);
    text[100] = 0;
    assert_refused(text, FORMULA_DEPTH, "formula nested too deeply");
    for (unsigned i = 0; i < 16; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "a < a + a * (");
    assert_refused(
        text, 10 * 13 + 8,
        "formula holds too many operands at once"); /* 3 a round: number 33 is in round 11 */
    length = 0;
    for (unsigned i = 0; i < 1100; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "a + ");
    assert_int_equal(tests_compile(&formula, text, &error), RC_BAD_INPUT);
    assert_string_equal(error.message, "formula too long");
}

static void every_name_is_listed_once_from_both_arms(void **state)
{
    static const char text[] = "X.Y:c1 if #SMT_on else Z / X.Y:c1 + Z";
    struct formula formula;
    struct formula_error error;

    (void)state;
    assert_int_equal(tests_compile(&formula, text, &error), RC_OK);
    assert_int_equal(formula.name_count, 3);
    assert_string_equal(formula.names[0], "X.Y:c1");
    assert_string_equal(formula.names[1], "#SMT_on");
    assert_string_equal(formula.names[2], "Z");
}

static void *no_memory(size_t size)
{
    (void)size;
    return NULL;
}

static void without_memory_nothing_is_compiled(void **state)
{
    struct pool pool = {.allocate = no_memory};
    struct formula formula;
    struct formula_error error;

    (void)state;
    assert_int_equal(formula_compile(&formula, "a", 1, &pool, &error), RC_NO_SPACE);
}

static void a_decimal_is_the_nearest_double(void **state)
{
    double value;

    (void)state;
    assert_true(number_real("0.1", 3, &value));
    assert_true(value >= 0.1 && value <= 0.1);
    assert_true(number_real("90071992547409.92", 17, &value));
    assert_true(value >= 90071992547409.92 && value <= 90071992547409.92);
    assert_false(number_real("90071992547409.93", 17, &value)); /* 2^53 + 1 in the last places */
    assert_false(number_real("-1", 2, &value));
    assert_false(number_real(".5", 2, &value));
    assert_false(number_real("", 0, &value));
}

static void an_integer_beyond_64_bits_is_refused(void **state)
{
    uint64_t value;

    (void)state;
    assert_true(number_unsigned("18446744073709551615", 20, &value));
    assert_true(value == UINT64_MAX);
    assert_false(number_unsigned("18446744073709551616", 20, &value));
    assert_true(number_unsigned("0xffffffffffffffff", 18, &value));
    assert_false(number_unsigned("0x10000000000000000", 19, &value));
    assert_false(number_unsigned("0x", 2, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_binds_as_in_algebra),
        cmocka_unit_test(comparisons_bind_weaker_than_sums_and_give_0_or_1),
        cmocka_unit_test(a_choice_binds_weakest_and_to_the_right),
        cmocka_unit_test(min_and_max_take_two_values_or_more),
        cmocka_unit_test(numbers_are_decimal_hexadecimal_or_with_a_point),
        cmocka_unit_test(only_the_selected_arm_is_evaluated),
        cmocka_unit_test(a_formula_without_a_value_says_why),
        cmocka_unit_test(not_available_is_zero_as_an_operand_and_no_value_as_the_result),
        cmocka_unit_test(a_modifier_may_hold_a_value),
        cmocka_unit_test(zero_over_zero_is_a_division_by_zero),
        cmocka_unit_test(errors_go_through_a_formula),
        cmocka_unit_test(a_number_of_the_formula_in_place_of_a_value_is_said),
        cmocka_unit_test(each_condition_says_which_arm_it_selects),
        cmocka_unit_test(a_divisor_within_its_error_of_zero_is_none),
        cmocka_unit_test(a_divisor_that_is_always_zero_is_refused),
        cmocka_unit_test(malformed_text_is_refused_with_its_place),
        cmocka_unit_test(nesting_operands_and_length_are_limited),
        cmocka_unit_test(every_name_is_listed_once_from_both_arms),
        cmocka_unit_test(without_memory_nothing_is_compiled),
        cmocka_unit_test(a_decimal_is_the_nearest_double),
        cmocka_unit_test(an_integer_beyond_64_bits_is_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
