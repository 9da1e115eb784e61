/* The image's own functions on bytes and strings, compared with the C library's. */
#include "tests/unit/cmocka_all.h"

#include <string.h>
#include <sys/mman.h>

#define SLOTSCOPE_IMAGE
#define memcpy  image_memcpy
#define memmove image_memmove
#define memset  image_memset
#define memcmp  image_memcmp
#define memchr  image_memchr
#define strlen  image_strlen
#define strcmp  image_strcmp
#define strncmp image_strncmp
#define strchr  image_strchr
#include "boot/text.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef memchr
#undef strlen
#undef strcmp
#undef strncmp
#undef strchr

#define BYTES 96 /* more than any test writes: the bytes around must not change */

static uint8_t ours[BYTES] __attribute__((aligned(16))), theirs[BYTES];

static void fill_both(void)
{
    for (unsigned i = 0; i < BYTES; i++)
        ours[i] = theirs[i] = (uint8_t)(i * 37 + 1);
}

static void copies_have_the_size_asked_for_at_any_alignment(void **state)
{
    uint8_t from[BYTES];

    (void)state;
    memset(from, 0xee, sizeof(from));
    for (unsigned i = 0; i < BYTES; i++)
        from[i] = (uint8_t)(200 - i);
    for (unsigned at = 0; at < 9; at++)
        for (unsigned of = 0; of < 9; of++)
            for (size_t size = 0; size < 70; size++) {
                fill_both();
                assert_ptr_equal(image_memcpy(ours + at, from + of, size), ours + at);
                memcpy(theirs + at, from + of, size);
                assert_memory_equal(ours, theirs, BYTES);
            }
}

/* Bytes that differ from the sought one in their lowest or highest bit lie around it. */
static void the_first_equal_byte_is_found_within_the_size(void **state)
{
    static const uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0xff, '\n'};

    (void)state;
    for (unsigned k = 0; k < COUNT_OF(bytes); k++)
        for (unsigned at = 0; at < 9; at++)
            for (size_t size = 0; size < 30; size++)
                for (unsigned place = 0; place < 32; place++) {
                    for (unsigned i = 0; i < BYTES; i++)
                        ours[i] = bytes[k] ^ (i % 2 ? 1 : 0x80);
                    ours[place] = ours[place + 3] = bytes[k];
                    assert_ptr_equal(image_memchr(ours + at, bytes[k], size),
                                     memchr(ours + at, bytes[k], size));
                }
}

static void moves_may_overlap(void **state)
{
    (void)state;
    for (unsigned to = 0; to < 20; to++)
        for (unsigned from = 0; from < 20; from++)
            for (size_t size = 0; size < 70; size++) {
                fill_both();
                assert_ptr_equal(image_memmove(ours + to, ours + from, size), ours + to);
                memmove(theirs + to, theirs + from, size);
                assert_memory_equal(ours, theirs, BYTES);
            }
}

static void bytes_are_set_and_none_next_to_them(void **state)
{
    (void)state;
    for (unsigned at = 0; at < 9; at++)
        for (size_t size = 0; size < 70; size++) {
            fill_both();
            assert_ptr_equal(image_memset(ours + at, 0x1a5, size), ours + at);
            memset(theirs + at, 0xa5, size);
            assert_memory_equal(ours, theirs, BYTES);
        }
}

static void sign(int value, int expected)
{
    assert_int_equal((value > 0) - (value < 0), (expected > 0) - (expected < 0));
}

static void the_first_byte_that_differs_decides(void **state)
{
    (void)state;
    for (size_t size = 0; size < 40; size++)
        for (size_t at = 0; at < 40; at++)
            for (int by = -1; by <= 1; by++) {
                fill_both();
                ours[3 + at] = (uint8_t)(0x80 + by); /* bytes are unsigned */
                theirs[3 + at] = 0x80;
                ours[4 + at] = (uint8_t)~theirs[4 + at];
                sign(image_memcmp(ours + 3, theirs + 3, size), memcmp(ours + 3, theirs + 3, size));
            }
}

static void a_text_ends_at_its_first_zero(void **state)
{
    (void)state;
    for (unsigned at = 16; at < 48; at++)
        for (size_t length = 0; length < 40; length++) {
            memset(ours, 0x80, BYTES);
            ours[at - 1] = 0;
            ours[at + length] = 0;
            assert_int_equal(image_strlen((const char *)ours + at), length);
        }
}

static void texts_are_in_order_of_their_bytes(void **state)
{
    static const char *const texts[] = {"", "a", "ab", "abc", "abd", "b", "\x80", "ab\xff"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            sign(image_strcmp(texts[i], texts[j]), strcmp(texts[i], texts[j]));
            for (size_t size = 0; size < 5; size++)
                sign(image_strncmp(texts[i], texts[j], size), strncmp(texts[i], texts[j], size));
        }
    assert_string_equal(image_strchr("key = value", '='), "= value");
    assert_null(image_strchr("key", '='));
    assert_string_equal(image_strchr("key", 0), "");
}

/* Texts of all lengths that end with a page, behind which nothing may be read. */
static void comparisons_stay_within_the_page(void **state)
{
    enum { PAGE = 4096, LONGEST = 40 };
    char *pages[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        pages[i] = mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                        -1, 0);
        assert_true(pages[i] != MAP_FAILED);
        assert_int_equal(mprotect(pages[i] + PAGE, PAGE, PROT_NONE), 0);
    }
    for (size_t one = 0; one < LONGEST; one++)
        for (size_t two = 0; two < LONGEST; two++)
            for (size_t odd = 0; odd <= LONGEST; odd += 3) {
                char *a = pages[0] + PAGE - one - 1, *b = pages[1] + PAGE - two - 1;

                memset(a, 'x', one);
                memset(b, 'x', two);
                if (odd < one)
                    a[odd] = (char)0xe4;
                sign(image_strcmp(a, b), strcmp(a, b));
                sign(image_strcmp(b, a), strcmp(b, a));
            }
    for (unsigned i = 0; i < 2; i++)
        munmap(pages[i], (size_t)2 * PAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_have_the_size_asked_for_at_any_alignment),
        cmocka_unit_test(the_first_equal_byte_is_found_within_the_size),
        cmocka_unit_test(moves_may_overlap),
        cmocka_unit_test(bytes_are_set_and_none_next_to_them),
        cmocka_unit_test(the_first_byte_that_differs_decides),
        cmocka_unit_test(a_text_ends_at_its_first_zero),
        cmocka_unit_test(texts_are_in_order_of_their_bytes),
        cmocka_unit_test(comparisons_stay_within_the_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
