/* "MC146818 Real-Time Clock Plus RAM" in the mode that PC firmware leaves: 24 hours, packed
 * decimal. No update is ever in progress. The time cannot be set. */
#include "rtc.h"

#include "irq.h"
#include "platform.h"

#define BASE_HZ         32768u
#define DIVIDER         0x20u /* of register A: the 32 kHz crystal */
#define RATE_RESET      6u    /* 1024 Hz */
#define CONTROL_24      0x02u
#define CONTROL_UPDATE  0x10u
#define CONTROL_ALARM   0x20u
#define CONTROL_PERIOD  0x40u
#define CONTROL_EVENTS  (CONTROL_UPDATE | CONTROL_ALARM | CONTROL_PERIOD)
#define START_YEAR      2026u
#define DAY_SECONDS     86400u
#define NANOSECONDS     1000000000u /* in a second */
#define ANY_VALUE       0xc0u       /* alarm bytes from here on match every value */
#define VALID           0x80u
#define FLAG_ANY        0x80u
#define CLOCK_REGISTERS 14u /* the bytes behind them are memory */

enum rtc_register {
    SECONDS = 0x00,
    SECONDS_ALARM = 0x01,
    MINUTES = 0x02,
    MINUTES_ALARM = 0x03,
    HOURS = 0x04,
    HOURS_ALARM = 0x05,
    DAY = 0x07,
    MONTH = 0x08,
    YEAR = 0x09,
    REGISTER_A = 0x0a,
    REGISTER_B = 0x0b,
    REGISTER_C = 0x0c,
    REGISTER_D = 0x0d,
    CENTURY = 0x32
};

struct rtc_time rtc_time_at(const struct machine *machine, uint64_t ticks)
{
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint64_t seconds = machine_count_of(machine, ticks, 1);
    uint64_t rest = ticks - machine_ticks_of(machine, seconds, 1);
    uint64_t day = seconds / DAY_SECONDS;
    uint8_t month = 0;

    for (; day >= days[month]; month++) /* a run ends long before the year does */
        day -= days[month];
    return (struct rtc_time){.year = START_YEAR,
                             .month = (uint8_t)(month + 1),
                             .day = (uint8_t)(day + 1),
                             .hour = (uint8_t)(seconds / 3600 % 24),
                             .minute = (uint8_t)(seconds / 60 % 60),
                             .second = (uint8_t)(seconds % 60),
                             .nanosecond = (uint32_t)machine_count_of(machine, rest, NANOSECONDS)};
}

static uint8_t packed(unsigned value)
{
    return (uint8_t)(value / 10 % 10 << 4 | value % 10);
}

static bool matches(uint8_t alarm, unsigned value)
{
    return alarm >= ANY_VALUE || alarm == packed(value);
}

/* The first second after `from` whose time of day is that of the alarm. The clock began at
 * midnight. */
static uint64_t next_alarm(const struct rtc *rtc, uint64_t from)
{
    for (uint64_t second = from + 1; second <= from + DAY_SECONDS; second++)
        if (matches(rtc->stored[SECONDS_ALARM], (unsigned)(second % 60)) &&
            matches(rtc->stored[MINUTES_ALARM], (unsigned)(second / 60 % 60)) &&
            matches(rtc->stored[HOURS_ALARM], (unsigned)(second / 3600 % 24)))
            return second;
    return NEVER; /* no such time */
}

void rtc_reset(struct rtc *rtc, struct irq *irq)
{
    *rtc =
        (struct rtc){.irq = irq, .rate = RATE_RESET, .control = CONTROL_24, .alarm = DAY_SECONDS};
}

/* The periodic interrupt's rate; 0 is off. Codes 1 and 2 stand for the rates of 8 and 9. */
static unsigned hertz(const struct rtc *rtc)
{
    unsigned rate = rtc->rate < 3 && rtc->rate ? rtc->rate + 7u : rtc->rate;

    return rate ? BASE_HZ >> (rate - 1) : 0;
}

static void drive(struct rtc *rtc, uint64_t now)
{
    rtc->flags &= (uint8_t)~FLAG_ANY;
    if (rtc->flags & rtc->control & CONTROL_EVENTS)
        rtc->flags |= FLAG_ANY;
    if (!rtc->irq->legacy_replaced)
        irq_set(rtc->irq, IRQ_CLOCK, rtc->flags & FLAG_ANY, now);
}

