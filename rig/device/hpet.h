/* The high precision event timer: a counter and three timers. They interrupt on lines 0 and 8
 * (legacy replacement) or on pins 20 to 23 of the I/O APIC. Only timer 0 can be periodic, and only
 * timer 2 can send messages (FSB interrupts). */
#ifndef RIG_DEVICE_HPET_H
#define RIG_DEVICE_HPET_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct irq;

#define HPET_BASE   0xfed00000u
#define HPET_TIMERS 3u
#define HPET_ID     0x8086a201u /* vendor, legacy replacement, 64 bits, three timers, revision 1 */

struct hpet_timer {
    uint64_t configuration, comparator, period;
    uint64_t message; /* of an FSB interrupt: the value, and in the upper half the address */
    bool set_lower;   /* the lower half was written after the set-value bit, and the upper half may
                         follow */
    uint64_t due;     /* tick at which the counter equals the comparator, NEVER when the counter is
                         stopped */
};

struct hpet {
    struct irq *irq;
    uint64_t configuration;
    uint64_t stopped; /* the count while the counter is stopped */
    uint64_t begun;   /* while it runs: the period of its clock in which it would have been 0 */
    uint64_t status;
    struct hpet_timer timer[HPET_TIMERS];
};

void hpet_reset(struct hpet *hpet, struct irq *irq);
/* Whether a read at that offset shows what events left behind. */
bool hpet_shows_events(uint64_t offset);
/* Aligned accesses of 4 or 8 bytes by `core`, whose clock says when; other reads give ones, other
 * writes are lost. */
uint64_t hpet_read(const struct hpet *hpet, const struct core *core, uint64_t offset,
                   unsigned size);
void hpet_write(struct hpet *hpet, const struct core *core, uint64_t offset, unsigned size,
                uint64_t value);
/* Whether a timer is on that needs no interrupt line. */
bool hpet_sends(const struct hpet *hpet);
/* The tick of the next interrupt, NEVER when none comes or no controller observes it. */
uint64_t hpet_due(const struct hpet *hpet);
/* Plays what is due at that tick; `now` is the core cycle of the same time. */
void hpet_turn(struct hpet *hpet, uint64_t ticks, uint64_t now);

#endif
