/* Taken or not: the direction predictor of one core. */
#ifndef RIG_CORE_PREDICT_DIRECTION_H
#define RIG_CORE_PREDICT_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/snapshot.h"

#define BIMODAL_BITS   14
#define TAGGED_SETS    8u
#define TAGGED_WAYS    8u
#define TAGGED_TABLES  4
#define LOOP_ENTRIES   64u
#define HASHES         64u /* branches whose hashes are kept */
#define LOOP_TRIPS_MAX 64u

struct tagged_entry {
    uint32_t tag;   /* 0: empty */
    int8_t counter; /* -4 ... 3, taken from 0 on */
};

struct loop_entry {
    uint64_t branch; /* 0: empty */
    uint16_t trips;  /* outcomes in a row before the other outcome; 0: not known yet */
    uint16_t now;
    uint8_t confidence; /* times in a row that `trips` was right */
    uint8_t age;
    bool body; /* the outcome that is repeated */
};

/* The part of a branch's places that its address alone decides. */
struct branch_hash {
    uint64_t branch, table[TAGGED_TABLES];
};

struct direction {
    uint8_t length[TAGGED_TABLES]; /* bits of history */
    uint64_t history[2];           /* outcomes, the latest in bit 0 of [0] */
    int8_t newcomer;               /* above 0: new entries predict worse than what they replace */
    uint32_t random;
    uint8_t bimodal[1u << BIMODAL_BITS]; /* 0 ... 3 */
    /* The entry of a set used last is first, and the oldest is replaced. So a repeated sequence is
     * either short enough to be learned, or forgotten before it comes round again: a random
     * sequence of a thousand outcomes stays random. */
    struct tagged_entry tagged[TAGGED_TABLES][TAGGED_SETS][TAGGED_WAYS];
    struct loop_entry loop[LOOP_ENTRIES];
    struct branch_hash hash[HASHES];
};

/* `history_bits`: the longest history used, 4 to 128. */
void direction_init(struct direction *direction, unsigned history_bits);
/* Predicts the conditional branch at `branch`, then learns whether it was `taken`. True: the
 * prediction was right. */
bool direction_resolve(struct direction *direction, uint64_t branch, bool taken);
/* The counter of the branch alone: 0 to 3. */
unsigned direction_bimodal(const struct direction *direction, uint64_t branch);
/* Adds all else that predictions follow from. */
void direction_snapshot(const struct direction *direction, struct snapshot *snapshot);

#endif
