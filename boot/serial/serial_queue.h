/* What waits for the serial line, on the host, too. A line may take nothing for seconds: so long
 * does what is at its other end, such as a management controller, stand still at times. What it
 * does not take is kept, and tried again with each line. */
#ifndef BOOT_SERIAL_SERIAL_QUEUE_H
#define BOOT_SERIAL_SERIAL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For how long a line that stands still is waited for where the log needs it. */
#define SERIAL_PATIENCE_US 12000000u

struct serial_pauses {
    uint64_t count, longest_us; /* that are over */
    uint64_t lost;              /* lines that had no room */
    bool stuck;                 /* it takes nothing now, for longer than SERIAL_PATIENCE_US */
};

/* Keeps up to `room` bytes in `memory` from here on. */
void serial_queue_start(char *memory, size_t room);
/* Sends a line, whose last character is a line feed, as CR LF, behind those that wait. `alone`: the
 * log is nowhere else; then a line that stands still is waited for, once for SERIAL_PATIENCE_US,
 * and again when it took something. So it is where the queue has no room for the line; if there is
 * none afterwards either, the line is lost. */
void serial_queue_send(const char *line, size_t length, bool alone);
/* Sends what waits, and waits until its last bit is out; for how long, `alone` says likewise. */
void serial_queue_drain(bool alone);
/* The same at the end of the log: waits SERIAL_PATIENCE_US anew. Returns whether all is out. */
bool serial_queue_end(void);
struct serial_pauses serial_queue_pauses(void);

#endif
