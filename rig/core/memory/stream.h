/* Lines that streaming stores write around the caches: each is combined in its own buffer until all
 * of it is written, and then sent to memory. Optimization Reference Manual, "Non-temporal Stores"
 * and "Write Combining". Kept here: which lines are open and which of their bytes are written. */
#ifndef RIG_CORE_MEMORY_STREAM_H
#define RIG_CORE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#define STREAM_LINES 8u /* open at a time: a guess; every fill buffer could hold one */

struct stream_line {
    uint64_t line;
    uint64_t written; /* bit n: byte n */
    uint64_t opened;  /* cycle in which the line got its buffer */
};

struct streams { /* the oldest first */
    struct stream_line open[STREAM_LINES];
    unsigned count;
    uint64_t gone; /* cycle in which every line sent so far has arrived */
};

/* The open line, or NULL. */
struct stream_line *stream_find(struct streams *streams, uint64_t line);
/* There must be room: count < STREAM_LINES. */
struct stream_line *stream_open(struct streams *streams, uint64_t line, uint64_t cycle);
/* Writes `size` bytes of the line from `first` on; true: now all 64 are written. */
bool stream_write(struct stream_line *open, unsigned first, unsigned size);
void stream_close(struct streams *streams, const struct stream_line *open);

#endif
