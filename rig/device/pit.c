/* "8254 Programmable Interval Timer": counting in modes 0, 2, 3 and 4, counter latch and read-back.
 * Binary only. */
#include "pit.h"

#include "irq.h"
#include "platform.h"

#define INPUT_HZ        1193182u
#define ACCESS(control) ((control) >> 4 & 3u)
#define MODE(control)   ((control) >> 1 & 7u)
#define ACCESS_LOW      1u
#define ACCESS_HIGH     2u
#define ACCESS_BOTH     3u
#define READ_BACK       3u
#define STATUS_OUTPUT   0x80u

void pit_reset(struct pit *pit, struct irq *irq)
{
    *pit = (struct pit){
        .irq = irq,
        .channel = {{.control = 0x36, .gate = true, .loaded = true}, {.control = 0x30}}};
}

static uint64_t input_clock(const struct pit *pit, const struct core *core)
{
    return machine_count_of(pit->irq->machine, core_ticks(core), INPUT_HZ);
}

static uint64_t elapsed(const struct pit *pit, const struct core *core,
                        const struct pit_channel *channel)
{
    return channel->gate ? input_clock(pit, core) - channel->begun : 0;
}

static uint32_t period(const struct pit_channel *channel)
{
    return channel->reload ? channel->reload : 0x10000;
}

/* Modes 2 and 3 (and their aliases 6 and 7) start over; the others go on below zero. */
static bool is_periodic(const struct pit_channel *channel)
{
    return MODE(channel->control) & 2;
}

/* The clocks until the output of a mode that is not periodic rises; in mode 4 it is low in the
 * last. */
static uint64_t first_rise(const struct pit_channel *channel)
{
    return period(channel) + (MODE(channel->control) == 4);
}

static bool output(const struct pit *pit, const struct core *core,
                   const struct pit_channel *channel)
{
    uint64_t gone = elapsed(pit, core, channel);

    if (!is_periodic(channel))
        return gone >= period(channel);
    return (MODE(channel->control) & 1) ? gone % period(channel) < (period(channel) + 1) / 2
                                        : gone % period(channel) != period(channel) - 1;
}

static uint16_t current(const struct pit *pit, const struct core *core,
                        const struct pit_channel *channel)
{
    uint64_t gone = elapsed(pit, core, channel);

    if (MODE(channel->control) == 3 || MODE(channel->control) == 7)
        gone *= 2; /* a square wave counts by two */
    return (uint16_t)(is_periodic(channel) ? period(channel) - gone % period(channel)
                                           : period(channel) - gone);
}

uint8_t pit_read(struct pit *pit, const struct core *core, uint16_t port)
{
    struct pit_channel *channel = &pit->channel[port == PORT_PIT_CHANNEL_2];
    uint16_t now = channel->latched ? channel->latch : current(pit, core, channel);
    bool high = ACCESS(channel->control) == ACCESS_HIGH ||
                (ACCESS(channel->control) == ACCESS_BOTH && channel->high_next);

    if (channel->status_latched) {
        channel->status_latched = false;
        return channel->status;
    }
    if (ACCESS(channel->control) == ACCESS_BOTH)
        channel->high_next = !channel->high_next;
    if (high || ACCESS(channel->control) != ACCESS_BOTH)
        channel->latched = false;
    return (uint8_t)(high ? now >> 8 : now);
}

static void latch(const struct pit *pit, const struct core *core, struct pit_channel *channel)
{
    if (!channel->latched)
        channel->latch = current(pit, core, channel);
    channel->latched = true;
}

static void read_back(struct pit *pit, const struct core *core, uint8_t value)
{
    for (unsigned i = 0; i < 2; i++) {
        struct pit_channel *channel = &pit->channel[i];

        if (!(value & (i ? 8 : 2)))
            continue;
        if (!(value & 0x20))
            latch(pit, core, channel);
        if (value & 0x10)
            continue;
        channel->status =
            (uint8_t)((channel->control & 0x3f) | (output(pit, core, channel) ? STATUS_OUTPUT : 0));
        channel->status_latched = true;
    }
}

static void release(struct pit *pit, const struct core *core)
{
    if (!pit->irq->legacy_replaced)
        irq_set(pit->irq, IRQ_TIMER, false, core_now(core));
}

static void control(struct pit *pit, const struct core *core, uint8_t value)
{
    struct pit_channel *channel = &pit->channel[value >> 6 == 2];

    if (value >> 6 == READ_BACK) {
        read_back(pit, core, value);
    } else if (value >> 6 == 1) {
        return;
    } else if (!ACCESS(value)) {
        latch(pit, core, channel);
    } else {
        channel->control = value;
        channel->loaded = false;
        if (!(value >> 6) && !MODE(value)) /* the output of mode 0 is low until the count is over */
            release(pit, core);
        channel->high_next = channel->high_next_write = channel->latched = false;
    }
}

void pit_write(struct pit *pit, const struct core *core, uint16_t port, uint8_t value)
{
    struct pit_channel *channel = &pit->channel[port == PORT_PIT_CHANNEL_2];
    unsigned access = ACCESS(channel->control);
    bool high = access == ACCESS_HIGH || (access == ACCESS_BOTH && channel->high_next_write);

    if (port == PORT_PIT_CONTROL) {
        control(pit, core, value);
        return;
    }
    channel->reload = (uint16_t)(high ? (channel->reload & 0xff) | value << 8
                                      : (channel->reload & 0xff00) | value);
    if (access == ACCESS_BOTH)
        channel->high_next_write = !channel->high_next_write;
    if (high || access == ACCESS_LOW) {
        channel->begun = input_clock(pit, core);
        channel->loaded = true;
        if (port == PORT_PIT_CHANNEL_0)
            pit->rises = 0;
    }
}

void pit_gate(struct pit *pit, const struct core *core, bool open)
{
    struct pit_channel *channel = &pit->channel[1];

    if (open && !channel->gate)
        channel->begun = input_clock(pit, core);
    channel->gate = open;
}

bool pit_output(const struct pit *pit, const struct core *core)
{
    return output(pit, core, &pit->channel[1]);
}

/* ---- channel 0's interrupts: the rising edges of its output ---- */

/* Rises since the count began, at this tick. Modes 1 and 5 wait for an edge of the gate, so there
 * are none. */
static uint64_t rises(const struct pit *pit, uint64_t ticks)
{
    const struct pit_channel *channel = &pit->channel[0];
    uint64_t gone = machine_count_of(pit->irq->machine, ticks, INPUT_HZ) - channel->begun;

    if (!channel->loaded || (int64_t)gone < 0)
        return 0;
    if (is_periodic(channel))
        return gone / period(channel);
    return !(MODE(channel->control) & 1) && gone >= first_rise(channel);
}

uint64_t pit_due(const struct pit *pit)
{
    const struct pit_channel *channel = &pit->channel[0];
    uint64_t seen = pit->rises;

    if (!channel->loaded || pit->irq->legacy_replaced || !irq_is_observed(pit->irq, IRQ_TIMER) ||
        (!is_periodic(channel) && (seen || MODE(channel->control) & 1)))
        return NEVER;
    return machine_ticks_of(pit->irq->machine,
                            channel->begun + (is_periodic(channel) ? (seen + 1) * period(channel)
                                                                   : first_rise(channel)),
                            INPUT_HZ);
}

void pit_turn(struct pit *pit, uint64_t ticks, uint64_t now)
{
    uint64_t count = rises(pit, ticks);

    if (count <= pit->rises)
        return;
    pit->rises = count;
    if (!pit->irq->legacy_replaced)
        irq_pulse(pit->irq, IRQ_TIMER, now);
}
