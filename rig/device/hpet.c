/* "IA-PC HPET (High Precision Event Timers) Specification" 1.0a. */
#include "hpet.h"

#include "ipi.h"
#include "irq.h"
#include "platform.h"

#define HPET_HZ           14318180u
#define HPET_PERIOD_FS    UINT64_C(69841279)
#define ENABLE            1u
#define LEGACY            2u
#define CONFIGURATION     (ENABLE | LEGACY)
#define TIMER_LEVEL       0x02u
#define TIMER_INTERRUPTS  0x04u
#define TIMER_PERIODIC    0x08u
#define TIMER_CAN_PERIOD  0x10u
#define TIMER_SIZE_64     0x20u
#define TIMER_SET_VALUE   0x40u
#define TIMER_32_BITS     0x100u
#define TIMER_MESSAGES    0x4000u
#define TIMER_CAN_MESSAGE 0x8000u
#define MESSAGE_TIMER     2u /* the only one with FSB interrupts */
#define TIMER_ROUTE(t)    ((unsigned)((t) >> 9 & 31))
#define TIMER_ROUTE_FIELD UINT64_C(0x3e00)
#define TIMER_WRITABLE    (TIMER_LEVEL | TIMER_INTERRUPTS | TIMER_32_BITS)
#define ROUTES            0x00f00000u /* pins 20 to 23 */
#define TIMERS_AT         0x100u
#define TIMER_BYTES       0x20u

enum hpet_register { CAPABILITIES = 0x00, CONTROL = 0x10, STATUS = 0x20, COUNTER = 0xf0 };

void hpet_reset(struct hpet *hpet, struct irq *irq)
{
    *hpet = (struct hpet){.irq = irq};
    for (unsigned i = 0; i < HPET_TIMERS; i++)
        hpet->timer[i] = (struct hpet_timer){.comparator = UINT64_MAX, .due = NEVER};
}

static uint64_t clock_at(const struct hpet *hpet, uint64_t ticks)
{
    return machine_count_of(hpet->irq->machine, ticks, HPET_HZ);
}

static uint64_t count_at(const struct hpet *hpet, uint64_t ticks)
{
    return hpet->configuration & ENABLE ? clock_at(hpet, ticks) - hpet->begun : hpet->stopped;
}

/* ---- timers ---- */

/* The interrupt line of a timer, or -1 when its route is none of ROUTES. */
static int line_of(const struct hpet *hpet, unsigned n)
{
    unsigned route = TIMER_ROUTE(hpet->timer[n].configuration);

    if (hpet->irq->legacy_replaced && n < 2)
        return n ? IRQ_CLOCK : IRQ_TIMER;
    return ROUTES >> route & 1 ? (int)route : -1;
}

static bool is_periodic(const struct hpet_timer *timer)
{
    return timer->configuration & TIMER_PERIODIC;
}

static bool by_message(const struct hpet_timer *timer)
{
    return timer->configuration & TIMER_MESSAGES;
}

/* SDM 3A, "Message Signalled Interrupts": a write to the local APICs' addresses. A write to other
 * addresses would go to memory, which the machine does not play. */
static void send_message(struct hpet *hpet, unsigned n, uint64_t now)
{
    uint64_t message = hpet->timer[n].message, address = message >> 32;

    if (address >> 20 != 0xfee) {
        machine_end(hpet->irq->machine, 1,
                    "HPET timer %u sends a message to 0x%llx, where no APIC is", n,
                    (unsigned long long)address);
        return;
    }
    ipi_deliver(hpet->irq->machine,
                (struct interrupt_message){.delivery = (enum delivery)(message >> 8 & 7),
                                           .vector = (uint8_t)message,
                                           .logical = (address >> 2 & 3) == 3,
                                           .destination = (uint8_t)(address >> 12)},
                now);
}

/* The counts until the counter equals the comparator, 0 when they are equal now. */
static uint64_t distance(const struct hpet_timer *timer, uint64_t count)
{
    uint64_t way = timer->comparator - count;

    return timer->configuration & TIMER_32_BITS ? way & UINT32_MAX : way;
}

static void aim(struct hpet *hpet, unsigned n, uint64_t ticks)
{
    struct hpet_timer *timer = &hpet->timer[n];
    uint64_t now = clock_at(hpet, ticks), way = distance(timer, count_at(hpet, ticks));

    timer->due = NEVER;
    if (hpet->configuration & ENABLE && now + way >= now &&
        now + way < UINT64_C(1) << 60) /* no run lasts longer */
        timer->due = machine_ticks_of(hpet->irq->machine, now + way, HPET_HZ);
}

