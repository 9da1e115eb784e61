/* Which turns of a loop may be a period: by where they jump and what they access. */
#ifndef RIG_CORE_PIPELINE_PERIOD_WATCH_H
#define RIG_CORE_PIPELINE_PERIOD_WATCH_H

#include "core/model.h"

#define WATCHED 1024u /* turns */
#define LOOPS   64u   /* that something is known of */

/* What is known of a loop from before. */
struct known {
    uint64_t head;
    uint32_t patience;
    unsigned units, after; /* of its period, and before the first one; `units` 0: not known */
};

/* The turns so far, the last WATCHED by number. */
struct watch {
    uint64_t hash;         /* of the current one, up to now */
    unsigned instructions; /* of it */
    uint64_t turn;         /* its number */
    uint64_t hashes[WATCHED];
    uint64_t last[WATCHED]; /* by hash: the number of its last turn */
    unsigned distance;      /* turns from one to the next that is like it; 0: none is known */
    uint64_t alike, alike_instructions; /* since then: all were like the one so far before */
    unsigned watched;                   /* instructions since the last rest */
    unsigned rest;                      /* instructions that are not watched, */
    unsigned next_rest;                 /* and how many will not be the next time; 0: REST_LEAST */
    struct known known[LOOPS];          /* by the loop's head */
    uint64_t head;                      /* where the last turn began */
};

/* From now on only turns to come count. */
void watch_begin(struct watch *watch);
/* One more instruction, which was accounted for. Not 0: it ended a turn, and so many turns are one
 * period, or some periods with enough instructions to look at the core's state behind them. */
unsigned watch_turns(struct watch *watch, const struct executed *executed);
/* Of the loop whose turn was the last one. */
struct known *watch_known(struct watch *watch);
/* A period of that loop was looked for, and so many instructions were skipped. */
void watch_learn(struct watch *watch, uint64_t skipped);

static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
