/* Lines that streaming stores write around the caches: each is combined in a buffer of its own
 * until all of it is written, and then sent to memory. Optimization Reference Manual, "Non-temporal
 * Stores" and "Write Combining". Only which lines are open and how much of them is written. */
#ifndef RIG_MODEL_STREAM_H
#define RIG_MODEL_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#define STREAM_LINES 8u /* open at a time: a guess. Every fill buffer could be one. */

struct stream_line {
    uint64_t line;
    uint64_t written; /* bit n: byte n */
    uint64_t opened;  /* cycle in which it had its buffer */
};

struct streams { /* the oldest first */
    struct stream_line open[STREAM_LINES];
    unsigned count;
    uint64_t gone; /* cycle in which all that was sent has arrived */
};

/* The open line, or NULL. */
struct stream_line *stream_find(struct streams *streams, uint64_t line);
/* There must be room: count < STREAM_LINES. */
struct stream_line *stream_open(struct streams *streams, uint64_t line, uint64_t cycle);
/* Bytes of the line from `first` on; true when that was all that was missing. */
bool stream_write(struct stream_line *open, unsigned first, unsigned size);
void stream_close(struct streams *streams, const struct stream_line *open);

#endif
