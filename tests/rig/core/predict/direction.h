/* Taken or not: the direction predictor of one core. */
#ifndef RIG_MODEL_DIRECTION_H
#define RIG_MODEL_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#define BIMODAL_BITS   14
#define TAGGED_SETS    8u
#define TAGGED_WAYS    8u
#define TAGGED_TABLES  4
#define LOOP_ENTRIES   64u
#define LOOP_TRIPS_MAX 64u

struct tagged_entry {
    uint32_t tag;   /* 0: empty */
    int8_t counter; /* -4 ... 3, taken from 0 on */
};

struct loop_entry {
    uint64_t branch; /* 0: empty */
    uint16_t trips;  /* outcomes in a row before the other one; 0: not known yet */
    uint16_t now;
    uint8_t confidence; /* times in a row that `trips` was right */
    uint8_t age;
    bool body; /* the outcome that repeats */
};

struct direction {
    uint8_t length[TAGGED_TABLES]; /* bits of history */
    uint64_t history[2];           /* outcomes, the latest in bit 0 of [0] */
    int8_t newcomer;               /* above 0: a new entry is worse than what it replaces */
    uint32_t random;
    uint8_t bimodal[1u << BIMODAL_BITS]; /* 0 ... 3 */
    /* The latest used of a set first. With the oldest replaced, a sequence that repeats is either
     * short enough to be learned or forgotten before it comes round again: a random one of a
     * thousand outcomes stays random. */
    struct tagged_entry tagged[TAGGED_TABLES][TAGGED_SETS][TAGGED_WAYS];
    struct loop_entry loop[LOOP_ENTRIES];
};

/* `history_bits` is the longest history used, 4 to 128. */
void direction_init(struct direction *direction, unsigned history_bits);
/* Predicts the conditional branch at `branch`, then learns that it was `taken`. Gives whether the
 * prediction was right. */
bool direction_resolve(struct direction *direction, uint64_t branch, bool taken);

#endif
