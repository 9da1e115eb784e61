/* "MC146818 Real-Time Clock Plus RAM": 24 hours and packed decimal, as PC firmware leaves it; never
 * in an update. The time cannot be set. */
#include "rtc.h"

#include <string.h>

#include "firmware/firmware.h"
#include "irq.h"
#include "machine/machine.h"

#define BASE_HZ         32768u
#define DIVIDER         0x20u /* of register A: the 32 kHz crystal */
#define RATE_RESET      6u    /* 1024 Hz */
#define CONTROL_24      0x02u
#define CONTROL_UPDATE  0x10u
#define CONTROL_ALARM   0x20u
#define CONTROL_PERIOD  0x40u
#define CONTROL_EVENTS  (CONTROL_UPDATE | CONTROL_ALARM | CONTROL_PERIOD)
#define DAY_SECONDS     86400u
#define ANY_VALUE       0xc0u /* an alarm byte from here on matches everything */
#define VALID           0x80u
#define FLAG_ANY        0x80u
#define CLOCK_REGISTERS 14u /* beyond them lies memory */

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

static uint8_t packed(unsigned value)
{
    return (uint8_t)(value / 10 % 10 << 4 | value % 10);
}

static bool matches(uint8_t alarm, unsigned value)
{
    return alarm >= ANY_VALUE || alarm == packed(value);
}

/* The first second after `from` whose time of day is the alarm's. The clock began at midnight. */
static uint64_t next_alarm(const struct rtc *rtc, uint64_t from)
{
    for (uint64_t second = from + 1; second <= from + DAY_SECONDS; second++)
        if (matches(rtc->stored[SECONDS_ALARM], (unsigned)(second % 60)) &&
            matches(rtc->stored[MINUTES_ALARM], (unsigned)(second / 60 % 60)) &&
            matches(rtc->stored[HOURS_ALARM], (unsigned)(second / 3600 % 24)))
            return second;
    return NEVER; /* no such time */
}

void rtc_reset(struct rtc *rtc)
{
    *rtc = (struct rtc){.rate = RATE_RESET, .control = CONTROL_24, .alarm = DAY_SECONDS};
}

/* Rates 1 and 2 are those of 8 and 9; 0 is off. */
static unsigned hertz(const struct rtc *rtc)
{
    unsigned rate = rtc->rate < 3 && rtc->rate ? rtc->rate + 7u : rtc->rate;

    return rate ? BASE_HZ >> (rate - 1) : 0;
}

static void drive(struct machine *machine, uint64_t now)
{
    struct rtc *rtc = &machine->rtc;

    rtc->flags &= (uint8_t)~FLAG_ANY;
    if (rtc->flags & rtc->control & CONTROL_EVENTS)
        rtc->flags |= FLAG_ANY;
    if (!hpet_replaces_legacy(machine))
        irq_set(machine, IRQ_CLOCK, rtc->flags & FLAG_ANY, now);
}

uint64_t rtc_due(struct machine *machine)
{
    const struct rtc *rtc = &machine->rtc;
    uint64_t period = NEVER, second = NEVER;

    /* Once the line stands nothing more happens until register C is read. */
    if (rtc->flags & FLAG_ANY || hpet_replaces_legacy(machine) ||
        !irq_is_observed(machine, IRQ_CLOCK))
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

void rtc_turn(struct machine *machine, uint64_t ticks, uint64_t now)
{
    struct rtc *rtc = &machine->rtc;
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
        drive(machine, now);
}

static uint8_t time_field(struct core *core, unsigned index)
{
    uint8_t now[16];
    uint16_t year;

    time_of_day(core, now);
    memcpy(&year, now, sizeof(year));
    switch ((enum rtc_register)index) {
    case SECONDS:
        return packed(now[6]);
    case MINUTES:
        return packed(now[5]);
    case HOURS:
        return packed(now[4]);
    case DAY:
        return packed(now[3]);
    case MONTH:
        return packed(now[2]);
    case YEAR:
        return packed(year % 100u);
    default:
        return packed(year / 100u);
    }
}

/* Reading register C ends the request. */
static uint8_t read_flags(struct core *core)
{
    struct machine *machine = core->machine;
    uint8_t flags;

    irq_catch_up(core);
    flags = machine->rtc.flags;
    machine->rtc.flags = 0;
    drive(machine, core_now(core));
    irq_changed(core);
    return flags;
}

uint8_t rtc_read(struct core *core, uint16_t port)
{
    struct rtc *rtc = &core->machine->rtc;

    if (port == PORT_CLOCK_INDEX)
        return 0xff; /* write only */
    switch ((enum rtc_register)rtc->index) {
    case REGISTER_A:
        return (uint8_t)(DIVIDER | rtc->rate);
    case REGISTER_B:
        return rtc->control;
    case REGISTER_C:
        return read_flags(core);
    case REGISTER_D:
        return VALID;
    case SECONDS:
    case MINUTES:
    case HOURS:
    case DAY:
    case MONTH:
    case YEAR:
    case CENTURY:
        return time_field(core, rtc->index);
    default:
        return rtc->stored[rtc->index];
    }
}

static void set_rate(struct core *core, uint8_t value)
{
    struct rtc *rtc = &core->machine->rtc;

    rtc->rate = value & 15u;
    rtc->periods = hertz(rtc) ? machine_count_of(core->machine, core_ticks(core), hertz(rtc)) : 0;
}

void rtc_write(struct core *core, uint16_t port, uint8_t value)
{
    struct rtc *rtc = &core->machine->rtc;

    if (port == PORT_CLOCK_INDEX) {
        rtc->index = value & 0x7f;
        return;
    }
    irq_catch_up(core);
    if (rtc->index == REGISTER_A)
        set_rate(core, value);
    else if (rtc->index == REGISTER_B)
        rtc->control = CONTROL_24 | (value & CONTROL_EVENTS);
    else if (rtc->index == SECONDS_ALARM || rtc->index == MINUTES_ALARM ||
             rtc->index == HOURS_ALARM || (rtc->index >= CLOCK_REGISTERS && rtc->index != CENTURY))
        rtc->stored[rtc->index] = value;
    if (rtc->index < DAY)
        rtc->alarm = next_alarm(rtc, rtc->seconds);
    drive(core->machine, core_now(core));
    irq_changed(core);
}
