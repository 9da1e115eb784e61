/* The 8254 interval timer: channel 0, whose gate is always open, and channel 2, whose gate and
 * output are in port 61H. Channel 1 (refresh) is not there. Channel 0's output is interrupt line 0.
 */
#ifndef RIG_PIT_H
#define RIG_PIT_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;

#define PORT_PIT_CHANNEL_0 0x40u
#define PORT_PIT_CHANNEL_2 0x42u
#define PORT_PIT_CONTROL   0x43u

struct pit_channel {
    uint64_t begun; /* count of the input clock at which the countdown began */
    uint16_t reload, latch;
    uint8_t control, status;
    bool high_next; /* of a two-byte access, for reads and writes each */
    bool high_next_write;
    bool latched, status_latched;
    bool gate;
    bool loaded; /* a count was written since the control word */
};

struct pit {
    struct pit_channel channel[2]; /* 0 and 2 */
    uint64_t rises;                /* of channel 0's output since its count began, looked at */
};

void pit_reset(struct pit *pit);
uint8_t pit_read(struct core *core, uint16_t port);
void pit_write(struct core *core, uint16_t port, uint8_t value);
/* Channel 2: the gate that port 61H bit 0 drives, and the output that bit 5 shows. */
void pit_gate(struct core *core, bool open);
bool pit_output(struct core *core);
uint64_t pit_due(struct machine *machine); /* tick of the next event that is observed */
void pit_turn(struct machine *machine, uint64_t ticks, uint64_t now);

#endif
