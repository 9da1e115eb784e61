/* What SMBIOS structures say of firmware and board, byte by byte after DSP0134. */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "boot/smbios_texts.h"

/* BIOS: vendor, version, date; system; board: manufacturer, product, version; end. */
static const char table[] = "\x00\x09\x00\x00\x01\x02\x00\x00\x03"
                            "Example BIOS\0"
                            "2.3 \0"
                            "11/25/2026\0\0"
                            "\x01\x08\x01\x00\x01\x02\x00\x00"
                            "Example Inc.\0"
                            "Server 7\0\0"
                            "\x02\x08\x02\x00\x01\x02\x03\x00"
                            "Boards \x80\0"
                            "X11\"DPi\0"
                            "1.01\0\0"
                            "\x7f\x04\x03\x00\0\0"
                            "\x00\x09\x00\x00\x01\x00\x00\x00\x00"
                            "after the end\0";

static void texts_are_those_of_firmware_and_board(void **state)
{
    struct smbios_texts texts;

    (void)state;
    smbios_texts_read(table, sizeof(table), &texts);
    assert_string_equal(texts.bios, "Example BIOS 2.3 11/25/2026");
    assert_string_equal(texts.board, "Boards ? X11\"DPi 1.01");
}

static void without_a_board_the_system_is_named(void **state)
{
    struct smbios_texts texts;

    (void)state;
    smbios_texts_read(table, 42 + 30, &texts); /* up to the end of the second structure */
    assert_string_equal(texts.board, "Example Inc. Server 7");
    smbios_texts_read("\x02\x06\x00\x00\x00\x09"
                      "one\0",
                      11, &texts); /* numbers without a string */
    assert_string_equal(texts.board, "");
    assert_string_equal(texts.bios, "");
}

/* Cut after each byte; every text that is there is whole or the begin of one. */
static void a_table_that_is_cut_ends_where_it_is_cut(void **state)
{
    struct smbios_texts texts;

    (void)state;
    for (size_t size = 0; size < sizeof(table); size++) {
        uint8_t *copy = malloc(size + 1);

        assert_non_null(copy);
        memcpy(copy, table, size);
        smbios_texts_read(copy, size, &texts);
        assert_true(texts.bios[0] == '\0' || !strcmp(texts.bios, "Example BIOS 2.3 11/25/2026"));
        free(copy);
    }
}

static void a_long_text_is_cut(void **state)
{
    uint8_t long_table[400] = {0, 9, 0, 0, 1, 1, 0, 0, 1};
    struct smbios_texts texts;

    (void)state;
    memset(long_table + 9, 'v', 200);
    smbios_texts_read(long_table, sizeof(long_table), &texts);
    assert_int_equal(strlen(texts.bios), sizeof(texts.bios) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_those_of_firmware_and_board),
        cmocka_unit_test(without_a_board_the_system_is_named),
        cmocka_unit_test(a_table_that_is_cut_ends_where_it_is_cut),
        cmocka_unit_test(a_long_text_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
