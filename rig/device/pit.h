/* The 8254 interval timer: channel 0, whose gate is always open and whose output is interrupt line
 * 0, and channel 2, whose gate and output are in port 61H. There is no channel 1 (refresh). */
#ifndef RIG_DEVICE_PIT_H
#define RIG_DEVICE_PIT_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct irq;

#define PORT_PIT_CHANNEL_0 0x40u
#define PORT_PIT_CHANNEL_2 0x42u
#define PORT_PIT_CONTROL   0x43u

struct pit_channel {
    uint64_t begun; /* the clock of the input at which the countdown began */
    uint16_t reload, latch;
    uint8_t control, status;
    bool high_next, high_next_write; /* the next read, or write, is of the upper byte */
    bool latched, status_latched;
    bool gate;
    bool loaded; /* a count was written since the control word */
};

struct pit {
    struct irq *irq;
    struct pit_channel channel[2]; /* 0 and 2 */
    uint64_t rises; /* of the output of channel 0 since its count began, as far as played */
};

void pit_reset(struct pit *pit, struct irq *irq);
/* Accesses by `core`, whose clock says when. */
uint8_t pit_read(struct pit *pit, const struct core *core, uint16_t port);
void pit_write(struct pit *pit, const struct core *core, uint16_t port, uint8_t value);
/* Channel 2: the gate that port 61H bit 0 drives, and the output that bit 5 shows. */
void pit_gate(struct pit *pit, const struct core *core, bool open);
bool pit_output(const struct pit *pit, const struct core *core);
/* The tick of channel 0's next interrupt, NEVER when none comes or no controller observes it. */
uint64_t pit_due(const struct pit *pit);
/* Plays what is due at that tick; `now` is the core cycle of the same time. */
void pit_turn(struct pit *pit, uint64_t ticks, uint64_t now);

#endif
