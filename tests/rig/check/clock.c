/* Interrupts of the clock (periodic and alarm), and messages of the HPET, which need no pin.
 * "MC146818 Real-Time Clock Plus RAM"; "IA-PC HPET Specification", "FSB Interrupt Delivery". */
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
    /* One that came after the last instruction with interrupts on is not to be the alarm's. */
    put(CONTROL, H24);
    during(1, VECTOR);
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

#define HPET(r)   (*(volatile UINT64 *)(0xfed00000 + (r)))
#define TIMER(n)  (0x100 + 0x20ull * (n))
#define CAPABLE   0x8000u
#define MESSAGES  0x4000u
#define INTERRUPT 0x4u
#define LEVEL     0x2u

/* Timer `n` is to write `data` to the local APIC of this processor after a quarter of a
 * millisecond; waits two quarters and gives how many interrupts came. */
static UINT64 messages(unsigned n, UINT32 data, UINT32 address)
{
    UINT64 hz = 1000000000000000ull / (HPET(0) >> 32);

    HPET(TIMER(n) + 0x10) = (UINT64)address << 32 | data;
    HPET(TIMER(n)) = MESSAGES | INTERRUPT | LEVEL;
    HPET(TIMER(n) + 8) = HPET(0xf0) + hz / 4000;
    return during(2, VECTOR);
}

static void by_message(void)
{
    unsigned n = 0;
    UINT64 before;

    while (n < 3 && !(HPET(TIMER(n)) & CAPABLE))
        n++;
    if (n == 3)
        return;
    check(messages(n, VECTOR, 0xfee00000 | my_id() << 12) == 1 && HPET(0x20) == 0,
          "an HPET timer's message interrupts once and sets no status");
    check(messages(n, VECTOR, 0xfee00000 | (my_id() + 1 + listed_processors) << 12) == 0,
          "not when it is for another processor");
    before = nmis;
    check(messages(n, 0x400, 0xfee00000 | my_id() << 12) == 0 && nmis == before + 1,
          "and is an NMI when it says so");
    nmis = before; /* other parts count from 0 */
    HPET(TIMER(n)) = MESSAGES;
    HPET(TIMER(n) + 8) = HPET(0xf0) + 5000;
    check(during(2, VECTOR) == 0, "without its enable bit it sends none");
    HPET(TIMER(n)) = 0;
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
    by_message();
}
