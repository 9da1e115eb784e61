/* The boot file in DHCP answers. The packets are laid out by hand by RFC 2131 and RFC 2132. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/network/dhcp.h"

#define FIELD 108

static uint8_t packet[600];
static struct dhcp_boot boot;

/* A BOOTREPLY from 10.0.2.2 for 52:54:00:12:34:56, whose file field is "BOOTX64.EFI". */
static int set_up(void **state)
{
    static const uint8_t next[4] = {10, 0, 2, 2}, station[6] = {0x52, 0x54, 0, 0x12, 0x34, 0x56};
    static const uint8_t cookie[4] = {99, 130, 83, 99};

    (void)state;
    memset(packet, 0, sizeof(packet));
    memset(&boot, 0xff, sizeof(boot));
    packet[0] = 2;
    memcpy(packet + 20, next, sizeof(next));
    memcpy(packet + 28, station, sizeof(station));
    memcpy(packet + FIELD, "BOOTX64.EFI", 11);
    memcpy(packet + 236, cookie, sizeof(cookie));
    packet[240] = 255;
    return 0;
}

static void option(size_t at, uint8_t code, const void *bytes, uint8_t length)
{
    packet[at] = code;
    packet[at + 1] = length;
    memcpy(packet + at + 2, bytes, length);
    packet[at + 2 + length] = 255;
}

static void the_fields_name_server_and_file(void **state)
{
    (void)state;
    assert_true(dhcp_boot_read(packet, sizeof(packet), &boot));
    assert_memory_equal(boot.server, ((uint8_t[]){10, 0, 2, 2}), 4);
    assert_memory_equal(boot.station, ((uint8_t[]){0x52, 0x54, 0, 0x12, 0x34, 0x56}), 6);
    assert_string_equal(boot.file, "BOOTX64.EFI");
}

static void option_67_goes_before_the_field(void **state)
{
    (void)state;
    option(240, 67, "boot/x.efi", 10);
    assert_true(dhcp_boot_read(packet, sizeof(packet), &boot));
    assert_string_equal(boot.file, "boot/x.efi");
}

static void without_a_next_server_it_is_the_one_that_answered(void **state)
{
    (void)state;
    memset(packet + 20, 0, 4);
    assert_false(dhcp_boot_read(packet, sizeof(packet), &boot));
    option(240, 54, (uint8_t[]){192, 168, 7, 1}, 4);
    assert_true(dhcp_boot_read(packet, sizeof(packet), &boot));
    assert_memory_equal(boot.server, ((uint8_t[]){192, 168, 7, 1}), 4);
}

static void an_overloaded_file_field_has_options(void **state)
{
    (void)state;
    option(240, 52, (uint8_t[]){1}, 1);
    option(FIELD, 67, "a.efi", 5);
    assert_true(dhcp_boot_read(packet, sizeof(packet), &boot));
    assert_string_equal(boot.file, "a.efi");
    packet[FIELD] = 255; /* no options there */
    assert_false(dhcp_boot_read(packet, sizeof(packet), &boot));
}

static void what_is_cut_or_no_answer_is_refused(void **state)
{
    (void)state;
    assert_false(dhcp_boot_read(packet, 239, &boot));
    assert_true(dhcp_boot_read(packet, 240, &boot));
    option(240, 67, "x", 1);
    packet[241] = 200; /* beyond the end: no option */
    assert_true(dhcp_boot_read(packet, 250, &boot));
    assert_string_equal(boot.file, "BOOTX64.EFI");
    packet[FIELD] = 7; /* no letter */
    assert_false(dhcp_boot_read(packet, 250, &boot));
    packet[FIELD] = 'B';
    packet[236] = 0;
    assert_false(dhcp_boot_read(packet, sizeof(packet), &boot));
}

static void the_folder_is_beside_the_image(void **state)
{
    char path[DHCP_FILE];

    (void)state;
    strcpy(boot.file, "BOOTX64.EFI");
    assert_true(dhcp_path(&boot, "slotscope.cfg", path));
    assert_string_equal(path, "slotscope/slotscope.cfg");
    strcpy(boot.file, "/srv/rigs/BOOTX64.EFI");
    assert_true(dhcp_path(&boot, "slotscope.cfg", path));
    assert_string_equal(path, "/srv/rigs/slotscope/slotscope.cfg");
    memset(boot.file, 'a', DHCP_FILE - 2);
    strcpy(boot.file + DHCP_FILE - 12, "/b.efi");
    assert_false(dhcp_path(&boot, "slotscope.cfg", path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_fields_name_server_and_file, set_up),
        cmocka_unit_test_setup(option_67_goes_before_the_field, set_up),
        cmocka_unit_test_setup(without_a_next_server_it_is_the_one_that_answered, set_up),
        cmocka_unit_test_setup(an_overloaded_file_field_has_options, set_up),
        cmocka_unit_test_setup(what_is_cut_or_no_answer_is_refused, set_up),
        cmocka_unit_test_setup(the_folder_is_beside_the_image, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