static void drive(struct hpet *hpet, unsigned n, bool event, uint64_t now)
{
    const struct hpet_timer *timer = &hpet->timer[n];
    bool enabled = timer->configuration & TIMER_INTERRUPTS && hpet->configuration & ENABLE;
    int line = line_of(hpet, n);

    if (by_message(timer)) {
        if (event && enabled)
            send_message(hpet, n, now);
        return;
    }
    if (line < 0)
        return;
    if (timer->configuration & TIMER_LEVEL)
        irq_set(hpet->irq, (unsigned)line, enabled && hpet->status >> n & 1, now);
    else if (event && enabled)
        irq_pulse(hpet->irq, (unsigned)line, now);
}

/* The counter has reached the comparator, perhaps several times since the last look at it. */
static void fire(struct hpet *hpet, unsigned n, uint64_t ticks, uint64_t now)
{
    struct hpet_timer *timer = &hpet->timer[n];

    if (timer->configuration & TIMER_LEVEL && !by_message(timer)) /* messages are edges */
        hpet->status |= UINT64_C(1) << n;
    if (is_periodic(timer) && timer->period) {
        uint64_t gone = count_at(hpet, ticks) - timer->comparator;

        if (timer->configuration & TIMER_32_BITS)
            gone &= UINT32_MAX;
        timer->comparator += (gone / timer->period + 1) * timer->period;
        if (timer->configuration & TIMER_32_BITS)
            timer->comparator &= UINT32_MAX;
        aim(hpet, n, ticks);
    } else if (timer->configuration &
               TIMER_32_BITS) { /* again after a full round of the lower half */
        timer->due += machine_ticks_of(hpet->irq->machine, UINT64_C(1) << 32, HPET_HZ);
    } else {
        timer->due = NEVER;
    }
    drive(hpet, n, true, now);
}

bool hpet_sends(const struct hpet *hpet)
{
    const struct hpet_timer *timer = &hpet->timer[MESSAGE_TIMER];

    return by_message(timer) && timer->configuration & TIMER_INTERRUPTS &&
           hpet->configuration & ENABLE;
}

uint64_t hpet_due(const struct hpet *hpet)
{
    uint64_t due = NEVER;

    for (unsigned n = 0; n < HPET_TIMERS; n++) {
        const struct hpet_timer *timer = &hpet->timer[n];
        int line = line_of(hpet, n);
        bool observed =
            by_message(timer) || (line >= 0 && irq_is_observed(hpet->irq, (unsigned)line));

        if (timer->configuration & TIMER_INTERRUPTS && timer->due < due && observed)
            due = timer->due;
    }
    return due;
}

void hpet_turn(struct hpet *hpet, uint64_t ticks, uint64_t now)
{
    for (unsigned n = 0; n < HPET_TIMERS; n++)
        if (hpet->timer[n].due <= ticks)
            fire(hpet, n, ticks, now);
}

/* ---- registers ---- */

static bool is_timer(uint64_t at)
{
    return at >= TIMERS_AT && at < TIMERS_AT + HPET_TIMERS * TIMER_BYTES;
}

bool hpet_shows_events(uint64_t offset)
{
    return (offset & ~UINT64_C(7)) == STATUS || is_timer(offset);
}

static uint64_t read_timer(const struct hpet *hpet, unsigned n, uint64_t at)
{
    const struct hpet_timer *timer = &hpet->timer[n];

    switch (at) {
    case 0x00:
        return timer->configuration | TIMER_SIZE_64 | (n ? 0 : TIMER_CAN_PERIOD) |
               (n == MESSAGE_TIMER ? TIMER_CAN_MESSAGE : 0) | (uint64_t)ROUTES << 32;
    case 0x08:
        return timer->comparator;
    case 0x10:
        return timer->message;
    default:
        return 0;
    }
}

static uint64_t read_register(const struct hpet *hpet, const struct core *core, uint64_t at)
{
    switch (at) {
    case CAPABILITIES:
        return HPET_PERIOD_FS << 32 | HPET_ID;
    case CONTROL:
        return hpet->configuration;
    case STATUS:
        return hpet->status;
    case COUNTER:
        return count_at(hpet, core_ticks(core));
    default:
        return is_timer(at)
                   ? read_timer(hpet, (unsigned)((at - TIMERS_AT) / TIMER_BYTES), at % TIMER_BYTES)
                   : 0;
    }
}

