/* A serial line whose registers are plain memory: an idle UART, as long as nobody takes it away.
 * Values: "PC16550D ... with FIFOs", line status: 60H is an empty transmitter. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/serial/serial.h"
#include "tests/unit/seams.h"

enum { DATA = 0, INTERRUPT_ENABLE = 1, LINE_CONTROL = 3, MODEM_CONTROL = 4, LINE_STATUS = 5 };

static uint8_t registers[8];

static void starts(void)
{
    const struct serial_place place = {
        .memory = true, .address = (uintptr_t)registers, .width = 1, .stride = 1};
    const struct serial_rate rate = {0};

    seams_reset();
    seam_clock(0, 1000);
    memset(registers, 0, sizeof(registers));
    registers[LINE_STATUS] = 0x60;
    assert_true(serial_start(&place, &rate));
    assert_int_equal(serial_send("a", 1, 1000), 1);
}

static void a_line_that_nobody_answers_any_more_is_named(void **state)
{
    (void)state;
    starts();
    memset(registers, 0xff, sizeof(registers));
    assert_int_equal(serial_send("b", 1, 1000), 0);
    assert_string_equal(serial_trouble(),
                        "the serial line's registers read FFH: nobody answers there any more");
}

static void a_line_without_room_is_named_otherwise(void **state)
{
    (void)state;
    starts();
    registers[LINE_STATUS] = 0;
    assert_int_equal(serial_send("b", 1, 1000), 0);
    assert_string_equal(serial_trouble(), "the serial line takes no more characters");
}

/* One garbled reading of the status alone is no room, and no absence either. */
static void a_status_of_ffh_alone_is_no_room(void **state)
{
    (void)state;
    starts();
    registers[LINE_STATUS] = 0xff;
    assert_int_equal(serial_send("b", 1, 1000), 0);
    assert_string_equal(serial_trouble(), "the serial line takes no more characters");
}

static void a_line_that_had_no_room_takes_characters_again(void **state)
{
    (void)state;
    starts();
    registers[LINE_STATUS] = 0;
    assert_int_equal(serial_send("b", 1, 0), 0);
    registers[LINE_STATUS] = 0x60;
    assert_int_equal(serial_send("b", 1, 0), 1);
    assert_int_equal(registers[DATA], 'b');
}

/* "Summary of Registers": a reset clears IER, LCR and MCR; 8 data bits are 03H, DTR and RTS too. */
static void a_line_that_was_reset_meanwhile_is_set_up_again(void **state)
{
    (void)state;
    starts();
    memset(registers, 0xff, sizeof(registers));
    assert_int_equal(serial_send("b", 1, 1000), 0);
    memset(registers, 0, sizeof(registers));
    registers[INTERRUPT_ENABLE] = 0x0f;
    registers[LINE_STATUS] = 0x60;
    assert_int_equal(serial_send("b", 1, 1000), 1);
    assert_int_equal(registers[INTERRUPT_ENABLE], 0);
    assert_int_equal(registers[LINE_CONTROL], 0x03);
    assert_int_equal(registers[MODEM_CONTROL], 0x03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_nobody_answers_any_more_is_named),
        cmocka_unit_test(a_line_without_room_is_named_otherwise),
        cmocka_unit_test(a_status_of_ffh_alone_is_no_room),
        cmocka_unit_test(a_line_that_had_no_room_takes_characters_again),
        cmocka_unit_test(a_line_that_was_reset_meanwhile_is_set_up_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
