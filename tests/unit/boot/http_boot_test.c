/* The device path of an image that HTTP boot started. The first one is OVMF's, byte by byte. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/network/http_boot.h"

/* PciRoot(0)/Pci(2,0)/MAC(525400123456,1)/IPv4(10.9.0.18, gateway 10.9.0.1, mask 255.255.255.0)/
 * Uri(http://10.9.0.1/BOOTX64.EFI) */
static const uint8_t ovmf[] = {
    0x02, 0x01, 0x0c, 0x00, 0xd0, 0x41, 0x03, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x01, 0x01, 0x06,
    0x00, 0x00, 0x02, 0x03, 0x0b, 0x25, 0x00, 0x52, 0x54, 0x00, 0x12, 0x34, 0x56, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x03, 0x0c, 0x1b, 0x00, 0x0a,
    0x09, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x50, 0x00, 0x06, 0x00, 0x00, 0x0a,
    0x09, 0x00, 0x01, 0xff, 0xff, 0xff, 0x00, 0x03, 0x18, 0x20, 0x00, 'h',  't',  't',  'p',
    ':',  '/',  '/',  '1',  '0',  '.',  '9',  '.',  '0',  '.',  '1',  '/',  'B',  'O',  'O',
    'T',  'X',  '6',  '4',  '.',  'E',  'F',  'I',  0x00, 0x7f, 0xff, 0x04, 0x00};
#define IPV4_AT 55
#define URI_AT  82

static uint8_t path[sizeof(ovmf)];
static struct http_boot boot;

static int set_up(void **state)
{
    (void)state;
    memcpy(path, ovmf, sizeof(path));
    memset(&boot, 0xff, sizeof(boot));
    return 0;
}

static void a_path_names_machine_and_image(void **state)
{
    (void)state;
    assert_true(http_boot_read(path, HTTP_PATH_BYTES, &boot));
    assert_memory_equal(boot.station, ((uint8_t[]){0x52, 0x54, 0, 0x12, 0x34, 0x56}), 6);
    assert_memory_equal(boot.address, ((uint8_t[]){10, 9, 0, 18}), 4);
    assert_memory_equal(boot.mask, ((uint8_t[]){255, 255, 255, 0}), 4);
    assert_string_equal(boot.url, "http://10.9.0.1/BOOTX64.EFI");
}

static void the_folder_is_beside_the_image(void **state)
{
    char url[HTTP_URL], host[HTTP_URL];

    (void)state;
    assert_true(http_boot_read(path, HTTP_PATH_BYTES, &boot));
    assert_true(http_url(&boot, "slotscope.cfg", url));
    assert_string_equal(url, "http://10.9.0.1/slotscope/slotscope.cfg");
    http_host(&boot, host);
    assert_string_equal(host, "10.9.0.1");
    strcpy(boot.url, "http://rigs.example:8080/a/b/x.efi");
    assert_true(http_url(&boot, "slotscope.cfg", url));
    assert_string_equal(url, "http://rigs.example:8080/a/b/slotscope/slotscope.cfg");
    http_host(&boot, host);
    assert_string_equal(host, "rigs.example:8080");
}

static void what_is_no_http_boot_is_refused(void **state)
{
    (void)state;
    memset(path + IPV4_AT + 4, 0, 4); /* no address yet */
    assert_false(http_boot_read(path, HTTP_PATH_BYTES, &boot));
    memcpy(path, ovmf, sizeof(path));
    path[URI_AT + 4 + 4] = 's'; /* https: */
    assert_false(http_boot_read(path, HTTP_PATH_BYTES, &boot));
    memcpy(path, ovmf, sizeof(path));
    path[URI_AT + 4 + 15] = 'x'; /* a host, and no file */
    assert_false(http_boot_read(path, HTTP_PATH_BYTES, &boot));
    memcpy(path, ovmf, sizeof(path));
    path[URI_AT] = 0x7f;
    assert_false(http_boot_read(path, HTTP_PATH_BYTES, &boot));
}

static void nothing_is_read_beyond_the_bytes_that_there_are(void **state)
{
    (void)state;
    for (size_t size = 0; size < URI_AT + 32; size++) {
        uint8_t *copy = test_malloc(size + 1);

        memcpy(copy, ovmf, size);
        assert_false(http_boot_read(copy, size, &boot));
        test_free(copy);
    }
    path[IPV4_AT + 2] = 0; /* a node without a length */
    assert_false(http_boot_read(path, HTTP_PATH_BYTES, &boot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_path_names_machine_and_image, set_up),
        cmocka_unit_test_setup(the_folder_is_beside_the_image, set_up),
        cmocka_unit_test_setup(what_is_no_http_boot_is_refused, set_up),
        cmocka_unit_test_setup(nothing_is_read_beyond_the_bytes_that_there_are, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
