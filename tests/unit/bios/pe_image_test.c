/* The loader of the image; the file is laid out by the Microsoft PE format, "Optional Header" and
 * "Section Table". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "bios/pe_image.h"

#define PE       0x80
#define OPTIONAL (PE + 24)
#define SECTIONS (OPTIONAL + 240)

static uint8_t file[0x600], memory[0x3000];
static struct pe_image image;

static void put(size_t at, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        file[at + i] = (uint8_t)(value >> 8 * i);
}

static void section(unsigned n, uint32_t bytes, uint32_t address, uint32_t length, uint32_t from)
{
    put(SECTIONS + n * 40 + 8, bytes, 4);
    put(SECTIONS + n * 40 + 12, address, 4);
    put(SECTIONS + n * 40 + 16, length, 4);
    put(SECTIONS + n * 40 + 20, from, 4);
}

/* Two sections: 512 bytes of the file at 1000H, and 100H bytes, half of them zero, at 2000H. */
static int begin(void **state)
{
    (void)state;
    memset(file, 0, sizeof(file));
    memcpy(file, "MZ", 2);
    put(0x3c, PE, 4);
    memcpy(file + PE, "PE\0\0", 4);
    put(PE + 4, 0x8664, 2);
    put(PE + 6, 2, 2);    /* sections */
    put(PE + 20, 240, 2); /* bytes of the optional header */
    put(OPTIONAL, 0x20b, 2);
    put(OPTIONAL + 16, 0x1010, 4); /* entry */
    put(OPTIONAL + 56, 0x3000, 4); /* bytes of the image */
    put(OPTIONAL + 60, 0x200, 4);  /* bytes of the headers */
    section(0, 0x200, 0x1000, 0x200, 0x200);
    section(1, 0x100, 0x2000, 0x80, 0x400);
    memset(file + 0x200, 'c', 0x200);
    memset(file + 0x400, 'd', 0x80);
    return 0;
}

static void sections_go_to_their_addresses(void **state)
{
    (void)state;
    assert_null(pe_image_read(&image, file, sizeof(file)));
    assert_int_equal(image.bytes, 0x3000);
    assert_int_equal(image.entry, 0x1010);
    memset(memory, 'x', sizeof(memory));
    pe_image_load(&image, memory);
    assert_memory_equal(memory, file, 0x200);
    assert_int_equal(memory[0x200], 0);
    assert_int_equal(memory[0x1000], 'c');
    assert_int_equal(memory[0x11ff], 'c');
    assert_int_equal(memory[0x1200], 0);
    assert_int_equal(memory[0x207f], 'd');
    assert_int_equal(memory[0x2080], 0); /* the rest of the section is zero */
    assert_int_equal(memory[0x2fff], 0);
}

static void a_file_that_was_cut_is_refused_at_every_length(void **state)
{
    (void)state;
    for (size_t size = 0; size < 0x480; size++)
        assert_non_null(pe_image_read(&image, file, size));
    assert_null(pe_image_read(&image, file, 0x480));
}

static void a_section_outside_the_image_is_refused(void **state)
{
    (void)state;
    section(1, 0x100, 0x2f80, 0x80, 0x400);
    assert_string_equal(pe_image_read(&image, file, sizeof(file)), "the image is cut or damaged");
    section(1, 0x100, 0xfffffff0, 0x80, 0x400);
    assert_string_equal(pe_image_read(&image, file, sizeof(file)), "the image is cut or damaged");
}

static void another_processor_and_another_format_are_named(void **state)
{
    (void)state;
    put(PE + 4, 0x14c, 2); /* i386 */
    assert_string_equal(pe_image_read(&image, file, sizeof(file)),
                        "the image is for another processor");
    file[0] = 'N';
    assert_string_equal(pe_image_read(&image, file, sizeof(file)), "the image is no PE file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sections_go_to_their_addresses, begin),
        cmocka_unit_test_setup(a_file_that_was_cut_is_refused_at_every_length, begin),
        cmocka_unit_test_setup(a_section_outside_the_image_is_refused, begin),
        cmocka_unit_test_setup(another_processor_and_another_format_are_named, begin),
    };

    return cmocka_run_group_tests_name("pe_image", tests, NULL, NULL);
}
