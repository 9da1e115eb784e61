/* What a Multiboot2 loader hands over. The bytes are laid out by the Multiboot2 specification 2.0,
 * "Boot information format". */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "bios/boot_information.h"

static _Alignas(8) uint8_t bytes[1024];
static size_t length;
static struct boot_information information;

static void put(uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[length++] = (uint8_t)(value >> 8 * i);
}

static int begin(void **state)
{
    (void)state;
    memset(bytes, 0, sizeof(bytes));
    length = 8;
    return 0;
}

/* A tag's type and size; its end is brought to a multiple of 8 by the next tag. */
static void tag(uint32_t type, uint32_t size)
{
    length = (length + 7) & ~(size_t)7;
    put(type, 4);
    put(size, 4);
}

static void text(const char *of)
{
    memcpy(bytes + length, of, strlen(of) + 1);
    length += strlen(of) + 1;
}

static const char *read_all(void)
{
    tag(0, 8);
    bytes[0] = (uint8_t)length;
    bytes[1] = (uint8_t)(length >> 8);
    return boot_information_read(bytes, length, &information);
}

static void map_of_two(void)
{
    tag(6, 16 + 2 * 24);
    put(24, 4); /* bytes of an entry */
    put(0, 4);
    put(0, 8);
    put(0x9fc00, 8);
    put(1, 4);
    put(0, 4);
    put(0x100000, 8);
    put(0x1fee0000, 8);
    put(1, 4);
    put(0, 4);
}

static void all_that_the_image_needs_is_read(void **state)
{
    uint64_t start, size;
    uint32_t type;

    (void)state;
    tag(1, 8 + 12);
    text("detail=full");
    tag(2, 8 + 10);
    text("GRUB 2.06");
    tag(3, 16 + 14);
    put(0x200000, 4);
    put(0x248000, 4);
    text("slotscope.cfg");
    map_of_two();
    tag(8, 31);
    put(0xb8000, 8);
    put(160, 4); /* pitch */
    put(80, 4);
    put(25, 4);
    put(16, 1);
    put(2, 1); /* EGA text */
    put(0, 1);
    tag(14, 8 + 20);
    text("RSD PTR ");
    length += 20 - 9;
    assert_null(read_all());
    assert_string_equal(information.command_line, "detail=full");
    assert_string_equal(information.loader, "GRUB 2.06");
    assert_int_equal(information.module_count, 1);
    assert_true(information.modules[0].begin == 0x200000);
    assert_true(information.modules[0].end == 0x248000);
    assert_string_equal(information.modules[0].name, "slotscope.cfg");
    assert_int_equal(information.map_count, 2);
    boot_information_memory(&information, 1, &start, &size, &type);
    assert_true(start == 0x100000 && size == 0x1fee0000 && type == BOOT_AVAILABLE);
    assert_true(information.text_screen);
    assert_memory_equal(information.rsdp, "RSD PTR ", 8);
    assert_false(information.rsdp_2);
}

static void the_root_pointer_of_acpi_2_is_preferred(void **state)
{
    (void)state;
    map_of_two();
    tag(15, 8 + 36);
    text("new");
    length += 36 - 4;
    tag(14, 8 + 20);
    text("old");
    length += 20 - 4;
    assert_null(read_all());
    assert_true(information.rsdp_2);
    assert_string_equal(information.rsdp, "new");
}

static void smbios_tables_are_behind_their_version(void **state)
{
    (void)state;
    map_of_two();
    tag(13, 16 + 6);
    put(2, 1);
    put(8, 1);
    put(0, 6);
    put(0x047f, 6); /* type 127, four bytes */
    assert_null(read_all());
    assert_int_equal(information.smbios_major, 2);
    assert_int_equal(information.smbios_minor, 8);
    assert_int_equal(information.smbios_size, 6);
    assert_int_equal(information.smbios[0], 127);
    begin(NULL);
    map_of_two();
    tag(13, 16);
    put(0, 8);
    assert_null(read_all());
    assert_null(information.smbios);
}

static void a_screen_of_pixels_is_no_text_screen(void **state)
{
    (void)state;
    map_of_two();
    tag(8, 32);
    put(0xe0000000, 8);
    put(4096, 4);
    put(1024, 4);
    put(768, 4);
    put(32, 1);
    put(1, 1); /* RGB */
    put(0, 2);
    assert_null(read_all());
    assert_false(information.text_screen);
}

static void without_a_memory_map_nothing_can_start(void **state)
{
    (void)state;
    assert_string_equal(read_all(), "the loader has no memory map");
}

static void a_tag_beyond_the_end_is_refused(void **state)
{
    (void)state;
    map_of_two();
    tag(1, 4000);
    assert_string_equal(read_all(), "a tag of the boot information is longer than all of it");
}

static void information_without_an_end_is_refused(void **state)
{
    (void)state;
    map_of_two();
    bytes[0] = (uint8_t)length;
    assert_string_equal(boot_information_read(bytes, length, &information),
                        "the boot information has no end");
    bytes[0] = 4;
    assert_string_equal(boot_information_read(bytes, length, &information),
                        "the boot information has no length that can be");
}

static void a_text_without_an_end_is_empty(void **state)
{
    (void)state;
    map_of_two();
    tag(1, 8 + 4);
    memcpy(bytes + length, "abcd", 4);
    length += 4;
    assert_null(read_all());
    assert_string_equal(information.command_line, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_that_the_image_needs_is_read, begin),
        cmocka_unit_test_setup(the_root_pointer_of_acpi_2_is_preferred, begin),
        cmocka_unit_test_setup(smbios_tables_are_behind_their_version, begin),
        cmocka_unit_test_setup(a_screen_of_pixels_is_no_text_screen, begin),
        cmocka_unit_test_setup(without_a_memory_map_nothing_can_start, begin),
        cmocka_unit_test_setup(a_tag_beyond_the_end_is_refused, begin),
        cmocka_unit_test_setup(information_without_an_end_is_refused, begin),
        cmocka_unit_test_setup(a_text_without_an_end_is_empty, begin),
    };

    return cmocka_run_group_tests_name("boot_information", tests, NULL, NULL);
}
