/* The clock of an MC146818: time, alarm, and its three interrupts on line 8. */
#ifndef RIG_RTC_H
#define RIG_RTC_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;

#define PORT_CLOCK_INDEX 0x70u
#define PORT_CLOCK_DATA  0x71u

struct rtc {
    uint8_t index, rate, control, flags; /* index; rate of register A; registers B and C */
    uint64_t periods, seconds;           /* of either that have been looked at */
    uint64_t alarm;                      /* the second in which it rings next */
    uint8_t stored[128];                 /* the alarm, and what nobody but the program reads */
};

void rtc_reset(struct rtc *rtc);
uint8_t rtc_read(struct core *core, uint16_t port);
void rtc_write(struct core *core, uint16_t port, uint8_t value);
uint64_t rtc_due(struct machine *machine); /* tick of the next event that is observed */
void rtc_turn(struct machine *machine, uint64_t ticks, uint64_t now);

#endif
