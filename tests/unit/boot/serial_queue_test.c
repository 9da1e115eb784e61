/* What waits for a serial line that takes nothing for a while. The line's registers are plain
 * memory: line status 60H is an empty transmitter, 0 a full one ("PC16550D ... with FIFOs"). A
 * microsecond has 1000 ticks of the seam's clock. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/clock.h"
#include "boot/serial/serial.h"
#include "boot/serial/serial_queue.h"
#include "tests/unit/seams.h"

enum { DATA = 0, LINE_STATUS = 5 };
#define MILLISECOND UINT64_C(1000000)

static uint8_t registers[8];
static char memory[16];

/* A look at the clock takes as long as it does on a slow machine: 1 ms. */
static void starts(void)
{
    const struct serial_place place = {
        .memory = true, .address = (uintptr_t)registers, .width = 1, .stride = 1};
    const struct serial_rate rate = {0};

    seams_reset();
    seam_clock(0, MILLISECOND);
    memset(registers, 0, sizeof(registers));
    registers[LINE_STATUS] = 0x60;
    assert_true(serial_start(&place, &rate));
    serial_queue_start(memory, sizeof(memory));
}

static void takes(bool any)
{
    registers[LINE_STATUS] = any ? 0x60 : 0;
}

/* Milliseconds that it takes to send a line. */
static uint64_t send(const char *line, bool alone)
{
    const uint64_t began = clock_now();

    serial_queue_send(line, strlen(line), alone);
    return (clock_now() - began) / MILLISECOND;
}

static void what_a_line_does_not_take_goes_out_when_it_does(void **state)
{
    (void)state;
    starts();
    takes(false);
    send("first\n", false);
    send("next\n", false);
    assert_int_equal(registers[DATA], 0);
    takes(true);
    send("!\n", false);
    assert_int_equal(registers[DATA], '\n');
    assert_int_equal(serial_queue_pauses().lost, 0);
    assert_int_equal(serial_queue_pauses().count, 1);
}

/* A rate that is not known is taken for 9600: 4 * 160 bits and 50 ms, 116.7 ms. */
static void elsewhere_a_line_is_waited_for_as_long_as_one_that_works(void **state)
{
    uint64_t first, next;

    (void)state;
    starts();
    takes(false);
    first = send("first\n", false);
    next = send("next\n", false);
    assert_in_range(first, 110, 150);
    assert_in_range(next, 0, 20);
}

static void alone_a_line_is_waited_for_once_for_ten_seconds_at_least(void **state)
{
    uint64_t first, next;

    (void)state;
    starts();
    takes(false);
    first = send("first\n", true);
    next = send("next\n", true);
    assert_in_range(first, 10000, 13000);
    assert_in_range(next, 0, 20);
    assert_true(serial_queue_pauses().stuck);
    takes(true);
    send("!\n", true);
    assert_false(serial_queue_pauses().stuck);
    assert_in_range(serial_queue_pauses().longest_us, 10000000, 13000000);
}

/* 16 bytes: two lines with CR LF, and none of seven more. */
static void a_line_without_room_is_waited_for_and_counted_when_it_is_lost(void **state)
{
    uint64_t third;

    (void)state;
    starts();
    takes(false);
    send("first\n", false);
    send("next\n", false);
    third = send("third\n", false);
    assert_in_range(third, 9000, 13000);
    assert_int_equal(serial_queue_pauses().lost, 1);
    assert_in_range(send("4\n", false), 0, 20);
    assert_int_equal(serial_queue_pauses().lost, 1);
}

static void the_end_is_tried_again(void **state)
{
    uint64_t began;

    (void)state;
    starts();
    takes(false);
    send("end\n", true);
    began = clock_now();
    assert_false(serial_queue_end());
    assert_in_range((clock_now() - began) / MILLISECOND, 10000, 13000);
    takes(true);
    assert_true(serial_queue_end());
    assert_int_equal(registers[DATA], '\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_line_does_not_take_goes_out_when_it_does),
        cmocka_unit_test(elsewhere_a_line_is_waited_for_as_long_as_one_that_works),
        cmocka_unit_test(alone_a_line_is_waited_for_once_for_ten_seconds_at_least),
        cmocka_unit_test(a_line_without_room_is_waited_for_and_counted_when_it_is_lost),
        cmocka_unit_test(the_end_is_tried_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
