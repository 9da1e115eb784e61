/* Interrupt lines: interval timer, HPET, clock, serial line and ACPI timer, through the I/O APIC
 * and through the two 8259A. The number of interrupts follows from what is programmed; the TSC
 * times the waiting. */
#include "check.h"

#define IOAPIC        ((volatile UINT32 *)0xfec00000)
#define HPET(r)       (*(volatile UINT64 *)(0xfed00000 + (r)))
#define TIMER(n)      (0x100 + 0x20 * (n))
#define LINT0         0x350
#define TIMER_LVT     0x320
#define TIMER_INITIAL 0x380
#define TIMER_CURRENT 0x390
#define WAKER         0x6f
#define VECTOR        0x60
#define PIC_VECTOR    0x70
#define MASKED        0x10000
#define LEVEL_LOW     0xa000
#define LOGICAL       0x800
#define NMI           0x400
#define EXTERNAL      0x700
#define REMOTE        0x4000
#define PIN_OF_TIMER  2
#define COM2          0x2f8
#define PERIOD_4_KHZ  298 /* of 1.193182 MHz */

static UINT64 second, apic_second; /* ticks of the TSC and of the APIC's timer */

static inline UINT8 in8(UINT16 port)
{
    UINT8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

void route(unsigned pin, UINT32 entry, UINT32 destination)
{
    IOAPIC[0] = 0x11 + 2 * pin;
    IOAPIC[4] = destination << 24;
    IOAPIC[0] = 0x10 + 2 * pin;
    IOAPIC[4] = entry;
}

static UINT32 entry_of(unsigned pin)
{
    IOAPIC[0] = 0x10 + 2 * pin;
    return IOAPIC[4];
}

/* Quarters of a millisecond with interrupts on, halted most of the time; gives how many came with
 * that vector. */
UINT64 during(UINT64 quarters, unsigned vector)
{
    UINT64 before = vectors[vector], end = tsc() + quarters * (second / 4000);

    apic_write(TIMER_LVT, WAKER);
    apic_write(TIMER_INITIAL, (UINT32)(quarters * (apic_second / 4000)));
    while (tsc() < end)
        if (apic_read(TIMER_CURRENT))
            __asm__ volatile("sti; hlt; cli");
        else
            __asm__ volatile("sti; pause; cli");
    apic_write(TIMER_LVT, MASKED);
    apic_write(TIMER_INITIAL, 0);
    return vectors[vector] - before;
}

int about(UINT64 count, UINT64 should)
{
    return count + 1 >= should && count <= should + 1;
}

static void measure_second(void)
{
    UINT32 begin;
    UINT64 from;

    apic_write(0xf0, 0x1ff);
    apic_write(0x3e0, 0xb);
    apic_write(TIMER_LVT, MASKED);
    apic_write(TIMER_INITIAL, 0xffffffff);
    begin = in32(0x608);
    from = tsc();
    while (((in32(0x608) - begin) & 0xffffff) < 3580)
        __asm__ volatile("pause");
    second = (tsc() - from) * 1000;
    apic_second = (0xffffffff - apic_read(TIMER_CURRENT)) * 1000;
}

static void pit(UINT8 mode, UINT16 count)
{
    out8(0x43, (UINT8)(0x30 | mode << 1));
    out8(0x40, (UINT8)count);
    out8(0x40, (UINT8)(count >> 8));
}

static void pit_by_ioapic(void)
{
    UINT64 before;
    int x2 = in_x2apic_mode();

    route(PIN_OF_TIMER, VECTOR, my_id());
    pit(2, PERIOD_4_KHZ);
    check(about(during(10, VECTOR), 10),
          "the interval timer at 4 kHz interrupts ten times in 2.5 ms");
    pit(3, PERIOD_4_KHZ);
    check(about(during(10, VECTOR), 10), "and so does its square wave");
    pit(0, PERIOD_4_KHZ);
    check(during(5, VECTOR) == 1, "its terminal count interrupts once");
    pit(2, PERIOD_4_KHZ);
    route(PIN_OF_TIMER, VECTOR | MASKED, my_id());
    check(during(5, VECTOR) == 0, "a masked pin passes nothing on");
    route(PIN_OF_TIMER, VECTOR | LOGICAL, 1);
    if (!x2) {
        apic_write(0xe0, 0xffffffff);
        apic_write(0xd0, 1u << 24);
    }
    check(about(during(5, VECTOR), 5), "a logical destination that is this processor's");
    route(PIN_OF_TIMER, VECTOR | LOGICAL, 2);
    check(during(5, VECTOR) == 0, "and one that is nobody's");
    if (!x2) {
        apic_write(0xe0, 0x0fffffff);
        apic_write(0xd0, 0x34u << 24);
        route(PIN_OF_TIMER, VECTOR | LOGICAL | 0x100, 0x3c);
        check(about(during(5, VECTOR), 5),
              "lowest priority to a cluster with this processor in it");
        route(PIN_OF_TIMER, VECTOR | LOGICAL, 0x24);
        check(during(5, VECTOR) == 0, "not to another cluster");
        apic_write(0xd0, 0);
        apic_write(0xe0, 0xffffffff);
    }
    before = nmis;
    pit(0, PERIOD_4_KHZ);
    route(PIN_OF_TIMER, NMI, my_id());
    __asm__ volatile("hlt");
    check(nmis == before + 1, "a pin that delivers an NMI ends HLT with interrupts off");
    nmis = before;
    route(PIN_OF_TIMER, MASKED, 0);
}

static void pics(UINT8 first, UINT8 second_mask)
{
    out8(0x20, 0x11);
    out8(0x21, PIC_VECTOR);
    out8(0x21, 4);
    out8(0x21, 1);
    out8(0xa0, 0x11);
    out8(0xa1, PIC_VECTOR + 8);
    out8(0xa1, 2);
    out8(0xa1, 1);
    out8(0x21, first);
    out8(0xa1, second_mask);
}

static UINT8 in_service(UINT16 port)
{
    out8(port, 0x0b);
    return in8(port);
}

static void pit_by_8259(void)
{
    UINT64 before = vectors[PIC_VECTOR];

    apic_write(LINT0, EXTERNAL);
    pics(0xff, 0xff);
    pit(0, PERIOD_4_KHZ);
    check(during(5, PIC_VECTOR) == 0, "a masked input of the 8259A asks for nothing");
    out8(0x20, 0x0a);
    check(in8(0x20) & 1, "but its request is kept");
    out8(0x21, 0xfe);
    __asm__ volatile("sti; nop; cli");
    check(vectors[PIC_VECTOR] == before + 1 && in_service(0x20) == 1,
          "and comes when it is unmasked, and is in service");
    pit(0, PERIOD_4_KHZ);
    check(during(5, PIC_VECTOR) == 0, "no second one before its end");
    out8(0x20, 0x20);
    check(during(1, PIC_VECTOR) == 1, "one after it");
    out8(0x20, 0x60);
    check(in_service(0x20) == 0, "a specific end of interrupt ends it");
    apic_write(LINT0, EXTERNAL | MASKED);
    pit(0, PERIOD_4_KHZ);
    check(during(5, PIC_VECTOR) == 0, "nothing passes a masked LINT0");
    apic_write(LINT0, EXTERNAL);
    check(during(1, PIC_VECTOR) == 1, "until it is open");
    out8(0x20, 0x20);
}

/* The second 8259A, its cascade, polling, priorities, and a request that is withdrawn. */
static void cascade(void)
{
    UINT64 before = vectors[PIC_VECTOR + 8];

    pics(0xfb, 0xfe);
    out8(0x70, 0x0b);
    out8(0x71, 0x42);
    out8(0x70, 0x0c);
    in8(0x71);
    check(during(5, PIC_VECTOR + 8) == 1 && in_service(0x20) == 4 && in_service(0xa0) == 1,
          "the clock's line comes through both 8259A");
    out8(0xa0, 0x20);
    out8(0x20, 0x20);
    out8(0x71, 0x02);
    in8(0x71);
    check(vectors[PIC_VECTOR + 8] == before + 1, "once, as nobody read its register C");
    pics(0xf6, 0xff); /* the timer and COM2 */
    pit(0, 2);
    out8(COM2 + 4, 8);
    out8(COM2 + 1, 2);
    for (UINT64 end = tsc() + second / 1000; tsc() < end;)
        __asm__ volatile("pause");
    out8(0x20, 0x0c);
    check(in8(0x20) == 0x80, "of two that ask the poll names the timer");
    out8(0x20, 0x0c);
    check(in8(0x20) == 0, "and then none of lower priority");
    out8(0x20, 0x20);
    out8(0x20, 0x0c);
    check(in8(0x20) == 0x83, "until its end");
    out8(0x20, 0x20);
    out8(COM2 + 1, 0);
    apic_write(LINT0, EXTERNAL | MASKED);
    route(0, EXTERNAL, my_id());
    before = vectors[PIC_VECTOR + 7];
    out8(COM2 + 1, 2);
    out8(COM2 + 1, 0);
    check(during(1, PIC_VECTOR + 7) == 1 && vectors[PIC_VECTOR + 7] == before + 1 &&
              in_service(0x20) == 0,
          "a request withdrawn before its acknowledgement is vector 7, and not in service");
    route(0, EXTERNAL | MASKED, 0);
    out8(0x21, 0xff);
}

static void hpet_by_legacy(void)
{
    UINT64 hz = 1000000000000000ull / (HPET(0) >> 32), before;

    check(HPET(0) >> 15 & 1, "the HPET offers legacy replacement");
    HPET(0x10) = 0;
    HPET(0xf0) = 0;
    HPET(TIMER(0)) = 0x4c;
    HPET(TIMER(0) + 8) = hz / 4000;
    HPET(TIMER(0) + 8) = hz / 4000;
    HPET(TIMER(1)) = 4;
    HPET(TIMER(1) + 8) = hz / 2000;
    route(PIN_OF_TIMER, VECTOR, my_id());
    route(8, VECTOR + 1, my_id());
    pit(2, PERIOD_4_KHZ / 4);
    before = vectors[VECTOR + 1];
    HPET(0x10) = 3;
    check(about(during(10, VECTOR), 10),
          "its first timer at 4 kHz takes the interval timer's place: ten in 2.5 ms");
    check(vectors[VECTOR + 1] == before + 1, "its second, once, that of the clock");
    HPET(0x10) = 1;
    HPET(TIMER(0)) = 0;
    HPET(TIMER(1)) = 0;
    check(about(during(2, VECTOR), 8), "without it the interval timer is back");
    route(PIN_OF_TIMER, MASKED, 0);
    route(8, MASKED, 0);
}

static UINT64 status_in_handler, remote_in_handler;
static void quiet_hpet(UINT64 vector)
{
    if (vector != VECTOR + 2)
        return;
    status_in_handler = HPET(0x20);
    remote_in_handler = entry_of(20) & REMOTE;
    HPET(0x20) = 4;
}

static void hpet_by_pin(void)
{
    UINT64 hz = 1000000000000000ull / (HPET(0) >> 32), before = vectors[VECTOR + 2];

    check(HPET(TIMER(2)) >> (32 + 20) & 1, "the third timer can be routed to pin 20");
    HPET(TIMER(2)) = 20 << 9 | 6;
    interrupt_action = quiet_hpet;
    route(20, (VECTOR + 2) | LEVEL_LOW, my_id());
    HPET(TIMER(2) + 8) = HPET(0xf0) + hz / 4000;
    __asm__ volatile("sti; hlt; cli");
    check(vectors[VECTOR + 2] == before + 1 && status_in_handler == 4 && remote_in_handler,
          "a level-triggered pin interrupts, and its remote IRR is set meanwhile");
    check(!(entry_of(20) & REMOTE) && HPET(0x20) == 0, "and is clear after the end of interrupt");
    interrupt_action = 0;
    route(20, (VECTOR + 2) | LEVEL_LOW | MASKED, my_id());
    HPET(TIMER(2) + 8) = HPET(0xf0) + hz / 4000;
    check(during(2, VECTOR + 2) == 0 && HPET(0x20) == 4, "masked, the level stands");
    interrupt_action = quiet_hpet;
    route(20, (VECTOR + 2) | LEVEL_LOW, my_id());
    __asm__ volatile("sti; nop; nop; cli");
    check(vectors[VECTOR + 2] == before + 2, "and interrupts when it is unmasked");
    interrupt_action = 0;
    HPET(TIMER(2)) = 0;
    route(20, MASKED, 0);
}

static void serial(void)
{
    route(3, VECTOR + 4, my_id());
    out8(COM2 + 4, 8);
    out8(COM2 + 1, 2);
    check(during(1, VECTOR + 4) == 1 && in8(COM2 + 2) == 2 && in8(COM2 + 2) == 1,
          "an empty transmitter interrupts when that is enabled, and says so once");
    out8(COM2 + 1, 0);
    out8(COM2 + 4, 0x18);
    out8(COM2 + 1, 1);
    out8(COM2, 0x5a);
    check(during(1, VECTOR + 4) == 1 && in8(COM2 + 2) == 4 && in8(COM2) == 0x5a &&
              in8(COM2 + 2) == 1,
          "what is received interrupts until it is read");
    out8(COM2 + 4, 0x10);
    out8(COM2, 0x5b);
    check(during(1, VECTOR + 4) == 0, "not without OUT2");
    in8(COM2);
    out8(COM2 + 1, 0);
    out8(COM2 + 4, 0);
    route(3, MASKED, 0);
}

static void quiet_pm(UINT64 vector)
{
    if (vector == VECTOR + 5)
        __asm__ volatile("outw %0, %1" ::"a"((UINT16)1), "Nd"((UINT16)0x600));
}

static void acpi_timer(void)
{
    UINT64 before = vectors[VECTOR + 5], begin;

    interrupt_action = quiet_pm;
    route(9, (VECTOR + 5) | LEVEL_LOW, my_id());
    __asm__ volatile("outw %0, %1" ::"a"((UINT16)1), "Nd"((UINT16)0x600));
    __asm__ volatile("outw %0, %1" ::"a"((UINT16)1), "Nd"((UINT16)0x602));
    __asm__ volatile("sti; hlt; cli");
    begin = tsc();
    __asm__ volatile("sti; hlt; cli");
    begin = (tsc() - begin) / (second / 1000);
    __asm__ volatile("outw %0, %1" ::"a"((UINT16)0), "Nd"((UINT16)0x602));
    check(vectors[VECTOR + 5] == before + 2 && begin >= 2343 - 47 && begin <= 2344 + 47,
          "the ACPI timer's top bit changes every 2.34 s, each a system control interrupt");
    interrupt_action = 0;
    route(9, MASKED, 0);
}

void lines(void)
{
    const UINT8 enabled = in8(COM2 + 1);

    measure_second();
    apic_write(0xf0, 0x1ff);
    HPET(0x10) = 1;
    pit_by_ioapic();
    pit_by_8259();
    cascade();
    hpet_by_legacy();
    hpet_by_pin();
    clock_lines();
    serial();
    out8(COM2 + 1, enabled);
    acpi_timer();
}
