#include "idle.h"

#include <stdbool.h>

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "vector.h"

#define PIC_1_MASK 0x21
#define PIC_2_MASK 0xa1
#define PIC_ALL    0xff

#define PRIORITY_OURS    0xe0u /* lets through F0H and up alone: VECTOR_WAKE, VECTOR_TIMER */
#define LVT_TSC_DEADLINE (2u << 17)
#define TIMER_COUNTS     (1u << 20) /* 44 ms at 24 MHz, the slowest clock of a local APIC's timer */
#define ON_ITS_WAY_US    5

/* What idle_end puts back. */
static struct {
    uint32_t spurious, priority, timer, divide, count;
    uint8_t pic_1, pic_2;
    bool ticks; /* the timer is ours meanwhile */
} self;

/* One that is switched off takes no message and has no timer. In TSC deadline mode the firmware's
 * deadline could not be put back: its timer goes on, and its interrupt waits. */
void idle_begin(void)
{
    self.spurious = apic_read(APIC_SPURIOUS);
    self.timer = apic_read(APIC_TIMER);
    self.ticks = self.spurious & APIC_SPURIOUS_ENABLE && !(self.timer & LVT_TSC_DEADLINE);

    self.pic_1 = port_in(PIC_1_MASK);
    self.pic_2 = port_in(PIC_2_MASK);
    port_out(PIC_1_MASK, PIC_ALL); /* its interrupts know no priority of the APIC */
    port_out(PIC_2_MASK, PIC_ALL);
    if (self.spurious & APIC_SPURIOUS_ENABLE)
        apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);
    self.priority = apic_read(APIC_PRIORITY);
    apic_write(APIC_PRIORITY, PRIORITY_OURS);

    if (!self.ticks)
        return;
    self.divide = apic_read(APIC_TIMER_DIVIDE);
    self.count = apic_read(APIC_TIMER_INITIAL);
    apic_write(APIC_TIMER, VECTOR_TIMER); /* once for each count that is written */
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
}

void idle_halt(void)
{
    if (!self.ticks) {
        take_interrupts();
        pause();
        return;
    }
    apic_write(APIC_TIMER_INITIAL, TIMER_COUNTS);
    wait_for_interrupt();
}

void idle_end(void)
{
    uint64_t deadline = clock_deadline(ON_ITS_WAY_US);

    if (self.ticks) {
        apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
        apic_write(APIC_TIMER_INITIAL, 0);
    }
    do
        take_interrupts();
    while (!clock_passed(deadline));

    if (self.ticks) {
        apic_write(APIC_TIMER_DIVIDE, self.divide);
        apic_write(APIC_TIMER, self.timer);
        if (self.count)
            apic_write(APIC_TIMER_INITIAL, self.count);
    }
    apic_write(APIC_PRIORITY, self.priority);
    apic_write(APIC_SPURIOUS, self.spurious);
    port_out(PIC_1_MASK, self.pic_1);
    port_out(PIC_2_MASK, self.pic_2);
}
