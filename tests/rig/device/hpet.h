/* The high precision event timer: a counter and three timers, the first of them periodic as well.
 * They ask on lines 0 and 8 (legacy replacement) or on a pin of the I/O APIC from 20 to 23; the
 * third one by messages (FSB) as well. */
#ifndef RIG_HPET_H
#define RIG_HPET_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;

#define HPET_BASE   0xfed00000u
#define HPET_TIMERS 3u
#define HPET_ID     0x8086a201u /* vendor, legacy replacement, 64 bits, three timers, revision 1 */

struct hpet_timer {
    uint64_t configuration, comparator, period;
    uint64_t message; /* what it writes, and in the upper half where */
    bool set_lower; /* the lower half was written behind the set-value bit, the upper may follow */
    uint64_t due;   /* tick at which the counter meets the comparator, NEVER when it does not run */
};

struct hpet {
    uint64_t configuration, stopped; /* the count it has when it does not run */
    uint64_t begun;                  /* tick of the machine at which it would have been 0 */
    uint64_t status;
    struct hpet_timer timer[HPET_TIMERS];
};

void hpet_reset(struct hpet *hpet);
/* Accesses of 4 or 8 bytes by `core`, whose clock says when; others read as ones and are lost. */
uint64_t hpet_read(struct core *core, uint64_t offset, unsigned size);
void hpet_write(struct core *core, uint64_t offset, unsigned size, uint64_t value);
bool hpet_replaces_legacy(const struct machine *machine);
bool hpet_sends(const struct machine *machine); /* a timer is on that needs no line */
uint64_t hpet_due(struct machine *machine);     /* tick of the next event that is observed */
void hpet_turn(struct machine *machine, uint64_t ticks, uint64_t now);

#endif
