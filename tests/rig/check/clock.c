/* The clock's interrupts: periodic, and the alarm. "MC146818 Real-Time Clock Plus RAM". */
#include "check.h"

#define VECTOR        0x63
#define MASKED        0x10000
#define SECONDS       0x00
#define SECONDS_ALARM 0x01
#define MINUTES_ALARM 0x03
#define HOURS_ALARM   0x05
#define RATE          0x0a
#define CONTROL       0x0b
#define FLAGS         0x0c
#define H24           0x02
#define ALARM         0x20
#define PERIODIC      0x40
#define ANY           0xff
#define TWO_SECONDS   8000 /* quarters of a millisecond */

static UINT8 get(UINT8 index)
{
    UINT8 value;

    out8(0x70, index);
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"((UINT16)0x71));
    return value;
}

static void put(UINT8 index, UINT8 value)
{
    out8(0x70, index);
    out8(0x71, value);
}

static void read_clock(UINT64 vector)
{
    if (vector == VECTOR)
        get(FLAGS);
}

static void periodic(void)
{
    put(RATE, 0x24);
    put(CONTROL, H24 | PERIODIC);
    get(FLAGS);
    check(about(during(20, VECTOR), 20), "the clock at 4096 Hz interrupts twenty times in 5 ms");
}

static void set_alarm(UINT8 hours, UINT8 minutes, UINT8 seconds)
{
    put(HOURS_ALARM, hours);
    put(MINUTES_ALARM, minutes);
    put(SECONDS_ALARM, seconds);
}

/* Packed decimal. */
static UINT8 second_after(UINT8 second)
{
    unsigned value = (second >> 4) * 10u + (second & 15) + 1;

    value %= 60;
    return (UINT8)(value / 10 << 4 | value % 10);
}

static void alarm(void)
{
    put(CONTROL, H24 | ALARM);
    set_alarm(ANY, ANY, second_after(get(SECONDS)));
    get(FLAGS);
    check(during(TWO_SECONDS, VECTOR) == 1, "an alarm of a second rings once in two of them");
    set_alarm(ANY, ANY, ANY);
    check(about(during(TWO_SECONDS, VECTOR), 2), "one that matches everything rings every second");
    set_alarm(0x25, ANY, ANY);
    get(FLAGS);
    check(during(TWO_SECONDS, VECTOR) == 0 && !(get(FLAGS) & ALARM),
          "one of an hour that there is not never does");
    put(CONTROL, H24);
    set_alarm(ANY, ANY, ANY);
    check(during(TWO_SECONDS, VECTOR) == 0 && (get(FLAGS) & (ALARM | 0x80)) == ALARM,
          "one that is not enabled sets its flag and no more");
}

void clock_lines(void)
{
    route(8, VECTOR, my_id());
    interrupt_action = read_clock;
    periodic();
    alarm();
    interrupt_action = 0;
    put(CONTROL, H24);
    get(FLAGS);
    route(8, MASKED, 0);
}
