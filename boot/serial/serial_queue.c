#include "serial_queue.h"

#include "boot/clock.h"
#include "boot/text.h"
#include "serial.h"

#define PIECE 64u

static struct {
    char *text; /* a ring */
    size_t room, first, length;
    struct serial_pauses pauses;
    bool still;            /* it took nothing at the last try, */
    uint64_t since, waits; /* nor since then; and is waited for since then: ticks */
} self;

static uint64_t microseconds_since(uint64_t began)
{
    return (clock_now() - began) / clock_ticks_per_us();
}

/* For how long it may be waited for now. A pause that was waited for is not waited for again. */
static uint64_t patience_us(bool needed)
{
    uint64_t waited;

    if (!self.still)
        return serial_timeout_us();
    waited = microseconds_since(self.waits);
    return needed && waited < SERIAL_PATIENCE_US ? SERIAL_PATIENCE_US - waited : 0;
}

static void stand_still(uint64_t began)
{
    if (!self.still)
        self.since = self.waits = began;
    self.still = true;
}

static void go_on(void)
{
    const uint64_t paused = microseconds_since(self.since);

    if (!self.still)
        return;
    self.still = false;
    self.pauses.count++;
    if (paused > self.pauses.longest_us)
        self.pauses.longest_us = paused;
}

/* What is sent next: so little that when it began is about when the line stood still. */
static size_t next_piece(void)
{
    const size_t end = self.room - self.first, piece = self.length < PIECE ? self.length : PIECE;

    return piece < end ? piece : end;
}

/* Whether all that waited was sent. */
static bool push(bool needed)
{
    while (self.length > 0) {
        const size_t piece = next_piece();
        const uint64_t began = clock_now();
        const size_t sent = serial_send(self.text + self.first, piece, patience_us(needed));

        if (sent > 0)
            go_on();
        self.first = (self.first + sent) % self.room;
        self.length -= sent;
        if (sent < piece) {
            stand_still(began);
            if (patience_us(needed) == 0)
                return false;
        }
    }
    return true;
}

static void append(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        self.text[(self.first + self.length + i) % self.room] = text[i];
    self.length += length;
}

void serial_queue_start(char *memory, size_t room)
{
    self.text = memory;
    self.room = room;
    self.first = self.length = 0;
    self.still = false;
    self.pauses = (struct serial_pauses){0};
}

void serial_queue_send(const char *line, size_t length, bool alone)
{
    if (length + 1 > self.room - self.length)
        push(true);
    if (length + 1 > self.room - self.length) {
        self.pauses.lost++;
        return;
    }
    append(line, length - 1);
    append("\r\n", 2);
    push(alone);
}

void serial_queue_drain(bool alone)
{
    if (push(alone))
        serial_drain(alone ? SERIAL_PATIENCE_US : serial_timeout_us());
}

bool serial_queue_end(void)
{
    self.waits = clock_now();
    return push(true) && serial_drain(SERIAL_PATIENCE_US);
}

struct serial_pauses serial_queue_pauses(void)
{
    struct serial_pauses pauses = self.pauses;

    pauses.stuck = self.still && microseconds_since(self.since) >= SERIAL_PATIENCE_US;
    return pauses;
}
