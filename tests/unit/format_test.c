/* format: printf for the log. */
#include "tests/unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boot/format.h"

static char out[256];

#define assert_format(expected, ...)                                                               \
    do {                                                                                           \
        assert_int_equal(format(out, sizeof(out), __VA_ARGS__), strlen(expected));                 \
        assert_string_equal(out, expected);                                                        \
    } while (0)

static void integers_of_all_lengths(void **state)
{
    (void)state;
    assert_format("-5 7 4294967295", "%d %i %u", -5, 7, UINT32_MAX);
    assert_format("-9223372036854775808", "%lld", (long long)INT64_MIN);
    assert_format("18446744073709551615 18446744073709551615", "%lu %zu", UINT64_MAX,
                  (size_t)SIZE_MAX);
    assert_format("dead BEEF 0", "%x %X %llx", 0xdeadu, 0xbeefu, 0ull);
    assert_format("0xf00", "%p", (void *)0xf00);
}

static void fields_are_filled_left_right_and_with_zeros(void **state)
{
    (void)state;
    assert_format("[   42][42   ][00042][-0042]", "[%5d][%-5d][%05d][%05d]", 42, 42, 42, -42);
    assert_format("[  ab][ab  ][a]", "[%4s][%-4s][%.1s]", "ab", "ab", "ab");
    assert_format("[  7][7  ]", "[%*d][%*d]", 3, 7, -3, 7);
    assert_format("100% c", "%d%% %c", 100, 'c');
}

static void text_is_not_read_beyond_its_precision(void **state)
{
    const char unterminated[3] = {'x', 'y', 'z'};

    (void)state;
    assert_format("xyz", "%.*s", 3, unterminated);
}

static void reals_round_half_to_even_on_the_exact_value(void **state)
{
    (void)state;
    assert_format("0.913", "%f", 0.913);
    assert_format("0.12 0.38 2 4", "%.2f %.2f %.0f %.0f", 0.125, 0.375, 2.5, 3.5);
    assert_format("1.000 -1.500 0.000", "%f %f %f", 0.99951, -1.5, -0.0001);
    assert_format("0.0000", "%.4f", -0.0);
    assert_format("[  1.50][1.50  ]", "[%6.2f][%-6.2f]", 1.5, 1.5);
    assert_format("9223372036854774784.0", "%.1f",
                  9223372036854774784.0); /* the largest double below 2^63 */
}

static void reals_agree_with_the_c_library(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        char expected[64];
        const char *shown = expected;
        double value;

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        value = (double)(int64_t)seed / (double)(1ull << (seed >> 58 & 63));
        snprintf(expected, sizeof(expected), "%.*f", i % 10, value);
        if (strspn(expected, "-0.") == strlen(expected) && expected[0] == '-')
            shown++; /* format prints zero without a sign */
        assert_true(format(out, sizeof(out), "%.*f", i % 10, value) < sizeof(out));
        assert_string_equal(out, shown);
    }
}

static void digits_begin_at_the_address_given(void **state)
{
    uint64_t power = 1;

    (void)state;
    for (unsigned zeros = 0; zeros < 20; zeros++, power *= 10)
        for (int by = -1; by <= 1; by++) {
            const uint64_t value = power + (uint64_t)by;
            char expected[32], got[FORMAT_DIGITS + 1];
            size_t length;

            memset(got, '?', sizeof(got));
            length = format_digits(got, value);
            assert_int_equal(got[FORMAT_DIGITS], '?'); /* nothing is written beyond FORMAT_DIGITS */
            got[length] = '\0';
            snprintf(expected, sizeof(expected), "%llu", (unsigned long long)value);
            assert_string_equal(got, expected);
        }
    for (uint64_t value = 0; value < 100000; value++) {
        char expected[32], got[FORMAT_DIGITS + 1];

        got[format_digits(got, value * 10007)] = '\0';
        snprintf(expected, sizeof(expected), "%llu", (unsigned long long)(value * 10007));
        assert_string_equal(got, expected);
    }
}

static void nan_infinities_and_huge_values_print_as_a_dash(void **state)
{
    (void)state;
    assert_format("- - - -", "%f %f %f %f", (double)NAN, (double)INFINITY, -(double)INFINITY,
                  9223372036854775808.0);
}

static void output_is_cut_but_terminated_and_its_whole_length_returned(void **state)
{
    char small[4] = "???";

    (void)state;
    assert_int_equal(format(small, sizeof(small), "%d", 123456), 6);
    assert_string_equal(small, "123");
    assert_int_equal(format(NULL, 0, "%s", "four"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_all_lengths),
        cmocka_unit_test(fields_are_filled_left_right_and_with_zeros),
        cmocka_unit_test(text_is_not_read_beyond_its_precision),
        cmocka_unit_test(reals_round_half_to_even_on_the_exact_value),
        cmocka_unit_test(reals_agree_with_the_c_library),
        cmocka_unit_test(digits_begin_at_the_address_given),
        cmocka_unit_test(nan_infinities_and_huge_values_print_as_a_dash),
        cmocka_unit_test(output_is_cut_but_terminated_and_its_whole_length_returned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
