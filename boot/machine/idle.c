#include "idle.h"

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "vector.h"

#define PIC_1_MASK 0x21
#define PIC_2_MASK 0xa1
#define PIC_ALL    0xff

#define PRIORITY_OURS    0xe0u /* only F0H and up pass: VECTOR_WAKE, VECTOR_TIMER */
#define LVT_MODE         (3u << 17)
#define LVT_TSC_DEADLINE (2u << 17)
#define TIMER_COUNTS     (1u << 20) /* 44 ms at 24 MHz, the slowest clock of a local APIC's timer */
#define ON_ITS_WAY_US    5

/* The firmware's settings, which idle_end puts back. */
static struct {
    uint32_t spurious, priority, timer, divide, count;
    uint8_t pic_1, pic_2;
    bool timer_taken;
    bool open; /* between idle_begin and idle_end */
    bool spun; /* some wait could not halt */
} self;

/* In TSC-deadline mode the firmware's deadline could not be put back: then its timer goes on, and
 * its interrupt stays pending. A masked entry interrupts nobody, in no mode. */
static bool is_free(uint32_t timer)
{
    return timer & LVT_MASKED || (timer & LVT_MODE) != LVT_TSC_DEADLINE;
}

/* A local APIC that software has not enabled takes no interrupt, its timer's neither. Its entries
 * are masked then, and stay masked when it is enabled (SDM 3A, "Local APIC State After It Has Been
 * Software Disabled"). */
void idle_begin(void)
{
    if (self.open) /* after a trap between both: what is set is ours, and not the firmware's */
        return;
    self.open = true;
    self.spurious = apic_read(APIC_SPURIOUS);
    self.timer = apic_read(APIC_TIMER);
    self.timer_taken = is_free(self.timer);

    self.pic_1 = port_in(PIC_1_MASK);
    self.pic_2 = port_in(PIC_2_MASK);
    port_out(PIC_1_MASK, PIC_ALL); /* the APIC's priority does not hold back the PIC's interrupts */
    port_out(PIC_2_MASK, PIC_ALL);
    self.priority = apic_read(APIC_PRIORITY);
    apic_write(APIC_PRIORITY, PRIORITY_OURS);
    apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);

    if (!self.timer_taken)
        return;
    self.divide = apic_read(APIC_TIMER_DIVIDE);
    self.count = apic_read(APIC_TIMER_INITIAL);
    apic_write(APIC_TIMER, VECTOR_TIMER); /* one-shot */
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
}

bool idle_has_timer(void)
{
    return self.timer_taken;
}

void idle_halt(void)
{
    if (!self.timer_taken) {
        self.spun = true;
        take_interrupts();
        pause();
        return;
    }
    apic_write(APIC_TIMER_INITIAL, TIMER_COUNTS);
    wait_for_interrupt();
}

bool idle_spun(void)
{
    return self.spun;
}

void idle_end(void)
{
    struct deadline deadline = clock_deadline(ON_ITS_WAY_US);

    if (self.timer_taken) {
        apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
        apic_write(APIC_TIMER_INITIAL, 0);
    }
    do
        take_interrupts();
    while (!clock_passed(&deadline));

    if (self.timer_taken) {
        apic_write(APIC_TIMER_DIVIDE, self.divide);
        apic_write(APIC_TIMER, self.timer);
        if (self.count)
            apic_write(APIC_TIMER_INITIAL, self.count);
    }
    apic_write(APIC_PRIORITY, self.priority);
    apic_write(APIC_SPURIOUS, self.spurious);
    port_out(PIC_1_MASK, self.pic_1);
    port_out(PIC_2_MASK, self.pic_2);
    self.open = false;
}