static void write_timer(struct hpet *hpet, unsigned n, uint64_t value)
{
    struct hpet_timer *timer = &hpet->timer[n];
    uint64_t writable = TIMER_WRITABLE | (n ? 0 : TIMER_PERIODIC | TIMER_SET_VALUE) |
                        (n == MESSAGE_TIMER ? TIMER_MESSAGES : 0);

    if (ROUTES >> TIMER_ROUTE(value) & 1 || !TIMER_ROUTE(value))
        writable |= TIMER_ROUTE_FIELD; /* a write of another route changes nothing */
    timer->configuration =
        (timer->configuration & ~(writable | TIMER_SET_VALUE)) | (value & writable);
    if (timer->configuration & TIMER_32_BITS)
        timer->comparator &= UINT32_MAX;
}

/* The comparator of a periodic timer can be set only after the set-value bit; every write sets the
 * period. The emulator splits a write of 8 bytes into two of 4, so the bit also holds for an upper
 * half that follows its lower half. */
static void write_comparator(struct hpet *hpet, unsigned n, uint64_t mask, uint64_t value)
{
    struct hpet_timer *timer = &hpet->timer[n];
    bool upper = mask == ~(uint64_t)UINT32_MAX;
    bool set = timer->configuration & TIMER_SET_VALUE || (upper && timer->set_lower);

    if (timer->configuration & TIMER_32_BITS)
        value &= UINT32_MAX;
    if (!is_periodic(timer) || set)
        timer->comparator = (timer->comparator & ~mask) | (value & mask);
    if (is_periodic(timer))
        timer->period = (timer->period & ~mask) | (value & mask);
    timer->set_lower = set && mask == UINT32_MAX;
    timer->configuration &= ~(uint64_t)TIMER_SET_VALUE;
}

static void write_register(struct hpet *hpet, const struct core *core, uint64_t at, uint64_t mask,
                           uint64_t value)
{
    uint64_t ticks = core_ticks(core), now = clock_at(hpet, ticks);
    unsigned n = (unsigned)((at - TIMERS_AT) / TIMER_BYTES);

    if (at == CONTROL) { /* the counter stops, and goes on from the count at which it stopped */
        hpet->stopped = count_at(hpet, ticks);
        hpet->begun = now - hpet->stopped;
        hpet->configuration = value & CONFIGURATION;
        hpet->irq->legacy_replaced = hpet->configuration == CONFIGURATION;
    } else if (at == COUNTER) {
        hpet->stopped = value;
        hpet->begun = now - value;
    } else if (at == STATUS) { /* ones clear */
        hpet->status &= ~value;
    } else if (is_timer(at) && at % TIMER_BYTES == 0) {
        write_timer(hpet, n, value);
    } else if (is_timer(at) && at % TIMER_BYTES == 8) {
        write_comparator(hpet, n, mask, value);
    } else if (is_timer(at) && n == MESSAGE_TIMER && at % TIMER_BYTES == 0x10) {
        hpet->timer[n].message = value;
    }
    for (n = 0; n < HPET_TIMERS; n++) {
        if (at != STATUS)
            aim(hpet, n, ticks);
        drive(hpet, n, false, core_now(core));
    }
}

uint64_t hpet_read(const struct hpet *hpet, const struct core *core, uint64_t offset, unsigned size)
{
    uint64_t value = read_register(hpet, core, offset & ~UINT64_C(7));

    if (size == 8 && offset % 8 == 0)
        return value;
    return size == 4 && offset % 4 == 0 ? value >> 8 * (offset & 4) & UINT32_MAX : UINT64_MAX;
}

void hpet_write(struct hpet *hpet, const struct core *core, uint64_t offset, unsigned size,
                uint64_t value)
{
    uint64_t at = offset & ~UINT64_C(7), mask = UINT64_MAX, was;

    if (size == 4 && offset % 4 == 0) {
        mask = (uint64_t)UINT32_MAX << 8 * (offset & 4);
        was = at == STATUS ? 0 : read_register(hpet, core, at);
        value = (was & ~mask) | (value << 8 * (offset & 4) & mask);
    } else if (size != 8 || offset % 8) {
        return;
    }
    write_register(hpet, core, at, mask, value);
}
