/* The clock of an MC146818: the time, an alarm, and three interrupts on line 8. */
#ifndef RIG_DEVICE_RTC_H
#define RIG_DEVICE_RTC_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct irq;
struct machine;

#define PORT_CLOCK_INDEX 0x70u
#define PORT_CLOCK_DATA  0x71u

struct rtc {
    struct irq *irq;
    uint8_t index, rate, control, flags; /* index; rate of register A; registers B and C */
    uint64_t periods, seconds;           /* since the start, as far as played */
    uint64_t alarm;      /* the second of the next alarm, NEVER when there is none */
    uint8_t stored[128]; /* the alarm, and memory that only the program reads */
};

/* A time of day. The clock starts at midnight of 1 January and counts simulated time. */
struct rtc_time {
    uint16_t year;
    uint8_t month, day; /* from 1 */
    uint8_t hour, minute, second;
    uint32_t nanosecond;
};

struct rtc_time rtc_time_at(const struct machine *machine, uint64_t ticks);

void rtc_reset(struct rtc *rtc, struct irq *irq);
/* Whether a read of that port shows what events left behind. */
bool rtc_shows_events(const struct rtc *rtc, uint16_t port);
/* Accesses by `core`, whose clock says when. */
uint8_t rtc_read(struct rtc *rtc, const struct core *core, uint16_t port);
void rtc_write(struct rtc *rtc, const struct core *core, uint16_t port, uint8_t value);
/* The tick of the next interrupt, NEVER when none comes or no controller observes it. */
uint64_t rtc_due(const struct rtc *rtc);
/* Plays what is due at that tick; `now` is the core cycle of the same time. */
void rtc_turn(struct rtc *rtc, uint64_t ticks, uint64_t now);

#endif