uint64_t rtc_due(const struct rtc *rtc)
{
    const struct machine *machine = rtc->irq->machine;
    uint64_t period = NEVER, second = NEVER;

    /* Once the line is asserted nothing more happens until register C is read. */
    if (rtc->flags & FLAG_ANY || rtc->irq->legacy_replaced || !irq_is_observed(rtc->irq, IRQ_CLOCK))
        return NEVER;
    if (rtc->control & CONTROL_PERIOD && hertz(rtc))
        period = machine_ticks_of(machine, rtc->periods + 1, hertz(rtc));
    if (rtc->control & CONTROL_UPDATE)
        second = rtc->seconds + 1;
    else if (rtc->control & CONTROL_ALARM)
        second = rtc->alarm;
    if (second != NEVER)
        second = machine_ticks_of(machine, second, 1);
    return period < second ? period : second;
}

void rtc_turn(struct rtc *rtc, uint64_t ticks, uint64_t now)
{
    const struct machine *machine = rtc->irq->machine;
    uint64_t seconds = machine_count_of(machine, ticks, 1);
    uint64_t periods = hertz(rtc) ? machine_count_of(machine, ticks, hertz(rtc)) : 0;
    uint8_t before = rtc->flags;

    if (periods > rtc->periods) {
        rtc->periods = periods;
        rtc->flags |= CONTROL_PERIOD;
    }
    if (seconds > rtc->seconds) {
        rtc->seconds = seconds;
        rtc->flags |= CONTROL_UPDATE;
    }
    if (seconds >= rtc->alarm) {
        rtc->alarm = next_alarm(rtc, seconds);
        rtc->flags |= CONTROL_ALARM;
    }
    if (rtc->flags != before)
        drive(rtc, now);
}

static uint8_t time_field(struct rtc_time time, enum rtc_register index)
{
    switch (index) {
    case SECONDS:
        return packed(time.second);
    case MINUTES:
        return packed(time.minute);
    case HOURS:
        return packed(time.hour);
    case DAY:
        return packed(time.day);
    case MONTH:
        return packed(time.month);
    case YEAR:
        return packed(time.year % 100u);
    default:
        return packed(time.year / 100u);
    }
}

/* Reading register C ends the request. */
static uint8_t read_flags(struct rtc *rtc, const struct core *core)
{
    uint8_t flags = rtc->flags;

    rtc->flags = 0;
    drive(rtc, core_now(core));
    return flags;
}

bool rtc_shows_events(const struct rtc *rtc, uint16_t port)
{
    return port == PORT_CLOCK_DATA && rtc->index == REGISTER_C;
}

uint8_t rtc_read(struct rtc *rtc, const struct core *core, uint16_t port)
{
    if (port == PORT_CLOCK_INDEX)
        return 0xff; /* write only */
    switch ((enum rtc_register)rtc->index) {
    case REGISTER_A:
        return (uint8_t)(DIVIDER | rtc->rate);
    case REGISTER_B:
        return rtc->control;
    case REGISTER_C:
        return read_flags(rtc, core);
    case REGISTER_D:
        return VALID;
    case SECONDS:
    case MINUTES:
    case HOURS:
    case DAY:
    case MONTH:
    case YEAR:
    case CENTURY:
        return time_field(rtc_time_at(rtc->irq->machine, core_ticks(core)),
                          (enum rtc_register)rtc->index);
    default:
        return rtc->stored[rtc->index];
    }
}

static void set_rate(struct rtc *rtc, const struct core *core, uint8_t value)
{
    rtc->rate = value & 15u;
    rtc->periods =
        hertz(rtc) ? machine_count_of(rtc->irq->machine, core_ticks(core), hertz(rtc)) : 0;
}

void rtc_write(struct rtc *rtc, const struct core *core, uint16_t port, uint8_t value)
{
    if (port == PORT_CLOCK_INDEX) {
        rtc->index = value & 0x7f;
        return;
    }
    if (rtc->index == REGISTER_A)
        set_rate(rtc, core, value);
    else if (rtc->index == REGISTER_B)
        rtc->control = CONTROL_24 | (value & CONTROL_EVENTS);
    else if (rtc->index == SECONDS_ALARM || rtc->index == MINUTES_ALARM ||
             rtc->index == HOURS_ALARM || (rtc->index >= CLOCK_REGISTERS && rtc->index != CENTURY))
        rtc->stored[rtc->index] = value;
    if (rtc->index < DAY)
        rtc->alarm = next_alarm(rtc, rtc->seconds);
    drive(rtc, core_now(core));
}
